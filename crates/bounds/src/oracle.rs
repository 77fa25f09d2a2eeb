//! The oracle of a search for an extreme value: answers whether a claim of a check holds for one value.

use lower::{Lowered, Request};
use machine::Machine;
use model::{Constant, Model};
use source::{Diagnostic, Sources};
use verdict::{Answer, Budget, Evidence, Premise, Reason, Report, Run, Undecided};

/// One instance of a check that searches for a value, and the method that answers the claims for one value.
#[derive(Clone, Copy)]
pub struct Oracle<'a> {
    /// The model.
    pub model: &'a Model,
    /// The text of the model.
    pub sources: &'a Sources,
    /// The instance: parameter values and graph, without the sought value.
    pub request: &'a Request,
    /// Whether only weakly fair runs count.
    pub fair: bool,
    /// The budget of the whole search.
    pub budget: &'a dyn Budget,
    /// The method that answers the properties of a Machine within a budget.
    pub answer: &'a Answering<'a>,
}

/// A method that answers the properties of a lowered Machine within a budget.
pub type Answering<'a> = dyn Fn(&Lowered, &dyn Budget) -> Result<Report, Vec<Diagnostic>> + 'a;

impl Oracle<'_> {
    /// The request for one value of the sought number or time.
    pub fn with(&self, value: Constant) -> Result<Request, Vec<Diagnostic>> {
        self.request.with(self.model, &[value])
    }

    /// Lowers the request to a Machine.
    pub fn lowered(&self, request: &Request) -> Result<Lowered, Vec<Diagnostic>> {
        lower::lower(self.model, self.sources, request)
    }

    /// The Machine for one value of the sought number or time, with one claim as its only property.
    pub fn for_value(&self, claim: usize, value: Constant) -> Result<Lowered, Vec<Diagnostic>> {
        let mut lowered = self.lowered(&self.with(value)?)?;
        let property = lowered.machine.properties.swap_remove(claim);
        lowered.machine.properties = vec![property];
        Ok(lowered)
    }

    /// Answers the properties of a Machine within the budget of the search.
    pub fn report(&self, lowered: &Lowered) -> Result<Report, Vec<Diagnostic>> {
        (self.answer)(lowered, self.budget)
    }

    /// Whether one claim holds for one value.
    pub(crate) fn ask(&self, claim: usize, value: &Constant) -> Result<Outcome, Vec<Diagnostic>> {
        let lowered = self.for_value(claim, value.clone())?;
        Ok(Outcome::of(self.report(&lowered)?))
    }

    /// The question whether the properties of this Machine hold, with the fairness of the check.
    pub(crate) fn question<'m>(&self, machine: &'m Machine) -> verdict::Question<'m> {
        verdict::Question {
            machine,
            fair: self.fair,
        }
    }

    /// The question of the check in the model.
    pub(crate) fn asks(&self) -> &model::Question {
        &self.model.checks[self.request.check].question
    }
}

/// The outcome of one claim for one value.
pub(crate) enum Outcome {
    /// The claim holds, and its premise is true in some state or it has no premise.
    Holds(Report),
    /// The claim holds, but its premise is true in no state, or it is unknown whether it is true in some state.
    Vacuous(Premise),
    /// A run violates the claim.
    Fails(Box<Run>, Report),
    /// Undecided, with the reason.
    Open(Undecided),
    /// Another answer, such as an error. It ends the search.
    Other(Answer, Report),
}

impl Outcome {
    /// The outcome in a report about a single claim.
    pub(crate) fn of(report: Report) -> Outcome {
        match report.results[0].answer.clone() {
            Answer::Holds => match vacuity(report.results[0].premise) {
                Some(premise) => Outcome::Vacuous(premise),
                None => Outcome::Holds(report),
            },
            Answer::Fails(run) => Outcome::Fails(run, report),
            Answer::Unknown(why) => Outcome::Open(Undecided::Open(why)),
            other => Outcome::Other(other, report),
        }
    }
}

/// The status of the premise if the claim may be vacuous, else `None`. A vacuous `holds` does not count as an answer.
pub fn vacuity(premise: Option<Premise>) -> Option<Premise> {
    premise.filter(|premise| *premise != Premise::Met)
}

/// The result for one claim: the answer, the value for whose Machine it can be shown (`about`), and the report of the
/// method.
pub(crate) struct Found {
    pub(crate) answer: Answer,
    pub(crate) about: Constant,
    pub(crate) report: Option<Report>,
}

impl Found {
    /// An unknown answer with its reason. `about` is a value for which the model has a Machine.
    pub(crate) fn unknown(why: impl Into<Reason>, about: Constant) -> Found {
        Found {
            answer: Answer::Unknown(why.into()),
            about,
            report: None,
        }
    }
}

/// A proof of a claim for the found value.
pub struct Proved {
    /// The Machine for the found value, with all claims of the check.
    pub lowered: Lowered,
    /// The index of the claim among the properties of the Machine.
    pub property: usize,
    /// The evidence for the proof.
    pub evidence: Evidence,
}
