//! Commuting updates: assignments whose result does not depend on the order in which they are executed.

use crate::analysis::sites::Site;
use crate::analysis::totality::{is_total, is_total_of_type};
use machine::{BinaryOp, Expr, LocalId, Place, PlaceStep, VarId};

/// The form of a commuting update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CommutingUpdate {
    /// The new value is the union, maximum or minimum of the old value and another value.
    With(BinaryOp),
    /// The new value is this constant.
    Is(Expr),
}

/// The expression without source locations.
pub(crate) fn plain(expr: &Expr) -> Expr {
    expr.rebuild(&mut |e| match e {
        Expr::At(_, inner) => Some(plain(inner)),
        _ => None,
    })
}

/// The expression that reads a place of the executing node.
pub(crate) fn read_of(place: &Place) -> Expr {
    let mut read = Expr::Var(place.var, Box::new(Expr::Local(LocalId(0))));
    for step in &place.path {
        read = match step {
            PlaceStep::Field(field) => Expr::Field(Box::new(read), *field),
            PlaceStep::Index(ty, index) => {
                Expr::Index(ty.clone(), Box::new(read), Box::new(plain(index)))
            }
            PlaceStep::Unwrap => Expr::Unwrap(Box::new(read)),
        };
    }
    read
}

/// The operator and the operand that an assignment combines with the old value of its place; `None` if the assignment
/// does not have this form.
pub(crate) fn added<'e>(place: &Place, value: &'e Expr) -> Option<(BinaryOp, &'e Expr)> {
    let Expr::Binary(op @ (BinaryOp::Union | BinaryOp::Max | BinaryOp::Min), a, b) = value.bare()
    else {
        return None;
    };
    let old = read_of(place);
    match (plain(a) == old, plain(b) == old) {
        (true, _) => Some((*op, b)),
        (_, true) => Some((*op, a)),
        _ => None,
    }
}

/// The form of a commuting update. `None` if the assignment is not one, may be a runtime error, or reads a variable of
/// `but` other than the old value of its place.
pub(crate) fn commuting_update(
    site: &Site<'_>,
    place: &Place,
    value: &Expr,
    but: &[VarId],
) -> Option<CommutingUpdate> {
    let indices_fit = place.path.iter().all(|step| match step {
        PlaceStep::Index(ty, index) => is_total_of_type(site, index, ty) && !reads(index, but),
        PlaceStep::Field(_) => true,
        PlaceStep::Unwrap => false,
    });
    if !indices_fit {
        return None;
    }
    if let Some((op, more)) = added(place, value) {
        let ty = site.type_of(&read_of(place))?;
        return (is_total_of_type(site, more, &ty) && !reads(more, but))
            .then_some(CommutingUpdate::With(op));
    }
    let constant = matches!(value.bare(), Expr::Const(_)) && is_total(site, value);
    let ty = site.type_of(&read_of(place))?;
    (constant && is_total_of_type(site, value, &ty)).then(|| CommutingUpdate::Is(plain(value)))
}

/// Whether an expression reads one of the variables, at any node.
pub(crate) fn reads(expr: &Expr, vars: &[VarId]) -> bool {
    let mut found = false;
    expr.walk(&mut |e| found |= matches!(e, Expr::Var(var, _) if vars.contains(var)));
    found
}
