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
//! 5. Code reads no ghost and no fault (except to assign to a ghost), no mode, no channel and no inbox but
//!    that of its node; properties read no inbox; initial values read no variable.
//! 6. A kind has at most one `start` and one rhythm; messages are records that can be sent.
//! 7. Where messages arrive at once, code for messages has no guard and sends nothing, code of starts sends
//!    nothing, and nothing happens to messages. Gaps are positive, intervals not empty; a grid has one
//!    period; rounds and real times do not meet; order rules are about kinds with real times.
//! 8. Intervals of delays, timers and restarts are not empty; where messages cannot wait no code for them has a
//!    guard; a timer has one block, a kind one way to begin again; what must follow in time does not depend on time.
//! 9. Given frozen values are of their type, one per node; an arrangement is of type `Id`.
//! 10. Counters meet others of their class, and numbers only in `+`, `-`, initial values and restrictions of initial
//!     states. No constant and no index holds one, nobody goes through all of them, no variable begins with any,
//!     and none is set to an initial value when its node begins again; inboxes begin without.

use crate::normal::holds_counters;
use crate::typing::Merges;
use crate::{
    Abstraction, Block, Channel, Delay, Expr, Init, Jitter, LocalId, Machine, Order, Periodic,
    PlaceStep, Property, PropertyKind, RecordId, RuntimeFault, Scope, StmtKind, TimerId, Timing,
    Trigger, Type, Typing, Window,
};
use rational::Rational;

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
    verify_world(machine)?;
    verify_counters(machine)?;
    verify_code(machine, None)
}

/// Whether every expression is well formed; classes of counters that must be one for that are noted, if somebody asks.
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
    for frozen in &machine.frozen_vars {
        let name = &frozen.name;
        require(frozen.kind.index() < machine.kinds.len(), || {
            format!("{name}: no such kind")
        })?;
        verify_type(machine, &frozen.ty)?;
        match &frozen.order {
            Order::Every => {}
            Order::Arrangement => require(frozen.ty == Type::Id, || {
                format!("{name}: an arrangement of other things than ids")
            })?,
            Order::Given(values) => require(
                values.len() == machine.kinds[frozen.kind.index()].count as usize
                    && values.iter().all(|v| machine.is_of(v, &frozen.ty)),
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
            Trigger::Timer(timer) => machine
                .timers
                .get(timer.index())
                .is_some_and(|t| t.kind == block.kind),
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
        Type::OneOf(records) => {
            require(records.iter().all(|r| is_message(machine, *r)), || {
                "no such message".into()
            })?;
            let sorted = records.windows(2).all(|pair| pair[0] < pair[1]);
            require(sorted && records.len() > 1, || {
                "message types that are not several, in order".into()
            })
        }
        Type::Counter(class) => require(class.index() < machine.counters.len(), || {
            "no such class of counters".into()
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
        Type::OneOf(several) => found.extend(several),
        Type::Option(inner) | Type::Set(inner) => records_in(inner, found),
        Type::Array(index, inner) => {
            records_in(index, found);
            records_in(inner, found);
        }
        Type::Bool | Type::Int(..) | Type::Counter(_) | Type::Id | Type::Node | Type::Enum(_) => {}
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

fn reads_inbox(property: &Property) -> bool {
    let mut reads = false;
    let mut look = |e: &Expr| reads |= matches!(e, Expr::Inbox(..) | Expr::Senders(..));
    match &property.kind {
        PropertyKind::Claim(formula) => formula.walk_exprs(&mut look),
        PropertyKind::Possible(condition) => condition.walk(&mut look),
    }
    reads
}

/// Where counters may not be.
fn verify_counters(machine: &Machine) -> Result<(), TypeError> {
    if machine.counters.is_empty() {
        return Ok(());
    }
    let none = |ty: &Type, what: &str| {
        require(!holds_counters(machine, ty), || {
            format!("{what} holds a counter")
        })
    };
    for frozen in &machine.frozen_vars {
        none(&frozen.ty, "a constant")?;
    }
    let stops =
        |runtime_fault: &RuntimeFault| runtime_fault.stop.as_ref().is_some_and(|stop| stop.fresh);
    for var in &machine.vars {
        if var.init == Init::Any {
            none(&var.ty, "what begins with anything")?;
        }
        let mut runtime_faults = machine
            .runtime_faults
            .iter()
            .filter(|runtime_fault| stops(runtime_fault));
        let afresh =
            runtime_faults.any(|runtime_fault| runtime_fault.of.is_none_or(|of| of == var.kind));
        if afresh && !var.persistent {
            none(&var.ty, "what begins afresh")?;
        }
    }
    if machine.inbox.start != crate::InboxStart::Empty {
        for (r, record) in machine.records.iter().enumerate() {
            let kinds = (0..machine.kinds.len() as u32).map(crate::KindId);
            let record_id = RecordId(r as u32);
            if record.message
                && kinds
                    .into_iter()
                    .any(|k| machine.enters_inbox(k, record_id))
            {
                none(&Type::Record(record_id), "what is in inboxes at first")?;
            }
        }
    }
    let mut all = Ok(());
    machine.each_expr(&mut |e| {
        let found = match e {
            Expr::Values(ty) => none(ty, "what is gone through"),
            Expr::Index(ty, ..) | Expr::Fill(ty, _) => none(ty, "an index"),
            _ => Ok(()),
        };
        if all.is_ok() {
            all = found;
        }
    });
    all
}

/// What surrounds the code.
fn verify_world(machine: &Machine) -> Result<(), TypeError> {
    for fault in &machine.node_faults {
        let exists = fault
            .of
            .is_none_or(|kind| kind.index() < machine.kinds.len());
        require(exists, || "a fault of no kind".into())?;
    }
    if machine.channel == Channel::Instant {
        require(machine.faults.is_empty(), || {
            "something happens to messages on no way".into()
        })?;
        for block in &machine.blocks {
            let quiet = match &block.trigger {
                Trigger::Start | Trigger::On(_, None) => !crate::footprint(block).sends,
                Trigger::On(_, Some(_)) => false,
                Trigger::When(_) | Trigger::Every(_) | Trigger::Timer(_) => true,
            };
            require(quiet, || {
                format!(
                    "block {}: has a guard or sends, where messages arrive at once",
                    block.name
                )
            })?;
        }
    }
    verify_time(machine)?;
    let rhythms = machine.rhythms();
    for (kind, periodic) in &rhythms {
        verify_periodic(periodic).map_err(|e| {
            TypeError(format!(
                "rhythm of {}: {e}",
                machine.kinds[kind.index()].name
            ))
        })?;
    }
    let rounds = |b: &Block| matches!(b.trigger, Trigger::Every(Timing::Round(_)));
    require(
        rhythms.is_empty() || !machine.blocks.iter().any(rounds),
        || "rounds and real times".into(),
    )?;
    if let Abstraction::Order(rules, chains) = &machine.abstraction {
        let timed = |kind| rhythms.iter().any(|(k, _)| *k == kind);
        for chain in chains {
            let kinds = [chain.of, chain.with, chain.then];
            let sound = kinds.into_iter().all(timed) && chain.leads.0.min(chain.leads.1) > 0;
            require(sound, || "an order rule about nothing".into())?;
        }
        for rule in rules {
            let sound = timed(rule.of) && timed(rule.with);
            let some = !matches!(rule.window, Window::Start(0) | Window::Gaps { gaps: 0, .. });
            require(sound && some, || "an order rule about nothing".into())?;
        }
    }
    Ok(())
}

/// Delays, timers, what runtime_faults nodes in the run, grids.
fn verify_time(machine: &Machine) -> Result<(), TypeError> {
    let interval = |(from, to): (&Rational, &Rational), what: &str| {
        require(!from.is_negative() && from <= to, || {
            format!("{what} at no time")
        })
    };
    if let Delay::Within(least, most) = &machine.delay {
        interval((least, most), "messages arrive")?;
    }
    if machine.delay != Delay::Any {
        let waits = |b: &Block| matches!(b.trigger, Trigger::On(_, Some(_)));
        let free = matches!(machine.channel, Channel::Fifo(None) | Channel::Unordered);
        require(free && !machine.blocks.iter().any(waits), || {
            "messages that cannot wait meet a guard, or have no way".into()
        })?;
    }
    for timer in &machine.timers {
        require(timer.kind.index() < machine.kinds.len(), || {
            "a timer of no kind".into()
        })?;
    }
    for (t, timer) in machine.timers.iter().enumerate() {
        let its = |b: &&Block| b.trigger == Trigger::Timer(TimerId(t as u32));
        require(machine.blocks.iter().filter(its).count() == 1, || {
            format!("timer {} has not one block", timer.name)
        })?;
    }
    for (s, runtime_fault) in machine.runtime_faults.iter().enumerate() {
        let exists = runtime_fault
            .of
            .is_none_or(|kind| kind.index() < machine.kinds.len());
        require(exists, || "a fault of no kind".into())?;
        let Some(restart) = &runtime_fault.stop else {
            continue;
        };
        if let Some((from, to)) = &restart.within {
            interval((from, to), "nodes begin again")?;
        }
        let again = machine.runtime_faults[..s]
            .iter()
            .filter(|other| other.stop.is_some());
        let apart = |other: &RuntimeFault| matches!((other.of, runtime_fault.of), (Some(a), Some(b)) if a != b);
        require(again.into_iter().all(apart), || {
            "two ways for a node to begin again".into()
        })?;
    }
    if let Abstraction::Digitised(grid) = &machine.abstraction {
        require(grid.unit.is_positive(), || "a grid without a unit".into())?;
    }
    Ok(())
}

fn verify_periodic(periodic: &Periodic) -> Result<(), TypeError> {
    let gap = &periodic.gap;
    require(gap.0 <= gap.1, || "no gap is possible".into())?;
    require(periodic.span(1).0.is_positive(), || {
        "a gap can be empty".into()
    })?;
    // Whatever the period: where the shortest and the longest have a first activation all have.
    for period in [&gap.0, &gap.1] {
        let first = periodic.first_of(periodic.fixed.then_some(period));
        require(!first.0.is_negative() && first.0 <= first.1, || {
            "no first activation is possible".into()
        })?;
    }
    match &periodic.jitter {
        Jitter::None => Ok(()),
        Jitter::PerGap(by) | Jitter::OnGrid(by) if by.is_negative() => wrong("jitter below 0"),
        Jitter::PerGap(_) => Ok(()),
        Jitter::OnGrid(_) => require(periodic.fixed || gap.0 == gap.1, || {
            "a grid without a period".into()
        }),
    }
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
            StmtKind::SetTimer(..) | StmtKind::CancelTimer(..) => s.walk_exprs(&mut look),
            StmtKind::ClearInbox | StmtKind::Halt => {}
        });
    }
    require(!forbidden, || "code reads what only claims may read".into())
}
