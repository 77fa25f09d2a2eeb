//! Symbolic execution of the code of a Machine over bits. The interpreter of the crate `machine` computes the result
//! for one state; this crate computes it as a circuit, for all states.
//!
//! [`Bits`] are values that depend on the inputs of a circuit. A [`World`] gives access to a symbolic state. An
//! [`Evaluator`] computes the value of an expression in a world, and [`run`] computes the effects of a block. The error
//! of a run is a literal that is true in exactly those states in which the interpreter ends in an error. If it is true,
//! or if inputs do not encode a value, all other results are unspecified.
//!
//! A [`World`] may be *open*: then the nodes of the Machine are only the named ones of a network of unknown size
//! (`open/`, [`Names`]).
//!
//! Constructs whose circuit would be too large are refused by name ([`Unsupported`]).

mod block;
pub mod defects;
mod eval;
mod open;
mod values;

use machine::Origin;

pub use block::run::{Cause, Effects, Pick, Sent, run, run_with_branches};
pub use eval::branches::{Branch, BranchCondition};
pub use eval::evaluator::Evaluator;
pub use eval::names::{Names, View};
pub use eval::world::{Known, Slot, World};
pub use values::compare::{equal, fits, less, narrowed};
pub use values::layout::{bit_width, free, packed, packed_value, unpacked};
pub use values::merge::{ite, select};
pub use values::number::Number;
pub use values::value::{Alternative, Bits, Entry, Member, Set, Sort, blank, constant};

/// A construct that is not supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The construct, in words.
    pub what: String,
    /// Where it is; `None` if it has no place.
    pub origin: Option<Origin>,
}

impl Unsupported {
    /// A construct without a place.
    pub fn new(what: impl Into<String>) -> Unsupported {
        let what = what.into();
        Unsupported { what, origin: None }
    }

    /// The construct with this place, unless it already has one.
    pub fn at(mut self, origin: Origin) -> Unsupported {
        self.origin = self.origin.or(Some(origin));
        self
    }
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}
