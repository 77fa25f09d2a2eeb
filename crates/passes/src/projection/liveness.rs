//! The conditions of the projection on claims that a finite part of a run cannot break: fairness has to survive.
//!
//! What is left of a run that breaks such a claim has to be fair in the network of S. Weak fairness is a condition on units of
//! events (`Instance::units`). The events of a unit are events of S, or of the other nodes, with three exceptions: the messages
//! of all senders that a block takes, the timers of a block about each other node, and the outbox of a node. Where events of other
//! nodes may satisfy a unit for ever while an event of S stays possible, S may be unfair:
//!
//! - A block without a condition takes each message when it arrives, and fairness of the channel makes it arrive, unless it can
//!   be lost instead. With a condition it may take the messages of others only.
//! - A timer has to expire in time, and time goes on if no timer is set to expire at once.
//! - An outbox is sent in order, and it is finite.
//!
//! Without fairness, S may stand still although it has possible events, because others run for ever.

use crate::projection::{Checked, refuse};
use machine::{Formula, Machine, Property, PropertyKind, Stmt, StmtKind, Trigger};

/// Whether each run that breaks the property has a finite part that breaks it.
pub(super) fn is_safety(property: &Property) -> bool {
    match &property.kind {
        PropertyKind::Claim(claim) => is_safe(claim, true),
        PropertyKind::Possible(_) => false,
    }
}

/// Whether a finite part of a run shows that a formula is false; if not `holds`, that it is true.
fn is_safe(formula: &Formula, holds: bool) -> bool {
    match formula {
        Formula::State(_) => true,
        Formula::At(_, inner) | Formula::All(_, _, inner) | Formula::Exists(_, _, inner) => {
            is_safe(inner, holds)
        }
        Formula::Not(inner) => is_safe(inner, !holds),
        Formula::And(a, b) | Formula::Or(a, b) => is_safe(a, holds) && is_safe(b, holds),
        Formula::Implies(a, b) => is_safe(a, !holds) && is_safe(b, holds),
        Formula::Always(inner) => holds && is_safe(inner, true),
        Formula::Eventually(inner) => !holds && is_safe(inner, false),
        Formula::Until(..) | Formula::LeadsTo(..) => false,
    }
}

/// Checks that what is left of a fair run is fair.
pub(super) fn check(base: &Machine, fair: bool) -> Checked<()> {
    if !fair {
        return refuse(
            "a claim about what happens in the end, without fairness",
            None,
        );
    }
    if !base.faults.is_empty() {
        return refuse(
            "lost or repeated messages, in a claim about what happens in the end",
            None,
        );
    }
    for block in &base.blocks {
        match &block.trigger {
            Trigger::On(_, Some(_)) => {
                return refuse(
                    "a block that takes messages under a condition, in a claim about what happens in the end",
                    Some(block.origin),
                );
            }
            _ => timers(&block.body)?,
        }
    }
    Ok(())
}

/// Refuses timers that may expire at once.
fn timers(statements: &[Stmt]) -> Checked<()> {
    for statement in statements {
        match &statement.kind {
            StmtKind::SetTimer(_, Some(_), from, _)
                if !from.terms.is_empty() || !from.constant.is_positive() =>
            {
                return refuse(
                    "a timer about another node that may expire at once, in a claim about what happens in the end",
                    Some(statement.origin),
                );
            }
            StmtKind::If(_, a, b) => {
                timers(a)?;
                timers(b)?;
            }
            StmtKind::For(_, _, body) => timers(body)?,
            _ => {}
        }
    }
    Ok(())
}
