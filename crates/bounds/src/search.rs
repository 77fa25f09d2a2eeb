//! The search loop of `least` and `greatest`: the plan chooses a value, the oracle answers, and the plan learns the outcome, until there
//! is a result.
//!
//! There is a plan for numbers (`numbers.rs`), one for times in a claim (`times.rs`) and one for times among the parameters of the
//! model (`thresholds.rs`).

use crate::oracle::{Found, Outcome};
use model::Constant;
use source::Diagnostic;

/// A plan chooses the values that are asked.
pub(crate) trait Plan {
    /// The first value to ask.
    fn first(&self) -> Constant;

    /// Asks the oracle about a value.
    fn ask(&self, value: &Constant) -> Result<Outcome, Vec<Diagnostic>>;

    /// Learns the outcome for a value, and chooses the next one or ends the search.
    fn learn(&mut self, value: &Constant, outcome: Outcome) -> Result<Next, Vec<Diagnostic>>;
}

/// The next step of the search.
pub(crate) enum Next {
    /// Ask another value.
    Ask(Constant),
    /// End the search with a result.
    Found(Box<Found>),
}

impl Next {
    pub(crate) fn found(found: Found) -> Result<Next, Vec<Diagnostic>> {
        Ok(Next::Found(Box::new(found)))
    }
}

/// Asks value after value until the plan has a result.
pub(crate) fn search(plan: &mut dyn Plan) -> Result<Found, Vec<Diagnostic>> {
    let mut value = plan.first();
    loop {
        let outcome = plan.ask(&value)?;
        match plan.learn(&value, outcome)? {
            Next::Ask(next) => value = next,
            Next::Found(found) => return Ok(*found),
        }
    }
}
