//! From a run on a grid of times to the exact run: the units that pass become times.
//!
//! On a grid that a unit of time passes is an event. In the exact run events have times instead; that time passes is
//! an event only at the end, where the claim breaks while nothing happens, or where for ever nothing happens though a
//! fault could. A loop goes once up to its first event before it is said to begin, so that it ends with an event.

use machine::{Choice, ErrorKind, Event, Instance, Machine, State};
use rational::Rational;
use verdict::{Ending, Run};

/// The run of the exact Machine; nothing if a loop takes no time, or the run is none of its.
pub(crate) fn clocked(exact: &Machine, run: &Run, unit: &Rational) -> Option<Run> {
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
    let happens = |choice: &&Choice| choice.event != Event::Wait;
    let Ending::Loops(from) = run.ending else {
        exact_run.choices = timed.iter().filter(happens).cloned().collect();
        let passes = |number: usize| matches!(timed.get(number), Some(c) if c.event == Event::Wait);
        let last = timed.len().wrapping_sub(1);
        let time_lock = matches!(&run.ending, Ending::Error(e) if e.kind == ErrorKind::TimeLock);
        if passes(last) {
            if time_lock {
                now -= unit; // the last time it does not pass
            }
            if time_lock && passes(last.wrapping_sub(1)) {
                exact_run.choices.push(wait(now.clone()));
            }
            exact_run.choices.push(wait(now));
        }
        return Some(exact_run);
    };
    let (before, round) = timed.split_at(from);
    let began = before.last().and_then(|choice| choice.time.clone());
    let began = began.unwrap_or_default();
    let lap = &now - &began;
    if !lap.is_positive() {
        return None;
    }
    let later = |choice: &Choice, by: &Rational| Choice {
        time: choice.time.as_ref().map(|time| time + by),
        ..choice.clone()
    };
    exact_run.choices = before.iter().filter(happens).cloned().collect();
    match round.iter().find(happens) {
        Some(first) => {
            exact_run.ending = Ending::Loops(exact_run.choices.len() + 1);
            let round = round.iter().filter(happens).cloned();
            exact_run.choices.extend(round);
            exact_run.choices.push(later(first, &lap));
        }
        None if instance
            .choices(&last_state(instance, &exact_run)?)
            .is_empty() =>
        {
            exact_run.ending = Ending::StandsStill;
        }
        None => {
            if before.last().is_some_and(|c| c.event == Event::Wait) {
                exact_run.choices.push(wait(began));
            }
            exact_run.ending = Ending::Loops(exact_run.choices.len());
            exact_run.choices.push(wait(now));
        }
    }
    Some(exact_run)
}

/// Nothing happens until then.
fn wait(time: Rational) -> Choice {
    Choice {
        event: Event::Wait,
        picks: Vec::new(),
        time: Some(time),
    }
}

/// The state in which the choices of a run end.
fn last_state(instance: Instance<'_>, run: &Run) -> Option<State> {
    let mut state = run.initial.clone();
    for choice in &run.choices {
        state = instance.step(&state, choice).ok()?;
    }
    Some(state)
}
