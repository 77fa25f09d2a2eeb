//! Static analyses of a Machine: contexts of expressions, totality, commuting updates, dead elements, cone of
//! influence, timed reductions.

pub(crate) mod commuting_updates;
pub(crate) mod cone;
pub(crate) mod dead_elements;
pub(crate) mod sites;
pub(crate) mod timed_reductions;
pub(crate) mod totality;
