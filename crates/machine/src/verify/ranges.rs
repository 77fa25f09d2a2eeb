//! Ordered types, and interval arithmetic for integer operations.

use crate::{BinaryOp, Type};

/// Whether values of a type can be compared by `<`.
pub(crate) fn is_ordered(ty: &Type) -> bool {
    matches!(ty, Type::Int(..) | Type::Counter(_) | Type::Id)
}

/// The range of the result of an integer operation on operands from the given ranges; saturating.
pub(crate) fn interval(op: BinaryOp, (a, b): (i64, i64), (c, d): (i64, i64)) -> Type {
    let corners = |f: fn(i64, i64) -> i64| {
        let all = [f(a, c), f(a, d), f(b, c), f(b, d)];
        (
            all.into_iter().min().expect("four"),
            all.into_iter().max().expect("four"),
        )
    };
    let largest = a.saturating_abs().max(b.saturating_abs());
    let (lo, hi) = match op {
        BinaryOp::Add => corners(i64::saturating_add),
        BinaryOp::Sub => corners(i64::saturating_sub),
        BinaryOp::Mul => corners(i64::saturating_mul),
        BinaryOp::Mod => (
            0,
            c.saturating_abs()
                .max(d.saturating_abs())
                .saturating_sub(1)
                .max(0),
        ),
        _ => (largest.saturating_neg(), largest),
    };
    Type::Int(lo, hi)
}
