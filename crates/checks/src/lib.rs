//! One check of a model: its instances, its limits, its results, and what is stored of them.

mod audited_run;
mod check;
mod checkpoint;
mod contradiction;
mod families;
mod files;
mod format;
mod limits;
mod load;
mod refused;
mod report;
mod setup;
mod simulation;
mod smaller;

pub use audit::{
    Checked, CircuitChecked, Moment, OrderChecked, PartChecked, Refuted, Silence, Step,
};
pub use audited_run::AuditedRun;
pub use check::{Asked, CheckReport, InstanceReport, Options, asked, check};
pub use checkpoint::{CheckFiles, Checkpoints};
pub use contradiction::{CheckError, Contradicted};
pub use families::requests;
pub use files::proof::{Proof, ProofFile, ProofFileError};
pub use files::run::{RunFile, RunFileError, write_whole};
pub use format::{Unreadable, format};
pub use limits::{Limits, Watcher, available_memory, available_threads};
pub use load::{Loaded, find_models, load, load_text, read_text};
pub use report::coverage::{assumptions, coverage};
pub use report::judge::{Judged, Judgement, Seen, judge, judge_seen};
pub use setup::{NoSetup, Setup, Wanted, setup};
pub use simulation::simulate::{Effort, Simulated, Simulation, simulate};
pub use simulation::tally::{Kept, Tally};
pub use smaller::{Smaller, smaller};
