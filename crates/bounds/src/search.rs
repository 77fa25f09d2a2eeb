//! The search loop of `least` and `greatest`: the plan chooses a value, the oracle answers for it, and the plan learns
//! the outcome, until the plan has a result.
//!
//! There are three plans: for numbers (`numbers.rs`), for times in a claim (`times.rs`), and for times that are
//! parameters of the model (`thresholds.rs`).

use crate::oracle::{Found, Outcome};
use model::Constant;
use source::Diagnostic;

/// Chooses the values about which the oracle is asked.
pub(crate) trait Plan {
    /// The first value about which the oracle is asked.
    fn first(&self) -> Constant;

    /// Asks the oracle whether the claim holds for a value.
    fn ask(&self, value: &Constant) -> Result<Outcome, Vec<Diagnostic>>;

    /// Learns the outcome for a value, and either chooses the next value or ends the search.
    fn learn(&mut self, value: &Constant, outcome: Outcome) -> Result<Next, Vec<Diagnostic>>;
}

/// The next step of the search.
pub(crate) enum Next {
    /// Ask the oracle about this value.
    Ask(Constant),
    /// End the search with a result.
    Found(Box<Found>),
}

impl Next {
    pub(crate) fn found(found: Found) -> Result<Next, Vec<Diagnostic>> {
        Ok(Next::Found(Box::new(found)))
    }
}

/// Asks the oracle about one value after the other until the plan has a result.
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
