//! Runs that have been audited, with what there is to say of them.

use audit::{Rejected, Replayed};
use machine::{Expr, Instance, Machine};
use verdict::{Answer, Ending, Explanation, Question, Run, Waiting};

/// What is known of a run once it has been audited.
pub struct AuditedRun {
    /// Its states.
    pub replayed: Replayed,
    /// Why the claim is false on it.
    pub explanation: Option<Explanation>,
    /// Who waits for what at its end.
    pub waiting: Vec<Waiting>,
}

impl AuditedRun {
    /// Replays a run that is there for its own sake.
    pub fn of_run(machine: &Machine, run: &Run) -> Result<AuditedRun, Rejected> {
        let replayed = audit::replay(machine, run)?;
        Ok(AuditedRun::new(machine, None, run, replayed))
    }

    /// Replays the run of an answer to a property, if it has one, and makes sure that it shows what the
    /// answer says.
    pub fn of_answer(
        question: &Question<'_>,
        property: usize,
        answer: &Answer,
    ) -> Result<Option<AuditedRun>, Rejected> {
        let replayed = audit::confirm(question, property, answer)?;
        Ok(match (replayed, answer.run()) {
            (Some(replayed), Some(run)) => {
                let mut part = AuditedRun::new(question.machine, Some(property), run, replayed);
                if let Some(explanation) = &mut part.explanation {
                    // Of times other words are needed than of numbers of activations.
                    let timed = question
                        .machine
                        .properties_contain(|e| matches!(e, Expr::Now(..) | Expr::Overdue(_)));
                    explanation.every_bound = matches!(answer, Answer::NoBound(_)) && !timed;
                }
                Some(part)
            }
            _ => None,
        })
    }

    fn new(
        machine: &Machine,
        property: Option<usize>,
        run: &Run,
        replayed: Replayed,
    ) -> AuditedRun {
        let instance = Instance {
            machine,
            frozen: &run.frozen,
        };
        let waiting = match run.ending {
            Ending::StandsStill => {
                audit::waiting(instance, replayed.states.last().expect("a state"))
            }
            _ => Vec::new(),
        };
        AuditedRun {
            explanation: property.and_then(|p| audit::explain(instance, p, run, &replayed)),
            waiting,
            replayed,
        }
    }
}
