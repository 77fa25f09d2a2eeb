//! The least numbers of names and looks with which the result about a part is still proved.
//!
//! With fewer names or looks a query has fewer conditions, so it may have a model. The result is a local minimum: with
//! one name less, or with one look less, the result is not proved.

use crate::solve::Stop;
use one_node::{Part, Setting};
use verdict::EverySizeNames;

/// Says whether a setting suffices; if so, the largest number of names that a query uses.
type Suffices<'s> = dyn FnMut(Setting) -> Result<Option<u32>, Stop> + 's;

/// Reduces the numbers with which a part was proved.
pub(crate) fn least(
    part: &Part,
    found: EverySizeNames,
    suffices: &mut Suffices<'_>,
) -> Result<EverySizeNames, Stop> {
    let mut best = found;
    loop {
        let fewer_names = best
            .names
            .checked_sub(1)
            .map(|names| EverySizeNames { names, ..best });
        let fewer_looks = best
            .looks
            .checked_sub(1)
            .map(|looks| EverySizeNames { looks, ..best });
        let mut better = None;
        for by in [fewer_names, fewer_looks].into_iter().flatten() {
            let Some(spare) = by.names.checked_sub(part.given()) else {
                continue;
            };
            let looks = by.looks;
            let used = match suffices(Setting { looks, spare }) {
                Ok(used) => used,
                Err(Stop::Unsupported(_)) => None,
                Err(spent) => return Err(spent),
            };
            if let Some(names) = used {
                better = Some(EverySizeNames { looks, names });
                break;
            }
        }
        match better {
            Some(by) => best = by,
            None => return Ok(best),
        }
    }
}
