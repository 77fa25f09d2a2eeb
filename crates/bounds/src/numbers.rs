//! The plan for numbers: one value after the other, until the claim holds.
//!
//! The plan starts with the least candidate (for `greatest` with the greatest). The first value for which the claim holds is the
//! answer, and the run that refutes its neighbour shows that there is no better one. A run of its own refutes every value on the
//! way, so the result does not assume that the claim is monotone in x. For rounds, one search over all states may be enough
//! (`rounds.rs`).

use crate::every_bound;
use crate::oracle::{Found, Oracle, Outcome};
use crate::rounds::{InRounds, least_in_rounds};
use crate::search::{Next, Plan};
use cegar::{corner, repetition};
use machine::Machine;
use model::{Constant, Question, Searched};
use rational::Rational;
use source::Diagnostic;
use verdict::{Answer, Budget, Run, StateLimited};

/// The number of refuted values after which a run is searched that breaks the claim for every value.
const PATIENCE: i64 = 8;

/// The numbers of refuted values after which the end of the last run is repeated for ever.
const REPEATED_AFTER: [i64; 3] = [3, 5, PATIENCE];

/// The largest number of events of a lasso for which no shorter one is searched.
const SHORT: usize = 60;

/// The largest number of nodes for which the shortest lasso is searched in any case, because the search is cheap.
const FEW_NODES: u32 = 2;

/// The plan for one claim.
pub(crate) struct Numbers<'a> {
    oracle: Oracle<'a>,
    claim: usize,
    greatest: bool,
    low: i64,
    high: i64,
    /// The run that breaks the claim for the previous value.
    below: Option<Box<Run>>,
}

/// The plan for the values of a range, or a result without a search.
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
        let before = match self.below {
            Some(_) => "; it fails for every value before",
            None => "",
        };
        let unknown = |why: String| Next::found(Found::unknown(why, Constant::Int(value)));
        match outcome {
            Outcome::Vacuous(why) => unknown(format!("for {value} {why}{before}")),
            Outcome::Open(why) => unknown(format!("not decided for {value}: {why}{before}")),
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
                self.after_refuted(value)
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

    /// The value after one that is refuted.
    fn after_refuted(&self, value: i64) -> Result<Next, Vec<Diagnostic>> {
        let (low, high) = (self.low, self.high);
        let next = value + self.step();
        if (low..=high).contains(&next) {
            return Ok(Next::Ask(Constant::Int(next)));
        }
        let why = match self.greatest {
            false => format!("more than {high}: it fails for every value up to there"),
            true => format!("less than {low}: it fails for every value down to there"),
        };
        Next::found(Found::unknown(why, Constant::Int(value)))
    }

    /// A run that breaks the claim for every bound, searched when several values have failed.
    fn breaks_all(
        &self,
        value: i64,
        broken: &Run,
    ) -> Result<Option<(i64, Box<Run>)>, Vec<Diagnostic>> {
        let refuted = (value - self.first_value()).abs();
        // Counters saturate at the bound: a smaller bound means fewer states.
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

    /// A run on which the claim is false for every bound, if one is found. `broken`, which breaks the claim for one bound, is the start of
    /// the cheap attempts. Only an argument of the claim is supported: another value of a parameter makes another model.
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
        // The claims for two neighbouring values show what the value changes.
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
        // Repetition and corner schedules find a lasso at once. A shorter one is worth a limited effort, except where messages have a
        // delay.
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
        Ok(accepted(report.answers.remove(0)).or(fallback))
    }

    /// A lasso that repeats the end of a run, and that breaks the only property.
    fn loop_of_end(&self, machine: &Machine, known: &Run) -> Option<Answer> {
        let question = self.oracle.question(machine);
        if !machine.has_time() || digitisation::is_needed(machine) {
            return None;
        }
        repetition::answer(&question, known, &Rational::ONE, self.oracle.budget)
    }

    /// A lasso among the corner schedules from the initial state of a run that breaks the only property.
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

/// The effort to find a run that breaks a claim for every bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// Only the end of a known run is repeated.
    Repeat,
    /// Every method is tried.
    Search,
}
