//! Affine parameters: parameters of the model that occur only in bounds of declared times, each an affine function of the parameter.
//!
//! `model::ParameterUse` reads this off the text: the parameter occurs only in the times of rhythms and messages, and each of these times is
//! a multiple of it plus a constant. Hence the Machines for two values determine those for all other values. They also show whether a
//! larger value moves every bound outwards, so that it allows more runs, or every bound inwards.

use crate::oracle::Oracle;
use lower::Lowered;
use machine::{Delay, End, First, Jitter, Machine, Timing};
use model::{Constant, ParamId, ParameterUse};
use rational::Rational;
use source::Diagnostic;

/// An affine parameter, in one check with one claim.
pub(crate) struct Parameter<'a> {
    oracle: Oracle<'a>,
    claim: usize,
    /// The declared value, with its Machine.
    pub(crate) own: (Rational, Lowered),
    /// Another value, with its Machine.
    pub(crate) other: (Rational, Lowered),
    /// A larger value allows more runs; otherwise fewer.
    pub(crate) wider: bool,
    /// The values for which the model has a meaning.
    pub(crate) range: Range,
}

/// An interval of values. A missing end is infinite.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Range {
    pub(crate) least: Option<Limit>,
    pub(crate) most: Option<Limit>,
}

/// An end of an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    pub(crate) value: Rational,
    /// The end belongs to the interval.
    pub(crate) closed: bool,
}

/// The number of distances from the declared value at which another meaningful value is tried.
const MOST_DISTANCES: i64 = 12;

impl<'a> Parameter<'a> {
    /// The parameter with one claim of a check; or the reason why it is not affine, in words.
    pub(crate) fn of(
        oracle: Oracle<'a>,
        claim: usize,
        param: ParamId,
    ) -> Result<Result<Parameter<'a>, String>, Vec<Diagnostic>> {
        let model = oracle.model;
        let line = |span| oracle.sources.line(span);
        let name = &model.param(param).name;
        match model.parameter_use(param, &model.checks[oracle.request.check]) {
            ParameterUse::InTimes => {}
            ParameterUse::Nowhere => {
                return Ok(Err(format!(
                    "no time of a rhythm or of a message depends on `{name}`"
                )));
            }
            ParameterUse::NotAffine(place) => {
                return Ok(Err(format!(
                    "a time in line {} is not a multiple of `{name}` plus a constant, and no method of this version \
                     finds the border then",
                    line(place)
                )));
            }
            ParameterUse::Elsewhere(place) => {
                return Ok(Err(format!(
                    "`{name}` also stands in line {}, not only in the times of rhythms and messages, and no method \
                     of this version finds the border then",
                    line(place)
                )));
            }
        }
        let Constant::Duration(value) = oracle.request.params[param.index()].clone() else {
            return Ok(Err(format!("`{name}` is not a time")));
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
            return Ok(Err(format!(
                "the model has a meaning for `{name}` = {} only",
                model.time(&value)
            )));
        };
        let apart = &other.0 - &value;
        let wider = match wider(&own.machine, &other.1.machine, &apart) {
            Ok(wider) => wider,
            Err(why) => return Ok(Err(why.replace("…", name))),
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

    /// The Machine for a value, with the claim alone.
    pub(crate) fn at(&self, value: &Rational) -> Result<Lowered, Vec<Diagnostic>> {
        lowered(self.oracle, self.claim, value)
    }

    /// A time as the model writes it.
    pub(crate) fn say(&self, value: &Rational) -> String {
        self.own.1.labels.time(value)
    }
}

fn lowered(oracle: Oracle<'_>, claim: usize, value: &Rational) -> Result<Lowered, Vec<Diagnostic>> {
    oracle.for_value(claim, Constant::Duration(value.clone()))
}

/// The longest declared time.
pub(crate) fn longest(machine: &Machine) -> Rational {
    let bounds = machine.declared_bounds().into_iter();
    let longest = bounds.map(|bound| bound.time).max();
    longest.unwrap_or(Rational::ONE)
}

/// Whether the Machine for a larger value allows more runs (true) or fewer (false); otherwise the reason why neither, with `…` for the
/// name of the parameter. The value of `other` is that of `one` plus `apart`.
fn wider(one: &Machine, other: &Machine, apart: &Rational) -> Result<bool, String> {
    if one.without_bounds() != other.without_bounds() {
        return Err("another value of `…` makes a model that differs in more than times".into());
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
        None => Err("no time of a rhythm or of a message depends on `…` here".into()),
        Some(first) if outwards.iter().all(|way| way == first) => Ok(*first),
        Some(_) => Err(
            "a larger `…` allows runs that a smaller one does not, and the other way round: there may be several borders, \
             and no method of this version finds them"
                .into(),
        ),
    }
}

impl Range {
    /// The values for which the times of the Machine are valid, extrapolated from the Machines for two values.
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

    /// Restricts the interval to the values at which an affine function with this root and slope is not negative, or positive if not
    /// `closed`.
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

/// A number that must not be negative, or must be positive.
struct Condition {
    number: Rational,
    strict: bool,
}

/// The conditions on declared times that `model::Periodic` and `model::Interval` enforce.
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

/// The relaxation in which gaps vary freely within their bounds. It has all runs of the Machine, and perhaps more. `None` where jitter
/// does not accumulate, because bounds of gaps cannot express that.
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
