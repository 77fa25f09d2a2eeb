//! The conditions of the projection on variables and code.
//!
//! Some code runs because of another node: the handler of a message of that node, the block of a timer about it, and an
//! iteration of a loop over nodes. This node is the *focus* of the code. The code must change only the element of the
//! focus in sets and arrays, timers about the focus, and messages to it.

use crate::defects::{Projecting, is_ignored_rule};
use crate::projection::expressions::{Class, Within, class};
use crate::projection::relevant::is_ignored;
use crate::projection::{Checked, name, refuse};
use machine::{
    BinaryOp, Block, Expr, Init, LocalId, Machine, Origin, Place, PlaceStep, Scope, Stmt, StmtKind,
    TimeSum, Trigger, Type, VarId,
};
use std::collections::BTreeSet;

const SELF: LocalId = LocalId(0);

pub(super) fn check(base: &Machine, relevant: &BTreeSet<VarId>) -> Checked<()> {
    for (v, var) in base.vars.iter().enumerate() {
        let var_id = VarId(v as u32);
        if class(base, &var.ty) == Class::Node && relevant.contains(&var_id) {
            let what = format!("{}, which holds a node", name(base, var_id));
            return refuse(what, Some(var.origin));
        }
        let at = Some(var.origin);
        let within = |scope| Within {
            machine: base,
            scope,
            claim: false,
        };
        match &var.init {
            Init::Any => {}
            Init::AnyIn(scope, set) => within(scope).plain(set, at)?,
            Init::Value(_, value) if matches!(value.bare(), Expr::None(_) | Expr::Const(_)) => {}
            Init::Value(scope, value) => {
                within(scope).value_in(value, &var.ty, at)?;
            }
        }
    }
    for block in &base.blocks {
        let code = Code {
            base,
            block,
            relevant,
        };
        code.check()?;
    }
    Ok(())
}

struct Code<'m> {
    base: &'m Machine,
    block: &'m Block,
    relevant: &'m BTreeSet<VarId>,
}

impl Code<'_> {
    fn within(&self) -> Within<'_> {
        let scope: &Scope = &self.block.scope;
        Within {
            machine: self.base,
            scope,
            claim: false,
        }
    }

    fn check(&self) -> Checked<()> {
        let at = Some(self.block.origin);
        if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &self.block.trigger {
            self.within().plain(guard, at)?;
        }
        let focus = match &self.block.trigger {
            Trigger::On(..) => Some(LocalId(2)),
            Trigger::Timer(timer) if self.base.timers[timer.index()].per_node => Some(LocalId(1)),
            _ => None,
        };
        let focus = focus.filter(|_| !is_ignored_rule(Projecting::Focus));
        self.statements(&self.block.body, focus)
    }

    fn statements(&self, statements: &[Stmt], focus: Option<LocalId>) -> Checked<()> {
        for statement in statements {
            if !is_ignored(self.base, self.block, statement, self.relevant) {
                self.statement(statement, focus)?;
            }
        }
        Ok(())
    }

    fn statement(&self, statement: &Stmt, focus: Option<LocalId>) -> Checked<()> {
        let at = Some(statement.origin);
        let within = self.within();
        match &statement.kind {
            StmtKind::Assign(place, value) => self.assignment(place, value, focus, at),
            StmtKind::If(condition, a, b) => {
                within.plain(condition, at)?;
                self.statements(a, focus)?;
                self.statements(b, focus)
            }
            StmtKind::For(local, domain, body) => {
                self.binds(*local, focus, at)?;
                match (within.value(domain, at)?, focus) {
                    (Class::Plain, _) => self.statements(body, focus),
                    (_, None) => self.statements(body, Some(*local)),
                    (_, Some(_)) => refuse(
                        "a loop over nodes in code that runs because of another node",
                        at,
                    ),
                }
            }
            StmtKind::Let(local, value) => {
                self.binds(*local, focus, at)?;
                match self.block.scope.locals[local.index()].ty {
                    Type::Node => within.name(value, at).map(|_| ()),
                    _ => within.value(value, at).map(|_| ()),
                }
            }
            StmtKind::Choose(local, set) => {
                self.binds(*local, focus, at)?;
                within.plain(set, at)
            }
            StmtKind::Send(message, to) => {
                within.value(message, at)?;
                match (within.name(to, at), focus) {
                    (Ok(node), Some(focus)) if node == focus => Ok(()),
                    (Ok(_), None) => Ok(()),
                    (Err(_), None) => within.nodes(to, at),
                    (_, Some(_)) => refuse(
                        "a message that is sent because of another node, and not to it",
                        at,
                    ),
                }
            }
            StmtKind::Assert(condition) => within.plain(condition, at),
            StmtKind::ClearInbox => Ok(()),
            StmtKind::Halt => match focus {
                None => Ok(()),
                Some(_) => refuse("`halt` because of another node", at),
            },
            StmtKind::SetTimer(_, about, from, to) => {
                self.time(from, at)?;
                self.time(to, at)?;
                self.timer(about.as_ref(), focus, at)
            }
            StmtKind::CancelTimer(_, about) => self.timer(about.as_ref(), focus, at),
        }
    }

    /// Refuses code that binds the local of the executing node or of the focus again.
    fn binds(&self, local: LocalId, focus: Option<LocalId>, at: Option<Origin>) -> Checked<()> {
        match local == SELF || Some(local) == focus {
            true => refuse("a name with two meanings", at),
            false => Ok(()),
        }
    }

    fn time(&self, sum: &TimeSum, at: Option<Origin>) -> Checked<()> {
        let terms = sum.terms.iter();
        terms
            .map(|(e, _)| e)
            .try_for_each(|e| self.within().plain(e, at))
    }

    /// Checks that a timer is set or cancelled by code without a focus, or that the timer is about the focus.
    fn timer(
        &self,
        about: Option<&Expr>,
        focus: Option<LocalId>,
        at: Option<Origin>,
    ) -> Checked<()> {
        let about = about.map(|node| self.within().name(node, at)).transpose()?;
        match (about, focus) {
            (_, None) => Ok(()),
            (Some(node), Some(focus)) if node == focus => Ok(()),
            (_, Some(_)) => refuse(
                "a timer that is set because of another node, and not about it",
                at,
            ),
        }
    }

    /// The type of a place.
    fn type_at(&self, place: &Place) -> Type {
        let whole = self.base.vars[place.var.index()].ty.clone();
        place.path.iter().fold(whole, |ty, step| match (ty, step) {
            (Type::Record(record), PlaceStep::Field(field)) => self.base.records[record.index()]
                .fields[*field as usize]
                .1
                .clone(),
            (Type::Option(inner), PlaceStep::Unwrap) => *inner,
            (Type::Array(_, inner), PlaceStep::Index(..)) => *inner,
            (ty, _) => ty,
        })
    }

    fn assignment(
        &self,
        place: &Place,
        value: &Expr,
        focus: Option<LocalId>,
        at: Option<Origin>,
    ) -> Checked<()> {
        let within = self.within();
        let mut about_focus = false;
        for step in &place.path {
            match step {
                PlaceStep::Field(_) | PlaceStep::Unwrap => {}
                PlaceStep::Index(Type::Node, index) => {
                    about_focus |= Some(within.name(index, at)?) == focus;
                }
                PlaceStep::Index(_, index) => within.plain(index, at)?,
            }
        }
        within.value_in(value, &self.type_at(place), at)?;
        let changed = place.path.is_empty()
            && focus.is_some_and(|focus| changes_only(value, place.var, focus));
        if focus.is_none() || about_focus || changed {
            return Ok(());
        }
        let what = format!(
            "an assignment to {} because of another node, which changes more than the element of that node",
            name(self.base, place.var)
        );
        refuse(what, at)
    }
}

/// Whether the value is that of a variable of the executing node, changed at most in the element of the focus.
fn changes_only(value: &Expr, var: VarId, focus: LocalId) -> bool {
    let only = |e: &Expr| changes_only(e, var, focus);
    let of_focus = |e: &Expr| match e.bare() {
        Expr::Set(Type::Node, items) => items.iter().all(|item| *item.bare() == Expr::Local(focus)),
        _ => false,
    };
    match value.bare() {
        Expr::Var(read, node) => *read == var && *node.bare() == Expr::Local(SELF),
        Expr::Binary(BinaryOp::Union, a, b) => only(a) && of_focus(b) || of_focus(a) && only(b),
        Expr::Binary(BinaryOp::Minus, a, b) => only(a) && of_focus(b),
        Expr::If(_, a, b) => only(a) && only(b),
        _ => false,
    }
}
