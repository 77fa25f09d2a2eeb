//! Static analyses of a Machine: footprints, order rules, symmetry, counters.

pub(crate) mod automorphisms;
pub(crate) mod commuting_loops;
pub(crate) mod counter_classes;
pub(crate) mod counter_normal_form;
pub(crate) mod cross_kind_reads;
pub(crate) mod footprint;
pub(crate) mod order_rules;
pub(crate) mod symmetry;
