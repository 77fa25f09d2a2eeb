//! What is looked for in states: properties, compiled, and sorted by how they are decided.

use crate::abstraction::lazy_initial_values::{Decision, Options, each_way};
use crate::program::compile::Compiler;
use crate::program::expression::{Code, Context, NoValue};
use machine::{Expr, Formula, LocalId, Machine, PropertyKind, Scope};

/// A compiled condition on states.
pub(crate) struct Condition {
    /// As it stands in the property.
    pub(crate) written: Expr,
    code: Code,
    locals: usize,
}

/// A property, by how it is decided.
pub(crate) enum Watch<'m> {
    /// Every state satisfies it, or a shortest run to one that does not.
    Invariant(Condition),
    /// No state satisfies it, or a shortest run to one that does.
    Reach(Condition),
    /// By an automaton: it fails if a run breaks it through states that are known, and holds if all are and none does.
    Temporal(&'m Formula, &'m Scope),
}

impl Condition {
    pub(crate) fn new(
        machine: &Machine,
        scope: &Scope,
        condition: &Expr,
    ) -> Result<Condition, String> {
        Ok(Condition {
            written: condition.clone(),
            code: Compiler::new(machine, scope).expr(condition)?,
            locals: scope.locals.len(),
        })
    }

    /// Its value where nothing that it reads is undecided; none if it has none.
    pub(crate) fn holds(&self, context: &Context<'_>, bound: &[(LocalId, i64)]) -> Option<bool> {
        let mut locals = vec![0; self.locals];
        for (local, value) in bound {
            locals[local.index()] = *value;
        }
        match context.holds(&self.code, &mut locals) {
            Ok(value) => Some(value),
            Err(NoValue::Broken) => None,
            Err(NoValue::Undecided(part)) => unreachable!("{part:?} is decided at first"),
            Err(NoValue::Unknown) => unreachable!("a loose search does not ask so"),
        }
    }

    /// Calls `visit` with its value, if it has one, for every way to decide what it reads; until that says
    /// `false`.
    pub(crate) fn each_value(
        &self,
        context: &Context<'_>,
        options: &Options,
        visit: &mut dyn FnMut(Option<bool>, &[Decision]) -> bool,
    ) {
        let value = |context: &Context<'_>| context.holds(&self.code, &mut vec![0; self.locals]);
        each_way(context, options, &value, visit);
    }
}

/// Compiles the properties of a Machine.
pub(crate) fn watches(machine: &Machine) -> Result<Vec<Watch<'_>>, String> {
    let properties = machine.properties.iter();
    properties
        .map(|property| {
            Ok(match &property.kind {
                PropertyKind::Possible(condition) => {
                    Watch::Reach(Condition::new(machine, &property.scope, condition)?)
                }
                PropertyKind::Claim(formula) => match formula.invariant() {
                    Some(condition) => {
                        Watch::Invariant(Condition::new(machine, &property.scope, &condition)?)
                    }
                    None => Watch::Temporal(formula, &property.scope),
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
