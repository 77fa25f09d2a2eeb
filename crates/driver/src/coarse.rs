//! Coarser grids: the same Machine with wider intervals of times, whose ends are multiples of a larger unit.
//!
//! A Machine whose constants are as far apart as 1 ms and 360 ms has a grid of very many moments. Widen every interval of
//! its world, of gaps, delays, timers and restarts, until both ends are multiples of a larger unit. Every run is a run of
//! the wider Machine too, with the same states; so a condition that holds in every state there holds here, and what is
//! not reached there is not reached here. Only the times that a claim compares with must be multiples of that unit
//! as they are. What is found there, on the other hand, is a run only if it can be replayed with its times.
//!
//! Claims about what happens for ever are not asked so: an event that is possible for longer may be owed for longer.

use crate::grid::{compared, constants, unit};
use machine::{
    Delay, First, Jitter, Machine, PropertyKind, Stmt, StmtKind, TimeSum, Timing, Trigger,
};
use rational::Rational;

/// With fewer units than this the grid is not made coarser.
const FINE: i64 = 24;

/// A unit of which even the longest interval has fewer is too coarse.
const FEWEST: i64 = 2;

/// The Machine with wider intervals, for some larger units, the most promising first. None if its grid is coarse enough,
/// or the claim is about more than states.
pub(crate) fn coarser(machine: &Machine) -> Vec<Machine> {
    let about_states = |kind: &PropertyKind| match kind {
        // Where a claim bounds the time from above, the last moment that counts is wanted, and ends the search.
        PropertyKind::Claim(claim) => {
            claim.invariant().is_some() && claim.without_bound().is_none()
        }
        PropertyKind::Possible(_) => true,
    };
    if !machine.properties.iter().all(|p| about_states(&p.kind)) {
        return Vec::new();
    }
    let unit = unit(machine);
    let units = |time: &Rational| (time / &unit).to_i64().unwrap_or(0).abs();
    let all: Vec<i64> = constants(machine).iter().map(units).collect();
    let longest = all.iter().copied().max().unwrap_or(0);
    if longest < FINE {
        return Vec::new();
    }
    let within = machine.responses.iter().map(|r| r.within.clone());
    let asked: Vec<i64> = compared(machine)
        .into_iter()
        .chain(within)
        .map(|t| units(&t))
        .collect();
    let mut sizes: Vec<i64> = Vec::new();
    for constant in all.iter().filter(|c| **c > 1) {
        sizes.extend((2..=*constant).filter(|size| constant % size == 0));
    }
    sizes.sort_unstable();
    sizes.dedup();
    sizes.retain(|size| longest / size >= FEWEST && asked.iter().all(|time| time % size == 0));
    // How much wider intervals become, in hundredths of the unit.
    let widened = |size: i64| -> i64 {
        let off = |c: &i64| (c % size).min(size - c % size);
        all.iter().map(off).sum::<i64>() * 100 / size
    };
    sizes.sort_by_key(|size| (widened(*size), -size));
    let machines = sizes
        .iter()
        .filter_map(|size| wider(machine, &(&unit * Rational::from(*size))));
    machines.take(2).collect()
}

/// The Machine in which intervals of times end at multiples of a unit. Nothing if a gap might then be 0, or some time
/// is no interval.
fn wider(machine: &Machine, unit: &Rational) -> Option<Machine> {
    let down = |time: &Rational| (time / unit).floor() * unit;
    let up = |time: &Rational| (time / unit).ceil() * unit;
    let mut wider = machine.clone();
    if let Delay::Within(least, most) = &mut wider.delay {
        (*least, *most) = (down(least), up(most));
    }
    for restart in wider
        .strikes
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
                from.constant = down(&from.constant);
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
