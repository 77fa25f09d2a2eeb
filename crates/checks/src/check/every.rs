//! Checks `for every p`: the answer for every size, from an argument about all sizes and from runs at small ones.
//!
//! The answers are a family of instances: one for every size, and one for each small size at which a run decides a
//! question. `every_argument.rs` asks the methods for every size; `every_claims.rs` and `every_sought.rs` answer the
//! two kinds of check.

use crate::check::every_claims as claims;
use crate::check::every_sought as sought;
use crate::check::{Answered, Asking, InstanceReport, unlowered};
use cancellation::Cancelled;
use model::Question;
use source::Diagnostic;

pub(crate) use crate::check::every_large::for_large_size;

/// The number of sizes, from the least one, at which runs are searched, for claims and for sought values, if no
/// argument reduces the claim to certain sizes.
pub(crate) const SMALL_SIZES: u32 = 3;

/// The limit of states of each search at a small size.
pub(crate) const FEW_STATES: u64 = 300_000;

/// The answers for a request with `every p`, as instances of one family.
pub(crate) fn answers(
    asking: &Asking<'_>,
    wanted: &[usize],
) -> Result<Vec<InstanceReport>, Vec<Diagnostic>> {
    let answer = || {
        cancellation::poll();
        match &asking.loaded.model.checks[asking.request.check].question {
            Question::Extreme { greatest, .. } => sought::answers(asking, wanted, *greatest),
            Question::Claims(_) | Question::Possible(_) => claims::answers(asking, wanted),
        }
    };
    match cancellation::catch(answer) {
        Ok(instances) => instances,
        Err(Cancelled) => {
            let answered: Answered = unlowered(wanted.len(), asking.limit_reached());
            Ok(vec![asking.audited(&asking.request, answered)])
        }
    }
}
