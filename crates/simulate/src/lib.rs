//! Random simulation and interactive stepping: runs whose events are drawn at random or chosen one by one.
//!
//! `initial` samples the initial state, `scheduler` draws the next event, `random_run` makes a random run, `stepper`
//! extends a run and undoes events, and `confidence` computes confidence intervals. All runs are made by the reference
//! interpreter ([`machine::Instance`]): it gives the enabled events and choices, and [`machine::Instance::step`] fires
//! one of them.

mod confidence;
mod initial;
mod random_run;
mod scheduler;
mod stepper;

pub use confidence::confidence;
pub use initial::{InitialSampler, MOST_LISTED, NoInitial, begin, can_draw};
pub use random_run::{RandomRun, random_run, random_run_from};
pub use scheduler::Scheduler;
pub use stepper::{Moments, NotThen, Stepper, read_time, walk};
