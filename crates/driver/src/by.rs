//! One method by itself, for those who compare methods: what it does not answer stays open.

use crate::{explicit, integer, luck, ordered, rung};
use rational::Rational;
use verdict::{Budget, Question, Refusal, Report};

/// A method for questions about nodes with a rhythm at real times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The order of events.
    Order,
    /// Search over orders, with rules refined until answers are real.
    Rungs,
    /// Search over times that are multiples of a unit.
    IntegerTime,
}

/// Answers a question about a Machine with real times by one method. The runs have not been audited.
pub fn answer_by(
    method: Method,
    question: &Question<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let unit = &Rational::ONE;
    match method {
        Method::Order => Ok(ordered::alone(question, unit, budget)),
        Method::Rungs => {
            let by_rungs = |question: &Question<'_>, budget: &dyn Budget| {
                rung::answer(question, unit, &explicit::answer, budget)
            };
            luck::answer(question, &by_rungs, budget)
        }
        Method::IntegerTime => {
            integer::answer(question, &Rational::to_string, &explicit::answer, budget)
        }
    }
}
