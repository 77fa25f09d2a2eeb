//! Compiled conditions on states.

use crate::program::compile::Compiler;
use crate::program::expression::{Code, Context, NoValue};
use machine::{Expr, LocalId, Machine, Scope};

/// A compiled condition on states.
pub(crate) struct Condition {
    /// The condition as an expression of the Machine.
    pub(crate) written: Expr,
    code: Code,
    locals: usize,
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

    /// The value of the condition; `None` if its evaluation is an error. Must not read undecided or unknown values.
    /// `bound` gives values of free local names.
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

    /// The value of the condition in a state; otherwise the reason why it has none.
    pub(crate) fn evaluate(&self, context: &Context<'_>) -> Result<bool, NoValue> {
        context.holds(&self.code, &mut vec![0; self.locals])
    }
}

/// The elements of the set `domain`, over which `local` ranges. The set must not depend on the state. `bound` gives
/// values of free local names.
pub(crate) fn elements(
    context: &Context<'_>,
    scope: &Scope,
    bound: &[(LocalId, i64)],
    local: LocalId,
    domain: &Expr,
) -> Result<Vec<i64>, String> {
    let mut compiler = Compiler::new(context.compiled.machine, scope);
    let domain = compiler.domain_of(local, domain, true)?;
    let mut locals = vec![0; scope.locals.len()];
    for (local, value) in bound {
        locals[local.index()] = *value;
    }
    let mut elements = Vec::new();
    let complete = context.each(&domain, &mut locals, &mut |_, _, element| {
        elements.push(element);
        Ok(true)
    });
    match complete {
        Ok(_) => Ok(elements),
        Err(_) => Err("a quantifier whose set has no value".into()),
    }
}
