//! Concretisation of digitised runs: the run of the exact Machine, in which events have times.
//!
//! In a digitised run, the passing of one unit is an event (`Event::Wait`). In the exact run each event has a time
//! instead. A wait remains only at the end of the run: if the claim becomes false between two events, if the run ends
//! in a time-lock, or if no event fires any more although a fault is enabled. A cycle with events must end with an
//! event. So its start is moved to just after its first event.

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

/// The largest number of steps in the search for other times of a run.
const MOST_STEPS: u32 = 2_000;

/// Runs of the exact Machine with the same events as a timed run of a coarsened Machine, but with other times: one in
/// which events prefer their earliest time, and one in which they prefer their time in the given run.
pub(crate) fn retimed(exact: &Machine, run: &Run) -> Vec<Run> {
    let early = [
        Preference::Earliest,
        Preference::Nearest,
        Preference::Latest,
    ];
    let near = [
        Preference::Nearest,
        Preference::Latest,
        Preference::Earliest,
    ];
    let runs = [early, near].into_iter();
    runs.filter_map(|order| retimed_by(exact, run, order))
        .collect()
}

/// Which of the times at which the exact Machine allows an event is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Preference {
    Earliest,
    /// The time nearest to that in the given run.
    Nearest,
    Latest,
}

/// The first run with other times that a depth-first search finds. The search tries the times of each event in `order`.
fn retimed_by(exact: &Machine, run: &Run, order: [Preference; 3]) -> Option<Run> {
    let mut timed = run.clone();
    let instance = Instance {
        machine: exact,
        frozen: &run.frozen,
    };
    instance.set_clock(&mut timed.initial).ok()?;
    // The times that are tried for the event with this number, the last candidate first.
    let times = |state: &State, number: usize| {
        let mut times: Vec<Rational> = Vec::new();
        if let Some(choice) = run.choices.get(number)
            && let Some(wanted) = &choice.time
            && let Some((from, to)) = instance.enabled_interval(state, &choice.event)
        {
            let nearest = to.iter().fold(wanted, Ord::min).max(&from);
            times.extend(order.iter().rev().map(|preference| match preference {
                Preference::Earliest => from.clone(),
                Preference::Nearest => nearest.clone(),
                Preference::Latest => to.as_ref().unwrap_or(nearest).clone(),
            }));
        }
        times
    };
    let mut path = vec![(timed.initial.clone(), times(&timed.initial, 0))];
    for _ in 0..MOST_STEPS {
        let number = path.len().checked_sub(1)?;
        let Some(choice) = timed.choices.get_mut(number) else {
            return Some(timed);
        };
        let (state, left) = &mut path[number];
        choice.time = left.pop();
        if choice.time.is_none() {
            path.pop();
            continue;
        }
        left.retain(|time| Some(time) != choice.time.as_ref());
        if let Ok(next) = instance.step(state, choice) {
            let left = times(&next, number + 1);
            path.push((next, left));
        }
    }
    None
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
