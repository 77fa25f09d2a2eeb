//! Coarser grids: the same Machine with wider intervals of times, whose ends are multiples of a larger unit.
//!
//! A Machine whose constants are as far apart as 1 ms and 360 ms has a grid of very many moments. Widen every interval of
//! its world, of gaps, delays, timers and restarts, until both ends are multiples of a larger unit. Every run is a run of
//! the wider Machine too, with the same states; so a condition that holds in every state there holds here, and what is
//! not reached there is not reached here. Times that a claim compares with are rounded so that it becomes stronger
//! (`stronger`), where they are no multiples of that unit. What is found there, on the other hand, is a run only if it can
//! be replayed with its times, and breaks the claim only if that is the same.
//!
//! A timer or a period that takes some time must take some there too: otherwise what it sends piles up.
//!
//! Claims about what happens for ever are not asked so: an event that is possible for longer may be owed for longer.

use crate::plan::compared;
use crate::plan::constants;
use crate::plan::unit;
use crate::strengthen::stronger;
use machine::{
    Delay, First, Jitter, Machine, Property, PropertyKind, Stmt, StmtKind, TimeSum, Timing, Trigger,
};
use rational::Rational;

/// With fewer units than this the grid is not made coarser.
const FINE: i64 = 24;

/// The same, where what is found on the way is wanted too.
const VERY_FINE: i64 = 1 << 16;

/// Larger numbers are not tried as divisors: there may be very many.
const MOST_TRIED: i64 = 4096;

/// A unit of which even the longest interval has fewer is too coarse.
const FEWEST: i64 = 2;

/// The Machine with wider intervals, for some larger units, the most promising first. None if its grid is coarse enough,
/// or the claim is about more than states.
pub(crate) fn coarser(machine: &Machine) -> Vec<Machine> {
    let about_states = |kind: &PropertyKind| match kind {
        PropertyKind::Claim(claim) => claim.invariant().is_some(),
        PropertyKind::Possible(_) => true,
    };
    if !machine.properties.iter().all(|p| about_states(&p.kind)) {
        return Vec::new();
    }
    let unit = unit(machine);
    let units = |time: &Rational| (time / &unit).to_i64().unwrap_or(0).abs();
    let all: Vec<i64> = constants(machine).iter().map(units).collect();
    let longest = all.iter().copied().max().unwrap_or(0);
    // Where a claim bounds the time from above, the last moment that counts is wanted, and ends the search.
    let bounded =
        |p: &Property| matches!(&p.kind, PropertyKind::Claim(c) if c.without_bound().is_some());
    let fine = match machine.properties.iter().any(bounded) {
        true => VERY_FINE,
        false => FINE,
    };
    if longest < fine {
        return Vec::new();
    }
    let within = machine.responses.iter().map(|r| r.within.clone());
    let asked: Vec<i64> = compared(machine)
        .into_iter()
        .chain(within)
        .map(|t| units(&t))
        .collect();
    let mut sizes: Vec<i64> = all.iter().flat_map(|c| divisors(*c)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.retain(|size| longest / size >= FEWEST);
    // How much wider intervals become, in hundredths of the unit.
    let off = |c: &i64, size: i64| (c % size).min(size - c % size);
    let widened = |size: i64| -> i128 {
        let all = all.iter().map(|c| i128::from(off(c, size)));
        all.sum::<i128>() * 100 / i128::from(size)
    };
    // First those for which the question stays as it is.
    let asks_else = |size: i64| asked.iter().any(|time| time % size != 0);
    sizes.sort_by_key(|size| (asks_else(*size), widened(*size), -size));
    let machines = sizes
        .iter()
        .filter_map(|size| wider(machine, &(&unit * Rational::from(*size))));
    machines.take(2).collect()
}

/// The divisors of a number but 1: those that are small, and those of which it has few.
fn divisors(number: i64) -> Vec<i64> {
    let few = (1..=number.min(MOST_TRIED)).filter(|d| number % d == 0);
    let both = few.flat_map(|d| [d, number / d]);
    both.filter(|d| *d > 1).collect()
}

/// The Machine in which intervals of times end at multiples of a unit. Nothing if a gap or a timer might then be 0, or some
/// time is no interval.
fn wider(machine: &Machine, unit: &Rational) -> Option<Machine> {
    let down = |time: &Rational| (time / unit).floor() * unit;
    let up = |time: &Rational| (time / unit).ceil() * unit;
    let mut wider = stronger(machine, unit)?;
    if let Delay::Within(least, most) = &mut wider.delay {
        (*least, *most) = (down(least), up(most));
    }
    for restart in wider
        .runtime_faults
        .iter_mut()
        .filter_map(|item| item.stop.as_mut())
    {
        if let Some((least, most)) = &mut restart.within {
            (*least, *most) = (down(least), up(most));
        }
    }
    for block in &mut wider.blocks {
        if let Trigger::Every(Timing::Periodic(periodic)) = &mut block.trigger {
            let exact = periodic.fixed || matches!(periodic.jitter, Jitter::OnGrid(_));
            periodic.gap = (down(&periodic.gap.0), up(&periodic.gap.1));
            let by = match &mut periodic.jitter {
                Jitter::PerGap(by) => {
                    *by = up(by);
                    by.clone()
                }
                Jitter::None | Jitter::OnGrid(_) => Rational::default(),
            };
            if exact || periodic.gap.0 <= by {
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
    (wider != *machine).then_some(wider)
}

/// How a time becomes a multiple of a unit.
type Rounded<'f> = &'f dyn Fn(&Rational) -> Rational;

/// Widens the intervals of timers in statements; nothing if one depends on the state.
fn widen(statements: &mut [Stmt], down: Rounded<'_>, up: Rounded<'_>) -> Option<()> {
    for statement in statements {
        match &mut statement.kind {
            StmtKind::SetTimer(_, _, from, to) => {
                let constant = |sum: &TimeSum| sum.terms.is_empty();
                if !constant(from) || !constant(to) {
                    return None;
                }
                // One that never expires is an error, and stays one.
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
