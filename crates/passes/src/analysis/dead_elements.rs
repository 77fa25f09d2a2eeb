//! Dead elements: array elements that are never read again, because the index at which code reads them only increases.
//!
//! Let `a` be an array with an integer index that only its own node reads, and let `r` be an integer variable of the
//! node that no assignment decreases. Assume that all reads of elements of `a` are at `r` plus constants, and let `c`
//! be the least of the constants. Then the elements below `r + c` are never read again, because every later read is at
//! a larger index. A commuting update of an element also reads its old value. Such a read does not count, because it
//! matters only if the element is read later. Hence the values of dead elements do not influence the behaviour, and
//! neither does a message whose only effect is to change such an element.

use crate::analysis::commuting_updates::{added, plain};
use crate::analysis::sites::handler;
use crate::defects::{Defect, broken};
use machine::{
    BinaryOp, Block, Expr, KindId, LocalId, Machine, PlaceStep, RecordId, Stmt, StmtKind, Type,
    VarId,
};
use verdict::DeadElements;

/// The arrays that have dead elements. `private` are variables that only their own node reads; `invisible` are the
/// message types whose deliveries are invisible at a kind.
pub(crate) fn dead_elements(
    machine: &Machine,
    private: &[VarId],
    invisible: &[(KindId, RecordId)],
) -> Vec<DeadElements> {
    let mut found = Vec::new();
    for array in private {
        let var = &machine.vars[array.index()];
        let begins_again = machine
            .runtime_faults
            .iter()
            .any(|item| item.stop.is_some() && item.is_about(var.kind));
        let Type::Array(over, _) = &var.ty else {
            continue;
        };
        let begins_again = begins_again && !broken(Defect::OutgrownAtRestarts);
        if begins_again || !matches!(**over, Type::Int(..)) {
            continue;
        }
        let Some((index, plus)) = reads_at(machine, *array) else {
            continue;
        };
        if never_shrinks(machine, index) || broken(Defect::OutgrownShrinks) {
            let own = invisible.iter().filter(|(kind, _)| *kind == var.kind);
            let told = own.filter_map(|(kind, record)| {
                Some((*record, index_field(machine, *kind, *record, *array)?))
            });
            found.push(DeadElements {
                array: *array,
                index,
                plus,
                told: told.collect(),
            });
        }
    }
    found
}

/// The variable v such that all reads of elements of the array are at v plus a constant, and the least of these
/// constants. `None` if there is no read, if several variables serve as index, or if the array is read in any other
/// way.
fn reads_at(machine: &Machine, array: VarId) -> Option<(VarId, i64)> {
    let kind = machine.vars[array.index()].kind;
    let mut found: Vec<(VarId, i64)> = Vec::new();
    let mut otherwise = false;
    let mut look = |e: &Expr| look_at(e, array, &mut found, &mut otherwise);
    for block in machine.blocks.iter().filter(|block| block.kind == kind) {
        if let Some(guard) = crate::analysis::sites::guard(block) {
            look(guard);
        }
        block
            .body
            .iter()
            .for_each(|s| s.walk(&mut |s| own_exprs(s, array, &mut look)));
    }
    let index = found.first()?.0;
    let one = found.iter().all(|(var, _)| *var == index);
    let otherwise = otherwise && !broken(Defect::OutgrownElsewhere);
    let least = match broken(Defect::OutgrownBelow) {
        true => found.iter().map(|(_, plus)| *plus).max(),
        false => found.iter().map(|(_, plus)| *plus).min(),
    };
    (one && !otherwise).then_some((index, least?))
}

/// Calls `look` on the expressions of a statement, without nested statements. Of a commuting update of `array` only the
/// operand is visited, not the read of the old value.
fn own_exprs(statement: &Stmt, array: VarId, look: &mut dyn FnMut(&Expr)) {
    match &statement.kind {
        StmtKind::Assign(place, value) => {
            for step in &place.path {
                if let PlaceStep::Index(_, index) = step {
                    look(index);
                }
            }
            match added(place, value) {
                Some((_, more)) if place.var == array => look(more),
                _ => look(value),
            }
        }
        StmtKind::If(e, ..) | StmtKind::For(_, e, _) => look(e),
        StmtKind::Let(_, e) | StmtKind::Choose(_, e) | StmtKind::Assert(e) => look(e),
        StmtKind::Send(a, b) => {
            look(a);
            look(b);
        }
        StmtKind::SetTimer(..) | StmtKind::CancelTimer(..) => statement.walk_exprs(&mut |e| {
            // Also calls `look` on subexpressions, which finds nothing new.
            look(e)
        }),
        StmtKind::ClearInbox | StmtKind::Halt => {}
    }
}

/// Appends to `found` the index variables and constants at which an expression reads elements of the array. Sets
/// `otherwise` if it reads the array in any other way.
fn look_at(expr: &Expr, array: VarId, found: &mut Vec<(VarId, i64)>, otherwise: &mut bool) {
    match expr {
        Expr::Index(_, whole, index) if matches!(whole.bare(), Expr::Var(var, _) if *var == array) =>
        {
            match plain(index) {
                Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => match (*a, *b) {
                    (Expr::Var(var, node), Expr::Const(by)) if *node == Expr::Local(LocalId(0)) => {
                        let by = by.as_int();
                        found.push((var, if op == BinaryOp::Add { by } else { -by }));
                    }
                    _ => *otherwise = true,
                },
                Expr::Var(var, node) if *node == Expr::Local(LocalId(0)) => found.push((var, 0)),
                _ => *otherwise = true,
            }
            look_at(index, array, found, otherwise);
        }
        Expr::Var(var, _) if *var == array => *otherwise = true,
        _ => expr
            .children()
            .into_iter()
            .for_each(|part| look_at(part, array, found, otherwise)),
    }
}

/// Whether `var` is an integer variable that no assignment decreases.
fn never_shrinks(machine: &Machine, var: VarId) -> bool {
    let kind = machine.vars[var.index()].kind;
    let mut blocks = machine.blocks.iter().filter(|block| block.kind == kind);
    matches!(machine.vars[var.index()].ty, Type::Int(..))
        && blocks.all(|block: &Block| grows(&block.body, var, None))
}

/// Whether statements never decrease an integer variable; `most` is an upper bound on its value before them, if known.
fn grows(body: &[Stmt], var: VarId, most: Option<i64>) -> bool {
    let mut most = most;
    body.iter().all(|statement| match &statement.kind {
        StmtKind::Assign(place, value) if place.var == var => {
            let own = |e: &Expr| matches!(e, Expr::Var(v, node) if *v == var && **node == Expr::Local(LocalId(0)));
            let ok = place.path.is_empty()
                && match plain(value) {
                    Expr::Binary(BinaryOp::Add, a, b) => match (*a, *b) {
                        (old, Expr::Const(by)) | (Expr::Const(by), old) => own(&old) && by.as_int() >= 0,
                        _ => false,
                    },
                    Expr::Binary(BinaryOp::Max, a, b) => own(&a) || own(&b),
                    Expr::Const(value) => most.is_some_and(|most| most <= value.as_int()),
                    _ => false,
                };
            most = None; // the assignment may have increased the variable
            ok
        }
        StmtKind::If(condition, then, otherwise) => {
            let inside = known(condition, var).or(most);
            let ok = grows(then, var, inside) && grows(otherwise, var, most);
            most = None;
            ok
        }
        StmtKind::For(_, _, inner) => {
            most = None;
            grows(inner, var, None)
        }
        _ => true,
    })
}

/// An upper bound on the variable that follows from the condition; `None` if none is found.
fn known(condition: &Expr, var: VarId) -> Option<i64> {
    match condition.bare() {
        Expr::Binary(BinaryOp::And, a, b) => known(a, var).or_else(|| known(b, var)),
        Expr::Binary(BinaryOp::Eq | BinaryOp::Le, a, b) => match (plain(a), b.bare()) {
            (Expr::Var(v, node), Expr::Const(value))
                if v == var && *node == Expr::Local(LocalId(0)) =>
            {
                Some(value.as_int())
            }
            _ => None,
        },
        _ => None,
    }
}

/// The message field that is the index of the array element that the handler updates. `None` if the handler has another
/// form than one commuting update of an element of `array`.
fn index_field(machine: &Machine, kind: KindId, record: RecordId, array: VarId) -> Option<u32> {
    let [statement] = &handler(machine, kind, record)?.body[..] else {
        return None;
    };
    let StmtKind::Assign(place, value) = &statement.kind else {
        return None;
    };
    let [PlaceStep::Index(_, index)] = &place.path[..] else {
        return None;
    };
    added(place, value)?;
    match plain(index) {
        Expr::Field(message, field)
            if place.var == array && *message == Expr::Local(LocalId(1)) =>
        {
            Some(field)
        }
        _ => None,
    }
}
