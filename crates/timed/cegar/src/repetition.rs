//! Lassos that repeat the end of a run.
//!
//! A run that violates a claim late often almost repeats a cycle. This method repeats the last events of the run, in
//! their order, until a state recurs. It tries several lengths of this end; every running node must be activated in it.
//! The audit decides whether the lasso violates the claim, and linear programming whether it has times. The method only
//! finds runs; if it finds none, this proves nothing.

use crate::concretise::concretised_answer;
use crate::rules::untimed;
use audit::Replayed;
use machine::{Choice, Instance, Machine, OrderConstraints, PropertyKind, State};
use rational::Rational;
use verdict::{Answer, Budget, Ending, Progress, Question, Run};

/// The largest number of times that the end of the run is repeated.
const MOST_REPETITIONS: usize = 8;

/// The largest number of different ends that are tried.
const MOST_ENDS: usize = 24;

/// A lasso with times that starts like `known`, repeats the end of `known` for ever, and violates the only property;
/// `None` if none is found.
pub fn answer(
    question: &Question<'_>,
    known: &Run,
    unit: &Rational,
    budget: &dyn Budget,
) -> Option<Answer> {
    let exact = question.machine;
    let untimed = untimed(exact);
    let asked = Question {
        machine: &untimed,
        fair: question.fair,
    };
    let mut run = known.clone();
    run.frozen.periods.clear();
    run.initial.clock = None;
    run.initial.order_state = OrderConstraints::of(&untimed).start();
    run.ending = Ending::Open;
    run.choices.iter_mut().for_each(|choice| choice.time = None);
    let states = states_along(&untimed, &run, run.initial.clone(), &run.choices)?;
    let last = states.last()?;
    let runs = |node: &machine::NodeId| last.nodes[node.index()].mode.runs();
    let activates_all = |from: &usize| {
        let activated = |node| {
            let mut end = run.choices[*from..].iter();
            end.any(|choice| exact.activates(&choice.event) == Some(node))
        };
        exact.nodes().filter(runs).all(activated)
    };
    let ends = (0..run.choices.len()).rev().filter(activates_all);
    for from in ends.take(MOST_ENDS) {
        if budget.ask(&Progress::default()).is_some() {
            return None;
        }
        let Some(lasso) = repeat_end(&untimed, &run, from, &states) else {
            continue;
        };
        if !breaks(&untimed, &lasso) {
            continue;
        }
        let lasso = lasso.run;
        let found = concretised_answer(&asked, exact, Answer::Fails(Box::new(lasso)), unit);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// A lasso with its states.
struct Lasso {
    run: Run,
    replayed: Replayed,
}

/// Whether a lasso may violate the only property, by evaluating the claim on its states. Only such lassos are
/// concretised.
fn breaks(machine: &Machine, lasso: &Lasso) -> bool {
    let instance = Instance {
        machine,
        frozen: &lasso.run.frozen,
    };
    let PropertyKind::Claim(claim) = &machine.properties[0].kind else {
        return false;
    };
    audit::holds_on(instance, claim, &[], &lasso.replayed, &lasso.run) != Ok(true)
}

/// The lasso that repeats the events of the run from index `from` on, until the state after a repetition equals the
/// state after an earlier one. `None` if an event is not enabled or no state recurs.
fn repeat_end(machine: &Machine, run: &Run, from: usize, states: &[State]) -> Option<Lasso> {
    let end = &run.choices[from..];
    let mut longer = run.clone();
    let mut states = states.to_vec();
    // The indices of the states at the end of the run and after each repetition.
    let mut boundaries = vec![states.len() - 1];
    for _ in 0..MOST_REPETITIONS {
        let last = states.pop()?;
        states.extend(states_along(machine, run, last, end)?);
        longer.choices.extend(end.iter().cloned());
        let next = states.last()?;
        if let Some(before) = boundaries.iter().find(|place| states[**place] == *next) {
            longer.ending = Ending::Loops(*before);
            let replayed = Replayed {
                states,
                error: None,
            };
            return Some(Lasso {
                run: longer,
                replayed,
            });
        }
        boundaries.push(states.len() - 1);
    }
    None
}

/// The states along a sequence of choices, including the first; `None` if a choice is not enabled.
fn states_along(
    machine: &Machine,
    run: &Run,
    from: State,
    choices: &[Choice],
) -> Option<Vec<State>> {
    let instance = Instance {
        machine,
        frozen: &run.frozen,
    };
    let mut states = vec![from];
    for choice in choices {
        let next = instance.step(states.last()?, choice).ok()?;
        states.push(next);
    }
    Some(states)
}
