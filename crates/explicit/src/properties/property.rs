//! Properties, compiled and classified by how the search decides them.

use crate::program::condition::Condition;
use machine::{Formula, Machine, PropertyKind, Scope};

/// A property, by how the search decides it.
pub(crate) enum MonitoredProperty<'m> {
    /// It holds in every state, or a shortest run leads to a violation.
    Invariant(Condition),
    /// It holds in no state, or a shortest run leads to a state in which it holds.
    Reach(Condition),
    /// By an automaton: it fails if a run through known states violates it, and holds if all states are known and no
    /// run does.
    Temporal(&'m Formula, &'m Scope),
}

/// Compiles the properties of a Machine.
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

/// By property with a time bound: the condition that must hold once the time is over.
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

/// Compiles the premise of each property that has one.
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
