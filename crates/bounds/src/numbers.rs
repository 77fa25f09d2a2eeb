//! The plan for numbers: asks about one value after the other until the claim holds.
//!
//! For `least` the plan starts with the least candidate and counts up; for `greatest` it starts with the greatest
//! candidate and counts down. The first value for which the claim holds is the answer. Each value before it is refuted
//! by a run of its own, so the result does not assume that the claim is monotone in x. For activation counts in rounds,
//! one search over all states may give the answer without this loop (`rounds.rs`).

use crate::every_bound;
use crate::oracle::{Found, Oracle, Outcome};
use crate::rounds::{InRounds, least_in_rounds};
use crate::search::{Next, Plan};
use cegar::{corner, repetition};
use machine::Machine;
use model::{Constant, Question, Searched};
use rational::Rational;
use source::Diagnostic;
use verdict::{Answer, Budget, Report, Run, Sought, StateLimited, Undecided, Unsought};

/// The number of refuted values after which all methods search for a run that violates the claim for every value.
const PATIENCE: i64 = 8;

/// After these numbers of refuted values, the plan tries to turn the last run into a lasso by repeating its end.
const REPEATED_AFTER: [i64; 3] = [3, 5, PATIENCE];

/// The largest number of events of a lasso that is accepted at once; for a longer lasso, a shorter one is sought.
const SHORT: usize = 60;

/// The largest number of nodes for which the shortest lasso is always sought, because the search is cheap.
const FEW_NODES: u32 = 2;

/// The state of the plan for one claim.
pub(crate) struct Numbers<'a> {
    oracle: Oracle<'a>,
    claim: usize,
    greatest: bool,
    low: i64,
    high: i64,
    /// The run that violates the claim for the value before the current one.
    below: Option<Box<Run>>,
}

/// The plan for the values from `low` to `high`. The inner error is a result that needs no search.
pub(crate) fn plan(
    oracle: Oracle<'_>,
    claim: usize,
    greatest: bool,
    (low, high): (i64, i64),
) -> Result<Result<Numbers<'_>, Box<Found>>, Vec<Diagnostic>> {
    let plan = Numbers {
        oracle,
        claim,
        greatest,
        low,
        high,
        below: None,
    };
    if !greatest {
        match least_in_rounds(oracle, claim, (low, high))? {
            InRounds::Found(found) => return Ok(Err(found)),
            InRounds::Endless(broken) => {
                let bound = low.max(1);
                if let Some(run) = plan.fails_for_every_bound(bound, &broken, Effort::Search)? {
                    return Ok(Err(Box::new(Found {
                        answer: Answer::NoBound(run),
                        about: Constant::Int(bound),
                        report: None,
                    })));
                }
            }
            InRounds::NotApplicable => {}
        }
    }
    Ok(Ok(plan))
}

impl Plan for Numbers<'_> {
    fn first(&self) -> Constant {
        Constant::Int(self.first_value())
    }

    fn ask(&self, value: &Constant) -> Result<Outcome, Vec<Diagnostic>> {
        self.oracle.ask(self.claim, value)
    }

    fn learn(&mut self, value: &Constant, outcome: Outcome) -> Result<Next, Vec<Diagnostic>> {
        let Constant::Int(value) = *value else {
            unreachable!("the values of this plan are numbers");
        };
        let unknown = |undecided: Undecided| {
            let why = Unsought::At {
                value: Sought::Number(value),
                undecided,
                fails_before: self.below.is_some(),
            };
            Next::found(Found::unknown(why, Constant::Int(value)))
        };
        match outcome {
            Outcome::Vacuous(premise) => unknown(Undecided::Vacuous(premise)),
            Outcome::Open(undecided) => unknown(undecided),
            Outcome::Holds(report) => {
                let neighbour = value - self.step();
                let about = if self.below.is_some() {
                    neighbour
                } else {
                    value
                };
                Next::found(Found {
                    answer: Answer::Value(value, self.below.take()),
                    about: Constant::Int(about),
                    report: Some(report),
                })
            }
            Outcome::Other(answer @ Answer::Error(_), report) => Next::found(Found {
                answer,
                about: Constant::Int(value),
                report: Some(report),
            }),
            Outcome::Other(answer, _) => unreachable!("no answer to a claim: {answer:?}"),
            Outcome::Fails(run, report) => {
                let endless = self.breaks_all(value, &run)?;
                self.below = Some(run);
                if let Some((bound, run)) = endless {
                    return Next::found(Found {
                        answer: Answer::NoBound(run),
                        about: Constant::Int(bound),
                        report: Some(report),
                    });
                }
                self.after_refuted(value, report)
            }
        }
    }
}

impl Numbers<'_> {
    fn first_value(&self) -> i64 {
        if self.greatest { self.high } else { self.low }
    }

    fn step(&self) -> i64 {
        if self.greatest { -1 } else { 1 }
    }

    /// The next step after a value is refuted: asks about the next value, or ends the search after the last one. For
    /// `greatest` no value is left then: each was refuted, and the run of the least one is shown. For `least` the claim
    /// may hold for values beyond the end of the range, so the answer is unknown.
    fn after_refuted(&mut self, value: i64, report: Report) -> Result<Next, Vec<Diagnostic>> {
        let (low, high) = (self.low, self.high);
        let next = value + self.step();
        if (low..=high).contains(&next) {
            return Ok(Next::Ask(Constant::Int(next)));
        }
        if self.greatest
            && let Some(run) = self.below.take()
        {
            return Next::found(Found {
                answer: Answer::NoBound(run),
                about: Constant::Int(value),
                report: Some(report),
            });
        }
        let why = Unsought::Beyond {
            value: Sought::Number(high),
            ascending: true,
            holds: false,
            open: None,
        };
        Next::found(Found::unknown(why, Constant::Int(value)))
    }

    /// A run that violates the claim for every bound, and the bound for which it was found. The search runs only for
    /// `least` and after certain numbers of refuted values; otherwise the result is `None`.
    fn breaks_all(
        &self,
        value: i64,
        broken: &Run,
    ) -> Result<Option<(i64, Box<Run>)>, Vec<Diagnostic>> {
        let refuted = (value - self.first_value()).abs();
        // Counters saturate at the bound, so a small bound keeps the number of states small.
        let bound = self.low.max(1);
        let effort = match refuted == PATIENCE || value == self.high {
            true => Effort::Search,
            false => Effort::Repeat,
        };
        let due = effort == Effort::Search || REPEATED_AFTER.contains(&refuted);
        if self.greatest || !due || bound > value {
            return Ok(None);
        }
        let run = self.fails_for_every_bound(bound, broken, effort)?;
        Ok(run.map(|run| (bound, run)))
    }

    /// A run that violates the claim for every bound, or `None` if none is found. `broken` violates the claim for one
    /// bound; the cheap attempts start from it. Supported only if the sought number is an argument of the claim: a
    /// model parameter with another value gives another Machine, whose runs may differ.
    fn fails_for_every_bound(
        &self,
        value: i64,
        broken: &Run,
        effort: Effort,
    ) -> Result<Option<Box<Run>>, Vec<Diagnostic>> {
        let Question::Extreme {
            searched: Searched::Argument { .. },
            claims,
            ..
        } = self.oracle.asks()
        else {
            return Ok(None);
        };
        let (oracle, claim, high) = (self.oracle, self.claim, self.high);
        // The comparison of the claims for two neighbouring values shows where the value occurs.
        let other = if value < high { value + 1 } else { value - 1 };
        let both = [Constant::Int(value), Constant::Int(other)];
        let request = oracle.request.with(oracle.model, &both)?;
        let mut lowered = oracle.lowered(&request)?;
        let properties = &lowered.machine.properties;
        let (here, there) = (
            properties[claim].clone(),
            properties[claims.len() + claim].clone(),
        );
        let Some(question) = every_bound::question(&lowered.machine, &here, &there) else {
            return Ok(None);
        };
        lowered.machine.properties = vec![question];
        let machine = &lowered.machine;
        let accepted = |answer: Answer| match answer {
            Answer::Fails(run) if every_bound::breaks_every_bound(machine, &run, value) => {
                Some(run)
            }
            _ => None,
        };
        // Repetition and corner schedules need no search, but may give a long lasso. Then a search with a limited
        // number of states looks for a shorter one, unless messages have a delay.
        let few = machine.node_count() <= FEW_NODES;
        let is_short = |run: &Run| !few && run.choices.len() <= SHORT;
        let repeated = match few {
            true => None,
            false => self.loop_of_end(machine, broken).and_then(accepted),
        };
        if effort == Effort::Repeat || repeated.as_ref().is_some_and(|run| is_short(run)) {
            return Ok(repeated);
        }
        let at_corner = || self.loop_from(machine, broken).and_then(accepted);
        let fallback = repeated.or_else(at_corner);
        let has_delay = matches!(machine.delay, machine::Delay::Within(..));
        if fallback
            .as_ref()
            .is_some_and(|run| has_delay || is_short(run))
        {
            return Ok(fallback);
        }
        let limited = StateLimited::attempt(oracle.budget, cegar::MOST_STATES_FOR_SHORTER);
        let budget: &dyn Budget = match fallback {
            Some(_) => &limited,
            None => oracle.budget,
        };
        let mut report = (oracle.answer)(&lowered, budget)?;
        Ok(accepted(report.results.remove(0).answer).or(fallback))
    }

    /// A lasso that repeats the end of a run for ever and violates the only property of the Machine; `None` if none is
    /// found.
    fn loop_of_end(&self, machine: &Machine, known: &Run) -> Option<Answer> {
        let question = self.oracle.question(machine);
        if !machine.has_time() || digitisation::is_needed(machine) {
            return None;
        }
        repetition::answer(&question, known, &Rational::ONE, self.oracle.budget)
    }

    /// A corner schedule from the initial state of the run `from` that is a lasso and violates the only property of the
    /// Machine; `None` if none is found.
    fn loop_from(&self, machine: &Machine, from: &Run) -> Option<Answer> {
        let question = self.oracle.question(machine);
        let vars = |node| machine.vars_of(machine.kind_of(node)).count();
        let mut nodes = machine.nodes().zip(&from.initial.nodes);
        if !machine.has_time() || !nodes.all(|(node, state)| vars(node) == state.vars.len()) {
            return None;
        }
        let confirmed = |answer: &Answer| audit::confirm(&question, 0, answer).is_ok();
        corner::answer(
            machine,
            &machine.properties[0],
            from,
            self.oracle.budget,
            &confirmed,
        )
    }
}

/// The effort spent on finding a run that violates a claim for every bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// Only repeat the end of a known run.
    Repeat,
    /// Try every method, including a search.
    Search,
}
