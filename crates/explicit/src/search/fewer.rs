//! As few states as possible: orders of events and names of nodes that make no difference are left out together.
//!
//! Where both apply, events are chosen in the states that stand for others, and each cycle of those has one in which everything is
//! followed; that is enough for conditions on single states and for runs that need not be fair. Fairness is judged by events in
//! the one and by names in the other: for temporal claims of fair runs orders come first, and names only where those step
//! aside.

use crate::abstraction::lazy_initial_values::Deferred;
use crate::por::independence::why_aside;
use crate::search::breadth_first::{Less, NotFound, search_for};
use crate::search::symmetric::{about_fewer, run_symmetric};
use machine::PropertyKind;
use verdict::{Budget, Question, Refusal, Report, Storage};

/// Answers every property of a Machine by as few states as possible. The report says what was left out, and why not more;
/// runs are not always shortest ones, and counts are of what was visited.
pub fn run_with_fewer(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    if let Some(why) = why_aside(question.machine) {
        return aside(question, &why, budget);
    }
    if let Storage::Hashes(_) = budget.storage() {
        return aside(question, "only hashes of visited states are kept", budget);
    }
    let temporal = question.machine.properties.iter().any(|property| {
        matches!(&property.kind, PropertyKind::Claim(claim) if claim.invariant().is_none())
    });
    let names = !(question.fair && temporal);
    let less = Less {
        partial_orders: true,
        symmetric: names,
        who_is_who: names,
        ..Less::default()
    };
    // Where there are counters orders step aside: there is always room for all of them.
    let search = |question: &Question<'_>| {
        let deferred = Deferred::nothing(question.machine);
        search_for(question, deferred, None, less, None, budget, true)
    };
    let found = match names {
        true => about_fewer(question, &search),
        false => search(question),
    };
    match found {
        Err(NotFound::Orders) => aside(
            question,
            "which runs are fair may depend on the order of events",
            budget,
        ),
        Err(why) => Err(why.into()),
        Ok(mut report) => {
            let told = "orders of events that make no difference are left out";
            report.findings.reduced.insert(0, told.into());
            Ok(report)
        }
    }
}

fn aside(question: &Question<'_>, why: &str, budget: &dyn Budget) -> Result<Report, Refusal> {
    let mut report = run_symmetric(question, budget)?;
    let told = format!("every order of events is followed: {why}");
    report.findings.reduced.insert(0, told);
    Ok(report)
}
