//! Answers a question by a single method, for experiments (`--by`). Properties that the method does not decide are
//! unknown.

use crate::log::Log;
use crate::play::play;
use crate::table::{Accepts, Row};
use crate::{About, circuit_search, event_order_search, explicit_search};
use rational::Rational;
use verdict::{Budget, Question, Refusal, Report};

/// A method that can be used alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The rows of the strategy table with explicit search (also in the CEGAR loop), random simulation, or digitisation
    /// of the class `Timed`.
    Search,
    /// Explicit search of every state without reduction, for Machines without time. For Machines with time, the same as
    /// `Search`.
    States,
    /// The order-of-events method, for periodic nodes.
    Order,
    /// The CEGAR loop over orders of events, for periodic nodes.
    Abstraction,
    /// Digitisation: all times are multiples of a unit.
    IntegerTime,
    /// The zone graph: all real times, for properties of states.
    Zones,
    /// One of BMC, k-induction and PDR on circuits, or all of them in turn (`None`).
    Circuits(Option<invariants::Method>),
}

/// The methods that `--by` can name.
pub const NAMED: [(&str, Method); 8] = [
    ("search", Method::Search),
    ("states", Method::States),
    ("order", Method::Order),
    ("zones", Method::Zones),
    ("bmc", Method::Circuits(Some(invariants::Method::Bmc))),
    (
        "induction",
        Method::Circuits(Some(invariants::Method::Induction)),
    ),
    ("pdr", Method::Circuits(Some(invariants::Method::Pdr))),
    ("circuits", Method::Circuits(None)),
];

/// Answers a question by one method. The runs have not been audited.
pub fn answer_by(
    method: Method,
    question: &Question<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    answer_by_logged(method, question, About::Instance, budget, &Log::default())
}

/// Answers a question by one method, and logs the rows of the table that it uses. The runs have not been audited.
pub fn answer_by_logged(
    method: Method,
    question: &Question<'_>,
    about: About,
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
            play(question, &allows, budget, log)
        }
        Method::Order => Ok(event_order_search::alone(question, unit, budget)),
        Method::Abstraction => cegar::answer(question, unit, &explicit_search::answer, budget),
        Method::IntegerTime => digitisation::answer(question, &explicit_search::answer, budget),
        Method::Zones => zones::answer(question, budget),
        Method::Circuits(by) => {
            let engine = |question: &Question<'_>, budget: &dyn Budget| {
                circuit_search::answer(question, by, budget)
            };
            match machine.has_time() {
                false => engine(question, budget),
                true if digitisation::is_needed(machine) => {
                    digitisation::answer(question, &engine, budget)
                }
                true => cegar::answer(question, unit, &engine, budget),
            }
        }
    }
}

/// Whether a row uses explicit search of an instance (also in the CEGAR loop), random simulation, or digitisation of
/// the class `Timed`.
fn is_search(row: &Row) -> bool {
    let others = [
        Accepts::UntimedGraph,
        Accepts::PeriodicUnfair,
        Accepts::PeriodicOrDelayed,
    ];
    !others.contains(&row.accepts) && row.method != "circuits"
}
