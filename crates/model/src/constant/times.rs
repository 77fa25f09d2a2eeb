//! Evaluation of schedules and intervals: their times for given parameter values.

use crate::constant::evaluate::{Constant, ConstantError, Environment, evaluate};
use crate::{Expr, First, Interval, Model, Periodic};
use rational::Rational;
use source::Span;

/// The times of a periodic schedule for given values of the parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// The shortest and the longest gap, without jitter.
    pub gap: (Rational, Rational),
    /// Whether one gap is chosen for the whole run (true), or each gap separately (false).
    pub fixed: bool,
    /// The maximum deviation in either direction; `None` without jitter.
    pub jitter: Option<Rational>,
    /// Whether the jitter is relative to a strictly periodic grid and does not accumulate (true), or is added to each
    /// gap (false).
    pub on_the_grid: bool,
    /// The earliest and the latest time of the first activation. `None` stands for the period that the node chooses
    /// for the run.
    pub first: (Option<Rational>, Option<Rational>),
}

/// Why a schedule or interval has no times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimingError {
    /// An expression in it has no constant value.
    NoValue(ConstantError),
    /// A gap or an interval is empty, negative or otherwise impossible: the span, and the text of the problem.
    Bad(Span, String),
}

impl Periodic {
    /// The times for given parameter values. An error if an expression has no value, or if the gaps, the jitter or the
    /// first activation are impossible.
    pub fn times(&self, model: &Model, env: &Environment<'_>) -> Result<Times, TimingError> {
        let bad = |span: Span, text: String| Err(TimingError::Bad(span, text));
        let text = |time: &Rational| model.time(time);
        let (a, b) = (time(&self.gap.0, env)?, time(&self.gap.1, env)?);
        let whole = self.gap.0.span.to(self.gap.1.span);
        if a > b {
            let (a, b) = (text(&a), text(&b));
            return bad(
                whole,
                format!("the gap would be from {a} to {b}: the first end is the larger one"),
            );
        }
        let mut least = a.clone();
        let mut jitter = None;
        if let Some(declared) = &self.jitter {
            let amount = time(&declared.amount, env)?;
            if amount.is_negative() {
                let amount = text(&amount);
                return bad(declared.span, format!("a jitter of ± {amount} is negative"));
            }
            if declared.on_the_grid && !self.fixed && a != b {
                return bad(
                    declared.span,
                    "a jitter on the grid is around a strict beat, and here the gaps vary freely"
                        .into(),
                );
            }
            let times = if declared.on_the_grid { 2 } else { 1 };
            least -= &amount * &Rational::from(times);
            jitter = Some(amount);
        }
        if !least.is_positive() {
            let what = match &jitter {
                Some(_) => "the least gap, jitter included,",
                None => "the least gap",
            };
            return bad(
                whole,
                format!("{what} is {}; it must be more than nothing", text(&least)),
            );
        }
        let first = self.first_times(&a, &b, model, env)?;
        Ok(Times {
            gap: (a, b),
            fixed: self.fixed,
            jitter,
            on_the_grid: self.jitter.as_ref().is_some_and(|j| j.on_the_grid),
            first,
        })
    }

    fn first_times(
        &self,
        a: &Rational,
        b: &Rational,
        model: &Model,
        env: &Environment<'_>,
    ) -> Result<(Option<Rational>, Option<Rational>), TimingError> {
        // Without a fixed period, the longest gap takes the place of the period.
        let longest = (!self.fixed).then(|| b.clone());
        let Some((from, to)) = &self.first else {
            return Ok((Some(Rational::ZERO), longest));
        };
        let bound = |first: &First| match first {
            First::At(e) => time(e, env).map(Some),
            First::Period(_) => Ok(longest.clone()),
        };
        let span = |first: &First| match first {
            First::At(e) => e.span,
            First::Period(span) => *span,
        };
        let whole = span(from).to(span(to));
        let (low, high) = (bound(from)?, bound(to)?);
        if let Some(low) = low.as_ref().filter(|low| low.is_negative()) {
            let text = format!(
                "the first activation would be at {}, before the start",
                model.time(low)
            );
            return Err(TimingError::Bad(whole, text));
        }
        // The interval of the first activation must not be empty for any period from `a` to `b`.
        let latest_low = low.clone().unwrap_or_else(|| b.clone());
        let earliest_high = high.clone().unwrap_or_else(|| a.clone());
        let both_periods = low.is_none() && high.is_none();
        if latest_low > earliest_high && !both_periods {
            let text = format!(
                "the first activation would be from {} to {}: the first end is the larger one",
                model.time(&latest_low),
                model.time(&earliest_high)
            );
            return Err(TimingError::Bad(whole, text));
        }
        Ok((low, high))
    }
}

impl Interval {
    /// The times for given parameter values. An error if the interval is empty or negative; `what` is the beginning
    /// of its message, such as "a message would travel".
    pub fn times(
        &self,
        model: &Model,
        env: &Environment<'_>,
        what: &str,
    ) -> Result<(Rational, Rational), TimingError> {
        let (from, to) = (time(&self.from, env)?, time(&self.to, env)?);
        let text = |time: &Rational| model.time(time);
        if from > to {
            let (from, to) = (text(&from), text(&to));
            let text = format!("{what} for {from} to {to}: the first end is the larger one");
            return Err(TimingError::Bad(self.span, text));
        }
        if from.is_negative() {
            let text = format!("{what} for {}, which is less than no time", text(&from));
            return Err(TimingError::Bad(self.span, text));
        }
        Ok((from, to))
    }
}

fn time(e: &Expr, env: &Environment<'_>) -> Result<Rational, TimingError> {
    match evaluate(e, env) {
        Ok(Constant::Duration(time)) => Ok(time),
        Ok(_) => Err(TimingError::NoValue(ConstantError::NotConstant(e.span))),
        Err(error) => Err(TimingError::NoValue(error)),
    }
}
