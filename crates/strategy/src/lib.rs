//! The strategy: which method answers a question about a Machine, in which order, and what one method passes to the
//! next.
//!
//! `table.rs` holds the strategy as data; `play.rs` executes it. Each other file holds one method, where the method
//! is more than a call of its engine.

mod circuit_search;
mod event_order_search;
mod explicit_search;
mod log;
mod method;
mod play;
mod random_search;
mod reduction;
mod table;

pub use event_order_search::{alone as by_event_order, ask as ask_event_order};
pub use explicit_search::answer as search;
pub use log::{Attempt, Log};
pub use method::{Method, NAMED, answer_by, answer_by_in_words};
pub use table::{Accepts, Effort, Row, TABLE, Turn};

use digitisation::Say;
use rational::Rational;
use verdict::{Budget, Question, Refusal, Report};

/// The instance that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The instance as given.
    Instance,
    /// One graph of several, which represents every numbering of its nodes.
    Graph,
}

/// Answers a question about a Machine by the rows of the table. `say` renders the times in reasons. The runs have not
/// been audited.
pub fn answer_in_words(
    question: &Question<'_>,
    about: About,
    say: Say<'_>,
    budget: &dyn Budget,
    log: &Log,
) -> Result<Report, Refusal> {
    let allows = |row: &Row| about == About::Graph || row.accepts != Accepts::UntimedGraph;
    play::play(question, say, &allows, budget, log)
}

/// Answers a question about a Machine by the rows of the table. The runs have not been audited.
pub fn answer(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let log = Log::default();
    answer_in_words(
        question,
        About::Instance,
        &Rational::to_string,
        budget,
        &log,
    )
}
