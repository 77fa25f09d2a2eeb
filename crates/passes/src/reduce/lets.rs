//! Inlining of locals that are sets of records.
//!
//! *What.* `let told = { said } union inbox` is removed, and its expression replaces every use of `told`. An engine can
//! then traverse the parts of the set without constructing and representing the set.
//!
//! *When.*
//! - The local is bound exactly once and is used, and its type is a set of records.
//! - Its expression is total, and its only local is the executing node.
//! - Its expression is not an inbox alone: a quantifier over an inbox visits all copies of a message, a quantifier over
//!   the local does not.
//! - Between the `let` and the last use, nothing that the expression reads is assigned or cleared.
//! - If inboxes begin with messages, no `send` uses the local: the initial messages are the values of the message
//!   expressions of `send` statements for arbitrary values of locals.
//!
//! *Why it is exact.* At each use the expression has the value that it had at the `let`. States do not contain locals,
//! so they are unchanged.

use crate::analysis::sites::{Site, binds, rewrite};
use crate::analysis::totality::is_total;
use crate::reduce::Removed;
use crate::reduce::lift::{Map, Shrunk};
use machine::{
    Block, BlockId, Expr, InboxStart, LocalId, Machine, Stmt, StmtKind, Type, VarId, verify,
};

/// Inlines one local per block. Returns whether there was any.
pub(crate) fn pass(shrunk: &mut Shrunk) -> bool {
    let machine = &shrunk.machine;
    let mut removed = Vec::new();
    let mut number = 0;
    let mut code = |block: &Block| match candidate(machine, block) {
        Some((local, value)) => {
            removed.push(Removed::Name(BlockId(number), local));
            number += 1;
            let other = |s: &Stmt| !matches!(&s.kind, StmtKind::Let(l, _) if *l == local);
            let left = Stmt::retain(&block.body, &mut |s| other(s));
            let mut put =
                |e: &Expr| e.rebuild(&mut |e| (*e == Expr::Local(local)).then(|| value.clone()));
            left.iter().map(|s| s.with_exprs(&mut put)).collect()
        }
        None => {
            number += 1;
            block.body.clone()
        }
    };
    let small = rewrite(machine, &mut Expr::clone, &mut code);
    if removed.is_empty() || verify(&small).is_err() {
        return false;
    }
    shrunk.then(small, Map::Same, removed);
    true
}

/// A local of a block that can be inlined, with its expression; `None` if there is none.
fn candidate(machine: &Machine, block: &Block) -> Option<(LocalId, Expr)> {
    let site = Site::block(machine, block);
    site.own?;
    let mut lets = Vec::new();
    for statement in &block.body {
        statement.walk(&mut |s| {
            if let StmtKind::Let(local, value) = &s.kind {
                lets.push((*local, value));
            }
        });
    }
    let is_set_of_records = |local: LocalId| matches!(&block.scope.locals[local.index()].ty, Type::Set(of) if matches!(**of, Type::Record(_)));
    let (local, value) = lets.into_iter().find(|(local, value)| {
        let mut uses = UseCheck {
            local: *local,
            reads: reads(value),
            inbox: reads_inbox(value),
            seen: Seen::Nothing,
        };
        is_set_of_records(*local)
            && !matches!(value.bare(), Expr::Inbox(..))
            && site.type_of(value).as_ref() == Some(&block.scope.locals[local.index()].ty)
            && binders(block, *local) == 1
            && is_used(block, *local)
            && (machine.inbox.start == InboxStart::Empty || !is_sent(block, *local))
            && only_self(value)
            && is_total(&site, value)
            && uses.all(&block.body)
    })?;
    Some((local, value.clone()))
}

/// The number of statements and expressions of a block that bind the local.
fn binders(block: &Block, wanted: LocalId) -> usize {
    let mut count = 0;
    for statement in &block.body {
        statement.walk(&mut |s| {
            if let StmtKind::Let(local, _) | StmtKind::Choose(local, _) | StmtKind::For(local, ..) =
                &s.kind
            {
                count += usize::from(*local == wanted);
            }
        });
        statement.walk_exprs(&mut |e| count += usize::from(binds(e) == Some(wanted)));
    }
    count
}

fn is_used(block: &Block, local: LocalId) -> bool {
    let mut used = false;
    let mut look = |e: &Expr| used |= *e == Expr::Local(local);
    block.body.iter().for_each(|s| s.walk_exprs(&mut look));
    used
}

/// Whether a `send` uses the local in its message or its receivers.
fn is_sent(block: &Block, local: LocalId) -> bool {
    let mut sent = false;
    for statement in &block.body {
        statement.walk(&mut |s| {
            if let StmtKind::Send(message, receivers) = &s.kind {
                let mut look = |e: &Expr| sent |= *e == Expr::Local(local);
                message.walk(&mut look);
                receivers.walk(&mut look);
            }
        });
    }
    sent
}

fn reads(expr: &Expr) -> Vec<VarId> {
    let mut vars = Vec::new();
    expr.walk(&mut |e| {
        if let Expr::Var(var, _) = e {
            vars.push(*var);
        }
    });
    vars
}

fn reads_inbox(expr: &Expr) -> bool {
    let mut inbox = false;
    expr.walk(&mut |e| inbox |= matches!(e, Expr::Inbox(..) | Expr::Senders(..)));
    inbox
}

/// Whether the executing node is the only local of the expression, and the only node whose variables it reads.
fn only_self(expr: &Expr) -> bool {
    let mut only = true;
    expr.walk(&mut |e| match e {
        Expr::Local(local) => only &= *local == LocalId(0),
        Expr::Let(..) | Expr::Filter(..) | Expr::Quantified(..) | Expr::Extremum(..) => {
            only = false;
        }
        Expr::Var(_, node) => only &= *node.bare() == Expr::Local(LocalId(0)),
        _ => {}
    });
    only
}

/// The position of the walk relative to the `let` of the local.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    Nothing,
    Binding,
    Change,
}

/// A walk through the statements of a block in execution order that checks the uses of one local.
struct UseCheck {
    local: LocalId,
    reads: Vec<VarId>,
    inbox: bool,
    seen: Seen,
}

impl UseCheck {
    /// Whether the statements use the local only while its expression still has the value it had at the `let`.
    fn all(&mut self, statements: &[Stmt]) -> bool {
        statements.iter().all(|statement| self.one(statement))
    }

    fn one(&mut self, statement: &Stmt) -> bool {
        match &statement.kind {
            StmtKind::If(condition, then, otherwise) => {
                if !self.may_read(condition) {
                    return false;
                }
                let before = self.seen;
                let right = self.all(then);
                let behind = std::mem::replace(&mut self.seen, before);
                let right = right && self.all(otherwise);
                // After branches that disagree, the local counts as changed.
                self.seen = match (behind, self.seen) {
                    (a, b) if a == b => a,
                    _ => Seen::Change,
                };
                right
            }
            StmtKind::For(_, domain, body) => {
                let changes = body.iter().any(|s| self.changes(s));
                if !self.may_read(domain) {
                    return false;
                }
                if changes && self.seen == Seen::Binding {
                    self.seen = Seen::Change;
                }
                let before = self.seen;
                let right = self.all(body);
                if self.seen != before {
                    self.seen = Seen::Change;
                }
                right
            }
            _ => {
                let mut right = true;
                statement.walk_exprs(&mut |e| {
                    right &= *e != Expr::Local(self.local) || self.seen == Seen::Binding;
                });
                if matches!(&statement.kind, StmtKind::Let(local, _) if *local == self.local) {
                    self.seen = Seen::Binding;
                } else if self.changes(statement) && self.seen == Seen::Binding {
                    self.seen = Seen::Change;
                }
                right
            }
        }
    }

    fn may_read(&self, expr: &Expr) -> bool {
        let mut named = false;
        expr.walk(&mut |e| named |= *e == Expr::Local(self.local));
        !named || self.seen == Seen::Binding
    }

    /// Whether a statement, or a nested one, changes what the expression reads.
    fn changes(&self, statement: &Stmt) -> bool {
        let mut changes = false;
        statement.walk(&mut |s| {
            changes |= match &s.kind {
                StmtKind::Assign(place, _) => self.reads.contains(&place.var),
                StmtKind::ClearInbox => self.inbox,
                _ => false,
            };
        });
        changes
    }
}
