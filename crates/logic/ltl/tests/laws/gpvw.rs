//! A second, short translator: R. Gerth, D. Peled, M. Vardi and P. Wolper, *Simple on-the-fly automatic verification of
//! linear temporal logic*, 1995.
//!
//! A state consists of the set of formulas that hold now and the set of formulas that must hold from the next position
//! on. It is obtained by splitting formulas down to literals. Nothing is simplified.

use ltl::{Buchi, BuchiState, Edge, Formula, Guard};
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Plain {
    True,
    False,
    Literal(u32, bool),
    And(Box<Plain>, Box<Plain>),
    Or(Box<Plain>, Box<Plain>),
    Until(Box<Plain>, Box<Plain>),
    Release(Box<Plain>, Box<Plain>),
}

use Plain::{And, False, Literal, Or, Release, True, Until};

fn plain(formula: &Formula, positive: bool) -> Plain {
    let side = |f: &Formula| Box::new(plain(f, positive));
    let truth = |value: bool| if value { True } else { False };
    let fold = |members: &[Formula], all: bool| {
        let parts = members.iter().map(|m| plain(m, positive));
        parts.fold(truth(all), |a, b| {
            let (a, b) = (Box::new(a), Box::new(b));
            if all { And(a, b) } else { Or(a, b) }
        })
    };
    let constant = |value: bool| Box::new(truth(value));
    match formula {
        Formula::True => truth(positive),
        Formula::False => truth(!positive),
        Formula::Atom(atom) => Literal(*atom, positive),
        Formula::Not(of) => plain(of, !positive),
        Formula::And(members) => fold(members, positive),
        Formula::Or(members) => fold(members, !positive),
        Formula::Implies(a, b) if positive => Or(Box::new(plain(a, false)), side(b)),
        Formula::Implies(a, b) => And(Box::new(plain(a, true)), side(b)),
        Formula::Always(of) if positive => Release(constant(false), side(of)),
        Formula::Always(of) => Until(constant(true), side(of)),
        Formula::Eventually(of) if positive => Until(constant(true), side(of)),
        Formula::Eventually(of) => Release(constant(false), side(of)),
        Formula::Until(a, b) if positive => Until(side(a), side(b)),
        Formula::Until(a, b) => Release(side(a), side(b)),
        Formula::Release(a, b) if positive => Release(side(a), side(b)),
        Formula::Release(a, b) => Until(side(a), side(b)),
    }
}

/// The formulas that hold now, and those that must hold from the next position on.
type Node = (BTreeSet<Plain>, BTreeSet<Plain>);

/// Adds to `into` all ways to satisfy the formulas `new` that remain to be split, given the sets of the node so far.
fn expand(mut new: Vec<Plain>, (mut old, next): Node, into: &mut BTreeSet<Node>) {
    let Some(formula) = new.pop() else {
        into.insert((old, next));
        return;
    };
    if !old.insert(formula.clone()) {
        return expand(new, (old, next), into);
    }
    let mut either = |first: Vec<Plain>, second: Vec<Plain>, later: Option<Plain>| {
        let mut put_off = next.clone();
        put_off.extend(later);
        expand([&new[..], &first].concat(), (old.clone(), put_off), into);
        expand(
            [&new[..], &second].concat(),
            (old.clone(), next.clone()),
            into,
        );
    };
    match &formula {
        True => expand(new, (old, next), into),
        False => {}
        Literal(atom, positive) => {
            if !old.contains(&Literal(*atom, !positive)) {
                expand(new, (old, next), into);
            }
        }
        And(a, b) => {
            new.extend([(**a).clone(), (**b).clone()]);
            expand(new, (old, next), into);
        }
        Or(a, b) => either(vec![(**a).clone()], vec![(**b).clone()], None),
        Until(a, b) => either(
            vec![(**a).clone()],
            vec![(**b).clone()],
            Some(formula.clone()),
        ),
        Release(a, b) => {
            let both = vec![(**a).clone(), (**b).clone()];
            either(vec![(**b).clone()], both, Some(formula.clone()));
        }
    }
}

/// An automaton for the formula; `None` if it would have more than `limit` states.
pub fn translate(formula: &Formula, limit: usize) -> Option<Buchi> {
    let start = BTreeSet::from([plain(formula, true)]);
    // State 0 is the initial state, before the first letter.
    let mut nodes: Vec<Node> = vec![(BTreeSet::new(), start)];
    let mut edges: Vec<Vec<usize>> = Vec::new();
    while edges.len() < nodes.len() {
        let mut after = BTreeSet::new();
        let next = nodes[edges.len()].1.iter().cloned().collect();
        expand(next, Node::default(), &mut after);
        let mut targets = Vec::new();
        for node in after {
            // State 0 is never a target, even if a node has the same sets.
            let known = nodes.iter().skip(1).position(|n| *n == node).map(|n| n + 1);
            targets.push(known.unwrap_or(nodes.len()));
            if known.is_none() {
                nodes.push(node);
            }
        }
        edges.push(targets);
        if nodes.len() > limit {
            return None;
        }
    }
    let untils: BTreeSet<&Plain> = (nodes.iter().flat_map(|(old, _)| old))
        .filter(|f| matches!(f, Until(..)))
        .collect();
    // The formulas of a state are about the letter that its incoming edges read, so these edges get the guard.
    let edge = |&target: &usize| {
        let (old, _) = &nodes[target];
        let mut guard = Guard::TRUE;
        for formula in old {
            match formula {
                Literal(atom, true) => guard.positive |= 1 << atom,
                Literal(atom, false) => guard.negative |= 1 << atom,
                _ => {}
            }
        }
        let fulfilled = |until: &Plain| match until {
            Until(_, right) => !old.contains(until) || old.contains(right),
            _ => unreachable!("all are untils"),
        };
        let marks = (untils.iter().enumerate()).fold(0, |marks, (u, until)| {
            marks | u64::from(fulfilled(until)) << u
        });
        Edge {
            guard,
            target,
            marks,
        }
    };
    Some(Buchi {
        states: (edges.iter())
            .map(|targets| BuchiState {
                edges: targets.iter().map(edge).collect(),
            })
            .collect(),
        initial: vec![0],
        acceptance: untils.len() as u32,
    })
}
