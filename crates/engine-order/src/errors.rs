//! That nothing is ever an error: the code of a node from any state, and the condition of a claim in any state.

use crate::ask::{Asked, Asking};
use crate::cut::{Claim, unclear};
use crate::exact::Periods;
use crate::fixed::WhoIsWho;
use crate::inboxes::Filled;
use crate::scope::Scope;
use crate::times::{Start, Times};
use crate::unroll::Unrolled;
use bits::Unsupported;
use verdict::{Budget, Spent};

/// Whether the code may be an error in some state that is like those between events, or the claim in any; `true` if not.
pub(crate) fn never(
    scope: &Scope<'_>,
    claim: &Claim<'_>,
    budget: &dyn Budget,
) -> Result<Result<bool, Spent>, Unsupported> {
    let machine = scope.machine;
    let times = Times::of(machine, Start::Anywhere)
        .ok_or_else(|| Unsupported("times that cannot be counted".into()))?;
    let who = WhoIsWho::Matters;
    let mut unrolled = Unrolled::new(scope, Start::Anywhere, times, 0, who, Filled::Perhaps)?;
    let mut errors = vec![unclear(&mut unrolled, claim)?];
    for node in machine.nodes() {
        errors.extend(unrolled.effects[node.index()].first().map(|e| e.error));
    }
    let some = unrolled.aig.any(errors);
    let periods = Periods::of(machine, Start::Anywhere);
    Ok(
        match Asking::new().ask(&mut unrolled, some, &periods, budget)? {
            Asked::Never => Ok(true),
            Asked::So(_) => Ok(false),
            Asked::Stopped(spent) => Err(spent),
        },
    )
}
