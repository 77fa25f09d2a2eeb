//! Sets over more than 62 values, which have no bit mask: they are enumerated and never stored.
//!
//! A quantifier over a union or list of this kind enumerates the operands, each element once and in order. A quantifier
//! that ignores order and repetition enumerates any union or list in this way, in arbitrary order. A local name of a
//! large set stands for its expression. This is correct only while nothing that the expression reads has changed; if
//! that is uncertain, the set is refused. The set is also enumerated where the name is bound, because an error in it
//! occurs there.

use crate::program::compile::Compiler;
use crate::program::expression::{Code, Domain};
use machine::{BinaryOp, Expr, LocalId, Stmt, StmtKind, Type, VarId};

impl Compiler<'_> {
    /// The domain of a union or list, or of a local name of a large set; `None` for other expressions. With `once`, the
    /// elements are enumerated once and in order, and the set must be too large for a bit mask. Without `once`, they
    /// are enumerated in any order, and the set may be small.
    pub(crate) fn gathered(&mut self, expr: &Expr, once: bool) -> Result<Option<Domain>, String> {
        match expr.bare() {
            Expr::Local(local) => match self.named.get(local).cloned() {
                // The expression may be an inbox; as a set it contains each element once.
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

    /// The elements of a list of type `own`, as numbers of the element type of `set`.
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

    /// Binds a name to a large set for the statements `behind`. Returns the domain of the set. `None` if the set fits a
    /// bit mask or may change before the name is used.
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

    /// Binds a name to a large set inside an expression, where no variable changes. Returns the domain of the set, or
    /// `None` if it fits a bit mask or has another type than the name.
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

    /// The expression with names of large sets replaced by their expressions, so that it contains all variables read.
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

/// Whether a set has the same value wherever the statements `behind` mention its name.
fn stays(local: LocalId, set: &Expr, behind: &[Stmt]) -> bool {
    let mut read: Vec<VarId> = Vec::new();
    let mut names = vec![local];
    let mut reads_timers = false;
    set.walk(&mut |e| match e {
        Expr::TimerSet(..) => reads_timers = true,
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
                StmtKind::SetTimer(..) | StmtKind::CancelTimer(..) => reads_timers,
                _ => false,
            };
        });
        // An assignment evaluates its expression before it changes the variable.
        let at_once = matches!(statement.kind, StmtKind::Assign(..));
        if mentions && (changed || changes && !at_once) {
            return false;
        }
        changed |= changes;
    }
    true
}
