//! Random Machines and a naive explorer: the oracles that the tests of the engines share.

mod explore;
mod random;

pub use explore::{Explored, explore};
pub use random::{Size, random_counting_machine, random_machine, random_timed_machine};
