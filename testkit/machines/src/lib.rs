//! Tools for the tests of the engines: random Machines, a naive explorer, and a harness for random samples.

mod explore;
mod random;
pub mod sample;

pub use explore::{Explored, explore};
pub use random::{Size, random_counting_machine, random_machine, random_timed_machine};
