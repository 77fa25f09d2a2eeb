//! Traversals of the syntax tree: all statements of a body, and all parts of an expression.

use syntax::ast::{BinaryOp, BlockHead, Expr, ExprKind, Fn, Let, Stmt, StmtKind};

/// Visits all statements of a body, including those in branches and loops.
pub(crate) fn statements<'a>(body: &'a [Stmt], see: &mut impl FnMut(&'a Stmt)) {
    for stmt in body {
        see(stmt);
        match &stmt.kind {
            StmtKind::If(_, then, otherwise) => {
                statements(then, see);
                statements(otherwise, see);
            }
            StmtKind::Match(_, arms) => arms.iter().for_each(|arm| statements(&arm.result, see)),
            StmtKind::For(_, _, inner) => statements(inner, see),
            _ => {}
        }
    }
}

/// Visits all expressions of a body and their parts.
pub(crate) fn expressions<'a>(body: &'a [Stmt], see: &mut impl FnMut(&'a Expr)) {
    statements(body, &mut |stmt| match &stmt.kind {
        StmtKind::Assign(a, b) | StmtKind::SetTimer(a, b) => {
            inside(a, see);
            inside(b, see);
        }
        StmtKind::If(e, ..)
        | StmtKind::Match(e, _)
        | StmtKind::For(_, e, _)
        | StmtKind::Let(_, e)
        | StmtKind::Choose(_, e)
        | StmtKind::Assert(e)
        | StmtKind::CancelTimer(e) => inside(e, see),
        StmtKind::Send(send) => {
            inside(&send.message, see);
            send.to.iter().for_each(|to| inside(to, see));
        }
        StmtKind::Call(_, arguments) => arguments.iter().for_each(|a| inside(a, see)),
        StmtKind::ClearInbox | StmtKind::Halt | StmtKind::Error => {}
    });
}

/// The guard in the head of a block, if it has one.
pub(crate) fn guard(head: &BlockHead) -> Option<&Expr> {
    match head {
        BlockHead::On { guard, .. } | BlockHead::When(_, guard) => guard.as_ref(),
        _ => None,
    }
}

/// Visits an expression and all its parts, the whole expression first.
pub(crate) fn inside<'a>(e: &'a Expr, see: &mut impl FnMut(&'a Expr)) {
    see(e);
    match &e.kind {
        ExprKind::Any(Some(a))
        | ExprKind::Field(a, _)
        | ExprKind::Unary(_, a)
        | ExprKind::Is(a, _)
        | ExprKind::Temporal(_, a)
        | ExprKind::Paren(a) => inside(a, see),
        ExprKind::Index(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Range(a, b)
        | ExprKind::Until(a, b) => {
            inside(a, see);
            inside(b, see);
        }
        ExprKind::Call(_, all) | ExprKind::Set(all) => all.iter().for_each(|a| inside(a, see)),
        ExprKind::MethodCall(a, _, all) => {
            inside(a, see);
            all.iter().for_each(|a| inside(a, see));
        }
        ExprKind::PlusMinus {
            middle, deviation, ..
        } => {
            middle.iter().for_each(|a| inside(a, see));
            inside(deviation, see);
        }
        ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|a| inside(a, see)),
        ExprKind::Match(a, arms) => {
            inside(a, see);
            for arm in arms {
                arm.pattern.iter().for_each(|p| inside(p, see));
                inside(&arm.result, see);
            }
        }
        ExprKind::Filter {
            domain,
            condition: body,
            ..
        }
        | ExprKind::Quantifier { domain, body, .. }
        | ExprKind::Extremum {
            domain, by: body, ..
        } => {
            inside(domain, see);
            inside(body, see);
        }
        ExprKind::Struct(_, fields) => fields.iter().for_each(|f| inside(&f.value, see)),
        ExprKind::LeadsTo(a, b, within) => {
            inside(a, see);
            inside(b, see);
            within.iter().for_each(|w| inside(w, see));
        }
        ExprKind::Number { .. }
        | ExprKind::Bool(_)
        | ExprKind::None
        | ExprKind::SelfNode
        | ExprKind::Any(None)
        | ExprKind::Name(_)
        | ExprKind::Error => {}
    }
}

/// The expression without surrounding parentheses.
pub(crate) fn bare(mut e: &Expr) -> &Expr {
    while let ExprKind::Paren(inner) = &e.kind {
        e = inner;
    }
    e
}

/// The message type M for `inbox(M)`, an inner `None` for `inbox`; `None` for any other expression.
pub(crate) fn inbox(e: &Expr) -> Option<Option<&str>> {
    match &bare(e).kind {
        ExprKind::Name(name) if name.text == "inbox" => Some(None),
        ExprKind::Call(name, of) if name.text == "inbox" => match of.first().map(|e| &e.kind) {
            Some(ExprKind::Name(message)) => Some(Some(&message.text)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the expression is `now`.
pub(crate) fn is_now(e: &Expr) -> bool {
    matches!(&bare(e).kind, ExprKind::Name(name) if name.text == "now")
}

/// Whether the operator is a comparison.
pub(crate) fn compares(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

/// The expression, and the definitions of all names that it uses, transitively.
pub(crate) fn with_abbreviations<'a>(
    e: &'a Expr,
    lets: &[&'a Let],
    fns: &[&'a Fn],
) -> Vec<&'a Expr> {
    let mut found = vec![e];
    let mut next = 0;
    while next < found.len() {
        let mut names: Vec<&'a str> = Vec::new();
        inside(found[next], &mut |part| match &part.kind {
            ExprKind::Name(name) | ExprKind::Call(name, _) => names.push(&name.text),
            _ => {}
        });
        for name in names {
            let lets = lets.iter().filter(|l| l.name.text == name);
            let fns = fns.iter().filter(|f| f.name.text == name);
            for body in lets.map(|l| &l.value).chain(fns.map(|f| &f.body)) {
                if !found.iter().any(|old| std::ptr::eq(*old, body)) {
                    found.push(body);
                }
            }
        }
        next += 1;
    }
    found
}
