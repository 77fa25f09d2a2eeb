//! Confirms an answer: replays its run, and evaluates the property on it.

use crate::rejected::{Rejected, reject};
use crate::replay::formula::{holds_on, is_broken_for_good, no_value};
use crate::replay::loop_closure::same_waiting_time;
use crate::replay::moments::loop_is_settled;
use crate::replay::replayed::{Replayed, replay};
use machine::{Instance, PropertyKind};
use verdict::{Answer, Ending, Question, Run};

/// Replays the run of an answer and checks that it shows what the answer states about the property. `None` if the
/// answer has no run.
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

/// What a run shows about a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shows {
    /// The claim is false on the run.
    Broken,
    /// The run reaches the condition.
    Reached,
    /// The run ends in an error.
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
    // A run ends at the first error, whether of its code or of the property.
    let mut states = replayed.states.iter().enumerate();
    let error = states.find_map(|(i, s)| Some((i, no_value(instance, property, s)?)));
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
                None if is_broken_for_good(instance, claim, last) => Ok(Shows::Broken),
                None => reject("the run is finite, but the claim is about infinite ones"),
            },
            Ending::StandsStill | Ending::Loops(_) => {
                if !loop_is_settled(claim, run, replayed) {
                    return reject(
                        "the loop begins before the last time that the claim asks about",
                    );
                }
                if let Ending::Loops(from) = run.ending
                    && !same_waiting_time(question.machine, claim, &replayed.states[from], last)
                {
                    return reject("the loop waits longer each time for what the claim asks for");
                }
                if question.fair {
                    replayed.is_fair(instance, run)?;
                }
                Ok(match holds_on(instance, claim, &[], replayed, run) {
                    Ok(true) => Shows::Nothing,
                    Ok(false) => Shows::Broken,
                    Err(_) => Shows::Error,
                })
            }
        },
    }
}
