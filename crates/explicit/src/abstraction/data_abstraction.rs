//! Data abstraction: variables and message fields that hold data may be unknown, which makes the search much smaller.
//!
//! *Semantics.* A variable that holds data, or a field of a message in an inbox, may be unknown: it represents any
//! value of its type. Initially the undecided components are unknown; later also values computed from unknown ones.
//! Code that branches on an unknown value takes both branches. So an abstract state represents all states that agree
//! with it in the known values, and every step of such a state has an abstract counterpart.
//!
//! *Use.* A claim that holds in the abstraction holds. A violation in the abstraction is reported only if its events
//! can be concretised (`concretisation.rs`). If there are violations and none can be concretised, the exact search
//! decides.
//!
//! *Conditions.* Channels are instant, inboxes keep only the latest message of each type, each node kind receives at
//! most one type, no property is a temporal claim, and every condition of a property has a value in all states. There
//! are no counters, runtime faults or digitised times. Variables that guards read are always known. If an event would
//! need the value of an unknown operand to decide whether it is an error, the abstract search is abandoned. Only data
//! is abstracted: integers, truth values and enums control the protocol, so they are decided when they are read.

use crate::abstraction::lazy_initial_values::{LazyValues, may_have_no_value};
use crate::state::codec::Codec;
use crate::state::partial_value::{
    MOST_FIELDS, PLAIN_BITS, SORTS, SlotAbstraction, all_fields, is_known, most_fields,
};
use machine::{Channel, Expr, Machine, PropertyKind, Scope, Trigger, Type};

/// By slot of a mode or variable: which part of it may be unknown. `None` if data abstraction does not apply to the
/// Machine or would abstract nothing.
pub(crate) fn slot_abstractions(
    machine: &Machine,
    lazy: &LazyValues,
) -> Option<Vec<SlotAbstraction>> {
    let temporal = |kind: &PropertyKind| match kind {
        PropertyKind::Claim(claim) => claim.invariant().is_none(),
        PropertyKind::Possible(_) => false,
    };
    let may_miss = |scope: &Scope, kind: &PropertyKind| {
        let conditions = match kind {
            PropertyKind::Claim(claim) => [claim.invariant(), claim.premise()],
            PropertyKind::Possible(condition) => [Some(condition.clone()), None],
        };
        let mut conditions = conditions.iter().flatten();
        conditions.any(|condition| may_have_no_value(machine, scope, condition))
    };
    let mut properties = machine.properties.iter();
    let values = |r: &machine::Record| {
        let places = r.fields.iter().map(|(_, ty)| machine.cardinality(ty));
        places.fold(1u128, |all, one| all.saturating_mul(one))
    };
    let fits = |r: &machine::Record| r.fields.len() <= MOST_FIELDS && values(r) < 1 << PLAIN_BITS;
    let messages = machine.records.iter().filter(|r| r.message).map(values);
    let messages = messages.fold(SORTS as u128, u128::saturating_add);
    let entries =
        messages.saturating_mul(u128::from(machine.node_count()) << most_fields(machine).min(62));
    let scopes = machine.blocks.iter().map(|block| &block.scope);
    let mut scopes = scopes.chain(machine.properties.iter().map(|p| &p.scope));
    // `lazy.inboxes` with latest-message inboxes implies that no kind receives several types.
    if !lazy.inboxes
        || !machine.inbox.latest
        || machine.channel != Channel::Instant
        || !machine.records.iter().all(fits)
        || entries >= 1 << 62
        || properties.any(|p| temporal(&p.kind) || may_miss(&p.scope, &p.kind))
        || scopes.any(|scope| scope.locals.iter().any(|local| is_low(&local.ty)))
        || machine.vars.iter().any(|var| is_low(&var.ty))
    {
        return None;
    }
    let mut guarded = vec![false; machine.vars.len()];
    for block in &machine.blocks {
        if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
            guard.walk(&mut |e| {
                if let Expr::Var(var, _) = e {
                    guarded[var.index()] = true;
                }
            });
        }
    }
    let codec = Codec { machine };
    let mut abstraction = Vec::new();
    for node in machine.nodes() {
        abstraction.push(SlotAbstraction::Known(0, u64::MAX)); // the mode
        for (v, var) in machine.vars.iter().enumerate() {
            if var.kind != machine.kind_of(node) {
                continue;
            }
            abstraction.push(match &var.ty {
                ty if guarded[v] || !is_data(machine, ty) => {
                    SlotAbstraction::Known(codec.first(ty), codec.places(ty).ok()?)
                }
                Type::Record(record) => SlotAbstraction::Fields(all_fields(machine, *record)),
                _ => SlotAbstraction::Whole,
            });
        }
    }
    let drops_visited =
        |abstraction: &SlotAbstraction| !matches!(abstraction, SlotAbstraction::Known(..));
    abstraction.iter().any(drops_visited).then_some(abstraction)
}

/// Whether values of a type are data that nodes exchange (true) or control values (false).
fn is_data(machine: &Machine, ty: &Type) -> bool {
    match ty {
        Type::Set(_) | Type::Node => true,
        Type::Option(inner) | Type::Array(_, inner) => is_data(machine, inner),
        Type::Record(record) => {
            let fields = &machine.records[record.index()].fields;
            fields.iter().any(|(_, ty)| is_data(machine, ty))
        }
        _ => false,
    }
}

/// Whether a type contains numbers that collide with the encodings of unknown values.
fn is_low(ty: &Type) -> bool {
    matches!(ty, Type::Int(lo, _) if !is_known(*lo))
}
