//! Totality: the evaluation of a total expression is never a runtime error, so the expression can be removed without
//! removing an error.

use crate::analysis::sites::Site;
use crate::defects::{Defect, broken};
use machine::{Expr, Init, KindId, LocalId, Machine, Place, PlaceStep, Type, Value, Var, may_fail};

/// Whether an expression is total and its value is always of the type `ty`.
pub(crate) fn is_total_of_type(site: &Site<'_>, expr: &Expr, ty: &Type) -> bool {
    let fits = site.type_of(expr).is_some_and(|found| ty.includes(&found));
    (fits || broken(Defect::RangesIgnored)) && is_total(site, expr)
}

/// Whether an expression is total: no subexpression can be a runtime error, integers stay within `i64`, and variables
/// are read only at nodes of their kind. Also requires that the type of every subexpression is non-empty.
pub(crate) fn is_total(site: &Site<'_>, expr: &Expr) -> bool {
    broken(Defect::FailuresIgnored)
        || (!may_fail(site.machine, expr, &site.filled)
            && has_ordinary_types(site, expr)
            && reads_right_kinds(site, expr, &mut Vec::new()))
}

/// Whether an assignment is never a runtime error.
pub(crate) fn assignment_is_total(site: &Site<'_>, place: &Place, value: &Expr) -> bool {
    let machine = site.machine;
    let mut ty = &machine.vars[place.var.index()].ty;
    for step in &place.path {
        match (step, ty) {
            (PlaceStep::Field(field), Type::Record(record)) => {
                ty = &machine.records[record.index()].fields[*field as usize].1;
            }
            (PlaceStep::Index(over, index), Type::Array(_, inner)) => {
                if !is_total_of_type(site, index, over) {
                    return false;
                }
                ty = inner;
            }
            // The option may be absent.
            (PlaceStep::Unwrap, Type::Option(_)) => return false,
            (step, ty) => unreachable!("verified to have the part {step:?}: {ty:?}"),
        }
    }
    is_total_of_type(site, value, ty)
}

/// Whether a variable has an initial value for every frozen choice, computed without a runtime error.
pub(crate) fn has_initial_value(machine: &Machine, var: &Var) -> bool {
    match &var.init {
        Init::Any => machine.cardinality(&var.ty) > 0,
        Init::Value(scope, value) => {
            is_total_of_type(&Site::initial(machine, scope, var.kind), value, &var.ty)
        }
        Init::AnyIn(scope, set) => {
            let site = Site::initial(machine, scope, var.kind);
            let some = match set.bare() {
                Expr::Set(_, items) => !items.is_empty(),
                Expr::Range(lo, hi) => match (lo.bare(), hi.bare()) {
                    (Expr::Const(lo), Expr::Const(hi)) => lo.as_int() <= hi.as_int(),
                    _ => false,
                },
                _ => false,
            };
            (some || broken(Defect::VarsWithoutBeginning))
                && is_total_of_type(&site, set, &var.ty.clone().set())
        }
    }
}

/// Whether every subexpression has a non-empty type, and integer types do not reach the limits of `i64`.
fn has_ordinary_types(site: &Site<'_>, expr: &Expr) -> bool {
    let mut ordinary = true;
    expr.walk(&mut |e| {
        ordinary &= match site.type_of(e) {
            Some(Type::Int(lo, hi)) => i64::MIN < lo && lo <= hi && hi < i64::MAX,
            Some(ty) => site.machine.cardinality(&ty) > 0,
            None => false,
        }
    });
    ordinary
}

/// Whether variables and frozen variables are read only at nodes of their kind. `known` lists locals whose kind is
/// known.
fn reads_right_kinds(site: &Site<'_>, expr: &Expr, known: &mut Vec<(LocalId, KindId)>) -> bool {
    let machine = site.machine;
    if machine.kinds.len() == 1 {
        return true;
    }
    let right = match expr {
        Expr::Var(var, node) => is_of_kind(site, node, machine.vars[var.index()].kind, known),
        Expr::Frozen(frozen, node) => {
            is_of_kind(site, node, machine.frozen_vars[frozen.index()].kind, known)
        }
        Expr::Filter(local, domain, body)
        | Expr::Quantified(_, local, domain, body)
        | Expr::Extremum(_, local, domain, body) => {
            let before = known.len();
            let right = reads_right_kinds(site, domain, known);
            if let Expr::Nodes(Some(kind)) = domain.bare() {
                known.push((*local, *kind));
            }
            let right = right && reads_right_kinds(site, body, known);
            known.truncate(before);
            return right;
        }
        Expr::Let(local, value, body) => {
            let before = known.len();
            let right = reads_right_kinds(site, value, known);
            let kinds = (0..machine.kinds.len() as u32).map(KindId);
            let of: Vec<KindId> = kinds
                .filter(|kind| is_of_kind(site, value, *kind, known))
                .collect();
            known.extend(of.into_iter().map(|kind| (*local, kind)));
            let right = right && reads_right_kinds(site, body, known);
            known.truncate(before);
            return right;
        }
        _ => true,
    };
    right
        && expr
            .children()
            .into_iter()
            .all(|part| reads_right_kinds(site, part, known))
}

fn is_of_kind(site: &Site<'_>, node: &Expr, kind: KindId, known: &[(LocalId, KindId)]) -> bool {
    match node.bare() {
        Expr::Local(local) => {
            (*local == LocalId(0) && site.own == Some(kind)) || known.contains(&(*local, kind))
        }
        Expr::Const(Value::Node(node)) => site.machine.kind_of(*node) == kind,
        _ => false,
    }
}
