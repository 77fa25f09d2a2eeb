//! Passes that map a Machine to a smaller bisimilar Machine, and the lift of runs back to the original.

pub(crate) mod fields;
pub(crate) mod lets;
pub(crate) mod lift;
pub(crate) mod overwritten;
pub(crate) mod variables;

use crate::reduce::lift::Shrunk;
use machine::{BlockId, LocalId, Machine, RecordId, VarId};

/// An item that a pass removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Removed {
    /// A field of a record. No condition and no remaining code distinguishes its values.
    Field(RecordId, u32),
    /// A variable. No condition and no remaining code distinguishes its values.
    Var(VarId),
    /// The value of a variable between events: the variable is always overwritten before it is read.
    Between(VarId),
    /// A local of a block that was inlined.
    Name(BlockId, LocalId),
}

/// Applies the passes until none of them removes anything.
pub fn shrink(machine: &Machine) -> Shrunk {
    let mut shrunk = Shrunk::whole(machine);
    while lets::pass(&mut shrunk) {}
    // A removal can delete the last use of another field or variable, so the passes are repeated.
    while fields::pass(&mut shrunk) | variables::pass(&mut shrunk) | overwritten::pass(&mut shrunk)
    {
    }
    shrunk
}
