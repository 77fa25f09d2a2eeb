//! One method alone, for experiments (`--by`); properties that it does not answer stay open.

use crate::log::Log;
use crate::play::play;
use crate::table::{Accepts, Row};
use crate::{About, circuit_search, event_order_search, explicit_search};
use digitisation::Say;
use rational::Rational;
use verdict::{Budget, Question, Refusal, Report};

/// A method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Explicit search, with the abstraction of time that the table chooses, and random simulation.
    Search,
    /// Explicit search of every state without reduction, for Machines without time; otherwise like `Search`.
    States,
    /// The order of events, for periodic nodes.
    Order,
    /// The CEGAR loop over orders of events, for periodic nodes.
    Abstraction,
    /// Digitisation: times that are multiples of a unit.
    IntegerTime,
    /// BMC, k-induction or PDR on circuits; or all in turn.
    Circuits(Option<invariants::Method>),
}

/// The methods that `--by` can name.
pub const NAMED: [(&str, Method); 7] = [
    ("search", Method::Search),
    ("states", Method::States),
    ("order", Method::Order),
    ("bmc", Method::Circuits(Some(invariants::Method::Bmc))),
    (
        "induction",
        Method::Circuits(Some(invariants::Method::Induction)),
    ),
    ("pdr", Method::Circuits(Some(invariants::Method::Pdr))),
    ("circuits", Method::Circuits(None)),
];

/// Answers a question about a Machine by one method. The runs have not been audited.
pub fn answer_by(
    method: Method,
    question: &Question<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let (say, log) = (&Rational::to_string, Log::default());
    answer_by_in_words(method, question, About::Instance, say, budget, &log)
}

/// Answers a question about a Machine by one method. `say` renders the times in reasons. The runs have not been
/// audited.
pub fn answer_by_in_words(
    method: Method,
    question: &Question<'_>,
    about: About,
    say: Say<'_>,
    budget: &dyn Budget,
    log: &Log,
) -> Result<Report, Refusal> {
    let unit = &Rational::ONE;
    let machine = question.machine;
    match method {
        Method::States if !machine.has_time() => explicit_search::every_state(question, budget),
        Method::States | Method::Search => {
            let graph = method == Method::Search && about == About::Graph;
            let allows = |row: &Row| match row.accepts {
                Accepts::UntimedGraph => graph,
                _ => is_search(row),
            };
            play(question, say, &allows, budget, log)
        }
        Method::Order => Ok(event_order_search::alone(question, unit, budget)),
        Method::Abstraction => cegar::answer(question, unit, &explicit_search::answer, budget),
        Method::IntegerTime => {
            digitisation::answer(question, say, &explicit_search::answer, budget)
        }
        Method::Circuits(by) => {
            let engine = |question: &Question<'_>, budget: &dyn Budget| {
                circuit_search::answer(question, by, budget)
            };
            match machine.has_time() {
                false => engine(question, budget),
                true if digitisation::is_needed(machine) => {
                    digitisation::answer(question, say, &engine, budget)
                }
                true => cegar::answer(question, unit, &engine, budget),
            }
        }
    }
}

/// Whether a row visits states, by explicit search or by random simulation.
fn is_search(row: &Row) -> bool {
    let others = [
        Accepts::UntimedGraph,
        Accepts::PeriodicUnfair,
        Accepts::PeriodicOrDelayed,
    ];
    !others.contains(&row.accepts) && row.method != "circuits"
}
