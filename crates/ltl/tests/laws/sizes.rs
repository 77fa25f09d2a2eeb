//! How large the automata of typical claims are, and what is too large.

use crate::random::Random;
use ltl::{Formula, TooLarge, translate};

const P: Formula = Formula::Atom(0);
const Q: Formula = Formula::Atom(1);

fn g(of: Formula) -> Formula {
    Formula::always(of)
}

fn f(of: Formula) -> Formula {
    Formula::eventually(of)
}

fn not(of: Formula) -> Formula {
    Formula::not(of)
}

/// States, edges and marks.
#[track_caller]
fn size(formula: Formula, expected: (usize, usize, u32)) {
    let automaton = translate(&formula).expect("small enough");
    let edges = automaton.states.iter().map(|s| s.edges.len()).sum();
    let found = (automaton.states.len(), edges, automaton.acceptance);
    assert_eq!(found, expected, "{formula}\n{automaton}");
}

#[test]
fn constants() {
    size(Formula::True, (1, 1, 0));
    size(Formula::False, (0, 0, 0));
    size(Formula::And(vec![g(P), f(not(P))]), (0, 0, 0));
}

#[test]
fn claims() {
    size(g(P), (1, 1, 0));
    size(f(P), (2, 3, 1));
    size(g(Formula::implies(P, f(Q))), (2, 5, 1));
    size(g(f(P)), (1, 2, 1));
    size(f(g(P)), (2, 3, 1));
    size(Formula::until(P, Q), (2, 3, 1));
}

#[test]
fn negations_of_claims() {
    size(not(g(P)), (2, 3, 1));
    size(not(f(P)), (1, 1, 0));
    size(not(g(Formula::implies(P, f(Q)))), (2, 3, 1));
    size(not(g(f(P))), (2, 3, 1));
    size(not(f(g(P))), (1, 2, 1));
    size(not(Formula::until(P, Q)), (2, 3, 0));
}

#[test]
fn a_response_under_fairness_is_refuted_by_two_states() {
    // Both processes are scheduled for ever, and still a request has no answer.
    let fair = |atom| g(f(Formula::Atom(atom)));
    let response = g(Formula::implies(P, f(Q)));
    let claim = Formula::implies(Formula::And(vec![fair(2), fair(3)]), response);
    let automaton = translate(&not(claim)).expect("small enough");
    assert_eq!(
        (automaton.states.len(), automaton.acceptance),
        (2, 2),
        "{automaton}"
    );
}

#[test]
fn many_recurring_atoms_need_one_state() {
    let all = Formula::And((0..8).map(|atom| g(f(Formula::Atom(atom)))).collect());
    size(all, (1, 256, 8));
}

#[test]
fn too_many_atoms_are_refused() {
    assert!(translate(&g(Formula::Atom(63))).is_ok());
    assert_eq!(translate(&g(Formula::Atom(64))), Err(TooLarge::Atom(64)));
}

#[test]
fn explosions_are_refused() {
    let all = Formula::And((0..40).map(|atom| g(f(Formula::Atom(atom)))).collect());
    assert_eq!(translate(&all), Err(TooLarge::Edges));
    let order = |a: u32| Formula::until(Formula::Atom(a), g(Formula::Atom(a + 1)));
    let orders = Formula::And((0..60).map(order).collect());
    assert!(translate(&orders).is_err());
}

#[test]
fn large_random_formulas_end() {
    let mut random = Random(4);
    for _ in 0..60 {
        let _ = translate(&random.formula(10, 9));
    }
}

#[test]
fn the_same_formula_gives_the_same_automaton() {
    let formula = Random(5).formula(4, 5);
    assert_eq!(translate(&formula), translate(&formula));
}
