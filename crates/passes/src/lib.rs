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

mod analysis;
#[cfg(feature = "defects")]
pub mod defects;
#[cfg(not(feature = "defects"))]
mod defects;
mod reduce;
mod split;

pub use analysis::cone::cone_of_influence;
pub use analysis::timed_reductions::timed_reductions;
pub use reduce::lift::{Shrunk, lift_from_cone};
pub use reduce::{Removed, shrink};
pub use split::conjuncts::conjuncts;
pub use split::each_node::each_node;
