//! Code of a Machine over bits: what `machine`'s interpreter computes of one state, here as a circuit over all states.
//!
//! [`Bits`] are values that depend on the inputs of a circuit, a [`World`] is a state made of them, an [`Evaluator`] gives
//! the value of an expression there, and [`run`] what a block does. Errors of a run are a literal: it is true in exactly
//! those states in which the interpreter ends in an error. Where it is true, and where inputs are not valid, everything
//! else means nothing.
//!
//! What cannot be said in a circuit of reasonable size is refused by name ([`Unsupported`]).

mod block;
pub mod defects;
mod eval;
mod values;

pub use block::run::{Cause, Effects, Pick, Sent, run, run_with_branches};
pub use eval::branches::{Branch, BranchCondition};
pub use eval::evaluator::Evaluator;
pub use eval::world::{Known, Slot, World};
pub use values::compare::{equal, fits, less, narrowed};
pub use values::layout::{bit_width, free, packed, packed_value, unpacked};
pub use values::merge::{ite, select};
pub use values::number::Number;
pub use values::value::{Alternative, Bits, Entry, Member, Set, Sort, blank, constant};

/// Something that cannot be said over bits, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl Unsupported {
    pub(crate) fn new(what: impl Into<String>) -> Unsupported {
        Unsupported(what.into())
    }
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
