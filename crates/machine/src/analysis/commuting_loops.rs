//! Loops whose iterations commute: the effect does not depend on the order of the iterations.
//!
//! *When.* The body contains only assignments, branches, local definitions and assertions. Each assigned variable is
//! - an array of which each iteration reads and assigns only the element at the loop variable, or
//! - a set to which the body only adds elements, by union, and which it does not read otherwise.
//!
//! *Why.* The values that an iteration reads do not depend on other iterations. Hence the assigned elements, the added
//! elements, and whether the iteration ends in an error do not depend on other iterations either. Unions commute.

use crate::{BinaryOp, Expr, LocalId, Place, PlaceStep, Stmt, StmtKind, VarId};

/// Local 0 of a block is the node that executes it.
const OWN: LocalId = LocalId(0);

/// Whether the iterations of a loop commute for one of these reasons; `local` is the loop variable.
pub(crate) fn iterations_commute(local: LocalId, body: &[Stmt]) -> bool {
    let mut simple = true;
    let mut assigned: Vec<VarId> = Vec::new();
    for statement in body {
        statement.walk(&mut |s| match &s.kind {
            StmtKind::Assign(place, _) => assigned.push(place.var),
            StmtKind::If(..) | StmtKind::Let(..) | StmtKind::Assert(_) => {}
            _ => simple = false,
        });
    }
    simple
        && assigned
            .iter()
            .all(|var| updates_own_element_only(*var, local, body) || is_only_extended(*var, body))
}

/// Whether the body reads and assigns the variable only at the index `local`, the loop variable.
fn updates_own_element_only(var: VarId, local: LocalId, body: &[Stmt]) -> bool {
    let is_local = |e: &Expr| *e.bare() == Expr::Local(local);
    let starts_there = |place: &Place| match place.path.first() {
        Some(PlaceStep::Index(_, index)) => is_local(index),
        _ => false,
    };
    let (mut all, mut there) = (0, 0);
    let mut fits = true;
    for statement in body {
        statement.walk(&mut |s| {
            if let StmtKind::Assign(place, _) = &s.kind {
                fits &= place.var != var || starts_there(place);
            }
        });
        statement.walk_exprs(&mut |e| match e {
            Expr::Var(read, _) if *read == var => all += 1,
            Expr::Index(_, array, index) if is_own(array, var) && is_local(index) => there += 1,
            _ => {}
        });
    }
    fits && all == there
}

/// Whether the body changes the variable only by union with another set, and does not read it otherwise.
fn is_only_extended(var: VarId, body: &[Stmt]) -> bool {
    let (mut all, mut united) = (0, 0);
    let mut fits = true;
    for statement in body {
        statement.walk(&mut |s| {
            if let StmtKind::Assign(place, value) = &s.kind
                && place.var == var
            {
                let adds = matches!(value.bare(), Expr::Binary(BinaryOp::Union, a, b)
                    if is_own(a, var) || is_own(b, var));
                fits &= place.path.is_empty() && adds;
                united += 1;
            }
        });
        statement
            .walk_exprs(&mut |e| all += usize::from(matches!(e, Expr::Var(v, _) if *v == var)));
    }
    fits && all == united
}

/// Whether an expression is the variable `var` of the node that executes the block.
fn is_own(expr: &Expr, var: VarId) -> bool {
    matches!(expr.bare(), Expr::Var(v, node) if *v == var && *node.bare() == Expr::Local(OWN))
}
