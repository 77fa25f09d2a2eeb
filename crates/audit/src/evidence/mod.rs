//! Checks evidence for a claim: every query of the proof rule is built and refuted again, and no statement of the
//! evidence is trusted.
//!
//! The check uses no engine and does not depend on which engine found the evidence. The head of `lib.rs` lists the
//! libraries shared with the engines; docs/evidence.md states what has to be trusted.

mod by_circuit;
mod by_order;
mod declared;
mod every_size;
mod horizon;
mod projection;
mod refute;
mod silence;
mod times;

pub use by_circuit::CircuitChecked;
pub use by_order::{OrderChecked, PartChecked};
pub use every_size::{EverySizeChecked, every_size};
pub use projection::SizesChecked;
pub use refute::Refuted;
pub use silence::Silence;
pub use times::{Moment, Step, Timings};

use crate::rejected::{Rejected, reject};
use machine::{Machine, OpenMachine, verify_open};
use sat::Backend;
use verdict::Evidence;

/// Statistics of checked evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// For a proof by the order of events.
    Order(OrderChecked),
    /// For a proof about a circuit.
    Circuit(CircuitChecked),
    /// For a proof about every size by proofs at a few sizes.
    Sizes(SizesChecked),
    /// For a proof about every size, from the code of one node.
    OneNode(EverySizeChecked),
}

/// Checks that evidence proves the only claim of a Machine. The backend finds refutations, which a checker verifies.
pub fn evidence(
    machine: &Machine,
    evidence: &Evidence,
    backend: Backend,
) -> Result<Checked, Rejected> {
    if machine.properties.len() != 1 {
        return reject("evidence is about one claim");
    }
    match evidence {
        Evidence::Order(proof) => Ok(Checked::Order(by_order::check(machine, proof, backend)?)),
        Evidence::Induction(_) | Evidence::Invariant(_) | Evidence::Exhausted(_) => Ok(
            Checked::Circuit(by_circuit::check(machine, &[], evidence, backend)?),
        ),
        Evidence::Relying(relying) => Ok(Checked::Circuit(by_circuit::check_all(
            machine, relying, backend,
        )?)),
        Evidence::Projection(_) | Evidence::OneNode(_) => {
            reject("evidence about every size, for a Machine of one size")
        }
    }
}

/// Checks that evidence proves a claim of an open Machine for every size from the least one on. If the Machine has
/// several claims, the evidence names the proved one; the others may serve as lemmas.
pub fn evidence_for_every_size(
    open: &OpenMachine,
    evidence: &Evidence,
    backend: Backend,
) -> Result<Checked, Rejected> {
    if let Err(error) = verify_open(open) {
        return reject(format!(
            "the Machine of every size is not well formed: {error}"
        ));
    }
    match evidence {
        Evidence::Projection(projected) => {
            let checked = projection::check(open, projected, backend)?;
            Ok(Checked::Sizes(checked))
        }
        Evidence::OneNode(proof) => {
            let claims = &open.base.properties;
            let claim = proof.claim as usize;
            let checked = every_size::every_size(open, claims, claim, &proof.proof, backend)?;
            Ok(Checked::OneNode(checked))
        }
        _ => reject("evidence about one size, for a Machine of every size"),
    }
}
