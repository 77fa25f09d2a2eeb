//! Coarsening: widens all intervals of times so that their ends are multiples of a larger unit.
//!
//! A Machine with constants as far apart as 1 ms and 360 ms has very many digitised states. Coarsening widens every
//! interval of gaps, delays, timers and restarts until both ends are multiples of a larger unit. Every run of the
//! original is also a run of the coarsened Machine, with the same states. So an invariant of the coarsened Machine is
//! an invariant of the original, and a condition that is unreachable in the coarsened Machine is unreachable in the
//! original. A constant of a claim that is no multiple of the unit is rounded so that the claim becomes stronger
//! (`strengthen`). A run of the coarsened Machine is an answer only if the exact Machine replays it with its times and
//! the claim was not rounded, or if a run with the same events and other times is confirmed on the exact Machine
//! (`concretise::retimed`).
//!
//! A gap or timer that is longer than 0 must stay longer than 0 after coarsening; otherwise messages would accumulate.
//!
//! Liveness claims are not coarsened. In the coarsened Machine events stay enabled for longer, so fairness may force
//! them later.

use crate::strengthen::strengthened;
use machine::{
    Delay, First, Jitter, Machine, Property, PropertyKind, Stmt, StmtKind, TimeSum, Timing, Trigger,
};
use rational::Rational;

/// The least number of units of the longest time in a Machine that is coarsened.
const FEW_UNITS: i64 = 24;

/// The same limit if a claim bounds the time from above. The exact search is preferred then, because it also gives the
/// latest time at which the claim needs its bound.
const FEW_UNITS_WITH_BOUND: i64 = 1 << 16;

/// The largest number that is tried as a divisor.
const LARGEST_DIVISOR: i64 = 4096;

/// The smallest number of units that the longest time must have after coarsening.
const FEWEST_UNITS: i64 = 2;

/// At most two coarsened Machines with different units, the most promising first. Empty if the constants have few units
/// anyway, or a property is not about single states.
pub(crate) fn coarsened(machine: &Machine) -> Vec<Machine> {
    let about_states = |kind: &PropertyKind| match kind {
        PropertyKind::Claim(claim) => claim.invariant().is_some(),
        PropertyKind::Possible(_) => true,
    };
    if !machine.properties.iter().all(|p| about_states(&p.kind)) {
        return Vec::new();
    }
    let unit = machine.time_unit();
    let units = |time: &Rational| (time / &unit).to_i64().unwrap_or(0).abs();
    let all: Vec<i64> = machine.time_constants().iter().map(units).collect();
    let longest = all.iter().copied().max().unwrap_or(0);
    // If a claim bounds the time from above, the exact search ends at the bound and gives the latest time at which the
    // claim needs it.
    let bounded =
        |p: &Property| matches!(&p.kind, PropertyKind::Claim(c) if c.without_bound().is_some());
    let few = match machine.properties.iter().any(bounded) {
        true => FEW_UNITS_WITH_BOUND,
        false => FEW_UNITS,
    };
    if longest < few {
        return Vec::new();
    }
    let within = machine.responses.iter().map(|r| r.within.clone());
    let in_property: Vec<i64> = machine
        .compared_times()
        .into_iter()
        .chain(within)
        .map(|t| units(&t))
        .collect();
    let mut sizes: Vec<i64> = all.iter().flat_map(|c| divisors(*c)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.retain(|size| longest / size >= FEWEST_UNITS);
    // The sum of the distances of all constants to the nearest multiples of `size`, in hundredths of `size`.
    let off = |c: &i64, size: i64| (c % size).min(size - c % size);
    let widened = |size: i64| -> i128 {
        let all = all.iter().map(|c| i128::from(off(c, size)));
        all.sum::<i128>() * 100 / i128::from(size)
    };
    // Units that leave the property unchanged come first, then those that change the constants least, then the largest.
    let rounds_property = |size: i64| in_property.iter().any(|time| time % size != 0);
    sizes.sort_by_key(|size| (rounds_property(*size), widened(*size), -size));
    let machines = sizes
        .iter()
        .filter_map(|size| widened_machine(machine, &(&unit * Rational::from(*size))));
    machines.take(2).collect()
}

/// The divisors d > 1 of a number with d or number / d at most `LARGEST_DIVISOR`.
fn divisors(number: i64) -> Vec<i64> {
    let small = (1..=number.min(LARGEST_DIVISOR)).filter(|d| number % d == 0);
    let both = small.flat_map(|d| [d, number / d]);
    both.filter(|d| *d > 1).collect()
}

/// The Machine in which all intervals of times end at multiples of a unit. `None` if a gap or a timer could become 0, a
/// time cannot be widened (a fixed period, jitter on a grid, a timer that depends on the state), or nothing changes.
fn widened_machine(machine: &Machine, unit: &Rational) -> Option<Machine> {
    let down = |time: &Rational| (time / unit).floor() * unit;
    let up = |time: &Rational| (time / unit).ceil() * unit;
    let mut widened = strengthened(machine, unit)?;
    if let Delay::Within(least, most) = &mut widened.delay {
        (*least, *most) = (down(least), up(most));
    }
    for restart in widened
        .runtime_faults
        .iter_mut()
        .filter_map(|item| item.stop.as_mut())
    {
        if let Some((least, most)) = &mut restart.within {
            (*least, *most) = (down(least), up(most));
        }
    }
    for block in &mut widened.blocks {
        if let Trigger::Every(Timing::Periodic(periodic)) = &mut block.trigger {
            let exact = periodic.fixed || matches!(periodic.jitter, Jitter::OnGrid(_));
            periodic.gap = (down(&periodic.gap.0), up(&periodic.gap.1));
            let jitter = match &mut periodic.jitter {
                Jitter::PerGap(by) => {
                    *by = up(by);
                    by.clone()
                }
                Jitter::None | Jitter::OnGrid(_) => Rational::default(),
            };
            if exact || periodic.gap.0 <= jitter {
                return None;
            }
            if let First::At(time) = &mut periodic.first.0 {
                *time = down(time);
            }
            if let First::At(time) = &mut periodic.first.1 {
                *time = up(time);
            }
        }
        widen(&mut block.body, &down, &up)?;
    }
    (widened != *machine).then_some(widened)
}

/// Rounds a time to a multiple of the unit.
type Rounding<'f> = &'f dyn Fn(&Rational) -> Rational;

/// Widens the intervals of timers in statements. `None` if an interval depends on the state or is invalid, or a timer
/// could become 0.
fn widen(statements: &mut [Stmt], down: Rounding<'_>, up: Rounding<'_>) -> Option<()> {
    for statement in statements {
        match &mut statement.kind {
            StmtKind::SetTimer(_, _, from, to) => {
                let constant = |sum: &TimeSum| sum.terms.is_empty();
                if !constant(from) || !constant(to) {
                    return None;
                }
                // An invalid interval is a runtime error. Widening must not hide it.
                if from.constant.is_negative() || to.constant < from.constant {
                    return None;
                }
                let earliest = down(&from.constant);
                if earliest.is_zero() && from.constant.is_positive() {
                    return None;
                }
                from.constant = earliest;
                to.constant = up(&to.constant);
            }
            StmtKind::If(_, then, otherwise) => {
                widen(then, down, up)?;
                widen(otherwise, down, up)?;
            }
            StmtKind::For(_, _, body) => widen(body, down, up)?,
            _ => {}
        }
    }
    Some(())
}
