//! The automaton of a formula accepts a lasso if and only if the formula holds for it.

use crate::random::Random;
use ltl::{Buchi, Formula, Letter, holds_on_lasso, translate};

const ATOMS: u64 = 4;

fn holds(formula: &Formula, letters: &[Letter], loop_start: usize) -> bool {
    holds_on_lasso(formula, letters.len(), loop_start, |atom, position| {
        letters[position] >> atom & 1 != 0
    })
}

/// Asserts the documented invariants of `Buchi`.
fn well_formed(automaton: &Buchi) {
    assert!(automaton.initial.is_empty() == automaton.states.is_empty());
    assert!(
        automaton
            .initial
            .iter()
            .all(|&q| q < automaton.states.len())
    );
    for edge in automaton.states.iter().flat_map(|s| &s.edges) {
        assert!(edge.target < automaton.states.len());
        assert!(edge.marks & !automaton.all_marks() == 0);
        assert!(edge.guard.positive & edge.guard.negative == 0);
    }
}

fn agree(seed: u64, formulas: usize, lassos: usize, depth: u32) {
    let mut random = Random(seed);
    let (mut held, mut failed) = (0, 0);
    for _ in 0..formulas {
        let formula = random.formula(ATOMS, depth);
        let positive = translate(&formula).expect("small enough");
        let negative = translate(&Formula::not(formula.clone())).expect("small enough");
        well_formed(&positive);
        well_formed(&negative);
        for _ in 0..lassos {
            let (letters, loop_start) = random.lasso(ATOMS);
            let expected = holds(&formula, &letters, loop_start);
            let word = || format!("{formula} on {letters:?} from {loop_start}");
            assert_eq!(
                positive.accepts_lasso(&letters, loop_start),
                expected,
                "{}\n{positive}",
                word()
            );
            assert_eq!(
                negative.accepts_lasso(&letters, loop_start),
                !expected,
                "not {}\n{negative}",
                word()
            );
            if expected {
                held += 1;
            } else {
                failed += 1;
            }
        }
    }
    // The sample must contain enough lassos for which formulas hold, and enough for which they do not.
    assert!(held.min(failed) * 4 > formulas * lassos, "{held} {failed}");
}

#[test]
fn shallow_formulas() {
    agree(1, 12_000, 20, 3);
}

#[test]
fn deeper_formulas() {
    agree(2, 8_000, 20, 5);
}

/// All formulas with at most two operators over two atoms, on all lassos of at most three letters.
#[test]
fn small_formulas_exhaustively() {
    let leaves = vec![Formula::Atom(0), Formula::Atom(1)];
    let one = above(&leaves, &leaves);
    let mut two = above(&one, &leaves);
    two.extend(above(&leaves, &one));
    let lassos: Vec<(Vec<Letter>, usize)> = (1..=3usize)
        .flat_map(|length| (0..length).map(move |start| (length, start)))
        .flat_map(|(length, start)| {
            (0..1u64 << (2 * length)).map(move |bits| {
                let letters = (0..length).map(|i| bits >> (2 * i) & 3).collect();
                (letters, start)
            })
        })
        .collect();
    for formula in leaves.iter().chain(&one).chain(&two) {
        let automaton = translate(formula).expect("small enough");
        for (letters, start) in &lassos {
            assert_eq!(
                automaton.accepts_lasso(letters, *start),
                holds(formula, letters, *start),
                "{formula} on {letters:?} from {start}"
            );
        }
    }
}

/// All formulas with one operator and operands out of `lefts` and `rights`.
fn above(lefts: &[Formula], rights: &[Formula]) -> Vec<Formula> {
    let mut formulas = Vec::new();
    for left in lefts {
        let unary = [Formula::not, Formula::always, Formula::eventually];
        formulas.extend(unary.map(|operator| operator(left.clone())));
        for right in rights {
            let (l, r) = (left.clone(), right.clone());
            formulas.push(Formula::And(vec![l.clone(), r.clone()]));
            formulas.push(Formula::Or(vec![l, r]));
            let binary = [Formula::implies, Formula::until, Formula::release];
            formulas.extend(binary.map(|operator| operator(left.clone(), right.clone())));
        }
    }
    formulas
}
