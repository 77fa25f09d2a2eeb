//! Symmetry reduction: permutations of nodes, canonical forms, and when they apply.

pub(crate) mod applicability;
pub(crate) mod canonical_form;
pub(crate) mod group;
pub(crate) mod node_invariant;
pub(crate) mod node_names;
pub(crate) mod renaming;
pub(crate) mod representative_claims;
