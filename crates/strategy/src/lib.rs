//! The strategy: which methods answer a question about a Machine, in which order, and what a method passes to the
//! methods after it.
//!
//! `table.rs` is the strategy as data; `play.rs` executes it. `method.rs` runs a single method, and `log.rs` records
//! the cost. `every_size.rs` is the table for claims about every size. The other files contain the methods that do more
//! than call their engine.

mod circuit_search;
mod event_order_search;
mod every_size;
mod explicit_search;
mod log;
mod method;
mod play;
mod random_search;
mod reduction;
mod table;

pub use ::every_size::{MOST_BOUNDS, is_stable};
pub use event_order_search::{alone as by_event_order, ask as ask_event_order};
pub use every_size::{Argument, Gap, Lemmas, SIZE_TABLE, SizeRow, argue, project};
pub use explicit_search::answer as search;
pub use log::{Attempt, Log};
pub use method::{Method, NAMED, answer_by, answer_by_logged};
pub use table::{Accepts, Effort, Row, TABLE, Turn};

use verdict::{Budget, Question, Refusal, Report};

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// One Machine, with the numbering of its nodes.
    Instance,
    /// One graph of several, which represents all numberings of its nodes.
    Graph,
}

/// Answers a question by the rows of the table, and logs them. The runs have not been audited.
pub fn answer_logged(
    question: &Question<'_>,
    about: About,
    budget: &dyn Budget,
    log: &Log,
) -> Result<Report, Refusal> {
    let allows = |row: &Row| about == About::Graph || row.accepts != Accepts::UntimedGraph;
    play::play(question, &allows, budget, log)
}

/// Answers a question by the rows of the table. The runs have not been audited.
pub fn answer(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let log = Log::default();
    answer_logged(question, About::Instance, budget, &log)
}
