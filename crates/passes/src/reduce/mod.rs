//! Passes that map a Machine to a smaller bisimilar Machine, and the lifting of runs back to the original.

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
    /// A field of a record whose values no condition and no remaining code can distinguish.
    Field(RecordId, u32),
    /// A variable whose values no condition and no remaining code can distinguish.
    Var(VarId),
    /// The value of a variable between events: the variable is always overwritten before it is read.
    Between(VarId),
    /// A local name of a block: its expression replaces every use of the name.
    Name(BlockId, LocalId),
}

/// Applies all passes until none of them removes anything more.
pub fn shrink(machine: &Machine) -> Shrunk {
    let mut shrunk = Shrunk::whole(machine);
    while lets::pass(&mut shrunk) {}
    // A removal can delete the last use of another field or variable.
    while fields::pass(&mut shrunk) | variables::pass(&mut shrunk) | overwritten::pass(&mut shrunk)
    {
    }
    shrunk
}
