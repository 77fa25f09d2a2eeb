//! Passes that map a Machine to a bisimilar smaller Machine, and the lifting of runs back.

pub(crate) mod fields;
pub(crate) mod lets;
pub(crate) mod lift;
pub(crate) mod overwritten;
pub(crate) mod variables;

use crate::reduce::lift::Shrunk;
use machine::{BlockId, LocalId, Machine, RecordId, VarId};

/// Something that a pass took away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Removed {
    /// A field of a record: nobody can tell its values apart.
    Field(RecordId, u32),
    /// A variable: nobody can tell its values apart.
    Var(VarId),
    /// What a variable is between events: nobody reads it before it is overwritten.
    Between(VarId),
    /// A local name of a block: what it stands for stands where it was named.
    Name(BlockId, LocalId),
}

/// The same Machine, as small as the passes can make it.
pub fn shrink(machine: &Machine) -> Shrunk {
    let mut shrunk = Shrunk::whole(machine);
    while lets::pass(&mut shrunk) {}
    // What one takes away may have been the last use of something else.
    while fields::pass(&mut shrunk) | variables::pass(&mut shrunk) | overwritten::pass(&mut shrunk)
    {
    }
    shrunk
}
