//! Values that are not known: a search that is looser than the Machine, and far smaller.
//!
//! *What.* A variable that holds data, or a field of a message in an inbox, may be unknown: it has any value of its
//! type. At first that is what is undecided; later what is computed from something unknown. Code that asks for
//! it goes both ways. So a state stands for all states that agree with it in what is known, and for each step
//! of one of them there is a step here.
//!
//! *Why it helps.* What holds here holds. A run that breaks something here counts only if the same events, one after
//! the other, break it in the exact search (`follow`); where others were met and none of those counted, the exact
//! search answers.
//!
//! *When.* Where messages arrive at once and inboxes keep the latest of one type; not for claims about runs that go
//! on for ever. What guards read is always known. Nothing is forgotten that may be an error: then the loose
//! search is given up. Numbers, truth values and enums steer, so they are decided and not forgotten.

use crate::abstraction::lazy_initial_values::{Deferred, SORTS, UNDECIDED, may_have_no_value};
use crate::defects::{Defect, broken};
use crate::state::codec::Codec;
use machine::{
    Channel, Expr, LocalId, Machine, PropertyKind, RecordId, Scope, Trigger, Type, Typing,
    may_fail, may_overflow,
};

/// What is not known, or only some fields of it, is below.
const KNOWN_FROM: i64 = -(1 << 62);

/// Records with more values are always known; so many bits below those that say which fields are not.
const PLAIN_BITS: u32 = 50;

/// Records with more fields are always known.
const MOST_FIELDS: usize = 11;

/// Of a variable that is always known, if it becomes unknown, so many values are tried.
const MOST_TRIED: u64 = 16;

/// What of a slot can be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeps {
    /// Nothing: this is tried value by value, so many from the first one, or else too many.
    Known(i64, u64),
    /// The value.
    Whole,
    /// Some of its fields; these are all.
    Fields(u32),
}

/// Whether a value is known altogether.
pub(crate) fn is_known(value: i64) -> bool {
    value >= KNOWN_FROM
}

/// A record of which these fields, at least one, are not known, and stand at their first value.
fn partly(plain: i64, fields: u32) -> i64 {
    UNDECIDED + 1 + (i64::from(fields) << PLAIN_BITS | plain)
}

/// The record with these fields unknown.
pub(crate) fn record(plain: i64, fields: u32) -> i64 {
    match fields {
        0 => plain,
        fields => partly(plain, fields),
    }
}

/// A record, and which of its fields are not known.
pub(crate) fn split(value: i64) -> (i64, u32) {
    if is_known(value) || value == UNDECIDED {
        return (value, 0);
    }
    let both = value - UNDECIDED - 1;
    let plain = both & ((1 << PLAIN_BITS) - 1);
    (plain, (both >> PLAIN_BITS) as u32)
}

/// All fields of a record.
pub(crate) fn all_fields(machine: &Machine, record: RecordId) -> u32 {
    (1 << machine.records[record.index()].fields.len()) - 1
}

/// How many fields messages have at the most.
pub(crate) fn most_fields(machine: &Machine) -> u32 {
    let messages = machine.records.iter().filter(|r| r.message);
    messages.map(|r| r.fields.len()).max().unwrap_or(0) as u32
}

/// By slot of a mode or variable of a node: what of it can be unknown; none where the search cannot be loose.
pub(crate) fn loosely(machine: &Machine, deferred: &Deferred) -> Option<Vec<Keeps>> {
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
    // Inboxes that keep the latest are undecided only if no kind gets several types.
    if !deferred.inboxes
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
    let mut keeps = Vec::new();
    for node in machine.nodes() {
        keeps.push(Keeps::Known(0, u64::MAX)); // the mode
        for (v, var) in machine.vars.iter().enumerate() {
            if var.kind != machine.kind_of(node) {
                continue;
            }
            keeps.push(match &var.ty {
                ty if guarded[v] || !is_data(machine, ty) => {
                    Keeps::Known(codec.first(ty), codec.places(ty).ok()?)
                }
                Type::Record(record) => Keeps::Fields(all_fields(machine, *record)),
                _ => Keeps::Whole,
            });
        }
    }
    let forgets = |keeps: &Keeps| !matches!(keeps, Keeps::Known(..));
    keeps.iter().any(forgets).then_some(keeps)
}

/// Whether a type is of what nodes tell each other about, rather than of what steers them.
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

/// Whether a type has numbers so low that they would not be known.
fn is_low(ty: &Type) -> bool {
    matches!(ty, Type::Int(lo, _) if !is_known(*lo))
}

/// Whether an expression always has a value, so that it may be forgotten. Where a name has another type than what
/// it stands for, a conversion might fail.
pub(crate) fn is_total(machine: &Machine, scope: &Scope, expr: &Expr, filled: &[LocalId]) -> bool {
    let mut typing = Typing::all_bound(machine, scope);
    let fits = |local: &LocalId, found: Result<Type, _>| {
        let declared = &scope.locals[local.index()].ty;
        found.is_ok_and(|found: Type| found == *declared)
    };
    let mut converts = false;
    expr.walk(&mut |e| {
        converts |= match e {
            Expr::Let(local, value, _) => !fits(local, typing.type_of(value)),
            Expr::Filter(local, domain, _)
            | Expr::Quantified(_, local, domain, _)
            | Expr::Extremum(_, local, domain, _) => !fits(local, typing.set(domain)),
            _ => false,
        };
    });
    broken(Defect::ErrorsUnknown)
        || !converts && !may_fail(machine, expr, filled) && !may_overflow(machine, scope, expr)
}

/// What stands in a slot instead of an unknown value; or the values to try.
pub(crate) fn forgotten(keeps: Keeps) -> Result<i64, Option<Vec<i64>>> {
    match keeps {
        Keeps::Whole => Ok(UNDECIDED),
        Keeps::Fields(all) => Ok(record(0, all)),
        Keeps::Known(first, places) if places <= MOST_TRIED => {
            Err(Some((first..first + places as i64).collect()))
        }
        Keeps::Known(..) => Err(None),
    }
}
