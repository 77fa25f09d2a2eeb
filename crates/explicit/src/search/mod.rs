//! The breadth-first search over all instances, its limits, checkpoints and report, and the entry points of the crate.

pub(crate) mod breadth_first;
pub(crate) mod checkpoint;
pub(crate) mod counter_bounds;
pub(crate) mod detour;
pub(crate) mod initial_states;
pub(crate) mod instances;
pub(crate) mod limits;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod search_state;
pub(crate) mod temporal;
pub(crate) mod visit;
