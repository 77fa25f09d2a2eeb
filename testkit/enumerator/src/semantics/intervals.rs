//! Intervals of times in expressions, windows of events, and the times that a model mentions.

use crate::instance::data::Instance;
use crate::instance::scope::Scope;
use crate::instance::state::{State, Window};
use crate::instance::unit::Clock;
use crate::instance::value::{Res, Stop, refuse};
use crate::instance::walk;
use syntax::ast::{Expr, ExprKind, StmtKind};

impl Instance<'_> {
    /// The bounds of `a .. b`, of `x ± y`, or of a single time.
    pub fn interval(&self, e: &Expr, state: &State, scope: &mut Scope) -> Res<(i128, i128)> {
        let mut time = |e: &Expr| self.eval(e, state, scope)?.int();
        match &walk::bare(e).kind {
            ExprKind::Range(low, high) => Ok((time(low)?, time(high)?)),
            ExprKind::PlusMinus {
                middle,
                deviation,
                relative,
            } => {
                let deviation = time(deviation)?;
                let Some(middle) = middle else {
                    return match relative {
                        None => Ok((-deviation, deviation)),
                        Some(_) => refuse("a part of nothing"),
                    };
                };
                let middle = time(middle)?;
                let deviation = match relative {
                    None => deviation,
                    Some((a, b)) if middle * deviation * a % b == 0 => middle * deviation * a / b,
                    Some(_) => return refuse("a fraction of the smallest time"),
                };
                Ok((middle - deviation, middle + deviation))
            }
            _ => time(e).map(|one| (one, one)),
        }
    }

    /// The bounds of an interval that does not depend on the state; refused if it is empty or begins below 0.
    pub fn fixed_interval(&self, e: &Expr) -> Res<(i128, i128)> {
        let (low, high) = self.interval(e, &State::empty(), &mut Scope::default())?;
        if low < 0 || high < low {
            return refuse(format!("the interval {low} .. {high}"));
        }
        Ok((low, high))
    }

    /// The window, in units, of an interval that begins now.
    pub fn window(&self, (low, high): (i128, i128)) -> Res<Window> {
        let Some(clock) = &self.clock else {
            return refuse("a time where there is none");
        };
        if low < 0 || high < low {
            return refuse(format!("the interval {low} .. {high}"));
        }
        Ok(Window {
            from: clock.units(low)?,
            to: clock.units(high)?,
        })
    }

    /// Collects all times of timings, deliveries, timers and faults, and creates the clock if the model has time.
    pub fn start_clock(&mut self) -> Res<()> {
        let mut times = Vec::new();
        let mut has_time = false;
        let mut name = |(low, high): (i128, i128)| {
            has_time = true;
            times.extend([low, high]);
        };
        for gaps in self.gaps.iter().flatten() {
            name(gaps.gap);
            name(gaps.first);
        }
        self.delay.into_iter().for_each(&mut name);
        self.restart_windows().for_each(&mut name);
        let mut intervals = Vec::new();
        for kind in &self.kinds {
            if !kind.timers.is_empty() {
                name((0, 0));
            }
            for body in kind.bodies() {
                walk::statements(body, &mut |stmt| {
                    if let StmtKind::SetTimer(_, interval) = &stmt.kind {
                        intervals.push(interval);
                    }
                });
            }
        }
        for interval in intervals {
            match self.interval(interval, &State::empty(), &mut Scope::default()) {
                Ok((low, high)) => times.extend([low, high]),
                Err(_) => self.times_inside(interval, &mut times)?,
            }
        }
        if has_time {
            if self.rounds.iter().any(Option::is_some) {
                return refuse("rounds beside times");
            }
            self.clock = Some(Clock::new(times));
        }
        Ok(())
    }

    /// Collects the times in an interval that depends on variables; its bounds are sums of multiples of these times.
    fn times_inside(&self, e: &Expr, times: &mut Vec<i128>) -> Res<()> {
        let mut stop = Ok(());
        walk::inside(e, &mut |part| match &part.kind {
            ExprKind::Number { unit, .. } if unit.is_some() || !self.units => {
                match self.eval(part, &State::empty(), &mut Scope::default()) {
                    Ok(value) => times.extend(value.int()),
                    Err(why) => stop = Err(why),
                }
            }
            ExprKind::Name(name) => {
                let name = &name.text;
                if let Some(found) = self.lets.iter().find(|l| l.name.text == *name) {
                    if let Err(why) = self.times_inside(&found.value, times) {
                        stop = Err(why);
                    }
                } else if let Some((_, value)) = self.params.iter().find(|(n, _)| n == name) {
                    if !self.units || self.durations.contains(&&name[..]) {
                        times.extend(value.int());
                    }
                } else if !self.units {
                    // Without units, a variable may be a time, which is any whole number.
                    times.push(1);
                }
            }
            _ => {}
        });
        stop
    }

    /// The constants with which a condition compares `now`, directly or through abbreviations.
    pub fn compared_with_now(&self, condition: &Expr, scope: &Scope) -> Res<Vec<i128>> {
        let mut times = Vec::new();
        let mut stop = Ok(());
        for e in walk::with_abbreviations(condition, &self.lets, &self.fns) {
            walk::inside(e, &mut |part| {
                let ExprKind::Binary(op, a, b) = &part.kind else {
                    return;
                };
                let with = match (walk::is_now(a), walk::is_now(b)) {
                    (true, false) if walk::compares(*op) => b,
                    (false, true) if walk::compares(*op) => a,
                    _ => return,
                };
                let value = self.eval(with, &State::empty(), &mut scope.clone());
                match value.and_then(|value| value.int()) {
                    Ok(time) => times.push(time),
                    Err(Stop::Refused(why) | Stop::Error(why)) => {
                        stop = refuse(format!("`now` compared with what is no constant: {why}"));
                    }
                }
            });
        }
        stop.map(|()| times)
    }
}
