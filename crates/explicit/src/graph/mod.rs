//! The state graph of one instance: transitions, labels, predecessors, and reconstruction of runs.

pub(crate) mod graph_log;
pub(crate) mod labels;
pub(crate) mod partial_expansion;
pub(crate) mod path_reconstruction;
pub(crate) mod predecessor_table;
pub(crate) mod state_graph;
pub(crate) mod unfold;
pub(crate) mod witness;
