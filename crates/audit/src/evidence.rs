//! Whether evidence proves a claim: everything that is to be asked is asked again, and nothing that the evidence says is
//! believed.
//!
//! Who found the evidence is not known here, and no engine is. What is shared with them are libraries: what a Machine means as a
//! circuit, which questions prove a claim, smaller Machines. docs/evidence.md says what one has to trust therefore.

mod by_circuit;
mod by_order;
mod refute;
mod silence;
mod times;

pub use by_circuit::CircuitChecked;
pub use by_order::{OrderChecked, PartChecked};
pub use refute::Refuted;
pub use silence::Silence;
pub use times::{Moment, Rhythms, Step};

use crate::{Rejected, reject};
use machine::Machine;
use sat::Backend;
use verdict::Evidence;

/// What was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// By the order of events.
    Order(OrderChecked),
    /// By a circuit.
    Circuit(CircuitChecked),
}

/// Whether evidence proves the only claim of a Machine. `backend` refutes; a checker verifies its refutations.
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
    }
}
