//! What is looked for in states: properties, compiled, and sorted by how they are decided.

use crate::program::condition::Condition;
use machine::{Formula, Machine, PropertyKind, Scope};

/// A property, by how it is decided.
pub(crate) enum MonitoredProperty<'m> {
    /// Every state satisfies it, or a shortest run to one that does not.
    Invariant(Condition),
    /// No state satisfies it, or a shortest run to one that does.
    Reach(Condition),
    /// By an automaton: it fails if a run breaks it through states that are known, and holds if all are and none does.
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

/// Compiles, for each property with a bound on the time that is counted, what must hold once that is over.
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
