//! Verification of channels, faults and times, and of the places where counters may occur.

use crate::verify::verifier::{require, wrong};
use crate::{
    Abstraction, Block, Channel, Delay, Expr, Init, Jitter, MOST_ELEMENTS, Machine, Periodic,
    RecordId, RuntimeFault, TimerId, Timing, Trigger, Type, TypeError, Window, holds_counters,
};
use rational::Rational;

/// Verifies channels, faults, times and order rules.
pub(crate) fn verify_environment(machine: &Machine) -> Result<(), TypeError> {
    for fault in &machine.node_faults {
        let exists = fault
            .of
            .is_none_or(|kind| kind.index() < machine.kinds.len());
        require(exists, || "a fault of no kind".into())?;
    }
    if machine.channel == Channel::Instant {
        require(machine.faults.is_empty(), || {
            "something happens to messages on no way".into()
        })?;
        for block in &machine.blocks {
            let quiet = match &block.trigger {
                Trigger::Start | Trigger::On(_, None) => !block.sends(),
                Trigger::On(_, Some(_)) => false,
                Trigger::When(_) | Trigger::Every(_) | Trigger::Timer(_) => true,
            };
            require(quiet, || {
                format!(
                    "block {}: has a guard or sends, where messages arrive at once",
                    block.name
                )
            })?;
        }
    }
    verify_time(machine)?;
    let periodic = machine.periodic_kinds();
    for (kind, periodic) in &periodic {
        verify_periodic(periodic).map_err(|e| {
            TypeError(format!(
                "rhythm of {}: {e}",
                machine.kinds[kind.index()].name
            ))
        })?;
    }
    let rounds = |b: &Block| matches!(b.trigger, Trigger::Every(Timing::Round(_)));
    require(
        periodic.is_empty() || !machine.blocks.iter().any(rounds),
        || "rounds and real times".into(),
    )?;
    if let Abstraction::Order(rules, chains) = &machine.abstraction {
        let timed = |kind| periodic.iter().any(|(k, _)| *k == kind);
        for chain in chains {
            let kinds = [chain.of, chain.with, chain.then];
            let sound = kinds.into_iter().all(timed) && chain.leads.0.min(chain.leads.1) > 0;
            require(sound, || "an order rule about nothing".into())?;
        }
        for rule in rules {
            let sound = timed(rule.of) && timed(rule.with);
            let some = !matches!(rule.window, Window::Start(0) | Window::Gaps { gaps: 0, .. });
            require(sound && some, || "an order rule about nothing".into())?;
        }
    }
    Ok(())
}

/// Verifies delays, timers, runtime faults, restarts and the digitisation.
fn verify_time(machine: &Machine) -> Result<(), TypeError> {
    let interval = |(from, to): (&Rational, &Rational), what: &str| {
        require(!from.is_negative() && from <= to, || {
            format!("{what} at no time")
        })
    };
    if let Delay::Within(least, most) = &machine.delay {
        interval((least, most), "messages arrive")?;
    }
    if machine.delay != Delay::Any {
        let waits = |b: &Block| matches!(b.trigger, Trigger::On(_, Some(_)));
        let free = matches!(machine.channel, Channel::Fifo(None) | Channel::Unordered);
        require(free && !machine.blocks.iter().any(waits), || {
            "messages that cannot wait meet a guard, or have no way".into()
        })?;
    }
    for timer in &machine.timers {
        require(timer.kind.index() < machine.kinds.len(), || {
            "a timer of no kind".into()
        })?;
    }
    for (t, timer) in machine.timers.iter().enumerate() {
        let its = |b: &&Block| b.trigger == Trigger::Timer(TimerId(t as u32));
        require(machine.blocks.iter().filter(its).count() == 1, || {
            format!("timer {} has not one block", timer.name)
        })?;
    }
    for (s, runtime_fault) in machine.runtime_faults.iter().enumerate() {
        let exists = runtime_fault
            .of
            .is_none_or(|kind| kind.index() < machine.kinds.len());
        require(exists, || "a fault of no kind".into())?;
        let Some(restart) = &runtime_fault.stop else {
            continue;
        };
        if let Some((from, to)) = &restart.within {
            interval((from, to), "nodes begin again")?;
        }
        let again = machine.runtime_faults[..s]
            .iter()
            .filter(|other| other.stop.is_some());
        let apart = |other: &RuntimeFault| matches!((other.of, runtime_fault.of), (Some(a), Some(b)) if a != b);
        require(again.into_iter().all(apart), || {
            "two ways for a node to begin again".into()
        })?;
    }
    verify_restarts(machine)?;
    if let Abstraction::Digitised(grid) = &machine.abstraction {
        require(grid.unit.is_positive(), || "a grid without a unit".into())?;
    }
    Ok(())
}

fn verify_periodic(periodic: &Periodic) -> Result<(), TypeError> {
    let gap = &periodic.gap;
    require(gap.0 <= gap.1, || "no gap is possible".into())?;
    require(periodic.span(1).0.is_positive(), || {
        "a gap can be empty".into()
    })?;
    // It suffices to check the shortest and the longest period: bounds of the first activation are linear in the
    // period.
    for period in [&gap.0, &gap.1] {
        let first = periodic.first_of(periodic.fixed.then_some(period));
        require(!first.0.is_negative() && first.0 <= first.1, || {
            "no first activation is possible".into()
        })?;
    }
    match &periodic.jitter {
        Jitter::None => Ok(()),
        Jitter::PerGap(by) | Jitter::OnGrid(by) if by.is_negative() => wrong("jitter below 0"),
        Jitter::PerGap(_) => Ok(()),
        Jitter::OnGrid(_) => require(periodic.fixed || gap.0 == gap.1, || {
            "a grid without a period".into()
        }),
    }
}

/// Verifies that the initial values of a variable that a fresh restart resets can be listed (invariant 11 of
/// `verifier.rs`).
fn verify_restarts(machine: &Machine) -> Result<(), TypeError> {
    for var in &machine.vars {
        let begins_again = machine.restarts_fresh(var.kind) && !var.persistent;
        if begins_again && var.init == Init::Any {
            let values = machine.cardinality(&var.ty);
            require(values <= MOST_ELEMENTS, || {
                format!(
                    "{}: a restart with more than {MOST_ELEMENTS} values",
                    var.name
                )
            })?;
        }
    }
    Ok(())
}

/// Verifies that counters occur only at permitted places (invariant 10 of `verifier.rs`).
pub(crate) fn verify_counters(machine: &Machine) -> Result<(), TypeError> {
    if machine.counters.is_empty() {
        return Ok(());
    }
    let none = |ty: &Type, what: &str| {
        require(!holds_counters(machine, ty), || {
            format!("{what} holds a counter")
        })
    };
    for frozen in &machine.frozen_vars {
        none(&frozen.ty, "a constant")?;
    }
    for var in &machine.vars {
        if var.init == Init::Any {
            none(&var.ty, "what begins with anything")?;
        }
        if machine.restarts_fresh(var.kind) && !var.persistent {
            none(&var.ty, "what begins afresh")?;
        }
    }
    if machine.inbox.start != crate::InboxStart::Empty {
        for (r, record) in machine.records.iter().enumerate() {
            let kinds = (0..machine.kinds.len() as u32).map(crate::KindId);
            let record_id = RecordId(r as u32);
            if record.message
                && kinds
                    .into_iter()
                    .any(|k| machine.enters_inbox(k, record_id))
            {
                none(&Type::Record(record_id), "what is in inboxes at first")?;
            }
        }
    }
    let mut all = Ok(());
    machine.each_expr(&mut |e| {
        let found = match e {
            Expr::Values(ty) => none(ty, "what is gone through"),
            Expr::Index(ty, ..) | Expr::Fill(ty, _) => none(ty, "an index"),
            _ => Ok(()),
        };
        if all.is_ok() {
            all = found;
        }
    });
    all
}
