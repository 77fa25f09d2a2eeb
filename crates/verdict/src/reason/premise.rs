//! Whether the premise of a claim is ever true.

use machine::{Property, PropertyKind};
use serde::{Deserialize, Serialize};

/// Whether the premise of a claim is ever true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Premise {
    /// It is true in some state of some run.
    Met,
    /// It is true in no reachable state: the claim holds vacuously.
    Never,
    /// It is not known.
    Open,
}

impl Premise {
    /// The value before any method has examined the property: `Open`, or `None` if the property has no premise.
    pub fn of(property: &Property) -> Option<Premise> {
        match &property.kind {
            PropertyKind::Claim(formula) => formula.premise().map(|_| Premise::Open),
            PropertyKind::Possible(_) => None,
        }
    }

    /// The value for the disjunction of two premises.
    pub fn either(self, other: Premise) -> Premise {
        match (self, other) {
            (Premise::Met, _) | (_, Premise::Met) => Premise::Met,
            (Premise::Never, Premise::Never) => Premise::Never,
            _ => Premise::Open,
        }
    }
}
