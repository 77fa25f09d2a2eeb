//! Whether a Machine is well formed. After this no reader of a Machine needs to look twice.
//!
//! A verified Machine satisfies:
//! 1. Every number by which a part refers to another exists; edges are all different and join nodes; no
//!    record contains itself; no range is empty.
//! 2. Every expression has a type that follows from its parts: conditions are truth values, operands of
//!    arithmetic integers, of `<` integers or ids, domains sets, array indices of the index type.
//! 3. A local is bound before it is read, by the block's trigger, `let`, `choose`, `for` or a quantifier,
//!    and its scope says a type that has all it can be bound to; `for` and quantifiers bind what is not bound, and only inside.
//! 4. A variable is read and assigned only at nodes of its kind, as far as types can tell: code assigns
//!    variables of its own kind; what is assigned fits (integers may be out of range: an error of the run).
//! 5. Code reads no ghost (except to assign to one), no mode and no channel; initial values read no
//!    variable.
//! 6. A kind has at most one `start` and one rhythm; messages are records that can be sent.
//! 7. Given rigid values are of their type, one per node; an arrangement is of type `Id`.

use crate::{
    Block, Expr, Init, LocalId, Machine, Order, PlaceStep, PropertyKind, RecordId, Scope, StmtKind,
    Trigger, Type, Typing,
};

/// What is wrong with a Machine, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeError(pub String);

impl std::fmt::Display for TypeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

pub(crate) fn wrong<T>(text: impl Into<String>) -> Result<T, TypeError> {
    Err(TypeError(text.into()))
}

pub(crate) fn require(condition: bool, text: impl FnOnce() -> String) -> Result<(), TypeError> {
    if condition { Ok(()) } else { wrong(text()) }
}

/// Whether a Machine is well formed.
pub fn verify(machine: &Machine) -> Result<(), TypeError> {
    verify_structure(machine)?;
    for var in &machine.vars {
        let text = |e: TypeError| TypeError(format!("variable {}: {e}", var.name));
        verify_init(machine, &var.init, &var.ty).map_err(text)?;
    }
    for block in &machine.blocks {
        verify_block(machine, block)
            .map_err(|e| TypeError(format!("block {}: {e}", block.name)))?;
    }
    for restriction in &machine.initially {
        verify_scope(machine, &restriction.scope)?;
        Typing::new(machine, &restriction.scope).wants(&restriction.condition, &Type::Bool)?;
    }
    for property in &machine.properties {
        verify_scope(machine, &property.scope)?;
        let mut typing = Typing::new(machine, &property.scope);
        let result = match &property.kind {
            PropertyKind::Claim(formula) => typing.formula(formula),
            PropertyKind::Possible(condition) => typing.wants(condition, &Type::Bool),
        };
        result.map_err(|e| TypeError(format!("property {}: {e}", property.name)))?;
    }
    Ok(())
}

fn verify_structure(machine: &Machine) -> Result<(), TypeError> {
    let n = machine
        .kinds
        .iter()
        .try_fold(0u32, |sum, kind| sum.checked_add(kind.count));
    let Some(n) = n else {
        return wrong("more nodes than can be numbered");
    };
    let mut seen = std::collections::HashSet::new();
    for (i, edge) in machine.edges.iter().enumerate() {
        require(edge.0.0 < n && edge.1.0 < n, || {
            format!("edge {i} leaves the network")
        })?;
        require(seen.insert(edge), || format!("edge {i} is there twice"))?;
    }
    for map in &machine.maps {
        require(
            map.to.len() == n as usize && map.to.iter().all(|node| node.0 < n),
            || format!("map {} is not a function on the nodes", map.name),
        )?;
    }
    for record in &machine.records {
        for (name, ty) in &record.fields {
            verify_type(machine, ty).map_err(|e| TypeError(format!("field {name}: {e}")))?;
        }
    }
    for (r, record) in machine.records.iter().enumerate() {
        require(!contains_itself(machine, RecordId(r as u32)), || {
            format!("{} contains itself", record.name)
        })?;
    }
    for rigid in &machine.rigids {
        let name = &rigid.name;
        require(rigid.kind.index() < machine.kinds.len(), || {
            format!("{name}: no such kind")
        })?;
        verify_type(machine, &rigid.ty)?;
        match &rigid.order {
            Order::Every => {}
            Order::Arrangement => require(rigid.ty == Type::Id, || {
                format!("{name}: an arrangement of other things than ids")
            })?,
            Order::Given(values) => require(
                values.len() == machine.kinds[rigid.kind.index()].count as usize
                    && values.iter().all(|v| machine.is_of(v, &rigid.ty)),
                || format!("{name}: the given values do not fit"),
            )?,
        }
    }
    for var in &machine.vars {
        require(var.kind.index() < machine.kinds.len(), || {
            format!("{}: no such kind", var.name)
        })?;
        verify_type(machine, &var.ty)?;
    }
    for fault in &machine.faults {
        if let Some(of) = fault.of {
            require(is_message(machine, of), || {
                "a fault of something that is no message".into()
            })?;
        }
    }
    for kind in &machine.kinds {
        require(kind.ignores.iter().all(|m| is_message(machine, *m)), || {
            format!("{} ignores something that is no message", kind.name)
        })?;
    }
    for (b, block) in machine.blocks.iter().enumerate() {
        require(block.kind.index() < machine.kinds.len(), || {
            "a block of no kind".into()
        })?;
        let alone = match &block.trigger {
            Trigger::Start | Trigger::Every(_) => !machine.blocks[..b].iter().any(|other| {
                other.kind == block.kind
                    && std::mem::discriminant(&other.trigger)
                        == std::mem::discriminant(&block.trigger)
            }),
            Trigger::On(record, _) => is_message(machine, *record),
            Trigger::When(_) => true,
        };
        require(alone, || {
            format!(
                "block {}: twice, or for something that is no message",
                block.name
            )
        })?;
    }
    Ok(())
}

pub(crate) fn is_message(machine: &Machine, record: crate::RecordId) -> bool {
    machine
        .records
        .get(record.index())
        .is_some_and(|r| r.message)
}

pub(crate) fn verify_type(machine: &Machine, ty: &Type) -> Result<(), TypeError> {
    match ty {
        Type::Int(lo, hi) => require(lo <= hi, || format!("the range {lo} .. {hi} is empty")),
        Type::Enum(e) => require(e.index() < machine.enums.len(), || "no such enum".into()),
        Type::Record(r) => require(r.index() < machine.records.len(), || {
            "no such record".into()
        }),
        Type::Option(inner) | Type::Set(inner) => verify_type(machine, inner),
        Type::Array(index, inner) => {
            verify_type(machine, index)?;
            verify_type(machine, inner)
        }
        Type::Bool | Type::Id | Type::Node => Ok(()),
    }
}

fn verify_scope(machine: &Machine, scope: &Scope) -> Result<(), TypeError> {
    for local in &scope.locals {
        verify_type(machine, &local.ty)
            .map_err(|e| TypeError(format!("local {}: {e}", local.name)))?;
    }
    Ok(())
}

/// The records that stand in a type.
fn records_in(ty: &Type, found: &mut Vec<RecordId>) {
    match ty {
        Type::Record(r) => found.push(*r),
        Type::Option(inner) | Type::Set(inner) => records_in(inner, found),
        Type::Array(index, inner) => {
            records_in(index, found);
            records_in(inner, found);
        }
        Type::Bool | Type::Int(..) | Type::Id | Type::Node | Type::Enum(_) => {}
    }
}

/// Whether a record stands in one of its fields, or in a record that does, and so on.
fn contains_itself(machine: &Machine, record: RecordId) -> bool {
    let mut inside: Vec<RecordId> = Vec::new();
    let mut next = vec![record];
    while let Some(r) = next.pop() {
        let mut found = Vec::new();
        for (_, ty) in &machine.records[r.index()].fields {
            records_in(ty, &mut found);
        }
        for r in found {
            if !inside.contains(&r) {
                inside.push(r);
                next.push(r);
            }
        }
    }
    inside.contains(&record)
}

fn verify_init(machine: &Machine, init: &Init, ty: &Type) -> Result<(), TypeError> {
    let (scope, expr, wanted) = match init {
        Init::Any => return Ok(()),
        Init::AnyIn(scope, set) => (scope, set, ty.clone().set()),
        Init::Value(scope, value) => (scope, value, ty.clone()),
    };
    verify_scope(machine, scope)?;
    let mut typing = Typing::new(machine, scope);
    typing.bind(LocalId(0), &Type::Node)?;
    typing.wants(expr, &wanted)?;
    let mut reads = false;
    expr.walk(&mut |e| {
        reads |= matches!(
            e,
            Expr::Var(..) | Expr::InMode(..) | Expr::InFlight(..) | Expr::Quiescent
        )
    });
    require(!reads, || "an initial value reads the state".into())
}

fn verify_block(machine: &Machine, block: &Block) -> Result<(), TypeError> {
    verify_scope(machine, &block.scope)?;
    let mut typing = Typing::new(machine, &block.scope);
    typing.bind(LocalId(0), &Type::Node)?;
    if let Trigger::On(record, _) = &block.trigger {
        typing.bind(LocalId(1), &Type::Record(*record))?;
        typing.bind(LocalId(2), &Type::Node)?;
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
                // A ghost may be counted up from its own value.
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
            StmtKind::Halt => {}
        });
    }
    require(!forbidden, || "code reads what only claims may read".into())
}
