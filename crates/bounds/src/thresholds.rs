//! The plan for a time that is a parameter of the model: finds the exact threshold, and a run that shows it.
//!
//! **One threshold.** The parameter x is affine (`affine.rs`): it occurs only in bounds of declared times. A larger x
//! moves all these bounds outwards (it widens the intervals), or all inwards. "Further out" means towards the wider
//! intervals. The runs for one x are also runs for every x further out, so the values for which a claim `always …`
//! holds have one threshold. The text below takes the case that outwards is up; the other case is the mirror image.
//!
//! **From a run to its threshold.** A run that violates the claim for some x has an order of events. The times of this
//! order are a linear program; add x to it as an unknown. There is a least x for which the order has times, because all
//! constraints are closed (`audit::parameter_bound`). For this x, and so for all greater ones, the claim fails.
//!
//! **Just below.** It remains to show that the claim holds for all smaller x. The plan asks about an x so close below
//! the threshold that all x in between allow the same orders of events (`order::stability_radius`). If gaps vary freely
//! between their bounds, the allowed orders depend only on the signs of sums of bounds; a fixed period is relaxed to
//! such a gap, which allows more runs. If the claim holds for this x, it holds for all x below the threshold, so the
//! threshold is exact, and the claim fails at the threshold itself. If a run violates the claim for this x, that run
//! has a smaller threshold, and the plan continues with it. There are finitely many orders, so the search ends.
//!
//! **No value.** If the order of a run has times for every valid value, the claim fails for every value. The run that is
//! shown is one for the innermost valid value, whose runs are runs for every value; if the inner end is open or infinite,
//! one for the declared value.
//!
//! **Attained.** The answer is attained only at the end of the valid values: if the claim holds for all x up to a
//! closed limit that the model itself sets.

use crate::affine::{Parameter, longest, with_free_gaps};
use crate::oracle::{Found, Oracle, Outcome};
use crate::search::{Next, Plan};
use audit::{AffineParameter, Concretised};
use machine::PropertyKind;
use model::{Constant, ParamId};
use rational::Rational;
use source::Diagnostic;
use verdict::{
    Answer, NoThreshold, Progress, Reason, Report, Run, Side, Sought, Threshold, Undecided,
    Unsought,
};

/// The oracle is asked about at most this number of values further out, in order to find one for which the claim fails.
const MOST_OUTWARDS: usize = 8;

/// As [`MOST_OUTWARDS`], if the outer end of the valid values is open: close to such an end gaps become short and
/// searches expensive.
const MOST_TOWARDS_AN_END: usize = 4;

/// The largest number of runs whose thresholds are computed.
const MOST_RUNS: usize = 64;

/// The state of the plan for one claim and one parameter.
pub(crate) struct Thresholds<'a> {
    oracle: Oracle<'a>,
    parameter: Parameter<'a>,
    stage: Stage,
}

/// The stage of the search. All values in it are values of the parameter.
enum Stage {
    /// The oracle is asked about the declared value of the parameter.
    Own,
    /// The claim holds for the value `holds`. `open` is a value for which it is undecided, with the reason, if there is
    /// one. The oracle is asked about at most `left` values further out.
    Outwards {
        holds: Rational,
        open: Option<(Rational, Undecided)>,
        left: usize,
    },
    /// The claim fails for `threshold`, as the run `at_threshold` shows, and for all values further out. The oracle is
    /// asked about a value just inside. The thresholds of at most `left` more runs are computed.
    Inwards {
        threshold: Rational,
        at_threshold: Box<Run>,
        left: usize,
    },
}

/// The values for which the order of events of a run has times, each with a run of this order.
enum OfRun {
    /// From this value on outwards; the run is one for this value.
    Threshold(Rational, Box<Run>),
    /// For every valid value; the run is one for this value.
    Everywhere(Rational, Box<Run>),
}

/// The plan for one claim and one parameter. The inner error is a result that needs no search.
pub(crate) fn plan(
    oracle: Oracle<'_>,
    claim: usize,
    param: ParamId,
    greatest: bool,
) -> Result<Result<Thresholds<'_>, Box<Found>>, Vec<Diagnostic>> {
    let own = oracle.request.params[param.index()].clone();
    let unknown = |why: NoThreshold| Ok(Err(Box::new(Found::unknown(why, own))));
    let parameter = match Parameter::of(oracle, claim, param)? {
        Ok(parameter) => parameter,
        Err(why) => return unknown(why),
    };
    if parameter.wider != greatest {
        return unknown(NoThreshold::WrongWay {
            parameter: oracle.model.param(param).name.clone(),
            greatest,
        });
    }
    let condition = match &parameter.own.1.machine.properties[0].kind {
        PropertyKind::Claim(formula) => formula.invariant(),
        PropertyKind::Possible(_) => None,
    };
    if condition.is_none() {
        return unknown(NoThreshold::WholeRuns);
    }
    Ok(Ok(Thresholds {
        oracle,
        parameter,
        stage: Stage::Own,
    }))
}

impl Plan for Thresholds<'_> {
    fn first(&self) -> Constant {
        Constant::Duration(self.parameter.own.0.clone())
    }

    /// Asks the order-of-events method, which works with exact times.
    fn ask(&self, value: &Constant) -> Result<Outcome, Vec<Diagnostic>> {
        let Ok(lowered) = self.parameter.at(time(value)) else {
            return Ok(Outcome::Open(Undecided::NoModel));
        };
        let question = self.oracle.question(&lowered.machine);
        let report = strategy::by_event_order(&question, &Rational::ONE, self.oracle.budget);
        Ok(match Outcome::of(report) {
            Outcome::Vacuous(premise) => Outcome::Open(Undecided::Vacuous(premise)),
            Outcome::Other(..) => Outcome::Open(Undecided::Error),
            outcome => outcome,
        })
    }

    fn learn(&mut self, value: &Constant, outcome: Outcome) -> Result<Next, Vec<Diagnostic>> {
        let value = time(value).clone();
        match std::mem::replace(&mut self.stage, Stage::Own) {
            Stage::Own => match outcome {
                Outcome::Open(undecided) => {
                    let why = Unsought::At {
                        value: Sought::Time(value.clone()),
                        undecided,
                        fails_before: false,
                    };
                    self.unknown(why, &value)
                }
                Outcome::Fails(run, report) => self.inwards(value, (run, report), MOST_RUNS),
                _ => {
                    let left = match self.parameter.outer() {
                        Some(end) if !end.closed => MOST_TOWARDS_AN_END,
                        _ => MOST_OUTWARDS,
                    };
                    self.outwards(value, None, left)
                }
            },
            Stage::Outwards { holds, open, left } => {
                let (holds, open) = match outcome {
                    Outcome::Fails(run, report) => {
                        return self.inwards(value, (run, report), MOST_RUNS);
                    }
                    Outcome::Open(why) => (holds, Some((value, why))),
                    Outcome::Holds(report)
                        if self.parameter.outer().is_some_and(|end| end.value == value) =>
                    {
                        let threshold = Threshold {
                            time: value.clone(),
                            side: Side::Here,
                        };
                        return Next::found(Found {
                            answer: Answer::Time(threshold, None),
                            about: Constant::Duration(value),
                            report: Some(report),
                        });
                    }
                    _ => (value, open),
                };
                if let Some(spent) = self.oracle.budget.ask(&Progress::default()) {
                    return self.unknown(Reason::limit(spent), &holds);
                }
                self.outwards(holds, open, left - 1)
            }
            Stage::Inwards {
                threshold,
                at_threshold,
                left,
            } => match outcome {
                Outcome::Fails(closer, report) => {
                    if let Some(spent) = self.oracle.budget.ask(&Progress::default()) {
                        return self.unknown(Reason::limit(spent), &value);
                    }
                    self.inwards(value, (closer, report), left - 1)
                }
                Outcome::Holds(report) => {
                    if let Err(undecided) = self.holds_up_to(&value)? {
                        let why = NoThreshold::Between {
                            fails: threshold.clone(),
                            holds: value,
                            undecided,
                        };
                        return self.unknown(why, &threshold);
                    }
                    let side = match self.parameter.wider {
                        true => Side::Below,
                        false => Side::Above,
                    };
                    let time = threshold.clone();
                    Next::found(Found {
                        answer: Answer::Time(Threshold { time, side }, Some(at_threshold)),
                        about: Constant::Duration(threshold),
                        report: Some(report),
                    })
                }
                Outcome::Open(undecided) => {
                    let why = NoThreshold::Before {
                        fails: threshold.clone(),
                        undecided,
                    };
                    self.unknown(why, &threshold)
                }
                Outcome::Vacuous(_) | Outcome::Other(..) => {
                    unreachable!("`ask` maps these to `Open`")
                }
            },
        }
    }
}

/// The time in a constant. Panics on other constants.
fn time(value: &Constant) -> &Rational {
    match value {
        Constant::Duration(time) => time,
        _ => unreachable!("the values of this plan are times"),
    }
}

impl Thresholds<'_> {
    /// Asks about a value further out than `holds`, a value for which the claim holds. Ends the search if `left` is 0.
    fn outwards(
        &mut self,
        holds: Rational,
        open: Option<(Rational, Undecided)>,
        left: usize,
    ) -> Result<Next, Vec<Diagnostic>> {
        if left > 0 {
            let next = self.further(&holds, open.as_ref().map(|(value, _)| value));
            self.stage = Stage::Outwards { holds, open, left };
            return Ok(Next::Ask(Constant::Duration(next)));
        }
        let why = Unsought::Beyond {
            value: Sought::Time(holds.clone()),
            ascending: self.parameter.wider,
            holds: true,
            open: open.map(|(value, undecided)| (Sought::Time(value), undecided)),
        };
        self.unknown(why, &holds)
    }

    /// Computes the threshold of a run that violates the claim for `value`, and asks about a value just inside of the
    /// threshold.
    fn inwards(
        &mut self,
        value: Rational,
        (run, report): (Box<Run>, Report),
        left: usize,
    ) -> Result<Next, Vec<Diagnostic>> {
        if left == 0 {
            return self.unknown(NoThreshold::AgainAndAgain(value.clone()), &value);
        }
        let (threshold, at_threshold) = match self.threshold_of(&value, &run)? {
            Ok(OfRun::Threshold(threshold, run)) => (threshold, run),
            Ok(OfRun::Everywhere(at, run)) => {
                return Next::found(Found {
                    answer: Answer::NoBound(run),
                    about: Constant::Duration(at),
                    report: Some(report),
                });
            }
            Err(why) => return self.unknown(why, &value),
        };
        let most = order::most_bounds(&self.parameter.own.1.machine);
        let Some(near) = self.parameter.just_inside(&threshold, &most)? else {
            let why = NoThreshold::Before {
                fails: threshold.clone(),
                undecided: Undecided::JitterOnGrid,
            };
            return self.unknown(why, &threshold);
        };
        self.stage = Stage::Inwards {
            threshold,
            at_threshold,
            left,
        };
        Ok(Next::Ask(Constant::Duration(near)))
    }

    /// The next value further out than `holds`. If there is an undecided value, it is halfway to that value (`open`).
    /// Otherwise it is the outer end of the valid values if that end is closed, halfway to the end if the end is open,
    /// and more than twice `holds` if there is no end.
    fn further(&self, holds: &Rational, open: Option<&Rational>) -> Rational {
        let middle = |end: &Rational| (holds + end) / Rational::from(2);
        match (open, self.parameter.outer()) {
            (Some(open), _) => middle(open),
            (None, Some(end)) if end.closed => end.value.clone(),
            (None, Some(end)) => middle(&end.value),
            // The lower end is always finite, so here outwards is up.
            (None, None) => {
                holds + holds + longest(&self.parameter.own.1.machine) / Rational::from(4)
            }
        }
    }

    /// The threshold of the run's order of events. `value` is the parameter value of the run. The inner error says why
    /// there is none.
    fn threshold_of(
        &self,
        value: &Rational,
        run: &Run,
    ) -> Result<Result<OfRun, NoThreshold>, Vec<Diagnostic>> {
        let here = self.parameter.at(value)?;
        let replayed = match audit::replay(&here.machine, run) {
            Ok(replayed) => replayed,
            Err(rejected) => return Ok(Err(NoThreshold::Rejected(rejected.to_string()))),
        };
        let (own, other) = (&self.parameter.own, &self.parameter.other);
        let parameter = AffineParameter {
            one: (&own.0, &own.1.machine),
            other: (&other.0, &other.1.machine),
        };
        // `None`: the order has times for every value inwards.
        let least = match audit::parameter_bound(parameter, run, &replayed, !self.parameter.wider) {
            Ok(least) => least,
            Err(rejected) => return Ok(Err(NoThreshold::Rejected(rejected.to_string()))),
        };
        let threshold = least.filter(|least| {
            let end = self.parameter.inner();
            end.is_none_or(|end| self.parameter.is_inside(&end.value, least))
        });
        let innermost = self.parameter.inner().filter(|end| end.closed);
        let innermost = innermost.filter(|end| self.parameter.at(&end.value).is_ok());
        let at = match (&threshold, innermost) {
            (Some(threshold), _) => threshold,
            (None, Some(end)) => &end.value,
            (None, None) => &own.0,
        };
        let there = self.parameter.at(at)?;
        let question = self.oracle.question(&there.machine);
        let shown = match audit::concretise(&there.machine, run, &replayed, &Rational::ONE) {
            Ok(Concretised::Run(run)) => run,
            Ok(Concretised::Never(_)) => return Ok(Err(NoThreshold::NoTimes)),
            Err(rejected) => return Ok(Err(NoThreshold::Rejected(rejected.to_string()))),
        };
        if let Err(rejected) = audit::confirm(&question, 0, &Answer::Fails(shown.clone())) {
            return Ok(Err(NoThreshold::Rejected(rejected.to_string())));
        }
        Ok(Ok(match threshold {
            Some(threshold) => OfRun::Threshold(threshold, shown),
            None => OfRun::Everywhere(at.clone(), shown),
        }))
    }

    /// Whether the claim holds for `near` if gaps vary freely. If so, it holds for all values between `near` and the
    /// threshold. The inner error says why this is undecided.
    fn holds_up_to(&self, near: &Rational) -> Result<Result<(), Undecided>, Vec<Diagnostic>> {
        let lowered = self.parameter.at(near)?;
        let Some(free) = with_free_gaps(&lowered.machine) else {
            return Ok(Err(Undecided::JitterOnGrid));
        };
        if free == lowered.machine {
            return Ok(Ok(())); // gaps already vary freely, so `ask` has answered this question
        }
        let question = self.oracle.question(&free);
        let property = &free.properties[0];
        Ok(
            match strategy::ask_event_order(&question, property, &Rational::ONE, self.oracle.budget)
            {
                Ok((Answer::Holds, _)) => Ok(()),
                Ok(_) => Err(Undecided::RestsOnFixedPeriods),
                Err(gap) => Err(Undecided::Open(Reason::EventOrder(gap))),
            },
        )
    }

    fn unknown(&self, why: impl Into<Reason>, about: &Rational) -> Result<Next, Vec<Diagnostic>> {
        Next::found(Found::unknown(why, Constant::Duration(about.clone())))
    }
}
