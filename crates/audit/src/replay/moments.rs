//! The moments of a run at which a claim is evaluated: after each event, and while time passes.
//!
//! Between two events only the time changes. So it suffices to evaluate the claim at one moment for each possible
//! result of the comparisons of `now` with times in the claim: at each of these times, and once between two
//! neighbouring ones.

use crate::replay::replayed::Replayed;
use machine::{Expr, Formula, Instance, State};
use rational::Rational;
use std::borrow::Cow;
use verdict::{Ending, Run};

/// The moments of a run as states, and the index from which on they repeat. If the run does not loop, the last moment
/// repeats.
pub(crate) fn moments<'r>(
    instance: Instance<'_>,
    claim: &Formula,
    replayed: &'r Replayed,
    run: &Run,
) -> (Vec<Cow<'r, State>>, usize) {
    let states = &replayed.states;
    let times = match instance.is_timed() {
        true => compared(claim),
        false => Vec::new(), // with digitised time, every passing of a unit is an event
    };
    let mut found: Vec<Cow<'r, State>> = Vec::new();
    let mut from = states.len() - 1;
    for (i, state) in states.iter().enumerate() {
        if run.ending == Ending::Loops(i) {
            from = found.len();
        }
        found.push(Cow::Borrowed(state));
        let next = states.get(i + 1).and_then(now);
        let stays = i + 1 == states.len() && run.ending == Ending::StandsStill;
        let later = match (now(state), next) {
            (Some(now), Some(next)) => until(now, next, &times),
            (Some(now), None) if stays => for_ever(now, &times),
            _ => Vec::new(),
        };
        found.extend(later.into_iter().map(|time| Cow::Owned(at(state, time))));
    }
    match run.ending {
        Ending::Loops(_) => (found, from),
        _ => {
            let last = found.len() - 1;
            (found, last)
        }
    }
}

/// Whether the loop of a run, if any, begins after the last time with which the claim compares `now`.
pub(crate) fn loop_is_settled(claim: &Formula, run: &Run, replayed: &Replayed) -> bool {
    let (Ending::Loops(from), Some(last)) = (&run.ending, compared(claim).pop()) else {
        return true;
    };
    now(&replayed.states[*from]).is_some_and(|now| *now > last)
}

fn now(state: &State) -> Option<&Rational> {
    state.clock.as_ref().map(|clock| &clock.now)
}

fn at(state: &State, time: Rational) -> State {
    let mut then = state.clone();
    if let Some(clock) = &mut then.clock {
        clock.now = time;
    }
    then
}

/// The times with which a claim compares `now`, in ascending order.
fn compared(claim: &Formula) -> Vec<Rational> {
    let mut times = Vec::new();
    claim.walk_exprs(&mut |e| {
        if let Expr::Now(_, time) = e {
            times.push(time.clone());
        }
    });
    times.sort();
    times.dedup();
    times
}

/// The times after `from` and up to `to` at which the claim is evaluated: at and between the given times, and at `to`.
/// Empty if no time is given.
fn until(from: &Rational, to: &Rational, times: &[Rational]) -> Vec<Rational> {
    if from == to || times.is_empty() {
        return Vec::new();
    }
    let inside = times.iter().filter(|time| from < *time && *time < to);
    let ends: Vec<&Rational> = [from].into_iter().chain(inside).chain([to]).collect();
    let between = |a: &Rational, b: &Rational| (a + b) / Rational::from(2);
    let pairs = ends.windows(2);
    pairs
        .flat_map(|pair| [between(pair[0], pair[1]), pair[1].clone()])
        .collect()
}

/// The times after `from`, without end, at which the claim is evaluated: at, between and after the given times.
fn for_ever(from: &Rational, times: &[Rational]) -> Vec<Rational> {
    match times.last() {
        Some(last) if last >= from => until(from, &(last + Rational::ONE), times),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(all: &[i128]) -> Vec<Rational> {
        all.iter().map(|t| Rational::new(*t, 2)).collect()
    }

    #[test]
    fn one_moment_for_each_way_to_compare() {
        let zero = Rational::default();
        let mentioned = times(&[2, 8]); // 1 and 4
        assert_eq!(
            until(&zero, &Rational::from(3), &mentioned),
            times(&[1, 2, 4, 6])
        );
        assert_eq!(until(&zero, &zero, &mentioned), []);
        assert_eq!(until(&zero, &Rational::from(3), &[]), []);
        assert_eq!(for_ever(&zero, &mentioned), times(&[1, 2, 5, 8, 9, 10]));
        assert_eq!(for_ever(&Rational::from(5), &mentioned), []);
    }
}
