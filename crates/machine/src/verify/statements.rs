//! Typing of statements.

use crate::verify::verifier::{is_message, require, wrong};
use crate::{Block, PlaceStep, Stmt, StmtKind, TimerId, Type, TypeError, Typing};

impl Typing<'_> {
    pub(crate) fn statements(
        &mut self,
        statements: &[Stmt],
        block: &Block,
    ) -> Result<(), TypeError> {
        // Locals that a list of statements binds are unbound after the list.
        let outer = self.bound.clone();
        for statement in statements {
            self.statement(statement, block)?;
        }
        self.bound = outer;
        Ok(())
    }

    fn own_timer(&self, timer: TimerId, block: &Block) -> Result<(), TypeError> {
        let own = self.machine.timers[timer.index()].kind == block.kind;
        require(own, || "a timer of another kind is set".into())
    }

    fn statement(&mut self, statement: &Stmt, block: &Block) -> Result<(), TypeError> {
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                let Some(var) = self.machine.vars.get(place.var.index()) else {
                    return wrong("no such variable");
                };
                require(var.kind == block.kind, || {
                    format!("{} belongs to another kind", var.name)
                })?;
                let mut ty = &var.ty;
                for step in &place.path {
                    ty = match (ty, step) {
                        (Type::Record(r), PlaceStep::Field(f)) => {
                            match self.machine.records[r.index()].fields.get(*f as usize) {
                                Some((_, ty)) => ty,
                                None => return wrong("no such field"),
                            }
                        }
                        (Type::Array(over, inner), PlaceStep::Index(index, e))
                            if **over == *index =>
                        {
                            self.wants(e, index)?;
                            inner
                        }
                        (Type::Option(inner), PlaceStep::Unwrap) => inner,
                        _ => return wrong(format!("{} has no such part", var.name)),
                    };
                }
                self.wants(value, ty)
            }
            StmtKind::If(condition, then, otherwise) => {
                self.wants(condition, &Type::Bool)?;
                self.statements(then, block)?;
                self.statements(otherwise, block)
            }
            StmtKind::For(local, domain, body) => {
                let element = self.set(domain)?;
                self.binding(*local, &element, |t| t.statements(body, block))
            }
            StmtKind::Let(local, value) => {
                let ty = self.type_of(value)?;
                self.bind(*local, &ty)
            }
            StmtKind::Choose(local, set) => {
                let element = self.set(set)?;
                self.bind(*local, &element)
            }
            StmtKind::Send(message, to) => {
                match self.type_of(message)? {
                    Type::Record(r) if is_message(self.machine, r) => {}
                    other => return wrong(format!("{other:?} is sent")),
                }
                let to = self.type_of(to)?;
                require(to == Type::Node || to == Type::Node.set(), || {
                    format!("a message to {to:?}")
                })
            }
            StmtKind::Assert(condition) => self.wants(condition, &Type::Bool),
            StmtKind::SetTimer(timer, other, from, to) => {
                self.timer(*timer, other.as_ref())?;
                for (times, _) in from.terms.iter().chain(&to.terms) {
                    self.int(times)?;
                }
                self.own_timer(*timer, block)
            }
            StmtKind::CancelTimer(timer, other) => {
                self.timer(*timer, other.as_ref())?;
                self.own_timer(*timer, block)
            }
            StmtKind::ClearInbox | StmtKind::Halt => Ok(()),
        }
    }
}
