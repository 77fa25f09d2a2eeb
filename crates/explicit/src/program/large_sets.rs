//! Sets over more values than a bit mask has bits: they are enumerated, never built.
//!
//! A quantifier over a union or list of this kind enumerates its operands, each element once and in order. A quantifier
//! that ignores order and repetition does so with every union and list, in any order. A local name of such a set stands
//! for its expression, as long as nothing that the expression reads has changed; otherwise the set is refused. The set
//! is enumerated where the name is bound as well, because an error in it counts there.

use crate::program::compile::Compiler;
use crate::program::expression::{Code, Domain};
use machine::{BinaryOp, Expr, LocalId, Stmt, StmtKind, Type, VarId};

impl Compiler<'_> {
    /// The domain of a union or list: each element once and in order if the set is too large for a bit mask, or in any
    /// order whatever its size. None for other expressions.
    pub(crate) fn gathered(&mut self, expr: &Expr, once: bool) -> Result<Option<Domain>, String> {
        match expr.bare() {
            Expr::Local(local) => match self.named.get(local).cloned() {
                // The meaning of an inbox is a set, too: each element once.
                Some(meaning) if once => Ok(Some(self.domain(&meaning)?.once())),
                Some(meaning) => self.unordered_domain(&meaning).map(Some),
                None => Ok(None),
            },
            Expr::Binary(BinaryOp::Union, a, b) if !once || self.is_large(expr) => {
                let whole = self.type_of(expr);
                let (mut parts, mut items) = (Vec::new(), Vec::new());
                for part in [a, b] {
                    match part.bare() {
                        Expr::Set(own, list) => items.extend(self.items(list, own, &whole)?),
                        _ if self.type_of(part) != whole => return Ok(None),
                        _ if once => parts.push(self.domain(part)?.once()),
                        _ => parts.push(self.unordered_domain(part)?),
                    }
                }
                Ok(Some(Domain::Gathered(parts.into(), items.into(), once)))
            }
            Expr::Set(own, list) if !once || self.is_large(expr) => {
                let whole = self.type_of(expr);
                let items = self.items(list, own, &whole)?;
                Ok(Some(Domain::Gathered(Box::default(), items.into(), once)))
            }
            _ => Ok(None),
        }
    }

    /// The elements of a list of values of a type, as elements of a set.
    fn items(&mut self, list: &[Expr], own: &Type, set: &Type) -> Result<Vec<Code>, String> {
        let Type::Set(wanted) = set else {
            unreachable!("verified to be a set")
        };
        let mut items = Vec::new();
        for item in list {
            let item = self.typed(item, own)?;
            items.push(match (own, &**wanted) {
                (Type::Int(..), Type::Int(..)) => item,
                (own, wanted) if own == wanted => item,
                (own, wanted) => {
                    self.codec.places(own)?;
                    self.codec.places(wanted)?;
                    Code::Convert(Box::new(item), Box::new((own.clone(), wanted.clone())))
                }
            });
        }
        Ok(items)
    }

    /// Binds a name to a large set in the following statements. Returns the domain of the set, or none if the set fits
    /// a bit mask.
    pub(crate) fn name(
        &mut self,
        local: LocalId,
        set: &Expr,
        behind: &[Stmt],
    ) -> Result<Option<Domain>, String> {
        if stays(local, &self.written_out(set), behind) {
            return self.name_inside(local, set);
        }
        self.named.remove(&local);
        Ok(None)
    }

    /// Binds a name inside an expression, where nothing changes.
    pub(crate) fn name_inside(
        &mut self,
        local: LocalId,
        set: &Expr,
    ) -> Result<Option<Domain>, String> {
        let set = self.written_out(set);
        self.named.remove(&local);
        if !self.is_large(&set) || self.type_of(&set) != self.type_of(&Expr::Local(local)) {
            return Ok(None);
        }
        let domain = self.domain(&set)?.once();
        self.named.insert(local, set);
        Ok(Some(domain))
    }

    /// The expression with names replaced by their sets, so that its reads include theirs.
    fn written_out(&self, set: &Expr) -> Expr {
        set.rebuild(&mut |e| match e {
            Expr::Local(other) => self.named.get(other).cloned(),
            _ => None,
        })
    }

    /// Whether a set is too large for a bit mask.
    pub(crate) fn is_large(&mut self, set: &Expr) -> bool {
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
        // An assignment reads everything before it writes.
        let at_once = matches!(statement.kind, StmtKind::Assign(..));
        if mentions && (changed || changes && !at_once) {
            return false;
        }
        changed |= changes;
    }
    true
}
