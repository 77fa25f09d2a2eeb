//! Loops that repeat the end of a run.
//!
//! A run that breaks a claim late often does so because everything goes round already. So its last events are repeated, in
//! their order, from some moment on after which every node that runs is activated, until the state comes back. Whether such a
//! loop breaks the claim the audit says, and whether it has times linear programming. What comes out is a run or nothing: of
//! all other runs nothing is said.

use crate::refine::at_abstraction_without_rules;
use crate::refine::real_answer;
use audit::Replayed;
use machine::{Choice, Instance, Machine, OrderConstraints, PropertyKind, State};
use rational::Rational;
use verdict::{Answer, Budget, Ending, Progress, Question, Run};

/// How often an end is repeated.
const MOST_ROUNDS: usize = 8;

/// Ends that are tried.
const MOST_ENDS: usize = 24;

/// A run with times that begins like another one and then repeats its end for ever, and that breaks the only property.
pub fn answer(
    question: &Question<'_>,
    began: &Run,
    unit: &Rational,
    budget: &dyn Budget,
) -> Option<Answer> {
    let exact = question.machine;
    let untimed = at_abstraction_without_rules(exact);
    let asked = Question {
        machine: &untimed,
        fair: question.fair,
    };
    let mut run = began.clone();
    run.frozen.periods.clear();
    run.initial.clock = None;
    run.initial.order_state = OrderConstraints::of(&untimed).start();
    run.ending = Ending::Open;
    run.choices.iter_mut().for_each(|choice| choice.time = None);
    let states = follow(&untimed, &run, run.initial.clone(), &run.choices)?;
    let last = states.last()?;
    let runs = |node: &machine::NodeId| last.nodes[node.index()].mode.runs();
    let goes_on = |from: &usize| {
        let activated = |node| {
            let mut end = run.choices[*from..].iter();
            end.any(|choice| exact.activates(&choice.event) == Some(node))
        };
        exact.nodes().filter(runs).all(activated)
    };
    let ends = (0..run.choices.len()).rev().filter(goes_on);
    for from in ends.take(MOST_ENDS) {
        if budget.ask(&Progress::default()).is_some() {
            return None;
        }
        let Some(lasso) = round(&untimed, &run, from, &states) else {
            continue;
        };
        if !breaks(&untimed, &lasso) {
            continue;
        }
        let lasso = lasso.run;
        let found = real_answer(&asked, exact, Answer::Fails(Box::new(lasso)), unit);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// A run that loops, with its states.
struct Lasso {
    run: Run,
    replayed: Replayed,
}

/// Whether a loop breaks the only property, as far as its states say: what does not need not be replayed.
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

/// The run that repeats its events from one on until a state comes back where they begin again.
fn round(machine: &Machine, run: &Run, from: usize, states: &[State]) -> Option<Lasso> {
    let end = &run.choices[from..];
    let mut longer = run.clone();
    let mut states = states.to_vec();
    // States after each round.
    let mut rounds = vec![states.len() - 1];
    for _ in 0..MOST_ROUNDS {
        let here = states.pop()?;
        states.extend(follow(machine, run, here, end)?);
        longer.choices.extend(end.iter().cloned());
        let next = states.last()?;
        if let Some(before) = rounds.iter().find(|place| states[**place] == *next) {
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
        rounds.push(states.len() - 1);
    }
    None
}

/// All states from one on, if everything can happen.
fn follow(machine: &Machine, run: &Run, from: State, choices: &[Choice]) -> Option<Vec<State>> {
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
