//! Claims for one large size: asked for every size first, because the Machine of the size may have too many edges or
//! states.

use crate::check::every_claims as claims;
use crate::check::{Asking, InstanceReport};
use machine::MOST_NODES;
use model::Question;
use source::{Diagnostic, codes};
use verdict::Answer;

/// The answers for every size as the answers for a large size, if all claims hold or the size is too large for a
/// Machine. `None` if the size is to be asked directly.
pub(crate) fn for_large_size(
    asking: &Asking<'_>,
    wanted: &[usize],
) -> Result<Option<InstanceReport>, Vec<Diagnostic>> {
    let check = &asking.loaded.model.checks[asking.request.check];
    let Question::Claims(_) = check.question else {
        return Ok(None);
    };
    for request in asking.request.opened(&asking.loaded.model, MOST_NODES) {
        let every = asking.about(&request);
        let Ok(instances) = cancellation::catch(|| claims::answers(&every, wanted)) else {
            return Ok(None);
        };
        let Some(mut whole) = instances?.into_iter().next() else {
            return Ok(None);
        };
        let results = &mut whole.report.results;
        let all = results.iter().all(|result| result.answer == Answer::Holds);
        if all || too_large(asking) {
            // Instances of small sizes are left out: their runs are not runs at this size.
            whole.request = asking.request.clone();
            return Ok(Some(whole));
        }
    }
    Ok(None)
}

/// Whether the size is too large for a Machine.
fn too_large(asking: &Asking<'_>) -> bool {
    match asking.lowered(&asking.request) {
        Ok(_) => false,
        Err(problems) => problems.iter().all(|p| p.code == codes::NODE_COUNT),
    }
}
