//! Negation normal form, simplified while it is built.
//!
//! [`Normal`] formulas are built only by [`and`], [`or`], [`until`], [`release`] and [`dual`]. `dual` negates a
//! formula: it replaces each operator by its dual, and is its own inverse. Every simplification rule is implemented
//! once, in `and` and `until`; `or` and `release` use these through `dual`.
//!
//! The rules are those of Etessami and Holzmann (*Optimizing Büchi Automata*, CONCUR 2000) and of Somenzi and Bloem
//! (*Efficient Büchi Automata from LTL Formulae*, CAV 2000). They use two notions. A formula is *eventual* if it holds
//! for a word whenever it holds for a suffix of the word. It is *universal* if its dual is eventual, that is, if it
//! holds for all suffixes of a word for which it holds. A formula that is both, such as "infinitely often p", has the
//! same value on all suffixes of a word and may be moved out of any temporal operator.

use std::collections::{BTreeMap, BTreeSet};

use crate::Formula;
use crate::defects::{Defect, broken};

/// A formula in negation normal form. "Always p" is `false R p`, and "eventually p" is `true U p`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Normal {
    True,
    False,
    Literal { atom: u32, positive: bool },
    And(BTreeSet<Normal>),
    Or(BTreeSet<Normal>),
    Until(Box<Normal>, Box<Normal>),
    Release(Box<Normal>, Box<Normal>),
}

use Normal::{And, False, Literal, Or, Release, True, Until};

/// The normal form of `formula` if `positive`, otherwise of its negation.
pub(crate) fn normal(formula: &Formula, positive: bool) -> Normal {
    let same = |f: &Formula| normal(f, positive);
    match formula {
        Formula::True if positive => True,
        Formula::True => False,
        Formula::False if positive => False,
        Formula::False => True,
        Formula::Atom(atom) => Literal {
            atom: *atom,
            positive,
        },
        Formula::Not(of) => normal(of, !positive),
        Formula::And(members) if positive => and(members.iter().map(same)),
        Formula::And(members) => or(members.iter().map(same)),
        Formula::Or(members) if positive => or(members.iter().map(same)),
        Formula::Or(members) => and(members.iter().map(same)),
        Formula::Implies(left, right) if positive => or([normal(left, false), same(right)]),
        Formula::Implies(left, right) => and([normal(left, true), same(right)]),
        Formula::Always(of) if positive => release(False, same(of)),
        Formula::Always(of) => until(True, same(of)),
        Formula::Eventually(of) if positive => until(True, same(of)),
        Formula::Eventually(of) => release(False, same(of)),
        Formula::Until(left, right) if positive => until(same(left), same(right)),
        Formula::Until(left, right) => release(same(left), same(right)),
        Formula::Release(left, right) if positive => release(same(left), same(right)),
        Formula::Release(left, right) => until(same(left), same(right)),
    }
}

/// The negation of `formula`.
pub(crate) fn dual(formula: &Normal) -> Normal {
    let boxed = |f: &Normal| Box::new(dual(f));
    match formula {
        True => False,
        False => True,
        Literal { atom, positive } => Literal {
            atom: *atom,
            positive: !positive,
        },
        And(members) => Or(members.iter().map(dual).collect()),
        Or(members) => And(members.iter().map(dual).collect()),
        Until(left, right) => Release(boxed(left), boxed(right)),
        Release(left, right) => Until(boxed(left), boxed(right)),
    }
}

/// The conjunction of `members`.
pub(crate) fn and(members: impl IntoIterator<Item = Normal>) -> Normal {
    let mut flat = BTreeSet::new();
    for member in members {
        match member {
            True => {}
            False => return False,
            And(inner) => flat.extend(inner),
            other => {
                flat.insert(other);
            }
        }
    }
    if let Some(joined) = join_temporal(&flat) {
        return and(joined);
    }
    let all: Vec<Normal> = flat.into_iter().collect();
    let mut kept = all.clone();
    for member in &all {
        let negation = dual(member);
        if kept.iter().any(|k| follows(k, &negation)) {
            return False;
        }
        if kept.iter().any(|k| k != member && follows(k, member)) {
            kept.retain(|k| k != member);
        }
    }
    match kept.len() {
        0 => True,
        1 => kept.remove(0),
        _ => And(kept.into_iter().collect()),
    }
}

/// The disjunction of `members`.
pub(crate) fn or(members: impl IntoIterator<Item = Normal>) -> Normal {
    dual(&and(members.into_iter().map(|m| dual(&m))))
}

/// `left` until `right`.
pub(crate) fn until(left: Normal, right: Normal) -> Normal {
    if left == False || eventual(&right) || follows(&left, &right) {
        return right;
    }
    if left != True && follows(&dual(&right), &left) {
        // The negation of the right side implies the left side, so the left side holds wherever the right side does
        // not.
        return until(True, right);
    }
    match &right {
        // F (a U b) = F b. The rule for disjunctions below uses this law, too.
        Until(_, inner) if left == True => return until(True, (**inner).clone()),
        Until(before, _) if follows(&left, before) => return right,
        Or(members) if left == True && members.iter().any(|m| matches!(m, Until(..))) => {
            let inner = members.iter().map(|m| match m {
                Until(_, inner) => (**inner).clone(),
                other => other.clone(),
            });
            return until(True, or(inner));
        }
        Release(never, inner) if left == True && **never == False => {
            // F G (a or e) = F G a or G e if e is eventual: either e holds infinitely often, and hence at every
            // position, or it holds at no position from some point on.
            if let Or(members) = &**inner
                && members.iter().any(eventual)
            {
                let (all_the_time, rest): (Vec<_>, Vec<_>) =
                    members.iter().cloned().partition(eventual);
                let from_some_time_on = until(True, release(False, or(rest)));
                return or([from_some_time_on, release(False, or(all_the_time))]);
            }
        }
        And(members) | Or(members) if members.iter().any(constant) => {
            let join = if matches!(right, And(_)) { and } else { or };
            let (outside, inside): (Vec<_>, Vec<_>) = members.iter().cloned().partition(constant);
            let inside = until(left, join(inside));
            return join([vec![inside], outside].concat());
        }
        _ => {}
    }
    Until(Box::new(left), Box::new(right))
}

/// `left` releases `right`.
pub(crate) fn release(left: Normal, right: Normal) -> Normal {
    dual(&until(dual(&left), dual(&right)))
}

/// Joins members of a conjunction by the laws `(a R b) and (a R c) = a R (b and c)`, `(a U c) and (b U c) = (a and b) U
/// c` and `F G a and F G b = F G (a and b)`. `None` if no members can be joined.
fn join_temporal(members: &BTreeSet<Normal>) -> Option<Vec<Normal>> {
    let mut releases: BTreeMap<&Normal, Vec<Normal>> = BTreeMap::new();
    let mut untils: BTreeMap<&Normal, Vec<Normal>> = BTreeMap::new();
    let mut from_some_time_on = Vec::new();
    let mut others = Vec::new();
    for member in members {
        match member {
            Release(left, right) => releases.entry(left).or_default().push((**right).clone()),
            Until(left, right) => match &**right {
                Release(never, always) if **left == True && **never == False => {
                    from_some_time_on.push((**always).clone());
                }
                _ => untils.entry(right).or_default().push((**left).clone()),
            },
            other => others.push(other.clone()),
        }
    }
    let groups = releases.len() + untils.len() + usize::from(!from_some_time_on.is_empty());
    if groups + others.len() == members.len() {
        return None;
    }
    let mut joined = others;
    joined.extend((releases.into_iter()).map(|(left, rights)| release(left.clone(), and(rights))));
    joined.extend((untils.into_iter()).map(|(right, lefts)| until(and(lefts), right.clone())));
    if !from_some_time_on.is_empty() {
        joined.push(until(True, release(False, and(from_some_time_on))));
    }
    Some(joined)
}

/// Whether `formula` is eventual, see the head of this file. The test is sound but incomplete.
fn eventual(formula: &Normal) -> bool {
    match formula {
        True | False => true,
        Literal { .. } => false,
        And(members) | Or(members) => members.iter().all(eventual),
        Until(left, right) => **left == True || eventual(right),
        // If the release holds for a suffix, its right side holds there. As the right side is eventual, it also holds
        // at all earlier positions.
        Release(_, right) => eventual(right),
    }
}

/// Whether `formula` is both eventual and universal, so that it has the same value on all suffixes of a word. The test
/// is sound but incomplete.
fn constant(formula: &Normal) -> bool {
    eventual(formula) && (eventual(&dual(formula)) || broken(Defect::EventualIsConstant))
}

/// Whether `left` implies `right`. The test is sound but incomplete, and its effort is bounded.
fn follows(left: &Normal, right: &Normal) -> bool {
    implies(left, right, &mut 2_000)
}

fn implies(f: &Normal, g: &Normal, fuel: &mut u32) -> bool {
    if *fuel == 0 {
        return false;
    }
    *fuel -= 1;
    if f == g || *f == False || *g == True {
        return true;
    }
    match (f, g) {
        (Or(fs), _) => return fs.iter().all(|f| implies(f, g, fuel)),
        (_, And(gs)) => return gs.iter().all(|g| implies(f, g, fuel)),
        (Until(a, b), Until(c, d)) | (Release(a, b), Release(c, d))
            if implies(a, c, fuel) && implies(b, d, fuel) =>
        {
            return true;
        }
        _ => {}
    }
    let from_left = match f {
        And(fs) => fs.iter().any(|f| implies(f, g, fuel)),
        Until(a, _) if broken(Defect::FollowsFromOneSide) => implies(a, g, fuel),
        Until(a, b) => implies(a, g, fuel) && implies(b, g, fuel),
        Release(_, b) => implies(b, g, fuel),
        _ => false,
    };
    from_left
        || match g {
            Or(gs) => gs.iter().any(|g| implies(f, g, fuel)),
            Until(_, d) => implies(f, d, fuel),
            Release(c, d) => implies(f, c, fuel) && implies(f, d, fuel),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Formula as F;

    const P: F = F::Atom(0);
    const Q: F = F::Atom(1);
    const R: F = F::Atom(2);

    #[track_caller]
    fn same(left: F, right: F) {
        assert_eq!(
            normal(&left, true),
            normal(&right, true),
            "{left} = {right}"
        );
        assert_eq!(normal(&left, false), normal(&right, false));
        assert_eq!(normal(&left, false), dual(&normal(&left, true)));
    }

    fn g(f: F) -> F {
        F::always(f)
    }

    fn f(of: F) -> F {
        F::eventually(of)
    }

    #[test]
    fn constants_and_idempotence() {
        same(F::And(vec![P, F::True, P]), P);
        same(F::And(vec![P, F::not(P)]), F::False);
        same(F::implies(F::False, P), F::True);
        same(F::And(vec![P, F::Or(vec![P, Q])]), P);
        same(F::until(P, F::True), F::True);
        same(F::until(F::False, P), P);
        same(g(F::True), F::True);
        same(F::not(F::not(P)), P);
    }

    #[test]
    fn temporal_absorption() {
        same(f(f(P)), f(P));
        same(g(g(P)), g(P));
        same(f(g(f(P))), g(f(P)));
        same(g(f(g(P))), f(g(P)));
        same(f(F::until(P, Q)), f(Q));
        same(F::until(P, f(Q)), f(Q));
        same(F::until(P, F::until(P, Q)), F::until(P, Q));
        same(F::until(P, F::not(P)), f(F::not(P)));
        same(F::And(vec![P, g(P)]), g(P));
        same(f(F::Or(vec![P, f(Q)])), f(F::Or(vec![P, Q])));
    }

    #[test]
    fn temporal_operators_move_over_boolean_ones() {
        same(F::And(vec![g(P), g(Q)]), g(F::And(vec![P, Q])));
        same(F::Or(vec![f(P), f(Q)]), f(F::Or(vec![P, Q])));
        same(F::Or(vec![g(f(P)), g(f(Q))]), g(f(F::Or(vec![P, Q]))));
        same(f(F::And(vec![P, g(f(Q))])), F::And(vec![f(P), g(f(Q))]));
        let either = F::Or(vec![f(g(P)), g(f(Q))]);
        same(f(g(F::Or(vec![P, f(Q)]))), either);
        same(
            F::And(vec![F::until(P, R), F::until(Q, R)]),
            F::until(F::And(vec![P, Q]), R),
        );
    }
}
