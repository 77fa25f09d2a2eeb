//! Whether an answer is true: replays runs on the reference interpreter, and checks evidence (`evidence.rs`); knows no engine.
//!
//! A run is accepted only if it begins in an initial state of its instance, every choice is possible where
//! it is made, it ends as it says, it is fair where that is asked, and the property, evaluated directly on
//! it, is what the answer says.

mod evidence;
mod explain;
mod formula;
mod furthest;
mod later;
mod moments;
mod realise;
mod replay;
mod travel;
mod waiting;
mod why;

pub use evidence::{
    Checked, CircuitChecked, Moment, OrderChecked, PartChecked, Refuted, Rhythms, Silence, Step,
    evidence,
};
pub use explain::explain;
pub use formula::{holds_on, no_value};
pub use furthest::{Straight, furthest};
pub use realise::{Demand, Realised, realise};
pub use replay::{Replayed, replay};
pub use waiting::waiting;

use machine::{Instance, PropertyKind};
use verdict::{Answer, Ending, Question, Run};

/// Why a run is not accepted, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected(pub String);

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

fn reject<T>(text: impl Into<String>) -> Result<T, Rejected> {
    Err(Rejected(text.into()))
}

/// Replays the run of an answer to a property, and makes sure that it shows what the answer says.
pub fn confirm(
    question: &Question<'_>,
    property: usize,
    answer: &Answer,
) -> Result<Option<Replayed>, Rejected> {
    let Some(run) = answer.run() else {
        return Ok(None);
    };
    let wanted = match answer {
        Answer::Possible(_) => Shows::Reached,
        Answer::Error(_) => Shows::Error,
        _ => Shows::Broken,
    };
    let replayed = replay(question.machine, run)?;
    let shows = shows(question, property, run, &replayed)?;
    if shows == wanted {
        Ok(Some(replayed))
    } else {
        reject(format!(
            "the run was to show {wanted:?}, but it shows {shows:?}"
        ))
    }
}

/// What a run shows of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shows {
    /// The claim is false on it.
    Broken,
    /// The condition is reached.
    Reached,
    /// It ends in an error.
    Error,
    /// None of these.
    Nothing,
}

fn shows(
    question: &Question<'_>,
    property: usize,
    run: &Run,
    replayed: &Replayed,
) -> Result<Shows, Rejected> {
    let instance = Instance {
        machine: question.machine,
        frozen: &run.frozen,
    };
    let property = &question.machine.properties[property];
    let last = replayed.states.last().expect("at least the initial state");
    // A run ends at its first error, of its code or of the property.
    let mut states = replayed.states.iter().enumerate();
    let error = states.find_map(|(i, s)| Some((i, formula::no_value(instance, property, s)?)));
    match error {
        Some((i, _)) if i + 1 < replayed.states.len() || replayed.error.is_some() => {
            return reject(format!(
                "after event {i} the property has no value, and the run goes on"
            ));
        }
        Some((_, error)) if run.ending != Ending::Error(error.clone()) => {
            return reject("the property has no value at the end, and the run does not say so");
        }
        None if replayed.error.is_none() && matches!(run.ending, Ending::Error(_)) => {
            return reject("the run ends in no error");
        }
        Some(_) => return Ok(Shows::Error),
        None if replayed.error.is_some() => return Ok(Shows::Error),
        None => {}
    }
    match &property.kind {
        PropertyKind::Possible(condition) => Ok(match instance.holds(last, condition, &[]) {
            Ok(true) => Shows::Reached,
            Ok(false) => Shows::Nothing,
            Err(_) => Shows::Error,
        }),
        PropertyKind::Claim(claim) => match run.ending {
            Ending::Open | Ending::Error(_) => match claim.invariant() {
                Some(condition) => Ok(match instance.holds(last, &condition, &[]) {
                    Ok(true) => Shows::Nothing,
                    Ok(false) => Shows::Broken,
                    Err(_) => Shows::Error,
                }),
                None if formula::is_broken_for_good(instance, claim, last) => Ok(Shows::Broken),
                None => reject("the run is finite, but the claim is about infinite ones"),
            },
            Ending::StandsStill | Ending::Loops(_) => {
                if !moments::loop_is_settled(claim, run, replayed) {
                    return reject(
                        "the loop begins before the last time that the claim asks about",
                    );
                }
                if let Ending::Loops(from) = run.ending
                    && !later::waits_alike(question.machine, claim, &replayed.states[from], last)
                {
                    return reject("the loop waits longer each time for what the claim asks for");
                }
                if question.fair {
                    replayed.is_fair(instance, run)?;
                }
                Ok(
                    match formula::holds_on(instance, claim, &[], replayed, run) {
                        Ok(true) => Shows::Nothing,
                        Ok(false) => Shows::Broken,
                        Err(_) => Shows::Error,
                    },
                )
            }
        },
    }
}
