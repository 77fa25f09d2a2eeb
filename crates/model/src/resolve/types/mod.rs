//! Types and data: declared types, records and arrays, counters, implicit conversions.

pub(crate) mod coerce;
pub(crate) mod counters;
pub(crate) mod data;
pub(crate) mod declared;
pub(crate) mod record_sizes;
