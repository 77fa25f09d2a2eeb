//! Concretisation of digitised runs: the run of the exact Machine, in which events have times.
//!
//! In a digitised run, the passing of one unit is an event (`Event::Wait`). In the exact run each event has a time
//! instead. A wait remains only at the end of the run: if the claim becomes false between two events, or if no event
//! fires any more although a fault is enabled. In a lasso, the cycle must end with an event. So its start is moved to
//! just after its first event.

use machine::{Choice, ErrorKind, Event, Instance, Machine, State};
use rational::Rational;
use verdict::{Ending, Run};

/// The run of the exact Machine. `None` if the cycle of a lasso takes no time, or the events are not enabled in the
/// exact Machine.
pub(crate) fn concretise(exact: &Machine, run: &Run, unit: &Rational) -> Option<Run> {
    let mut timed = Vec::new();
    let mut now = Rational::default();
    for choice in &run.choices {
        if choice.event == Event::Wait {
            now += unit;
        }
        timed.push(Choice {
            time: Some(now.clone()),
            ..choice.clone()
        });
    }
    let mut exact_run = Run {
        frozen: run.frozen.clone(),
        initial: run.initial.clone(),
        choices: Vec::new(),
        ending: run.ending.clone(),
    };
    let instance = Instance {
        machine: exact,
        frozen: &run.frozen,
    };
    exact_run.initial.order_state.clear();
    instance.set_clock(&mut exact_run.initial).ok()?;
    let is_event = |choice: &&Choice| choice.event != Event::Wait;
    let Ending::Loops(from) = run.ending else {
        exact_run.choices = timed.iter().filter(is_event).cloned().collect();
        let is_wait =
            |number: usize| matches!(timed.get(number), Some(c) if c.event == Event::Wait);
        let last = timed.len().wrapping_sub(1);
        let timelock = matches!(&run.ending, Ending::Error(e) if e.kind == ErrorKind::TimeLock);
        if is_wait(last) {
            if timelock {
                now -= unit; // the last unit cannot pass
            }
            if timelock && is_wait(last.wrapping_sub(1)) {
                exact_run.choices.push(wait(now.clone()));
            }
            exact_run.choices.push(wait(now));
        }
        return Some(exact_run);
    };
    let (prefix, cycle) = timed.split_at(from);
    let start = prefix.last().and_then(|choice| choice.time.clone());
    let start = start.unwrap_or_default();
    let duration = &now - &start;
    if !duration.is_positive() {
        return None;
    }
    let later = |choice: &Choice, by: &Rational| Choice {
        time: choice.time.as_ref().map(|time| time + by),
        ..choice.clone()
    };
    exact_run.choices = prefix.iter().filter(is_event).cloned().collect();
    match cycle.iter().find(is_event) {
        Some(first) => {
            exact_run.ending = Ending::Loops(exact_run.choices.len() + 1);
            let events = cycle.iter().filter(is_event).cloned();
            exact_run.choices.extend(events);
            exact_run.choices.push(later(first, &duration));
        }
        None if instance
            .choices(&last_state(instance, &exact_run)?)
            .is_empty() =>
        {
            exact_run.ending = Ending::StandsStill;
        }
        None => {
            if prefix.last().is_some_and(|c| c.event == Event::Wait) {
                exact_run.choices.push(wait(start));
            }
            exact_run.ending = Ending::Loops(exact_run.choices.len());
            exact_run.choices.push(wait(now));
        }
    }
    Some(exact_run)
}

/// A wait until a time.
fn wait(time: Rational) -> Choice {
    Choice {
        event: Event::Wait,
        picks: Vec::new(),
        time: Some(time),
    }
}

/// The state after all choices of a run; `None` if a choice is not enabled.
fn last_state(instance: Instance<'_>, run: &Run) -> Option<State> {
    let mut state = run.initial.clone();
    for choice in &run.choices {
        state = instance.step(&state, choice).ok()?;
    }
    Some(state)
}
