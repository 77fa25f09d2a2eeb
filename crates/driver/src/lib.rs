//! The order of things: which instance, which engine, which limits, which answer.

mod check;
mod coverage;
mod format;
mod judge;
mod later;
mod limits;
mod load;
mod runfile;

pub use check::{Asked, CheckReport, InstanceReport, Options, Part, check};
pub use coverage::{assumptions, coverage};
pub use format::{Unreadable, format};
pub use judge::{Judged, Judgement, judge};
pub use limits::{Limits, Watcher, available_memory};
pub use load::{Loaded, find_models, load, load_text, read_text};
pub use runfile::{RunFile, RunFileError};
