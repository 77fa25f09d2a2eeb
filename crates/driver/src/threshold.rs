//! `least x`, `greatest x` where x is a time among the parameters of the model: the exact threshold, and why there.
//!
//! **One threshold.** x moves bounds of declared times, and nothing else, in straight lines, all of them outwards or all inwards
//! (`straight.rs`). So the runs for one x are among those for every x further out, and the values for which a claim `always …`
//! holds end somewhere. Say outwards is up; otherwise everything is the mirror image.
//!
//! **From a run to its threshold.** A run that breaks the claim for some x is an order of events. Let x be one more unknown of what
//! times demand: the least x for which the same order has times is attained, for all demands are closed (`audit::parameter_bound`).
//! For it, and so for all greater ones, the claim fails.
//!
//! **Just below.** What is left to show is that it holds for all smaller ones. An x is asked that is so near below that all x
//! between say the same about the order of events (`order::stability_radius`): where gaps are free everything is a matter of signs of
//! sums of bounds. A fixed period is taken for a gap that varies, which allows more runs. If the claim holds there, it holds up to the
//! threshold, and the answer is exact; it is not attained. If a run breaks it there, that run has a smaller threshold: from there on
//! again. There are finitely many orders that can be asked about, so this ends.
//!
//! **Attained** is only the end of what makes sense: where the claim holds for all x up to one that the model itself does not
//! allow to be passed.

use crate::check::Asking;
use crate::ordered;
use crate::seek::{Found, says_nothing};
use crate::straight::{Limit, Parameter, longest, with_free_gaps};
use audit::{AffineParameter, Concretised};
use machine::{Machine, PropertyKind};
use model::{Constant, ParamId};
use rational::Rational;
use source::Diagnostic;
use verdict::{Answer, Budget, Progress, Question, Report, Run, Side, Threshold};

/// So many values are asked to find one for which the claim fails.
const MOST_OUTWARDS: usize = 8;

/// The same where the end of what makes sense does not itself make sense: towards it gaps become short, and questions long.
const MOST_TOWARDS_AN_END: usize = 4;

/// So many runs are followed to their thresholds.
const MOST_RUNS: usize = 64;

/// What came of one value.
enum Tried {
    Holds(Box<Report>),
    Fails(Box<Run>),
    /// Nobody knows, and why.
    Open(String),
}

impl Asking<'_> {
    /// The threshold of the values of a parameter for which a claim holds.
    pub(crate) fn seek_threshold(
        &self,
        claim: usize,
        param: ParamId,
        greatest: bool,
    ) -> Result<Found, Vec<Diagnostic>> {
        let own = self.request.params[param.index()].clone();
        let parameter = match Parameter::of(self, claim, param)? {
            Ok(parameter) => parameter,
            Err(why) => return Ok(Found::unknown(why, own)),
        };
        let name = &self.loaded.model.param(param).name;
        if parameter.wider != greatest {
            let (word, runs) = match greatest {
                true => ("greatest", "fewer"),
                false => ("least", "more"),
            };
            let why = format!(
                "a larger `{name}` allows {runs} runs, so that there is no {word} one to look for"
            );
            return Ok(Found::unknown(why, own));
        }
        let condition = match &parameter.own.1.machine.properties[0].kind {
            PropertyKind::Claim(formula) => formula.invariant(),
            PropertyKind::Possible(_) => None,
        };
        if condition.is_none() {
            let why = "the claim is about whole runs, not about every state, and no method of this version finds the \
                       border then";
            return Ok(Found::unknown(why, own));
        }
        Search {
            asking: self,
            parameter,
        }
        .threshold()
    }
}

struct Search<'s, 'a> {
    asking: &'s Asking<'a>,
    parameter: Parameter<'s, 'a>,
}

impl Search<'_, '_> {
    /// Outwards from the parameter's own value until the claim fails, then inwards from run to run.
    fn threshold(&self) -> Result<Found, Vec<Diagnostic>> {
        let own = self.parameter.own.0.clone();
        match self.ask(&own)? {
            Tried::Fails(run) => return self.inwards(own, run),
            Tried::Open(why) => {
                let why = format!("not decided for {}: {why}", self.parameter.say(&own));
                return Ok(self.unknown(why, &own));
            }
            Tried::Holds(_) => {}
        }
        let mut holds = own;
        let mut open: Option<(Rational, String)> = None;
        let tries = match self.outer() {
            Some(end) if !end.closed => MOST_TOWARDS_AN_END,
            _ => MOST_OUTWARDS,
        };
        for _ in 0..tries {
            let next = self.further(&holds, open.as_ref().map(|(value, _)| value));
            match self.ask(&next)? {
                Tried::Fails(run) => return self.inwards(next, run),
                Tried::Holds(report) => {
                    if self.outer().is_some_and(|end| end.value == next) {
                        let threshold = Threshold {
                            time: next.clone(),
                            side: Side::Here,
                        };
                        return Ok(Found {
                            answer: Answer::Time(threshold, None),
                            about: Constant::Duration(next),
                            report: Some(*report),
                        });
                    }
                    holds = next;
                }
                Tried::Open(why) => open = Some((next, why)),
            }
            if let Some(spent) = self.asking.limits.ask(&Progress::default()) {
                return Ok(self.unknown(spent.to_string(), &holds));
            }
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
        Ok(self.unknown(why, &holds))
    }

    /// The end of what makes sense, outwards.
    fn outer(&self) -> Option<&Limit> {
        let range = &self.parameter.range;
        match self.parameter.wider {
            true => range.most.as_ref(),
            false => range.least.as_ref(),
        }
    }

    /// The end of what makes sense, inwards.
    fn inner(&self) -> Option<&Limit> {
        let range = &self.parameter.range;
        match self.parameter.wider {
            true => range.least.as_ref(),
            false => range.most.as_ref(),
        }
    }

    /// A value further out than one for which the claim holds, and not as far as one that is not decided.
    fn further(&self, holds: &Rational, open: Option<&Rational>) -> Rational {
        let middle = |end: &Rational| (holds + end) / Rational::from(2);
        match (open, self.outer()) {
            (Some(open), _) => middle(open),
            (None, Some(end)) if end.closed => end.value.clone(),
            (None, Some(end)) => middle(&end.value),
            // Only upwards there is no end.
            (None, None) => {
                holds + holds + longest(&self.parameter.own.1.machine) / Rational::from(4)
            }
        }
    }

    /// Whether one value is further in than another.
    fn is_inside(&self, value: &Rational, of: &Rational) -> bool {
        match self.parameter.wider {
            true => value < of,
            false => value > of,
        }
    }

    /// From a value for which a run breaks the claim to the threshold of that run, and so on.
    fn inwards(&self, mut value: Rational, mut run: Box<Run>) -> Result<Found, Vec<Diagnostic>> {
        for _ in 0..MOST_RUNS {
            let (threshold, at_threshold) = match self.threshold_of(&value, &run)? {
                Ok(found) => found,
                Err(why) => return Ok(self.unknown(why, &value)),
            };
            if let Some(end) = self.inner()
                && !self.is_inside(&end.value, &threshold)
            {
                let said = self.parameter.say(&end.value);
                let why = match end.closed {
                    true => format!("it fails for {said}, and so for every value"),
                    false => "it fails for every value for which the model has a meaning".into(),
                };
                return Ok(self.unknown(why, &value));
            }
            let Some(near) = self.just_inside(&threshold)? else {
                let why = format!(
                    "it fails from {} on; whether it holds up to there is not known, for jitter on the grid is more than \
                     bounds of gaps",
                    self.parameter.say(&threshold)
                );
                return Ok(self.unknown(why, &threshold));
            };
            match self.ask(&near)? {
                Tried::Fails(closer) => (value, run) = (near, closer),
                Tried::Open(why) => {
                    let said = self.parameter.say(&threshold);
                    let why = format!(
                        "it fails from {said} on; whether it holds just before is not decided: {why}"
                    );
                    return Ok(self.unknown(why, &threshold));
                }
                Tried::Holds(report) => {
                    if let Err(why) = self.holds_up_to(&near)? {
                        let (said, nearly) =
                            (self.parameter.say(&threshold), self.parameter.say(&near));
                        let why = format!(
                            "it fails from {said} on, and holds up to {nearly}; between them nobody knows: {why}"
                        );
                        return Ok(self.unknown(why, &threshold));
                    }
                    let side = match self.parameter.wider {
                        true => Side::Below,
                        false => Side::Above,
                    };
                    let time = threshold.clone();
                    return Ok(Found {
                        answer: Answer::Time(Threshold { time, side }, Some(at_threshold)),
                        about: Constant::Duration(threshold),
                        report: Some(*report),
                    });
                }
            }
            if let Some(spent) = self.asking.limits.ask(&Progress::default()) {
                return Ok(self.unknown(spent.to_string(), &value));
            }
        }
        let why = format!(
            "it fails for {}, and again and again for smaller changes",
            self.parameter.say(&value)
        );
        Ok(self.unknown(why, &value))
    }

    /// The threshold of the order of events of a run, with that order at times for the threshold; or why there is none.
    #[expect(clippy::type_complexity, reason = "a value and its run, or why not")]
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
        let affine = AffineParameter {
            one: (&own.0, &own.1.machine),
            other: (&other.0, &other.1.machine),
        };
        let threshold = match audit::parameter_bound(affine, run, &replayed, !self.parameter.wider)
        {
            Ok(Some(threshold)) => threshold,
            Ok(None) => {
                // The same order is there however far inwards, which ends where the model makes no sense.
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
        let question = Question {
            machine: &there.machine,
            fair: self.asking.fair,
        };
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

    /// A value so near inside of the threshold that all between say the same about the order of events.
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

    /// Whether the claim holds where gaps are free: there what is shown for one value near a threshold is shown up to it.
    fn holds_up_to(&self, near: &Rational) -> Result<Result<(), String>, Vec<Diagnostic>> {
        let lowered = self.parameter.at(near)?;
        let Some(free) = with_free_gaps(&lowered.machine) else {
            return Ok(Err("jitter on the grid".into()));
        };
        if free == lowered.machine {
            return Ok(Ok(())); // that was asked
        }
        let question = Question {
            machine: &free,
            fair: self.asking.fair,
        };
        let property = &free.properties[0];
        Ok(
            match ordered::ask(&question, property, &Rational::ONE, self.asking.limits) {
                Ok((Answer::Holds, _)) => Ok(()),
                Ok(_) => Err(
                    "where periods vary from gap to gap a run breaks it, so that it rests on their being fixed"
                        .into(),
                ),
                Err(why) => Err(why),
            },
        )
    }

    /// What the claim is for one value.
    fn ask(&self, value: &Rational) -> Result<Tried, Vec<Diagnostic>> {
        let Ok(lowered) = self.parameter.at(value) else {
            return Ok(Tried::Open("the model has no meaning there".into()));
        };
        let machine: &Machine = &lowered.machine;
        let question = Question {
            machine,
            fair: self.asking.fair,
        };
        let mut report = ordered::alone(&question, &Rational::ONE, self.asking.limits);
        let premise = report.findings.premises.first().copied().flatten();
        Ok(match report.answers.remove(0) {
            Answer::Holds => match says_nothing(premise) {
                Some(why) => Tried::Open(why.into()),
                None => Tried::Holds(Box::new(report)),
            },
            Answer::Fails(run) => Tried::Fails(run),
            Answer::Unknown(why) => Tried::Open(why),
            other => Tried::Open(format!("{other:?}")),
        })
    }

    fn unknown(&self, why: String, about: &Rational) -> Found {
        Found::unknown(why, Constant::Duration(about.clone()))
    }
}
