//! The search that leaves out orders of events, or says why it does not.

use crate::abstraction::lazy_initial_values::Deferred;
use crate::por::independence::why_aside;
use crate::search::breadth_first::{Less, NotFound, search_for};
use crate::search::run::run;
use verdict::{Budget, Question, Refusal, Report, Storage};

/// What a search that leaves out orders of events has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The answers. Runs are not always shortest ones, and counts are of what was visited.
    pub report: Report,
    /// If no order was left out: why.
    pub aside: Option<String>,
}

/// Answers every property of a Machine, by fewer states: of several orders of events that make no difference to any
/// property one is enough. Where that cannot be said, nothing is left out, and the answer says why.
pub fn run_reduced(question: &Question<'_>, budget: &dyn Budget) -> Result<Reduced, Refusal> {
    let aside = |why: String| {
        let report = run(question, budget)?;
        let aside = Some(why);
        Ok(Reduced { report, aside })
    };
    if let Some(why) = why_aside(question.machine) {
        return aside(why);
    }
    if let Storage::Hashes(_) = budget.storage() {
        return aside("only hashes of visited states are kept".into());
    }
    let less = Less {
        partial_orders: true,
        ..Less::default()
    };
    let deferred = Deferred::nothing(question.machine);
    // Where there are counters it has stepped aside: there is always room for all of them.
    match search_for(question, deferred, None, less, None, budget, true) {
        Err(NotFound::Orders) => {
            aside("which runs are fair may depend on the order of events".into())
        }
        Err(why) => Err(why.into()),
        Ok(report) => Ok(Reduced {
            report,
            aside: None,
        }),
    }
}
