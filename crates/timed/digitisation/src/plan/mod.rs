//! The unit of a digitisation, and whether an answer for times in multiples of this unit is exact.
//!
//! The unit divides every time constant of the Machine and of its only property. Scale times so that the unit is 1.
//! Then every timing constraint is a closed integer bound on the difference of the times of two events. Take a run with
//! dense times, and any monotone function g from [0, 1) to [0, 1] with g(0) = 0. Replace each time n + r, where n is an
//! integer and 0 ≤ r < 1, by n + g(r). The resulting run, with the same events in the same order, satisfies the
//! constraints too. Indeed, let (n + r) - (n' + r') ≤ c. If r ≤ r', then n - n' ≤ c and g(r) - g(r') ≤ 0. If r > r',
//! then n - n' ≤ c - 1 and g(r) - g(r') ≤ 1. A lower bound is an upper bound of the opposite difference. The argument
//! uses three choices of g:
//!
//! - Up: g(r) = 1 for r > 0, so a time after an integer stays after it. Down: g(r) = 0 for all r, so a time before an
//!   integer stays before it. Both preserve `≤` and `≥`. So with whole units, a violation may require that `now` is
//!   after several constants, or that it is before several constants, but not both. Now consider the requirement that
//!   `now` is more than x later than another event. It stays true with Down if `now` is an integer; with Up if the
//!   fraction of `now` is not greater than that of the event; and otherwise with g = 0 up to the fraction of the event
//!   and g = 1 above it. So one such requirement is allowed, alone or, with half units, together with `now` before
//!   constants.
//! - Half: g(r) = 1/2 for r > 0. Every comparison with an integer is preserved at every moment of the run, and every
//!   moment of the new run, including the half units, corresponds to a moment of the old run. So with half units, a
//!   claim may compare `now` with constants in any way, also under temporal operators. (Together with one requirement
//!   to be late, 1/2 takes the place of 1 above.)
//!
//! A `fixed` period is an unknown that no such g preserves. Then the digitisation can find runs, but proves nothing.

mod precision;

use machine::{
    Channel, Digitisation, First, Jitter, Machine, Periodic, Timing, Trigger, may_loop_in_zero_time,
};
use precision::{Precision, precision};
use rational::Rational;
use verdict::Inexact;

/// The digitisation for a Machine with one property, and whether it is exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) digitisation: Digitisation,
    /// Ok if the digitisation misses no violation; otherwise the reason why it may.
    pub(crate) exact: Result<(), Inexact>,
}

/// The plan for a Machine with one property. `None` if the number of units does not fit into an integer.
pub(crate) fn plan(machine: &Machine) -> Option<Plan> {
    let mut unit = machine.time_unit();
    let asked = match machine.properties.first() {
        Some(property) => precision(machine, property),
        None => Ok(Precision::Whole),
    };
    if let Ok(Precision::Half) = asked {
        unit /= Rational::from(2);
    }
    let exact = world_exactness(machine).and(asked.map(|_| ()));
    Some(Plan {
        digitisation: digitisation(machine, unit)?,
        exact,
    })
}

/// The digitisation whose unit is that of the plan divided by `parts`. `None` if the number of units does not fit into
/// an integer.
pub(crate) fn finer(machine: &Machine, plan: &Plan, parts: u32) -> Option<Digitisation> {
    digitisation(machine, &plan.digitisation.unit / &Rational::from(parts))
}

fn digitisation(machine: &Machine, unit: Rational) -> Option<Digitisation> {
    let horizon = match machine.compared_times().into_iter().max() {
        Some(last) => ((last / &unit).floor().to_i64()?.max(0) as u64).checked_add(1)?,
        None => 0,
    };
    // The digitiser refuses Machines with this many units anyway.
    let horizon = u32::try_from(horizon).unwrap_or(u32::MAX);
    Some(Digitisation { unit, horizon })
}

/// Ok if every timing constraint of the Machine is a closed bound on the difference of two times, and time always
/// progresses. Otherwise the reason why not.
fn world_exactness(machine: &Machine) -> Result<(), Inexact> {
    if let Some((kind, _)) = machine
        .periodic_kinds()
        .into_iter()
        .find(|(_, p)| has_unknown_period(p))
    {
        let name = &machine.kinds[kind.index()].name;
        return Err(Inexact::OnePeriod(name.clone()));
    }
    if let Channel::Fifo(Some(_)) = machine.channel {
        return Err(Inexact::FullChannel);
    }
    match may_loop_in_zero_time(machine) {
        true => Err(Inexact::ZeroTimeLoop),
        false => Ok(()),
    }
}

/// Whether each node of the kind has one period for the whole run, chosen from an interval.
fn has_unknown_period(periodic: &Periodic) -> bool {
    periodic.fixed && periodic.gap.0 < periodic.gap.1
}

/// The relaxation in which a fixed period may change from gap to gap. It has at least the runs of the original Machine.
/// `None` if a gap could become 0.
pub(crate) fn relaxed(machine: &Machine) -> Option<Machine> {
    let mut relaxed = machine.clone();
    for block in &mut relaxed.blocks {
        let Trigger::Every(Timing::Periodic(periodic)) = &mut block.trigger else {
            continue;
        };
        if !has_unknown_period(periodic) {
            continue;
        }
        periodic.fixed = false;
        // If the first activation occurs after one period, it occurs between the shortest and the longest gap.
        let (shortest, longest) = periodic.gap.clone();
        let at = |first: &mut First, time: Rational| {
            if *first == First::Period {
                *first = First::At(time);
            }
        };
        at(&mut periodic.first.0, shortest);
        at(&mut periodic.first.1, longest);
        if let Jitter::OnGrid(by) = &periodic.jitter {
            // Each of two consecutive activations may deviate by the jitter.
            periodic.jitter = Jitter::PerGap(by + by);
        }
        if let Jitter::PerGap(by) = &periodic.jitter
            && periodic.gap.0 <= *by
        {
            return None;
        }
    }
    Some(relaxed)
}

#[cfg(test)]
mod tests;
