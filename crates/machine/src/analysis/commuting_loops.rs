//! Loops whose iterations commute: any order of the iterations has the same effect.
//!
//! *When.* The body only assigns, branches, binds locals and asserts: it sends nothing, chooses nothing, does not halt.
//! Every assigned variable is of one of two kinds. Of an array indexed by the loop variable, an iteration reads and
//! assigns only its own element. A set is only extended, and read nowhere else.
//!
//! *Why.* The values that an iteration reads, hence its assignments, additions and errors, do not depend on earlier
//! iterations; and unions commute.

use crate::{BinaryOp, Expr, LocalId, Place, PlaceStep, Stmt, StmtKind, VarId};

/// The node that runs a block is local 0 of its code.
const OWN: LocalId = LocalId(0);

/// Whether the iterations of a loop over the local commute.
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

/// Whether a variable is read and assigned only at the index of the loop variable.
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

/// Whether a variable is only extended by unions, and not read otherwise.
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

/// Whether an expression is a variable of the node that runs the block.
fn is_own(expr: &Expr, var: VarId) -> bool {
    matches!(expr.bare(), Expr::Var(v, node) if *v == var && *node.bare() == Expr::Local(OWN))
}
