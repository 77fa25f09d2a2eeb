//! Properties, compiled and classified by the way in which the search decides them.

use crate::program::condition::Condition;
use machine::{Formula, Machine, PropertyKind, Scope};

/// A property, by the way in which the search decides it.
pub(crate) enum MonitoredProperty<'m> {
    /// An invariant. It is violated by a run to a state in which the condition is false.
    Invariant(Condition),
    /// A reachability question. It is answered by a run to a state in which the condition is true.
    Reach(Condition),
    /// A temporal claim, decided by an automaton. It fails if a run through the explored states violates it. It holds
    /// if the graph is complete and no run violates it.
    Temporal(&'m Formula, &'m Scope),
}

/// Compiles the properties of a Machine, in order.
pub(crate) fn monitored(machine: &Machine) -> Result<Vec<MonitoredProperty<'_>>, String> {
    let properties = machine.properties.iter();
    properties
        .map(|property| {
            Ok(match &property.kind {
                PropertyKind::Possible(condition) => {
                    MonitoredProperty::Reach(Condition::new(machine, &property.scope, condition)?)
                }
                PropertyKind::Claim(formula) => match formula.invariant() {
                    Some(condition) => MonitoredProperty::Invariant(Condition::new(
                        machine,
                        &property.scope,
                        &condition,
                    )?),
                    None => MonitoredProperty::Temporal(formula, &property.scope),
                },
            })
        })
        .collect()
}

/// By property: for a claim with a time bound in a Machine with clocks, the condition that must hold when the time is
/// over.
pub(crate) fn bounds(machine: &Machine) -> Result<Vec<Option<Condition>>, String> {
    let properties = machine.properties.iter();
    properties
        .map(|property| match &property.kind {
            PropertyKind::Claim(formula) if machine.digitisation().is_some() => {
                match formula.without_bound() {
                    Some(over) => Condition::new(machine, &property.scope, &over).map(Some),
                    None => Ok(None),
                }
            }
            _ => Ok(None),
        })
        .collect()
}

/// By property: its compiled premise, if it has one.
pub(crate) fn premises(machine: &Machine) -> Result<Vec<Option<Condition>>, String> {
    let properties = machine.properties.iter();
    properties
        .map(|property| match &property.kind {
            PropertyKind::Claim(formula) => match formula.premise() {
                Some(premise) => Condition::new(machine, &property.scope, &premise).map(Some),
                None => Ok(None),
            },
            PropertyKind::Possible(_) => Ok(None),
        })
        .collect()
}
