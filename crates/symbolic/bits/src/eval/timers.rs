//! The timers of a node while its code runs, and the check of the durations to which they are set.

use crate::Unsupported;
use crate::eval::evaluator::Evaluator;
use crate::values::number::Number;
use machine::{Expr, NodeId, TimeSum, TimerId};
use rational::Rational;
use sat::Lit;

impl Evaluator<'_> {
    /// Whether a timer is set at the current point of the code. `other` is the node that a timer per node is about.
    pub(crate) fn timer_set(
        &mut self,
        timer: TimerId,
        node: NodeId,
        other: Option<NodeId>,
    ) -> Result<Lit, Unsupported> {
        match &self.own {
            Some(own) if own.node == node && !own.timers.is_empty() => {
                Ok(own.timers[self.machine.timer_place(timer, other)])
            }
            _ => self.world.timer_set(self.aig, timer, node, other),
        }
    }

    /// The places in the list of timers that a timer expression can denote, each with its condition.
    pub(crate) fn timer_places(
        &mut self,
        timer: TimerId,
        other: Option<&Expr>,
    ) -> Result<Vec<(Lit, usize)>, Unsupported> {
        let Some(other) = other else {
            return Ok(vec![(Lit::TRUE, self.machine.timer_place(timer, None))]);
        };
        let other = self.value(other)?;
        let choices = self.node_choices(&other).into_iter();
        let places = choices.map(|(when, n)| (when, self.machine.timer_place(timer, Some(n))));
        Ok(places.collect())
    }

    /// Sets (`set` is true) or cancels the timer at the place whose condition is true, in states in which the code is
    /// live.
    pub(crate) fn put_timers(&mut self, places: &[(Lit, usize)], live: Lit, set: Lit) {
        for (when, place) in places {
            let here = self.aig.and(*when, live);
            if let Some(own) = &mut self.own
                && let Some(timer) = own.timers.get_mut(*place)
            {
                *timer = self.aig.ite(here, set, *timer);
            }
        }
    }

    /// Adds an error if the first time is negative or the second is less than the first.
    pub(crate) fn bad_times(&mut self, from: &TimeSum, to: &TimeSum) -> Result<(), Unsupported> {
        let all = { from.terms.iter().chain(&to.terms) }.map(|(_, by)| by);
        let unit = all.fold(from.constant.gcd(&to.constant), |unit, by| unit.gcd(by));
        if unit.is_zero() {
            return Ok(());
        }
        let from = self.time(from, &unit)?;
        let to = self.time(to, &unit)?;
        let negative = from.less(self.aig, &Number::constant(0));
        let crossed = to.less(self.aig, &from);
        let bad = self.aig.or(negative, crossed);
        self.fail_if(bad);
        Ok(())
    }

    /// A time as a multiple of a unit.
    fn time(&mut self, sum: &TimeSum, unit: &Rational) -> Result<Number, Unsupported> {
        let units = |time: &Rational| {
            let number = (time / unit).to_i64().map(i128::from);
            number.ok_or_else(|| Unsupported::new("times that are very far apart"))
        };
        let mut time = Number::constant(units(&sum.constant)?);
        for (times, by) in &sum.terms {
            let times = self.value(times)?;
            let product = times.number().scaled(self.aig, units(by)?);
            time = time.add(self.aig, &product);
        }
        Ok(time)
    }
}
