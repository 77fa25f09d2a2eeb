//! The representation of a state: values as numbers, the slots of an open state, packing, component tables, counters, clocks.

pub(crate) mod clocks;
pub(crate) mod codec;
pub(crate) mod component_table;
pub(crate) mod counters;
pub(crate) mod field_mask;
pub(crate) mod layout;
pub(crate) mod packing;
pub(crate) mod partial_value;
