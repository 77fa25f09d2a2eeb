//! The variables on which a claim and the behaviour of the nodes depend.
//!
//! All other variables are ignored: they influence no event, message, timer, error or relevant variable.

use crate::analysis::sites::Site;
use crate::analysis::totality::is_total_of_type;
use crate::projection::expressions::Within;
use machine::{Block, Expr, Machine, Property, PropertyKind, Stmt, StmtKind, Trigger, Type, VarId};
use std::collections::BTreeSet;

/// The relevant variables.
pub(super) fn variables(machine: &Machine, property: &Property) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    match &property.kind {
        PropertyKind::Claim(claim) => claim.walk_exprs(&mut |e| add(e, &mut found)),
        PropertyKind::Possible(condition) => reads(condition, &mut found),
    }
    for response in &machine.responses {
        reads(&response.from, &mut found);
        reads(&response.to, &mut found);
    }
    // A restriction of the initial states relates all variables that it reads.
    for restriction in &machine.initially {
        reads(&restriction.condition, &mut found);
    }
    for block in &machine.blocks {
        if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
            reads(guard, &mut found);
        }
    }
    loop {
        let before = found.len();
        for block in &machine.blocks {
            of_statements(machine, block, &block.body, &mut found);
        }
        if found.len() == before {
            return found;
        }
    }
}

fn add(e: &Expr, found: &mut BTreeSet<VarId>) {
    if let Expr::Var(var, _) = e {
        found.insert(*var);
    }
}

fn reads(e: &Expr, found: &mut BTreeSet<VarId>) {
    e.walk(&mut |part| add(part, found));
}

/// Adds what the relevant statements read. Returns whether one of them is relevant.
fn of_statements(
    machine: &Machine,
    block: &Block,
    statements: &[Stmt],
    found: &mut BTreeSet<VarId>,
) -> bool {
    let mut any = false;
    for statement in statements {
        any |= match &statement.kind {
            _ if is_ignored(machine, block, statement, found) => false,
            StmtKind::If(condition, a, b) => {
                let inside = of_statements(machine, block, a, found)
                    | of_statements(machine, block, b, found);
                reads(condition, found);
                inside
            }
            StmtKind::For(_, domain, body) => {
                reads(domain, found);
                of_statements(machine, block, body, found)
            }
            _ => {
                statement.walk_exprs(&mut |e| add(e, found));
                if let StmtKind::Assign(place, _) = &statement.kind {
                    found.insert(place.var);
                }
                true
            }
        };
    }
    any
}

/// Whether a statement only assigns to variables that are not relevant, and is never a runtime error for any number of
/// nodes. Such a statement has no other effect.
pub(super) fn is_ignored(
    machine: &Machine,
    block: &Block,
    statement: &Stmt,
    relevant: &BTreeSet<VarId>,
) -> bool {
    let within = Within {
        machine,
        scope: &block.scope,
        claim: false,
    };
    let site = Site::block(machine, block);
    // If an expression commutes with the projection, its type does not depend on the number of nodes.
    let safe =
        |e: &Expr, ty: &Type| within.value(e, None).is_ok() && is_total_of_type(&site, e, ty);
    match &statement.kind {
        StmtKind::Assign(place, value) => {
            let ty = &machine.vars[place.var.index()].ty;
            !relevant.contains(&place.var) && place.path.is_empty() && safe(value, ty)
        }
        StmtKind::If(condition, a, b) => {
            let mut both = a.iter().chain(b);
            safe(condition, &Type::Bool) && both.all(|s| is_ignored(machine, block, s, relevant))
        }
        _ => false,
    }
}
