//! Which expressions are total, that is, never a runtime error.

use crate::{BinaryOp, Expr, LocalId, Machine, Quantifier, Scope, Type, Typing, UnaryOp, Value};

/// Whether the evaluation of an expression may be a runtime error. Overflow and reads of a variable at a node of
/// another kind are not considered. The locals in `filled` are known to be non-empty sets.
pub fn may_fail(machine: &Machine, expr: &Expr, filled: &[LocalId]) -> bool {
    may_fail_given(machine, expr, filled, &[])
}

/// Whether the evaluation may overflow `i64`, judged by the ranges of the operands and results.
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

/// Whether a set is certainly non-empty. The locals in `filled` are known to be non-empty sets.
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

/// [`may_fail`] under the facts in `present`: an option expression in it is present, and `Within(ty, e)` in it means
/// that the value of e is of type ty.
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
        // If the index type has no bounds, every value of the type is an index of the array.
        Expr::Index(over, _, index) => {
            has_bounds(over) && !is_index(machine, index, over, present) || parts_may(present)
        }
        Expr::Quantified(
            Quantifier::Max | Quantifier::Min | Quantifier::Intersect,
            _,
            domain,
            _,
        )
        | Expr::Extremum(_, _, domain, _)
            if !is_nonempty(machine, domain, filled) =>
        {
            true
        }
        Expr::Quantified(_, local, domain, body)
        | Expr::Filter(local, domain, body)
        | Expr::Extremum(_, local, domain, body) => {
            let mut more = present.to_vec();
            more.extend(range_of(domain).map(|ty| Expr::Within(ty, Box::new(Expr::Local(*local)))));
            may_fail_given(machine, domain, filled, present)
                || may_fail_given(machine, body, filled, &more)
        }
        Expr::Binary(BinaryOp::Mod | BinaryOp::FloorDiv | BinaryOp::CeilDiv, _, by) => {
            !matches!(by.bare(), Expr::Const(value) if value.as_int() != 0) || parts_may(present)
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

/// The type of the elements of a set of consecutive numbers with constant ends; `None` for other sets.
fn range_of(set: &Expr) -> Option<Type> {
    match set.bare() {
        Expr::Range(lo, hi) => match (lo.bare(), hi.bare()) {
            (Expr::Const(Value::Int(lo)), Expr::Const(Value::Int(hi))) => Some(Type::Int(*lo, *hi)),
            _ => None,
        },
        Expr::Values(ty @ Type::Int(..)) => Some(ty.clone()),
        _ => None,
    }
}

/// Whether an expression is certainly an index of an array over a type: a constant of the type, or a local with a fact
/// that its value is in a range inside the type.
fn is_index(machine: &Machine, index: &Expr, over: &Type, present: &[Expr]) -> bool {
    match index.bare() {
        Expr::Const(value) => machine.is_of(value, over),
        Expr::Local(local) => present.iter().any(|fact| {
            let Expr::Within(Type::Int(lo, hi), of) = fact else {
                return false;
            };
            let inside = matches!(over, Type::Int(least, most) if least <= lo && hi <= most);
            inside && **of == Expr::Local(*local)
        }),
        _ => false,
    }
}

/// Whether the value of an expression that fits a type may be outside the type's range.
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
        // The fields were checked when the record was constructed.
        Type::Record(_) | Type::OneOf(_) => false,
        Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => has_bounds(inner),
    }
}

/// Whether a value that fits the type may fail the check of `Within`: integers have bounds, and a message may be of
/// another type.
fn may_differ(ty: &Type) -> bool {
    match ty {
        Type::Int(..) | Type::Record(_) | Type::OneOf(_) => true,
        Type::Counter(_) | Type::Bool | Type::Id | Type::Node | Type::Enum(_) => false,
        Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => may_differ(inner),
    }
}

/// Appends the facts that a condition implies: options that are present, messages that are of a type.
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
