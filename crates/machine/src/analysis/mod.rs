//! Static analyses of a Machine: footprints, order rules, symmetry, counters, constants of times, loops in zero time.

pub(crate) mod automorphisms;
pub(crate) mod commuting_loops;
pub(crate) mod counter_classes;
pub(crate) mod counter_normal_form;
pub(crate) mod cross_kind_reads;
pub(crate) mod footprint;
pub(crate) mod order_rules;
pub(crate) mod symmetry;
pub(crate) mod time_constants;
pub(crate) mod zero_time;
