//! Checks a proof for every size by projection onto few nodes.

use crate::evidence::{Checked, evidence};
use crate::rejected::{Rejected, reject};
use machine::OpenMachine;
use sat::Backend;
use verdict::Projected;

/// Statistics of a checked proof by projection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizesChecked {
    /// The name of the size parameter, and its least value.
    pub size: (String, u32),
    /// The number of nodes that the claim names.
    pub names: u32,
    /// The number of nodes of the projection.
    pub nodes: u32,
    /// The checked evidence at each size, from the least size to the number of nodes of the projection.
    pub sizes: Vec<Checked>,
}

/// Checks that the only claim of an open Machine holds for every size from the least one on.
///
/// The conditions of the projection are checked again on the open Machine. Of the evidence only the proofs at these
/// sizes are used, each for the Machine at its size.
pub(super) fn check(
    open: &OpenMachine,
    projected: &Projected,
    backend: Backend,
) -> Result<SizesChecked, Rejected> {
    let [property] = &open.base.properties[..] else {
        return reject("evidence is about one claim");
    };
    let found = match passes::projection(open, property, false) {
        Ok(found) => found,
        Err(not) => {
            return reject(format!("other nodes may matter: there is {}", not.what));
        }
    };
    if (found.names, found.nodes) != (projected.names, projected.nodes) {
        return reject(format!(
            "the claim names {} nodes, and {} decide",
            found.names, found.nodes
        ));
    }
    let least = open.size.least;
    let sizes = least..=found.nodes.max(least);
    if projected.sizes.len() != sizes.clone().count() {
        return reject("there is not one proof for each size that decides");
    }
    let mut checked = Vec::new();
    for (size, given) in sizes.zip(&projected.sizes) {
        checked.push(evidence(&open.at(size), given, backend)?);
    }
    Ok(SizesChecked {
        size: (open.size.name.clone(), least),
        names: found.names,
        nodes: found.nodes,
        sizes: checked,
    })
}
