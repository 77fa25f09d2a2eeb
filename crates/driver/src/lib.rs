//! The order of things: which instance, which engine, which limits, which answer.

mod agenda;
mod beginning;
mod border;
mod boxes;
mod by;
mod carriers;
mod chance;
mod check;
mod circuit;
mod clocked;
mod coarse;
mod coverage;
mod every_bound;
mod explicit;
mod extremes;
mod families;
mod format;
mod grid;
mod in_rounds;
mod integer;
mod judge;
mod limits;
mod load;
mod luck;
mod ordered;
mod part;
mod prooffile;
mod refused;
mod runfile;
mod rung;
mod seek;
mod seek_time;
mod setup;
mod simulate;
mod straight;
mod stroll;
mod stronger;
mod stuck;
mod tally;
mod walk;
mod watch;

pub use audit::{
    Checked, CircuitChecked, CircuitProof, Moment, OrderChecked, PartChecked, Refuted, Silence,
    Step,
};
pub use beginning::{Beginnings, MOST, NoBeginning, begin, can_draw};
pub use by::{Method, NAMED, answer_by};
pub use chance::confidence;
pub use check::{Asked, CheckReport, InstanceReport, Options, answer, asked, check};
pub use coverage::{assumptions, coverage};
pub use families::requests;
pub use format::{Unreadable, format};
pub use judge::{Judged, Judgement, Seen, judge, judge_seen};
pub use limits::{Limits, Watcher, available_memory};
pub use load::{Loaded, find_models, load, load_text, read_text};
pub use part::Part;
pub use prooffile::{Proof, ProofFile, ProofFileError};
pub use runfile::{RunFile, RunFileError, write_whole};
pub use setup::{NoSetup, Setup, Wanted, setup};
pub use simulate::{Effort, Simulated, Simulation, simulate};
pub use stroll::{Stroll, stroll};
pub use tally::{Kept, Tally};
pub use walk::{Moments, NotThen, Walk, read_time, walk};
