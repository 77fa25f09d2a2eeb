//! The conditions of the projection on claims that no finite part of a run violates: the projection of a fair run must
//! be fair.
//!
//! Weak fairness is a condition on units of events (`Instance::units`). All events of a unit are events of S, or all
//! are events of other nodes, with three exceptions: a block takes messages of all senders, a block of a timer has one
//! unit for all other nodes that the timer is about, and the outbox of a node has messages to all receivers. If events
//! of removed nodes satisfy a unit for ever while an event of S in the same unit stays enabled, the projection may be
//! unfair. The exceptions are treated as follows:
//!
//! - A block without a guard takes each message when it arrives, and fairness of the channel makes messages arrive
//!   unless they can be lost; lossy channels are refused. A block with a guard may take messages of removed nodes only;
//!   it is refused.
//! - A timer expires by its deadline, because time passes. Timers that may expire at once are refused.
//! - An outbox is finite, and its messages are sent in order.
//!
//! Without fairness, S may stand still although its events are enabled, because removed nodes run for ever. So claims
//! about all runs are refused.

use crate::projection::{Checked, refuse};
use machine::{Formula, Machine, Property, PropertyKind, Stmt, StmtKind, Trigger};

/// Whether every run that violates the property has a finite part that violates it.
pub(super) fn is_safety(property: &Property) -> bool {
    match &property.kind {
        PropertyKind::Claim(claim) => is_safe(claim, true),
        PropertyKind::Possible(_) => false,
    }
}

/// Whether a finite part of every run on which a formula is false (if `holds`; otherwise, true) shows this.
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

/// Checks that the projection of a fair run is fair.
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
