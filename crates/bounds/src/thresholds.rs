//! The plan for a time among the parameters of the model: the exact threshold, and a run that shows it.
//!
//! **One threshold.** The parameter x is affine (`affine.rs`): it occurs only in bounds of declared times, and a larger x moves all
//! bounds outwards, or all inwards. So the runs for one x are among those for every x further out, and the values for which a claim
//! `always …` holds have one threshold. Let outwards be up; the other case is the mirror image.
//!
//! **From a run to its threshold.** A run that breaks the claim for some x has an order of events. Add x as an unknown to the linear
//! program of the times: the least x for which the same order has times is attained, because all constraints are closed
//! (`audit::parameter_bound`). For this x, and so for all greater ones, the claim fails.
//!
//! **Just below.** It remains to show that the claim holds for all smaller x. The plan asks an x so near below the threshold that all x
//! between them allow the same orders of events (`order::stability_radius`): where gaps are free, the allowed orders depend only on the signs of
//! sums of bounds. A fixed period is relaxed to a gap that varies, which allows more runs. If the claim holds there, it holds up to the
//! threshold, and the answer is exact; the threshold itself is not attained. If a run breaks it there, that run has a smaller
//! threshold, and the plan continues with that one. There are finitely many orders, so the search ends.
//!
//! **Attained** is only the end of the valid values: the claim holds for all x up to a limit that the model itself sets.

use crate::affine::{Limit, Parameter, longest, with_free_gaps};
use crate::oracle::{Found, Oracle, Outcome};
use crate::search::{Next, Plan};
use audit::{AffineParameter, Concretised};
use machine::PropertyKind;
use model::{Constant, ParamId};
use rational::Rational;
use source::Diagnostic;
use verdict::{Answer, Progress, Run, Side, Threshold};

/// The number of values that are asked to find one for which the claim fails.
const MOST_OUTWARDS: usize = 8;

/// The same number where the end of the range is open: near it gaps become short, and questions expensive.
const MOST_TOWARDS_AN_END: usize = 4;

/// The number of runs whose thresholds are computed.
const MOST_RUNS: usize = 64;

/// The plan for one claim and one parameter.
pub(crate) struct Thresholds<'a> {
    oracle: Oracle<'a>,
    parameter: Parameter<'a>,
    stage: Stage,
}

/// The stage of the search.
enum Stage {
    /// The parameter's own value is asked.
    Own,
    /// The claim holds for a value, and is undecided for `open`. At most `left` more values further out are asked.
    Outwards {
        holds: Rational,
        open: Option<(Rational, String)>,
        left: usize,
    },
    /// The run `at_threshold` shows that the claim fails from a threshold on. A value just inside of it is asked. The thresholds of at
    /// most `left` runs are computed.
    Inwards {
        threshold: Rational,
        at_threshold: Box<Run>,
        left: usize,
    },
}

/// The plan for a claim, or a result without a search.
pub(crate) fn plan(
    oracle: Oracle<'_>,
    claim: usize,
    param: ParamId,
    greatest: bool,
) -> Result<Result<Thresholds<'_>, Box<Found>>, Vec<Diagnostic>> {
    let own = oracle.request.params[param.index()].clone();
    let unknown = |why: String| Ok(Err(Box::new(Found::unknown(why, own))));
    let parameter = match Parameter::of(oracle, claim, param)? {
        Ok(parameter) => parameter,
        Err(why) => return unknown(why),
    };
    let name = &oracle.model.param(param).name;
    if parameter.wider != greatest {
        let (word, runs) = match greatest {
            true => ("greatest", "fewer"),
            false => ("least", "more"),
        };
        return unknown(format!(
            "a larger `{name}` allows {runs} runs, so that there is no {word} one to look for"
        ));
    }
    let condition = match &parameter.own.1.machine.properties[0].kind {
        PropertyKind::Claim(formula) => formula.invariant(),
        PropertyKind::Possible(_) => None,
    };
    if condition.is_none() {
        let why = "the claim is about whole runs, not about every state, and no method of this version finds the \
                   border then";
        return unknown(why.into());
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

    /// Asks the search by order of events, which keeps times exact.
    fn ask(&self, value: &Constant) -> Result<Outcome, Vec<Diagnostic>> {
        let Ok(lowered) = self.parameter.at(time(value)) else {
            return Ok(Outcome::Open("the model has no meaning there".into()));
        };
        let question = self.oracle.question(&lowered.machine);
        let report = strategy::by_event_order(&question, &Rational::ONE, self.oracle.budget);
        Ok(match Outcome::of(report) {
            Outcome::Vacuous(why) => Outcome::Open(why.into()),
            Outcome::Other(answer, _) => Outcome::Open(format!("{answer:?}")),
            outcome => outcome,
        })
    }

    fn learn(&mut self, value: &Constant, outcome: Outcome) -> Result<Next, Vec<Diagnostic>> {
        let value = time(value).clone();
        match std::mem::replace(&mut self.stage, Stage::Own) {
            Stage::Own => match outcome {
                Outcome::Open(why) => {
                    let why = format!("not decided for {}: {why}", self.parameter.say(&value));
                    self.unknown(why, &value)
                }
                Outcome::Fails(run, _) => self.inwards(value, run, MOST_RUNS),
                _ => {
                    let left = match self.outer() {
                        Some(end) if !end.closed => MOST_TOWARDS_AN_END,
                        _ => MOST_OUTWARDS,
                    };
                    self.outwards(value, None, left)
                }
            },
            Stage::Outwards { holds, open, left } => {
                let (holds, open) = match outcome {
                    Outcome::Fails(run, _) => return self.inwards(value, run, MOST_RUNS),
                    Outcome::Open(why) => (holds, Some((value, why))),
                    Outcome::Holds(report)
                        if self.outer().is_some_and(|end| end.value == value) =>
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
                    return self.unknown(spent.to_string(), &holds);
                }
                self.outwards(holds, open, left - 1)
            }
            Stage::Inwards {
                threshold,
                at_threshold,
                left,
            } => match outcome {
                Outcome::Fails(closer, _) => {
                    if let Some(spent) = self.oracle.budget.ask(&Progress::default()) {
                        return self.unknown(spent.to_string(), &value);
                    }
                    self.inwards(value, closer, left - 1)
                }
                Outcome::Holds(report) => {
                    if let Err(why) = self.holds_up_to(&value)? {
                        let said = self.parameter.say(&threshold);
                        let nearly = self.parameter.say(&value);
                        let why = format!(
                            "it fails from {said} on, and holds up to {nearly}; between them nobody knows: {why}"
                        );
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
                Outcome::Open(why) => {
                    let said = self.parameter.say(&threshold);
                    let why = format!(
                        "it fails from {said} on; whether it holds just before is not decided: {why}"
                    );
                    self.unknown(why, &threshold)
                }
                Outcome::Vacuous(_) | Outcome::Other(..) => {
                    unreachable!("`ask` maps these to `Open`")
                }
            },
        }
    }
}

/// The time of a value.
fn time(value: &Constant) -> &Rational {
    match value {
        Constant::Duration(time) => time,
        _ => unreachable!("the values of this plan are times"),
    }
}

impl Thresholds<'_> {
    /// Asks a value further out than one for which the claim holds.
    fn outwards(
        &mut self,
        holds: Rational,
        open: Option<(Rational, String)>,
        left: usize,
    ) -> Result<Next, Vec<Diagnostic>> {
        if left > 0 {
            let next = self.further(&holds, open.as_ref().map(|(value, _)| value));
            self.stage = Stage::Outwards { holds, open, left };
            return Ok(Next::Ask(Constant::Duration(next)));
        }
        let say = |value: &Rational| self.parameter.say(value);
        let than = if self.parameter.wider { "more" } else { "less" };
        let way = if self.parameter.wider { "up" } else { "down" };
        let mut why = format!(
            "{than} than {}: it holds for every value {way} to there",
            say(&holds)
        );
        if let Some((value, reason)) = open {
            why += &format!(", and is not decided for {}: {reason}", say(&value));
        }
        self.unknown(why, &holds)
    }

    /// Computes the threshold of a run that breaks the claim for a value, and asks a value just inside of it.
    fn inwards(
        &mut self,
        value: Rational,
        run: Box<Run>,
        left: usize,
    ) -> Result<Next, Vec<Diagnostic>> {
        if left == 0 {
            let why = format!(
                "it fails for {}, and again and again for smaller changes",
                self.parameter.say(&value)
            );
            return self.unknown(why, &value);
        }
        let (threshold, at_threshold) = match self.threshold_of(&value, &run)? {
            Ok(found) => found,
            Err(why) => return self.unknown(why, &value),
        };
        if let Some(end) = self.inner()
            && !self.is_inside(&end.value, &threshold)
        {
            let said = self.parameter.say(&end.value);
            let why = match end.closed {
                true => format!("it fails for {said}, and so for every value"),
                false => "it fails for every value for which the model has a meaning".into(),
            };
            return self.unknown(why, &value);
        }
        let Some(near) = self.just_inside(&threshold)? else {
            let why = format!(
                "it fails from {} on; whether it holds up to there is not known, for jitter on the grid is more than \
                 bounds of gaps",
                self.parameter.say(&threshold)
            );
            return self.unknown(why, &threshold);
        };
        self.stage = Stage::Inwards {
            threshold,
            at_threshold,
            left,
        };
        Ok(Next::Ask(Constant::Duration(near)))
    }

    /// The outer end of the valid values.
    fn outer(&self) -> Option<&Limit> {
        let range = &self.parameter.range;
        match self.parameter.wider {
            true => range.most.as_ref(),
            false => range.least.as_ref(),
        }
    }

    /// The inner end of the valid values.
    fn inner(&self) -> Option<&Limit> {
        let range = &self.parameter.range;
        match self.parameter.wider {
            true => range.least.as_ref(),
            false => range.most.as_ref(),
        }
    }

    /// A value between one for which the claim holds, and the undecided one or the outer end.
    fn further(&self, holds: &Rational, open: Option<&Rational>) -> Rational {
        let middle = |end: &Rational| (holds + end) / Rational::from(2);
        match (open, self.outer()) {
            (Some(open), _) => middle(open),
            (None, Some(end)) if end.closed => end.value.clone(),
            (None, Some(end)) => middle(&end.value),
            // Only upwards there may be no end.
            (None, None) => {
                holds + holds + longest(&self.parameter.own.1.machine) / Rational::from(4)
            }
        }
    }

    /// Whether one value is further inwards than another.
    fn is_inside(&self, value: &Rational, of: &Rational) -> bool {
        match self.parameter.wider {
            true => value < of,
            false => value > of,
        }
    }

    /// The threshold of a run's order of events, and a run with that order at the threshold; or the reason why there is none.
    #[expect(
        clippy::type_complexity,
        reason = "a value and its run, or the reason why there is none"
    )]
    fn threshold_of(
        &self,
        value: &Rational,
        run: &Run,
    ) -> Result<Result<(Rational, Box<Run>), String>, Vec<Diagnostic>> {
        let here = self.parameter.at(value)?;
        let replayed = match audit::replay(&here.machine, run) {
            Ok(replayed) => replayed,
            Err(rejected) => return Ok(Err(rejected.to_string())),
        };
        let (own, other) = (&self.parameter.own, &self.parameter.other);
        let parameter = AffineParameter {
            one: (&own.0, &own.1.machine),
            other: (&other.0, &other.1.machine),
        };
        let threshold =
            match audit::parameter_bound(parameter, run, &replayed, !self.parameter.wider) {
                Ok(Some(threshold)) => threshold,
                Ok(None) => {
                    // The order is feasible for every value inwards, up to the end of the valid values.
                    let Some(end) = self.inner() else {
                        return Ok(Err("it fails for every value".into()));
                    };
                    end.value.clone()
                }
                Err(rejected) => return Ok(Err(rejected.to_string())),
            };
        if let Some(end) = self.inner()
            && !self.is_inside(&end.value, &threshold)
        {
            return Ok(Ok((threshold, Box::new(run.clone()))));
        }
        let there = self.parameter.at(&threshold)?;
        let question = self.oracle.question(&there.machine);
        Ok(
            match audit::concretise(&there.machine, run, &replayed, &Rational::ONE) {
                Ok(Concretised::Run(run)) => {
                    match audit::confirm(&question, 0, &Answer::Fails(run.clone())) {
                        Ok(_) => Ok((threshold, run)),
                        Err(rejected) => Err(rejected.to_string()),
                    }
                }
                Ok(Concretised::Never(_)) => Err("a run has no times at its own border".into()),
                Err(rejected) => Err(rejected.to_string()),
            },
        )
    }

    /// A value so near inside of the threshold that all values between them allow the same orders of events.
    fn just_inside(&self, threshold: &Rational) -> Result<Option<Rational>, Vec<Diagnostic>> {
        let (own, other) = (&self.parameter.own, &self.parameter.other);
        let sample = if own.0 == *threshold { other } else { own };
        let apart = &sample.0 - threshold;
        let there = self.parameter.at(threshold)?;
        let machines = (
            with_free_gaps(&there.machine),
            with_free_gaps(&sample.1.machine),
        );
        let (Some(there), Some(elsewhere)) = machines else {
            return Ok(None);
        };
        let Some(mut near) = order::stability_radius(&there, &elsewhere, &apart) else {
            return Ok(None);
        };
        if let Some(end) = self.inner() {
            near = near.min((threshold - &end.value).abs() / Rational::from(2));
        }
        Ok(Some(match self.parameter.wider {
            true => threshold - near,
            false => threshold + near,
        }))
    }

    /// Whether the claim holds where gaps are free. There, a proof for one value near a threshold is a proof up to the threshold.
    fn holds_up_to(&self, near: &Rational) -> Result<Result<(), String>, Vec<Diagnostic>> {
        let lowered = self.parameter.at(near)?;
        let Some(free) = with_free_gaps(&lowered.machine) else {
            return Ok(Err("jitter on the grid".into()));
        };
        if free == lowered.machine {
            return Ok(Ok(())); // the oracle has answered this question
        }
        let question = self.oracle.question(&free);
        let property = &free.properties[0];
        Ok(
            match strategy::ask_event_order(&question, property, &Rational::ONE, self.oracle.budget) {
                Ok((Answer::Holds, _)) => Ok(()),
                Ok(_) => Err(
                    "where periods vary from gap to gap a run breaks it, so that it rests on their being fixed"
                        .into(),
                ),
                Err(why) => Err(why),
            },
        )
    }

    fn unknown(&self, why: String, about: &Rational) -> Result<Next, Vec<Diagnostic>> {
        Next::found(Found::unknown(why, Constant::Duration(about.clone())))
    }
}
