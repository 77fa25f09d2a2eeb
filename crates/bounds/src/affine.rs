//! Affine parameters. A parameter p of the model is affine if it occurs only in declared times, and each declared time
//! is a·p + b for constants a and b.
//!
//! Declared times are the times of periodic schedules and of message delays. `model::ParameterUse` decides from the
//! model text whether a parameter is affine. The Machines for two values of an affine parameter determine the Machines
//! for all values. They also show whether a larger value widens all intervals of declared times, so that it allows more
//! runs, or narrows all of them.

use crate::oracle::Oracle;
use lower::Lowered;
use machine::{Delay, End, First, Jitter, Machine, Timing};
use model::{Constant, ParamId, ParameterUse};
use rational::Rational;
use source::Diagnostic;
use verdict::NoThreshold;

/// An affine parameter of the model, for one claim of a check. Each value of the parameter gives a Machine.
pub(crate) struct Parameter<'a> {
    oracle: Oracle<'a>,
    claim: usize,
    /// The declared value of the parameter, and the Machine for it.
    pub(crate) own: (Rational, Lowered),
    /// A second value of the parameter, and the Machine for it.
    pub(crate) other: (Rational, Lowered),
    /// Whether a larger value allows more runs (true) or fewer (false).
    pub(crate) wider: bool,
    /// The values of the parameter for which all declared times that depend on it are valid.
    pub(crate) range: Range,
}

/// An interval of parameter values. `None` is an infinite end.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Range {
    pub(crate) least: Option<Limit>,
    pub(crate) most: Option<Limit>,
}

/// A finite end of an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    pub(crate) value: Rational,
    /// Whether the end belongs to the interval.
    pub(crate) closed: bool,
}

/// The largest n in the search for a second value, at the distances s/2^n above and below the declared value. Here s is
/// the declared value, or the longest declared time if the declared value is 0.
const MOST_DISTANCES: i64 = 12;

impl<'a> Parameter<'a> {
    /// The parameter, for one claim of a check. The inner error is the reason why the claim has no threshold in this
    /// parameter: for example, the parameter is not affine, or it moves some bounds outwards and others inwards.
    pub(crate) fn of(
        oracle: Oracle<'a>,
        claim: usize,
        param: ParamId,
    ) -> Result<Result<Parameter<'a>, NoThreshold>, Vec<Diagnostic>> {
        let model = oracle.model;
        let line = |span| oracle.sources.line(span);
        let name = || model.param(param).name.clone();
        match model.parameter_use(param, &model.checks[oracle.request.check]) {
            ParameterUse::InTimes => {}
            ParameterUse::Nowhere => {
                return Ok(Err(NoThreshold::Unused {
                    parameter: name(),
                    here: false,
                }));
            }
            ParameterUse::NotAffine(place) => {
                return Ok(Err(NoThreshold::NotAffine {
                    parameter: name(),
                    line: line(place),
                }));
            }
            ParameterUse::Elsewhere(place) => {
                return Ok(Err(NoThreshold::Elsewhere {
                    parameter: name(),
                    line: line(place),
                }));
            }
        }
        let Constant::Duration(value) = oracle.request.params[param.index()].clone() else {
            return Ok(Err(NoThreshold::NotATime(name())));
        };
        let own = lowered(oracle, claim, &value)?;
        let size = match value.is_zero() {
            true => longest(&own.machine),
            false => value.clone(),
        };
        let nearby = (1..=MOST_DISTANCES).flat_map(|n| {
            let step = &size * Rational::new(1, 1 << n);
            [&value + &step, &value - &step]
        });
        let mut nearby = nearby.filter(|other| !other.is_negative());
        let other = nearby.find_map(|other| {
            let machine = lowered(oracle, claim, &other).ok()?;
            Some((other, machine))
        });
        let Some(other) = other else {
            return Ok(Err(NoThreshold::OneValue {
                parameter: name(),
                value,
            }));
        };
        let apart = &other.0 - &value;
        let wider = match wider(&own.machine, &other.1.machine, &apart, name) {
            Ok(wider) => wider,
            Err(why) => return Ok(Err(why)),
        };
        let range = Range::of((&value, &own.machine), (&other.0, &other.1.machine));
        Ok(Ok(Parameter {
            oracle,
            claim,
            own: (value, own),
            other,
            wider,
            range,
        }))
    }

    /// The outer end of the valid values; `None` if it is infinite.
    pub(crate) fn outer(&self) -> Option<&Limit> {
        match self.wider {
            true => self.range.most.as_ref(),
            false => self.range.least.as_ref(),
        }
    }

    /// The inner end of the valid values; `None` if it is infinite.
    pub(crate) fn inner(&self) -> Option<&Limit> {
        match self.wider {
            true => self.range.least.as_ref(),
            false => self.range.most.as_ref(),
        }
    }

    /// Whether `value` is further inwards than `of`.
    pub(crate) fn is_inside(&self, value: &Rational, of: &Rational) -> bool {
        match self.wider {
            true => value < of,
            false => value > of,
        }
    }

    /// A value so close inside of the threshold that all values between it and the threshold give the same conclusions
    /// from sums of at most `most` declared bounds. `None` if a block has jitter on a grid, or
    /// `order::stability_radius` gives no distance.
    pub(crate) fn just_inside(
        &self,
        threshold: &Rational,
        most: &Rational,
    ) -> Result<Option<Rational>, Vec<Diagnostic>> {
        let (own, other) = (&self.own, &self.other);
        let sample = if own.0 == *threshold { other } else { own };
        let apart = &sample.0 - threshold;
        let there = self.at(threshold)?;
        let machines = (
            with_free_gaps(&there.machine),
            with_free_gaps(&sample.1.machine),
        );
        let (Some(there), Some(elsewhere)) = machines else {
            return Ok(None);
        };
        let Some(mut near) = order::stability_radius(&there, &elsewhere, &apart, most) else {
            return Ok(None);
        };
        if let Some(end) = self.inner() {
            near = near.min((threshold - &end.value).abs() / Rational::from(2));
        }
        Ok(Some(match self.wider {
            true => threshold - near,
            false => threshold + near,
        }))
    }

    /// The Machine for a value of the parameter, with the claim as its only property.
    pub(crate) fn at(&self, value: &Rational) -> Result<Lowered, Vec<Diagnostic>> {
        lowered(self.oracle, self.claim, value)
    }
}

/// A value of a parameter of the model just inside of a threshold. It is for a rule that uses only the signs of sums of
/// at most `most` declared bounds: what the rule proves for this value, it proves for all values between it and the
/// threshold. `None` if no such value is known.
pub fn just_inside(
    oracle: Oracle<'_>,
    claim: usize,
    param: ParamId,
    threshold: &Rational,
    most: &Rational,
) -> Result<Option<Rational>, Vec<Diagnostic>> {
    match Parameter::of(oracle, claim, param)? {
        Ok(parameter) => parameter.just_inside(threshold, most),
        Err(_) => Ok(None),
    }
}

fn lowered(oracle: Oracle<'_>, claim: usize, value: &Rational) -> Result<Lowered, Vec<Diagnostic>> {
    oracle.for_value(claim, Constant::Duration(value.clone()))
}

/// The longest declared time of a Machine; 1 if it declares no time.
pub(crate) fn longest(machine: &Machine) -> Rational {
    let bounds = machine.declared_bounds().into_iter();
    let longest = bounds.map(|bound| bound.time).max();
    longest.unwrap_or(Rational::ONE)
}

/// Whether the Machine for a larger value of the parameter allows more runs (true) or fewer (false). The error says why
/// it is neither. The parameter value of `other` is that of `one` plus `apart`; `parameter` gives the name of the
/// parameter.
fn wider(
    one: &Machine,
    other: &Machine,
    apart: &Rational,
    parameter: impl Fn() -> String,
) -> Result<bool, NoThreshold> {
    if one.without_bounds() != other.without_bounds() {
        return Err(NoThreshold::OtherModel(parameter()));
    }
    let (here, there) = (one.declared_bounds(), other.declared_bounds());
    let mut outwards = Vec::new();
    for (here, there) in here.iter().zip(&there) {
        let slope = (&there.time - &here.time) / apart;
        if !slope.is_zero() {
            outwards.push(slope.is_positive() == (here.end == End::Most));
        }
    }
    match outwards.first() {
        None => Err(NoThreshold::Unused {
            parameter: parameter(),
            here: true,
        }),
        Some(first) if outwards.iter().all(|way| way == first) => Ok(*first),
        Some(_) => Err(NoThreshold::BothWays(parameter())),
    }
}

impl Range {
    /// The parameter values for which all declared times are valid. Each condition on declared times is affine in the
    /// parameter, so the Machines for two values determine it for all values.
    fn of(one: (&Rational, &Machine), other: (&Rational, &Machine)) -> Range {
        let mut range = Range::default();
        range.limit(&Rational::ZERO, &Rational::ONE, true);
        let apart = other.0 - one.0;
        let (here, there) = (conditions(one.1), conditions(other.1));
        for (here, there) in here.iter().zip(&there) {
            let slope = (&there.number - &here.number) / &apart;
            if !slope.is_zero() {
                let root = one.0 - &here.number / &slope;
                range.limit(&root, &slope, !here.strict);
            }
        }
        range
    }

    /// Restricts the interval to the values v with slope · (v − root) ≥ 0 if `closed`, and > 0 if not.
    fn limit(&mut self, root: &Rational, slope: &Rational, closed: bool) {
        let end = match slope.is_positive() {
            true => &mut self.least,
            false => &mut self.most,
        };
        let tighter = |old: &Limit| match slope.is_positive() {
            true => old.value < *root,
            false => old.value > *root,
        };
        let opens = |old: &Limit| old.value == *root && old.closed && !closed;
        if end.as_ref().is_none_or(|old| tighter(old) || opens(old)) {
            *end = Some(Limit {
                value: root.clone(),
                closed,
            });
        }
    }
}

/// The condition `number` ≥ 0, or `number` > 0 if `strict`.
struct Condition {
    number: Rational,
    strict: bool,
}

/// The conditions on the declared times of a Machine, the same conditions that `model::Periodic` and `model::Interval`
/// enforce.
fn conditions(machine: &Machine) -> Vec<Condition> {
    let mut conditions = Vec::new();
    let mut demand = |number: Rational, strict| conditions.push(Condition { number, strict });
    for (_, rhythm) in machine.periodic_kinds() {
        let (shortest, longest) = &rhythm.gap;
        demand(longest - shortest, false);
        let slack = match &rhythm.jitter {
            Jitter::None => Rational::ZERO,
            Jitter::PerGap(by) => by.clone(),
            Jitter::OnGrid(by) => by + by,
        };
        demand(shortest - &slack, true);
        demand(slack, false);
        let (from, to) = (&rhythm.first.0, &rhythm.first.1);
        if let First::At(from) = from {
            demand(from.clone(), false);
        }
        match (from, to) {
            (First::At(from), First::At(to)) => demand(to - from, false),
            (First::At(from), First::Period) => demand(shortest - from, false),
            (First::Period, First::At(to)) => demand(to - longest, false),
            (First::Period, First::Period) => {}
        }
    }
    if let Delay::Within(least, most) = &machine.delay {
        demand(least.clone(), false);
        demand(most - least, false);
    }
    conditions
}

/// A relaxation of the Machine: every gap varies freely between its bounds, also if the model fixes the period for the
/// whole run. It has all runs of the Machine and possibly more. `None` if a block has jitter on a grid (jitter that
/// does not accumulate), because bounds on gaps cannot express that.
pub(crate) fn with_free_gaps(machine: &Machine) -> Option<Machine> {
    let mut free = machine.clone();
    for block in &mut free.blocks {
        let machine::Trigger::Every(Timing::Periodic(rhythm)) = &mut block.trigger else {
            continue;
        };
        if let Jitter::OnGrid(_) = rhythm.jitter {
            return None;
        }
        let (shortest, longest) = rhythm.gap.clone();
        let first = &mut rhythm.first;
        for (end, period) in [(&mut first.0, shortest), (&mut first.1, longest)] {
            if *end == First::Period {
                *end = First::At(period);
            }
        }
        rhythm.fixed = false;
    }
    Some(free)
}
