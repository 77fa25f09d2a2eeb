//! The oracle of a search for an extreme value: an instance of a check, and a method that answers questions about it.

use lower::{Lowered, Request};
use machine::Machine;
use model::{Constant, Model};
use source::{Diagnostic, Sources};
use verdict::{Answer, Budget, Evidence, Premise, Report, Run};

/// One instance of a check that searches for a value, and the method that answers the question for one value.
#[derive(Clone, Copy)]
pub struct Oracle<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its text.
    pub sources: &'a Sources,
    /// The instance.
    pub request: &'a Request,
    /// Runs are weakly fair.
    pub fair: bool,
    /// The budget of the whole search.
    pub budget: &'a dyn Budget,
    /// Answers the properties of a Machine within a budget.
    pub answer: &'a Answering<'a>,
}

/// A method that answers the properties of a lowered Machine.
pub type Answering<'a> = dyn Fn(&Lowered, &dyn Budget) -> Result<Report, Vec<Diagnostic>> + 'a;

impl Oracle<'_> {
    /// The request for one value of the searched number or time.
    pub fn with(&self, value: Constant) -> Result<Request, Vec<Diagnostic>> {
        self.request.with(self.model, &[value])
    }

    /// The Machine of a request.
    pub fn lowered(&self, request: &Request) -> Result<Lowered, Vec<Diagnostic>> {
        lower::lower(self.model, self.sources, request)
    }

    /// The Machine that asks one claim for one value.
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

    /// Asks one claim for one value.
    pub(crate) fn ask(&self, claim: usize, value: &Constant) -> Result<Outcome, Vec<Diagnostic>> {
        let lowered = self.for_value(claim, value.clone())?;
        Ok(Outcome::of(self.report(&lowered)?))
    }

    /// The question about an instance's Machine.
    pub(crate) fn question<'m>(&self, machine: &'m Machine) -> verdict::Question<'m> {
        verdict::Question {
            machine,
            fair: self.fair,
        }
    }

    /// The question of the check, in the model's terms.
    pub(crate) fn asks(&self) -> &model::Question {
        &self.model.checks[self.request.check].question
    }
}

/// The outcome for one value.
pub(crate) enum Outcome {
    /// The claim holds, and its premise is met.
    Holds(Report),
    /// The claim holds, but may be vacuous; the reason.
    Vacuous(&'static str),
    /// A run breaks the claim.
    Fails(Box<Run>, Report),
    /// Not decided; the reason.
    Open(String),
    /// An answer that ends the search, such as an error.
    Other(Answer, Report),
}

impl Outcome {
    /// The outcome of a report about one claim.
    pub(crate) fn of(mut report: Report) -> Outcome {
        let premise = report.findings.premises.first().copied().flatten();
        match report.answers.remove(0) {
            Answer::Holds => match vacuity(premise) {
                Some(why) => Outcome::Vacuous(why),
                None => Outcome::Holds(report),
            },
            Answer::Fails(run) => Outcome::Fails(run, report),
            Answer::Unknown(why) => Outcome::Open(why),
            other => Outcome::Other(other, report),
        }
    }
}

/// The reason why a claim that holds is no answer: it may be vacuous.
pub fn vacuity(premise: Option<Premise>) -> Option<&'static str> {
    match premise? {
        Premise::Never => Some("the claim says nothing, for its premise is never true"),
        Premise::Open => {
            Some("the claim holds, but it is not known whether its premise can ever be true")
        }
        Premise::Met => None,
    }
}

/// The result for one claim: the answer, and the value that its run is about.
pub(crate) struct Found {
    pub(crate) answer: Answer,
    pub(crate) about: Constant,
    pub(crate) report: Option<Report>,
}

impl Found {
    /// An unknown answer with its reason. `about` is a value for which a Machine can be shown.
    pub(crate) fn unknown(why: impl Into<String>, about: Constant) -> Found {
        Found {
            answer: Answer::Unknown(why.into()),
            about,
            report: None,
        }
    }
}

/// A claim that is proved for the value that was found.
pub struct Proved {
    /// The Machine for that value, with all claims of the check.
    pub lowered: Lowered,
    /// The claim.
    pub property: usize,
    /// The proof.
    pub evidence: Evidence,
}
