//! One method by itself, for those who compare methods: what it does not answer stays open.

use crate::luck::Others;
use crate::{abstraction, circuit, explicit_search, integer, luck, ordered};
use rational::Rational;
use verdict::{Budget, Question, Refusal, Report};

/// A method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Visiting every state; with time as it is most easily counted.
    Search,
    /// The same, where nothing is left out if the model needs no more than that.
    States,
    /// The order of events, for nodes with a rhythm.
    Order,
    /// Search over orders, with rules refined until answers are real, for nodes with a rhythm.
    Abstraction,
    /// Search over times that are multiples of a unit.
    IntegerTime,
    /// Circuits: one method, or all in turns.
    Circuits(Option<invariants::Method>),
}

/// The methods that have a name on the command line.
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
    answer_by_in_words(method, question, &Rational::to_string, budget)
}

/// The same, where times are said as people write them.
pub(crate) fn answer_by_in_words(
    method: Method,
    question: &Question<'_>,
    say: integer::Say<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let unit = &Rational::ONE;
    let machine = question.machine;
    match method {
        Method::States if !machine.has_time() => explicit_search::every_state(question, budget),
        Method::States => answer_by_in_words(Method::Search, question, say, budget),
        Method::Search if !machine.has_time() => {
            luck::answer(question, &explicit_search::answer, Others::Nobody, budget)
        }
        Method::Search if integer::is_needed(machine) => {
            integer::answer(question, say, &explicit_search::answer, budget)
        }
        Method::Order => Ok(ordered::alone(question, unit, budget)),
        Method::Search | Method::Abstraction => {
            let by_abstraction = |question: &Question<'_>, budget: &dyn Budget| {
                abstraction::answer(question, unit, &explicit_search::answer, budget)
            };
            luck::answer(question, &by_abstraction, Others::Nobody, budget)
        }
        Method::IntegerTime => integer::answer(question, say, &explicit_search::answer, budget),
        Method::Circuits(by) => {
            let engine = |question: &Question<'_>, budget: &dyn Budget| {
                circuit::answer(question, by, budget)
            };
            match machine.has_time() {
                false => engine(question, budget),
                true if integer::is_needed(machine) => {
                    integer::answer(question, say, &engine, budget)
                }
                true => abstraction::answer(question, unit, &engine, budget),
            }
        }
    }
}
