//! Which expressions cannot fail.

use crate::{BinaryOp, Expr, LocalId, Machine, Quantifier, Scope, Type, Typing, UnaryOp};

/// Whether the evaluation of an expression may be an error, apart from overflow and from reads of a variable at a node
/// of another kind. `filled` are locals that are non-empty sets.
pub fn may_fail(machine: &Machine, expr: &Expr, filled: &[LocalId]) -> bool {
    may_fail_given(machine, expr, filled, &[])
}

/// Whether the evaluation may overflow 64 bits, by the types of the operands.
pub fn may_overflow(machine: &Machine, scope: &Scope, condition: &Expr) -> bool {
    let fits = |e: &Expr| match Typing::all_bound(machine, scope).type_of(e) {
        Ok(Type::Int(lo, hi)) => i64::MIN < lo && hi < i64::MAX,
        Ok(_) => true,
        Err(_) => false,
    };
    let mut may = false;
    condition.walk(&mut |e| {
        use BinaryOp::{Add, CeilDiv, FloorDiv, Mod, Mul, Sub};
        let computes = matches!(
            e,
            Expr::Unary(UnaryOp::Neg, _)
                | Expr::Binary(Add | Sub | Mul | Mod | FloorDiv | CeilDiv, ..)
                | Expr::Quantified(Quantifier::Sum, ..)
        );
        may |= computes && !(fits(e) && e.children().into_iter().all(fits));
    });
    may
}

/// Whether a set is certainly non-empty.
pub fn is_nonempty(machine: &Machine, set: &Expr, filled: &[LocalId]) -> bool {
    match set.bare() {
        Expr::Nodes(None) => machine.node_count() > 0,
        Expr::Nodes(Some(kind)) => machine.kinds[kind.index()].count > 0,
        Expr::Set(_, items) => !items.is_empty(),
        Expr::Local(local) => filled.contains(local),
        Expr::Binary(BinaryOp::Union, a, b) => {
            is_nonempty(machine, a, filled) || is_nonempty(machine, b, filled)
        }
        _ => false,
    }
}

/// [`may_fail`] if the options in `present` are present, and the messages in it are of the given types.
fn may_fail_given(machine: &Machine, expr: &Expr, filled: &[LocalId], present: &[Expr]) -> bool {
    let parts_may = |present: &[Expr]| {
        let mut parts = expr.children().into_iter();
        parts.any(|part| may_fail_given(machine, part, filled, present))
    };
    match expr {
        Expr::Unwrap(option) => !present.contains(&option.unmarked()) || parts_may(present),
        Expr::Binary(BinaryOp::And | BinaryOp::Implies, a, b) => {
            let mut more = present.to_vec();
            present_if(a, &mut more);
            may_fail_given(machine, a, filled, present) || may_fail_given(machine, b, filled, &more)
        }
        Expr::If(condition, then, otherwise) => {
            let mut more = present.to_vec();
            present_if(condition, &mut more);
            may_fail_given(machine, condition, filled, present)
                || may_fail_given(machine, then, filled, &more)
                || may_fail_given(machine, otherwise, filled, present)
        }
        Expr::Within(ty, inner) => {
            let known = Expr::Within(ty.clone(), Box::new(inner.unmarked()));
            let is_of = match inner.bare() {
                Expr::Const(value) => machine.is_of(value, ty),
                _ => !may_differ(ty) || present.contains(&known),
            };
            !is_of || parts_may(present)
        }
        Expr::Quantified(Quantifier::The, ..) => true,
        // Without bounds every value is an index of the array.
        Expr::Index(over, ..) if has_bounds(over) => true,
        Expr::Binary(BinaryOp::Mod | BinaryOp::FloorDiv | BinaryOp::CeilDiv, _, by) => {
            !matches!(by.bare(), Expr::Const(value) if value.as_int() != 0) || parts_may(present)
        }
        Expr::Quantified(
            Quantifier::Max | Quantifier::Min | Quantifier::Intersect,
            _,
            domain,
            _,
        )
        | Expr::Extremum(_, _, domain, _) => {
            !is_nonempty(machine, domain, filled) || parts_may(present)
        }
        Expr::Record(r, items) => {
            let fields = machine.records[r.index()].fields.iter();
            let mut pairs = items.iter().zip(fields.map(|(_, ty)| ty));
            pairs.any(|(item, ty)| may_be_out_of_range(machine, item, ty)) || parts_may(present)
        }
        Expr::Set(ty, items) => {
            let mut items = items.iter();
            items.any(|item| may_be_out_of_range(machine, item, ty)) || parts_may(present)
        }
        _ => parts_may(present),
    }
}

/// Whether a value that fits a type may be outside its range.
fn may_be_out_of_range(machine: &Machine, item: &Expr, ty: &Type) -> bool {
    match item.bare() {
        Expr::Const(value) => !machine.is_of(value, ty),
        _ => has_bounds(ty),
    }
}

fn has_bounds(ty: &Type) -> bool {
    match ty {
        Type::Int(..) => true,
        Type::Counter(_) | Type::Bool | Type::Id | Type::Node | Type::Enum(_) => false,
        // The construction of a record has checked its fields.
        Type::Record(_) | Type::OneOf(_) => false,
        Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => has_bounds(inner),
    }
}

/// Whether a checked value may fail the check: integers have bounds, and messages may be of several types.
fn may_differ(ty: &Type) -> bool {
    match ty {
        Type::Int(..) | Type::Record(_) | Type::OneOf(_) => true,
        Type::Counter(_) | Type::Bool | Type::Id | Type::Node | Type::Enum(_) => false,
        Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => may_differ(inner),
    }
}

/// The facts that a condition implies: options that are present, messages that are of a type.
fn present_if(condition: &Expr, present: &mut Vec<Expr>) {
    match condition {
        Expr::At(_, inner) => present_if(inner, present),
        Expr::Unary(UnaryOp::IsSome, option) => present.push(option.unmarked()),
        Expr::IsRecord(record, message) => {
            let message = Box::new(message.unmarked());
            present.push(Expr::Within(Type::Record(*record), message));
        }
        Expr::Binary(BinaryOp::And, a, b) => {
            present_if(a, present);
            present_if(b, present);
        }
        Expr::Binary(BinaryOp::Ne, a, b) if matches!(b.bare(), Expr::None(_)) => {
            present.push(a.unmarked());
        }
        _ => {}
    }
}
