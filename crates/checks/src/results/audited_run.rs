//! Runs that the audit has accepted, with everything that is reported about them.

use audit::{Rejected, Replayed};
use machine::{Expr, Instance, Machine};
use verdict::{Answer, Ending, Explanation, Question, Run, Waiting};

/// A run that the audit has accepted.
pub struct AuditedRun {
    /// The states of the run.
    pub replayed: Replayed,
    /// Why the claim is false on the run; `None` if the run does not violate a claim.
    pub explanation: Option<Explanation>,
    /// What each node waits for, if no event is enabled at the end of the run.
    pub waiting: Vec<Waiting>,
}

impl AuditedRun {
    /// Replays a run that answers no question.
    pub fn of_run(machine: &Machine, run: &Run) -> Result<AuditedRun, Rejected> {
        let replayed = audit::replay(machine, run)?;
        Ok(AuditedRun::new(machine, None, run, replayed))
    }

    /// Replays the run of the answer to a property and verifies that it shows the answer. `None` if the answer has no
    /// run.
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
                    // The text about every bound is for activation counts, not for times and other numbers.
                    let machine = question.machine;
                    let counts = |var: &machine::VarId| {
                        let var = &machine.vars[var.index()];
                        var.ghost && var.name == "activations"
                    };
                    let timed = machine
                        .properties_contain(|e| matches!(e, Expr::Now(..) | Expr::Overdue(_)));
                    let counted = machine
                        .properties_contain(|e| matches!(e, Expr::Var(var, _) if counts(var)));
                    explanation.every_bound =
                        matches!(answer, Answer::NoBound(_)) && counted && !timed;
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
