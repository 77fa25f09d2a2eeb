//! Sets over more values than a mask has bits: never made, but gone through.
//!
//! Where such a set is a union or a list, a quantifier goes through its parts, each element once and in order;
//! a quantifier that minds neither does so with every union and list, and takes the elements as they come.
//! A local name for one stands for the expression itself, as long as nothing that this reads has changed
//! since; otherwise the set is refused. Where the name is bound the set is gone through as well: an error in it
//! counts there.

use crate::code::Domain;
use crate::compile::Compiler;
use machine::{BinaryOp, Expr, LocalId, Stmt, StmtKind, Type, VarId};

impl Compiler<'_> {
    /// What goes through the parts of a union or list: each element once and in order where the set is too
    /// large for a mask, or as they come whatever its size. None if this is something else.
    pub(crate) fn gathered(&mut self, expr: &Expr, once: bool) -> Result<Option<Domain>, String> {
        match expr.bare() {
            Expr::Local(local) => match self.named.get(local).cloned() {
                Some(meaning) if once => self.domain(&meaning).map(Some),
                Some(meaning) => self.loose_domain(&meaning).map(Some),
                None => Ok(None),
            },
            Expr::Binary(BinaryOp::Union, a, b) if !once || self.is_large(expr) => {
                if self.type_of(a) != self.type_of(b) {
                    return Ok(None);
                }
                let parts = match once {
                    true => [self.domain(a)?.once(), self.domain(b)?.once()],
                    false => [self.loose_domain(a)?, self.loose_domain(b)?],
                };
                Ok(Some(Domain::Gathered(parts.into(), Box::default(), once)))
            }
            Expr::Set(element, items) if !once || self.is_large(expr) => {
                let items = items.iter().map(|item| self.typed(item, element));
                let items: Box<[_]> = items.collect::<Result<_, _>>()?;
                Ok(Some(Domain::Gathered(Box::default(), items, once)))
            }
            _ => Ok(None),
        }
    }

    /// Lets a name stand for a large set in the statements behind it; what goes through it, or none if the
    /// set has a number of its own.
    pub(crate) fn name(
        &mut self,
        local: LocalId,
        set: &Expr,
        behind: &[Stmt],
    ) -> Result<Option<Domain>, String> {
        // What it reads is also what names in it stand for.
        let set = &set.rebuild(&mut |e| match e {
            Expr::Local(other) => self.named.get(other).cloned(),
            _ => None,
        });
        self.named.remove(&local);
        if !self.is_large(set) || !stays(local, set, behind) {
            return Ok(None);
        }
        let domain = self.domain(set)?.once();
        self.named.insert(local, set.clone());
        Ok(Some(domain))
    }

    fn is_large(&mut self, set: &Expr) -> bool {
        let ty = self.type_of(set);
        matches!(ty, Type::Set(_)) && self.codec.places(&ty).is_err()
    }
}

/// Whether an expression has the same value wherever the statements mention the name.
fn stays(local: LocalId, set: &Expr, behind: &[Stmt]) -> bool {
    let mut read: Vec<VarId> = Vec::new();
    let mut names = vec![local];
    set.walk(&mut |e| match e {
        Expr::Var(var, _) => read.push(*var),
        Expr::Local(other) => names.push(*other),
        _ => {}
    });
    let mut changed = false;
    for statement in behind {
        let (mut mentions, mut changes) = (false, false);
        statement.walk_exprs(&mut |e| mentions |= *e == Expr::Local(local));
        statement.walk(&mut |s| {
            changes |= match &s.kind {
                StmtKind::Assign(place, _) => read.contains(&place.var),
                StmtKind::Let(other, _) | StmtKind::Choose(other, _) | StmtKind::For(other, ..) => {
                    names.contains(other)
                }
                StmtKind::ClearInbox | StmtKind::Halt => true,
                _ => false,
            };
        });
        // An assignment looks at everything before it changes anything.
        let at_once = matches!(statement.kind, StmtKind::Assign(..));
        if mentions && (changed || changes && !at_once) {
            return false;
        }
        changed |= changes;
    }
    true
}
