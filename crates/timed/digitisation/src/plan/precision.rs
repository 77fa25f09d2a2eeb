//! The unit that a property needs: whole or half units, or none for which the digitisation is exact.

use machine::{
    BinaryOp, Expr, Formula, Machine, Property, PropertyKind, Quantifier, UnaryOp, may_fail,
};
use std::collections::BTreeSet;
use verdict::Inexact;

/// The largest unit with which a digitisation misses no violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// The greatest unit that divides all constants.
    Whole,
    /// Half of the unit of `Whole`.
    Half,
}

/// The strict inequalities that one way to violate a property requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Demands {
    /// Whether `now` must be after a constant.
    after: bool,
    /// Whether `now` must be before a constant.
    before: bool,
    /// The number of responses that must be overdue; 2 stands for 2 or more.
    late: u8,
}

/// The requirements of all ways to violate a property.
type Ways = BTreeSet<Demands>;

/// The precision that a property needs. The error says why no digitisation is exact for it.
pub(super) fn precision(machine: &Machine, property: &Property) -> Result<Precision, Inexact> {
    let (condition, wanted) = match &property.kind {
        PropertyKind::Possible(condition) => (condition.clone(), true),
        PropertyKind::Claim(claim) => match claim.invariant() {
            Some(condition) => (condition, false),
            None => return temporal_precision(claim),
        },
    };
    let mut ways = ways(&condition, wanted);
    // A state in which the property cannot be evaluated must be found too.
    if mentions_time(&condition) && may_fail(machine, &condition, &[]) {
        ways.insert(all_demands(&condition));
    }
    precision_for(&ways)
}

/// The precision that the ways to violate a property need.
fn precision_for(ways: &Ways) -> Result<Precision, Inexact> {
    if ways.iter().any(|way| way.late > 1) {
        return Err(Inexact::SeveralDelays);
    }
    if ways.iter().any(|way| way.late > 0 && way.after) {
        return Err(Inexact::DelayAndTime);
    }
    let both = |way: &Demands| way.before && (way.after || way.late > 0);
    Ok(match ways.iter().any(both) {
        true => Precision::Half,
        false => Precision::Whole,
    })
}

/// The precision that a claim needs if it does not have the form `always C`.
fn temporal_precision(claim: &Formula) -> Result<Precision, Inexact> {
    let (mut now, mut late) = (false, false);
    claim.walk_exprs(&mut |e| {
        now |= matches!(e, Expr::Now(..));
        late |= matches!(e, Expr::Overdue(_));
    });
    match (now, late) {
        (_, true) => Err(Inexact::NestedWithin),
        (true, false) => Ok(Precision::Half),
        (false, false) => Ok(Precision::Whole),
    }
}

/// Whether a condition reads the time.
fn mentions_time(condition: &Expr) -> bool {
    let mut found = false;
    condition.walk(&mut |e| found |= matches!(e, Expr::Now(..) | Expr::Overdue(_)));
    found
}

/// All requirements on which the value of a condition may depend.
fn all_demands(condition: &Expr) -> Demands {
    let mut all = Demands::default();
    condition.walk(&mut |e| match e {
        Expr::Now(..) => (all.after, all.before) = (true, true),
        Expr::Overdue(_) => all.late = (all.late + 1).min(2),
        _ => {}
    });
    all
}

/// The ways in which a condition has the wanted value.
fn ways(condition: &Expr, wanted: bool) -> Ways {
    let nothing = || Ways::from([Demands::default()]);
    if !mentions_time(condition) {
        return nothing();
    }
    let after = Demands {
        after: true,
        ..Demands::default()
    };
    let before = Demands {
        before: true,
        ..Demands::default()
    };
    match condition {
        Expr::At(_, inner) => ways(inner, wanted),
        Expr::Now(op, _) => match (op, wanted) {
            (BinaryOp::Gt, true) | (BinaryOp::Le, false) => Ways::from([after]),
            (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => Ways::from([before]),
            (BinaryOp::Ne, true) | (BinaryOp::Eq, false) => Ways::from([after, before]),
            _ => nothing(),
        },
        // That a response is not overdue is a closed bound.
        Expr::Overdue(_) if !wanted => nothing(),
        Expr::Overdue(_) => Ways::from([Demands {
            late: 1,
            ..Demands::default()
        }]),
        Expr::Unary(UnaryOp::Not, inner) => ways(inner, !wanted),
        Expr::Binary(BinaryOp::And, a, b) if wanted => both(&ways(a, true), &ways(b, true)),
        Expr::Binary(BinaryOp::And, a, b) => &ways(a, false) | &ways(b, false),
        Expr::Binary(BinaryOp::Or, a, b) if wanted => &ways(a, true) | &ways(b, true),
        Expr::Binary(BinaryOp::Or, a, b) => both(&ways(a, false), &ways(b, false)),
        Expr::Binary(BinaryOp::Implies, a, b) if wanted => &ways(a, false) | &ways(b, true),
        Expr::Binary(BinaryOp::Implies, a, b) => both(&ways(a, true), &ways(b, false)),
        Expr::If(c, a, b) => {
            let then = both(&ways(c, true), &ways(a, wanted));
            &then | &both(&ways(c, false), &ways(b, wanted))
        }
        Expr::Let(_, value, body) if !mentions_time(value) => ways(body, wanted),
        Expr::Quantified(q @ (Quantifier::All | Quantifier::Exists), _, domain, body)
            if !mentions_time(domain) =>
        {
            let one = ways(body, wanted);
            match (*q == Quantifier::All) == wanted {
                // The requirements of all elements add up. `late` saturates at 2, so three elements stand for any
                // number.
                true => both(&one, &both(&one, &one)),
                false => one,
            }
        }
        _ => Ways::from([all_demands(condition)]),
    }
}

/// The ways in which two conditions both have their wanted values.
fn both(a: &Ways, b: &Ways) -> Ways {
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
    pairs
        .map(|(x, y)| Demands {
            after: x.after || y.after,
            before: x.before || y.before,
            late: (x.late + y.late).min(2),
        })
        .collect()
}
