//! Smaller Machines with the same answers, and the way back for runs.
//!
//! A pass maps the states of a Machine to those of a smaller one, such that what can happen in a state is
//! what can happen in its image, with the same effect, the same errors and the same things owed by fairness,
//! and such that every condition of every property has the same value in both: a bisimulation that is a
//! function. So runs and their images satisfy the same properties, and every answer carries over, that of
//! premises, deadlocks and blocks that never run included. Each pass says in its first lines what it does,
//! when, and why that is such a map; in doubt it does nothing.
//!
//! Passes leave all numbers as they are, of variables, fields, blocks, properties, origins, nodes: what is
//! removed becomes something that has one value only, at least between events. What is frozen stays the same,
//! so that the way back only has to find an initial state that is mapped to the one of the run, and the
//! choices.

mod cone;
mod dead_elements;
#[cfg(feature = "defects")]
pub mod defects;
#[cfg(not(feature = "defects"))]
mod defects;
mod each_node;
mod fields;
mod gathers;
mod lets;
mod lift;
mod overwritten;
mod parts;
mod sites;
mod timed_reductions;
mod total;
mod vars;

pub use cone::cone_of_influence;
pub use each_node::each_node;
pub use lift::{Shrunk, come_back};
pub use parts::parts;
pub use timed_reductions::timed_reductions;

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
    while fields::pass(&mut shrunk) | vars::pass(&mut shrunk) | overwritten::pass(&mut shrunk) {}
    shrunk
}
