//! The zone graph: the values of expressions, LU bounds, global edges, successors.

pub(crate) mod evaluate;
pub(crate) mod intervals;
pub(crate) mod local_bounds;
pub(crate) mod product;
pub(crate) mod zone_graph;
