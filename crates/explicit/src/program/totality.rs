//! Totality: whether the evaluation of an expression succeeds in every state.

use crate::defects::{Defect, broken};
use machine::{Expr, LocalId, Machine, Scope, Type, Typing, may_fail, may_overflow};

/// Whether the evaluation of an expression succeeds in every state. Only then may its value be unknown without hiding
/// an error. An expression that binds a name of another type than the bound value counts as partial, because the
/// conversion may fail. `filled` are local names of non-empty sets.
pub(crate) fn is_total(machine: &Machine, scope: &Scope, expr: &Expr, filled: &[LocalId]) -> bool {
    let mut typing = Typing::all_bound(machine, scope);
    let fits = |local: &LocalId, found: Result<Type, _>| {
        let declared = &scope.locals[local.index()].ty;
        found.is_ok_and(|found: Type| found == *declared)
    };
    let mut converts = false;
    expr.walk(&mut |e| {
        converts |= match e {
            Expr::Let(local, value, _) => !fits(local, typing.type_of(value)),
            Expr::Filter(local, domain, _)
            | Expr::Quantified(_, local, domain, _)
            | Expr::Extremum(_, local, domain, _) => !fits(local, typing.set(domain)),
            _ => false,
        };
    });
    broken(Defect::ErrorsUnknown)
        || !converts && !may_fail(machine, expr, filled) && !may_overflow(machine, scope, expr)
}
