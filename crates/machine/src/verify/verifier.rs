//! The verifier: well-formedness of a Machine. Code that handles verified Machines relies on the invariants listed
//! here.
//!
//! A verified Machine satisfies:
//! 1. Every reference is in range. Edges are distinct and connect existing nodes. No record type contains itself. No
//!    range of integers is empty.
//! 2. Every expression has a type that follows from its parts. Conditions are truth values, operands of arithmetic are
//!    integers, operands of `<` are integers, counters or ids, domains are sets, and array indices are of the index
//!    type.
//! 3. A local is bound before it is read, by the trigger of the block, `let`, `choose`, `for` or a quantifier. Its
//!    declared type contains all values to which it can be bound. `for` and quantifiers bind only unbound locals, and
//!    the binding ends with their body.
//! 4. Code assigns only variables of its own kind. An assigned value fits the type of the variable; an integer out of
//!    range is a runtime error. A constant node at which a variable is read is of the variable's kind; for other nodes,
//!    the wrong kind is a runtime error.
//! 5. Code reads no mode, no channel, no time, and only the inbox and timers of its own node. It reads ghost variables
//!    and faults only in assignments to ghost variables. Properties read no inbox. Initial values do not read the
//!    state.
//! 6. A kind has at most one `start` block and one `every` block. Triggers, message faults and lists of ignored
//!    messages name message types.
//! 7. With an instant channel, message blocks have no guard and send nothing, start blocks send nothing, and there are
//!    no message faults. Gaps are positive and intervals are not empty. Grid jitter requires a fixed period. Rounds and
//!    real times do not occur together. Order rules are about kinds with real times.
//! 8. Intervals of delays and restarts are not empty. Unless the delay is `Any`, no message block has a guard, and
//!    channels are queues or bags without a capacity. Each timer has exactly one block, and each kind at most one way
//!    to restart. Bounded-response conditions do not depend on time.
//! 9. Given frozen values are of the type of their variable, with one value per node. A variable with an arrangement is
//!    of type `Id`.
//! 10. Counters are combined only with counters of their class, and with integers only in `+`, `-`, initial values and
//!     restrictions of initial states. Frozen variables and array indices contain no counters. No expression enumerates
//!     counters, no variable has any counter as its initial value, no restart resets a counter, and initial inboxes
//!     contain none.
//! 11. There are at most `MOST_NODES` nodes and ids, the size of a type ([`Machine::width`]) is at most `MOST_PARTS`,
//!     and a set that an expression builds or enumerates, a range or all values of a type, has at most `MOST_ELEMENTS`
//!     elements. In a membership test, a range may have any size. A variable that a fresh restart resets to any value
//!     of its type has at most `MOST_ELEMENTS` values.

use crate::verify::code::verify_code;
use crate::verify::environment::{verify_counters, verify_environment};
use crate::{MOST_NODES, MOST_PARTS, Machine, Order, RecordId, Trigger, Type};

/// Why a Machine is not well formed, as text.
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

/// Checks that a Machine is well formed; the module documentation lists the invariants.
pub fn verify(machine: &Machine) -> Result<(), TypeError> {
    verify_structure(machine)?;
    verify_environment(machine)?;
    verify_counters(machine)?;
    verify_code(machine, None)
}

fn verify_structure(machine: &Machine) -> Result<(), TypeError> {
    let n = machine
        .kinds
        .iter()
        .try_fold(0u32, |sum, kind| sum.checked_add(kind.count));
    let Some(n) = n else {
        return wrong("more nodes than can be numbered");
    };
    require(n <= MOST_NODES && machine.ids <= MOST_NODES, || {
        format!("more than {MOST_NODES} nodes or ids")
    })?;
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
    for (r, record) in machine.records.iter().enumerate() {
        verify_parts(machine, &Type::Record(RecordId(r as u32)))
            .map_err(|e| TypeError(format!("{}: {e}", record.name)))?;
    }
    for frozen in &machine.frozen_vars {
        let name = &frozen.name;
        require(frozen.kind.index() < machine.kinds.len(), || {
            format!("{name}: no such kind")
        })?;
        verify_type(machine, &frozen.ty)?;
        verify_parts(machine, &frozen.ty).map_err(|e| TypeError(format!("{name}: {e}")))?;
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
        verify_parts(machine, &var.ty).map_err(|e| TypeError(format!("{}: {e}", var.name)))?;
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

/// Checks the size of a type. No record type may contain itself.
pub(crate) fn verify_parts(machine: &Machine, ty: &Type) -> Result<(), TypeError> {
    require(machine.width(ty) <= MOST_PARTS, || {
        format!("a type whose values have more than {MOST_PARTS} parts")
    })
}

/// Appends to `found` the record types that occur in a type.
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

/// Whether a record type contains itself, directly or indirectly.
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
