//! Reductions from a Machine to a smaller Machine, and static analyses for the engines.
//!
//! Each pass in `reduce/` maps the states of a Machine to the states of a smaller Machine. This map is a functional
//! bisimulation: a state and its image have the same enabled events, with the same effects, errors and fairness
//! obligations, and every condition of every property has the same value in both. Hence a run and its image satisfy the
//! same properties. All answers carry over, including those about vacuous premises, deadlocks and blocks that never
//! run. The module documentation of each pass states what the pass does, under which conditions, and why the map is
//! such a bisimulation. If a condition cannot be established, the pass does nothing.
//!
//! Passes keep the ids of all variables, fields, blocks, properties, source locations and nodes. A removed item gets a
//! type with a single value, or has a single value between events. Frozen variables are unchanged. A run of the smaller
//! Machine is lifted in two steps: find an initial state whose image is the initial state of the run, and find the
//! choices whose images are those of the run.
//!
//! `analysis/` computes facts about the unchanged Machine that an engine may use: the cone of influence and the timed
//! reductions. `split/` splits a claim into smaller claims. `projection/` finds out how many nodes decide a claim about any
//! number of nodes.

mod analysis;
pub mod defects;
mod projection;
mod reduce;
mod split;

pub use analysis::cone::cone_of_influence;
pub use analysis::timed_reductions::timed_reductions;
pub use projection::{NotProjected, projection};
pub use reduce::lift::{Shrunk, lift_from_cone};
pub use reduce::{Removed, shrink};
pub use split::conjuncts::conjuncts;
pub use split::each_node::each_node;
pub use verdict::Projection;
