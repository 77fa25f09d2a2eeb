//! The order of things: which instance, which engine, which limits, which answer.

mod agenda;
mod beginning;
mod chance;
mod check;
mod coverage;
mod every_bound;
mod format;
mod judge;
mod limits;
mod load;
mod part;
mod refused;
mod runfile;
mod rung;
mod seek;
mod setup;
mod simulate;
mod stroll;
mod tally;
mod walk;
mod watch;

pub use beginning::{NoBeginning, begin};
pub use chance::confidence;
pub use check::{Asked, CheckReport, InstanceReport, Options, check};
pub use coverage::{assumptions, coverage};
pub use format::{Unreadable, format};
pub use judge::{Judged, Judgement, Seen, judge, judge_seen};
pub use limits::{Limits, Watcher, available_memory};
pub use load::{Loaded, find_models, load, load_text, read_text};
pub use part::Part;
pub use runfile::{RunFile, RunFileError};
pub use setup::{NoSetup, Setup, Wanted, setup};
pub use simulate::{Effort, Simulated, Simulation, simulate};
pub use stroll::{Stroll, stroll};
pub use tally::{Kept, Tally};
pub use walk::{Moments, NotThen, Walk, read_time, walk};
