//! The representation of states: numbers for values, slots of an open state, packing, component tables, counters,
//! clocks.

pub(crate) mod clocks;
pub(crate) mod codec;
pub(crate) mod component_table;
pub(crate) mod counters;
pub(crate) mod field_mask;
pub(crate) mod layout;
pub(crate) mod packing;
pub(crate) mod partial_value;
