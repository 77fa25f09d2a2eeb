//! Runs of a Machine that are not searched for: drawn at random, or taken step by step by hand.
//!
//! Both use the reference interpreter only: [`machine::Instance::choices`] says which events are enabled,
//! [`machine::Instance::step`] fires one of them.

mod confidence;
mod initial;
mod random_run;
mod scheduler;
mod stepper;

pub use confidence::confidence;
pub use initial::{InitialSampler, MOST, NoInitial, begin, can_draw};
pub use random_run::{RandomRun, random_run, random_run_from};
pub use scheduler::Scheduler;
pub use stepper::{Moments, NotThen, Stepper, read_time, walk};
