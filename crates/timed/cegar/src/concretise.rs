//! Concretisation: computes times for the events of a run of the abstraction, or finds that the run is spurious.

use audit::{Concretised, Replayed};
use machine::Machine;
use rational::Rational;
use verdict::{Answer, Defect, Question, Reason, Run};

/// A spurious counterexample: a run of the abstraction, with its states, for whose order of events there are no times.
pub(crate) struct Spurious {
    pub(crate) run: Box<Run>,
    pub(crate) replayed: Replayed,
}

/// The answer to the only property, with its run replaced by a run of the exact Machine. `None` if the run is spurious
/// or the audit rejects it.
pub fn concretised_answer(
    asked: &Question<'_>,
    exact: &Machine,
    answer: Answer,
    unit: &Rational,
) -> Option<Answer> {
    match concretise(asked, exact, 0, answer, unit) {
        Ok(Answer::Unknown(_)) | Err(_) => None,
        Ok(answer) => Some(answer),
    }
}

/// The answer to a property, with its run replaced by a run of the exact Machine. An answer without a run is unchanged.
/// If the audit rejects the run, the answer becomes unknown. The error is the spurious run.
pub(crate) fn concretise(
    asked: &Question<'_>,
    exact: &Machine,
    property: usize,
    answer: Answer,
    unit: &Rational,
) -> Result<Answer, Spurious> {
    let replayed = match audit::confirm(asked, property, &answer) {
        Ok(Some(replayed)) => replayed,
        Ok(None) => return Ok(answer),
        Err(rejected) => {
            return Ok(Answer::Unknown(Reason::Defect(Defect::Rejected(
                rejected.to_string(),
            ))));
        }
    };
    let Some(run) = answer.run() else {
        return Ok(answer);
    };
    let run = Box::new(run.clone());
    match audit::concretise(exact, &run, &replayed, unit) {
        Ok(Concretised::Run(run)) => Ok(answer.with_run(run)),
        Ok(Concretised::Never(_)) => Err(Spurious { run, replayed }),
        Err(rejected) => Ok(Answer::Unknown(Reason::Defect(Defect::Rejected(
            rejected.to_string(),
        )))),
    }
}

/// A run of the exact Machine with the same order of events as a run of the abstraction; `None` if there are no times
/// for this order or the replay fails.
pub(crate) fn concretise_run(
    asked: &Question<'_>,
    exact: &Machine,
    run: &Run,
    unit: &Rational,
) -> Option<Box<Run>> {
    let replayed = audit::replay(asked.machine, run).ok()?;
    match audit::concretise(exact, run, &replayed, unit) {
        Ok(Concretised::Run(run)) => Some(run),
        _ => None,
    }
}
