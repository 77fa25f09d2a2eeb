//! Verification of code: every expression, statement and formula is well typed and reads only what it is allowed to.

use crate::verify::typing::Merges;
use crate::verify::verifier::{require, verify_parts, verify_type};
use crate::{
    Block, Expr, Init, LocalId, Machine, PlaceStep, Property, PropertyKind, Scope, StmtKind,
    Trigger, Type, TypeError, Typing,
};

/// Verifies every expression, statement and formula. If `merges` is given, records in it the pairs of counter classes
/// that must be equal.
pub(crate) fn verify_code(machine: &Machine, merges: Option<&Merges>) -> Result<(), TypeError> {
    for var in &machine.vars {
        let text = |e: TypeError| TypeError(format!("variable {}: {e}", var.name));
        verify_init(machine, &var.init, &var.ty, merges).map_err(text)?;
    }
    for block in &machine.blocks {
        verify_block(machine, block, merges)
            .map_err(|e| TypeError(format!("block {}: {e}", block.name)))?;
    }
    for response in &machine.responses {
        verify_scope(machine, &response.scope)?;
        for condition in [&response.from, &response.to] {
            Typing::new(machine, &response.scope)
                .merging(merges)
                .wants(condition, &Type::Bool)?;
            let mut timed = false;
            condition.walk(&mut |e| timed |= matches!(e, Expr::Now(..) | Expr::Overdue(_)));
            require(!timed, || "what must follow in time depends on time".into())?;
        }
    }
    for restriction in &machine.initially {
        verify_scope(machine, &restriction.scope)?;
        Typing::new(machine, &restriction.scope)
            .with_numbers()
            .wants(&restriction.condition, &Type::Bool)?;
    }
    for property in &machine.properties {
        verify_scope(machine, &property.scope)?;
        let mut typing = Typing::new(machine, &property.scope).merging(merges);
        require(!reads_inbox(property), || {
            format!("property {} reads an inbox", property.name)
        })?;
        let result = match &property.kind {
            PropertyKind::Claim(formula) => typing.formula(formula),
            PropertyKind::Possible(condition) => typing.wants(condition, &Type::Bool),
        };
        result.map_err(|e| TypeError(format!("property {}: {e}", property.name)))?;
    }
    Ok(())
}

fn verify_scope(machine: &Machine, scope: &Scope) -> Result<(), TypeError> {
    for local in &scope.locals {
        verify_type(machine, &local.ty)
            .and_then(|()| verify_parts(machine, &local.ty))
            .map_err(|e| TypeError(format!("local {}: {e}", local.name)))?;
    }
    Ok(())
}

fn verify_init(
    machine: &Machine,
    init: &Init,
    ty: &Type,
    merges: Option<&Merges>,
) -> Result<(), TypeError> {
    let (scope, expr, wanted) = match init {
        Init::Any => return Ok(()),
        Init::AnyIn(scope, set) => (scope, set, ty.clone().set()),
        Init::Value(scope, value) => (scope, value, ty.clone()),
    };
    verify_scope(machine, scope)?;
    let mut typing = Typing::new(machine, scope).merging(merges).with_numbers();
    typing.bind(LocalId(0), &Type::Node)?;
    let wanted = typing.seen(&wanted);
    typing.wants(expr, &wanted)?;
    let mut reads = false;
    expr.walk(&mut |e| reads |= e.reads_state());
    require(!reads, || "an initial value reads the state".into())
}

fn verify_block(
    machine: &Machine,
    block: &Block,
    merges: Option<&Merges>,
) -> Result<(), TypeError> {
    verify_scope(machine, &block.scope)?;
    let mut typing = Typing::new(machine, &block.scope).merging(merges);
    typing.bind(LocalId(0), &Type::Node)?;
    if let Trigger::On(record, _) = &block.trigger {
        typing.bind(LocalId(1), &Type::Record(*record))?;
        typing.bind(LocalId(2), &Type::Node)?;
    }
    if let Trigger::Timer(timer) = &block.trigger
        && machine.timers[timer.index()].per_node
    {
        typing.bind(LocalId(1), &Type::Node)?;
    }
    if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
        typing.wants(guard, &Type::Bool)?;
    }
    typing.statements(&block.body, block)?;
    let ghosts_may_be_read = std::cell::Cell::new(false);
    let mut forbidden = false;
    let mut look = |e: &Expr| {
        forbidden |= match e {
            Expr::Var(var, _) => machine.vars[var.index()].ghost && !ghosts_may_be_read.get(),
            Expr::HasFault(..) => !ghosts_may_be_read.get(),
            Expr::TimerSet(_, node, _) => *node.bare() != Expr::Local(LocalId(0)),
            Expr::Faultless(_) | Expr::Now(..) | Expr::Overdue(_) => true,
            Expr::Inbox(_, node) | Expr::Senders(_, node) => {
                *node.bare() != Expr::Local(LocalId(0))
            }
            Expr::InMode(..) | Expr::InFlight(..) | Expr::Quiescent => true,
            _ => false,
        }
    };
    if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
        guard.walk(&mut look);
    }
    for statement in &block.body {
        statement.walk(&mut |s| match &s.kind {
            StmtKind::Assign(place, e) => {
                // A ghost may be computed from ghosts, including itself.
                ghosts_may_be_read.set(machine.vars[place.var.index()].ghost);
                for step in &place.path {
                    if let PlaceStep::Index(_, index) = step {
                        index.walk(&mut look);
                    }
                }
                e.walk(&mut look);
                ghosts_may_be_read.set(false);
            }
            StmtKind::Let(_, e) | StmtKind::Choose(_, e) | StmtKind::Assert(e) => e.walk(&mut look),
            StmtKind::If(e, ..) | StmtKind::For(_, e, _) => e.walk(&mut look),
            StmtKind::Send(a, b) => {
                a.walk(&mut look);
                b.walk(&mut look);
            }
            StmtKind::SetTimer(..) | StmtKind::CancelTimer(..) => s.walk_exprs(&mut look),
            StmtKind::ClearInbox | StmtKind::Halt => {}
        });
    }
    require(!forbidden, || "code reads what only claims may read".into())
}

fn reads_inbox(property: &Property) -> bool {
    let mut reads = false;
    let mut look = |e: &Expr| reads |= matches!(e, Expr::Inbox(..) | Expr::Senders(..));
    match &property.kind {
        PropertyKind::Claim(formula) => formula.walk_exprs(&mut look),
        PropertyKind::Possible(condition) => condition.walk(&mut look),
    }
    reads
}
