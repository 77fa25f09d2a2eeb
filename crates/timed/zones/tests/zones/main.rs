//! The tests of the zone graph.

mod detected;
mod random;
mod traps;
