//! Machine-to-Machine reductions, and static analyses for the engines.
//!
//! A pass of `reduce/` maps the states of a Machine to the states of a smaller Machine. The map is a
//! bisimulation that is a function: the events enabled in a state are the events enabled in its image, with the
//! same effect, the same errors and the same fairness obligations, and every condition of every property has
//! the same value in both. Hence a run and its image satisfy the same properties, and every answer carries
//! over, including the answers about premises, deadlocks and blocks that never run. The head of each pass
//! states what it does, under which conditions, and why the map is such a bisimulation. Where a condition is in
//! doubt, the pass does nothing.
//!
//! Passes keep all numbers of variables, fields, blocks, properties, origins and nodes: a removed item becomes
//! one that has a single value, at least between events. Frozen variables are unchanged. To lift a run, it is
//! therefore enough to find an initial state whose image is the initial state of the run, and the choices.
//!
//! `analysis/` computes facts that an engine may use on the unchanged Machine: the cone of influence and the
//! timed reductions. `split/` splits a claim into smaller claims.

mod analysis;
pub mod defects;
mod reduce;
mod split;

pub use analysis::cone::cone_of_influence;
pub use analysis::timed_reductions::timed_reductions;
pub use reduce::lift::{Shrunk, lift_from_cone};
pub use reduce::{Removed, shrink};
pub use split::conjuncts::conjuncts;
pub use split::each_node::each_node;
