//! Checks of a model or a Machine: instances, limits, answers, judgements, simulation, and the files of runs, proofs
//! and checkpoints.

mod call;
mod check;
mod machine_check;
mod report;
mod results;
mod setup;
mod simulation;
mod smaller;

pub use audit::{
    Checked, CircuitChecked, EverySizeChecked, Moment, OrderChecked, PartChecked, Refuted,
    Rejected, Silence, SizesChecked, Step,
};
pub use call::checkpoint::{CheckFiles, Checkpoints};
pub use call::format::{Unreadable, format};
pub use call::limits::{Limits, TotalTime, Watcher, available_threads};
pub use call::load::{Loaded, find_models, load, load_text, read_text};
pub use call::memory::available_memory;
pub use call::options::{Options, unknown_parameter};
pub use call::out_folder::{mark_folder, out_folder};
pub use call::watchdog::{load_within, within};
pub use cancellation::acknowledge;
pub use check::families::requests;
pub use check::{Asked, CheckReport, InstanceReport, asked, check, is_asked};
pub use machine_check::{MachineError, MachineReport, check_machine};
pub use report::coverage::{assumptions, coverage, with_defaults};
pub use report::judge::{Judged, Judgement, Seen, judge, judge_seen};
pub use results::audited_run::AuditedRun;
pub use results::contradiction::{CheckError, Contradicted};
pub use results::proof_file::{Proof, ProofFile, ProofFileError, Subject};
pub use results::run_file::{RunFile, RunFileError, write_whole};
pub use setup::{NoSetup, Setup, Wanted, setup};
pub use simulation::simulate::{Effort, Simulated, Simulation, simulate};
pub use simulation::tally::{Kept, Tally};
pub use smaller::{Smaller, smaller};
