//! The sizes of the automata of typical claims, and formulas that are too large.

use crate::random::{Random, sample};
use crate::text;
use ltl::{Buchi, Formula, Strength, TooLarge, translate};

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

/// Asserts the numbers of states, edges and marks of the automaton of a formula.
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
    // The negated claim: both processes are scheduled infinitely often, and a request is never answered.
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

/// Asserts the strength of the automaton of a formula.
#[track_caller]
fn strength(text: &str, expected: Strength) {
    let automaton = translate(&text::formula(text)).expect("small enough");
    let greatest = automaton.strengths().into_iter().max();
    assert_eq!(greatest, Some(expected), "{text}\n{automaton}");
}

#[test]
fn strengths() {
    strength("<>p0", Strength::Terminal);
    strength("p0 U (p1 && <>p2)", Strength::Terminal);
    strength("[]p0", Strength::Weak);
    strength("!([](p0 -> <>p1))", Strength::Weak);
    strength("<>[]p0", Strength::Weak);
    strength("[]p0 || <>p1", Strength::Weak);
    strength("[]<>p0", Strength::Strong);
    strength("[](p0 -> <>p1)", Strength::Strong);
}

/// From a terminal state every word is accepted. Within rejecting components no run is accepting, and within weak ones
/// every run is.
#[test]
fn strengths_are_what_they_say() {
    let mut random = Random(6);
    let mut seen = [0; 4];
    for _ in 0..sample(400) {
        let automaton = translate(&random.formula(2, 4)).expect("small enough");
        for (q, strength) in automaton.strengths().into_iter().enumerate() {
            seen[strength as usize] += 1;
            let mut from = automaton.clone();
            from.initial = vec![q];
            for _ in 0..20 {
                let (letters, start) = random.lasso(2);
                if strength == Strength::Terminal {
                    assert!(
                        from.accepts_lasso(&letters, start),
                        "q{q} {letters:?}\n{automaton}"
                    );
                }
            }
            // `plain` has no marks, so it accepts every word that can be read within states of this strength.
            let mut kept = from.clone();
            let strengths = automaton.strengths();
            for (p, state) in kept.states.iter_mut().enumerate() {
                state.edges.retain(|e| strengths[p] == strengths[e.target]);
            }
            if matches!(strength, Strength::Weak | Strength::Rejects) {
                let plain = Buchi {
                    acceptance: 0,
                    ..kept.clone()
                };
                for _ in 0..20 {
                    let (letters, start) = random.lasso(2);
                    let word = plain.accepts_lasso(&letters, start);
                    let accepted = kept.accepts_lasso(&letters, start);
                    assert_eq!(accepted, word && strength == Strength::Weak, "{automaton}");
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
}

/// The total numbers of states, edges and marks for all formulas of `known.txt` and their negations. In a comparison
/// with Spin, LBT, LTL2BA and LTL3BA, none of these produced fewer states for any formula, or as many states and fewer
/// edges.
#[test]
fn known_formulas() {
    let mut total = (0, 0, 0);
    for line in include_str!("known.txt")
        .lines()
        .filter(|l| !l.starts_with('#'))
    {
        let formula = text::formula(line);
        for formula in [formula.clone(), not(formula)] {
            let automaton = translate(&formula).expect("small enough");
            let edges: usize = automaton.states.iter().map(|s| s.edges.len()).sum();
            total.0 += automaton.states.len();
            total.1 += edges;
            total.2 += automaton.acceptance;
        }
    }
    assert_eq!(total, (600, 1_759, 160));
}
