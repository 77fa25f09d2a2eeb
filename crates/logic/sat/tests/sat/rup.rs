//! Compares reverse unit propagation with enumeration of all assignments and with the checker of proofs.

use crate::go_on;
use crate::random::{Rng, pigeons, satisfiable};
use sat::{Backend, Clauses, Decision, Proof, Rup, Sink, check};

/// The clauses `of` in a [`Rup`], and as data.
fn load(variables: i32, of: &[Vec<i32>]) -> (Rup, Clauses) {
    let (mut rup, mut clauses) = (Rup::new(), Clauses::new());
    for variable in 1..=variables {
        assert_eq!(rup.variable(), variable);
        clauses.variable();
    }
    for clause in of {
        rup.clause(clause);
        clauses.clause(clause);
    }
    (rup, clauses)
}

#[test]
fn implied_clauses_follow_with_hints_that_the_checker_accepts() {
    let (mut implied, mut refuted) = (0, 0);
    for seed in 0..2_000 {
        let mut rng = Rng::new(seed);
        let variables = 3 + rng.below(5) as i32;
        let number = rng.below(5 * variables as usize);
        let of: Vec<Vec<i32>> = (0..number)
            .map(|_| {
                let length = [1, 2, 2, 3, 3, 3][rng.below(6)];
                rng.literals(length, variables)
            })
            .collect();
        let (mut rup, clauses) = load(variables, &of);
        for _ in 0..10 {
            let length = rng.below(4);
            let mut clause = rng.literals(length, variables);
            clause.sort_unstable_by_key(|literal| literal.abs());
            clause.dedup_by_key(|literal| literal.abs());
            let is_implied = rup.implies(&clause);
            let hints = rup.hints(&clause);
            assert_eq!(hints.is_some(), is_implied);
            let negated: Vec<i32> = clause.iter().map(|literal| -literal).collect();
            assert!(
                !is_implied || !satisfiable(variables, &of, &negated),
                "{clauses}{clause:?}"
            );
            let Some(hints) = hints else { continue };
            implied += 1;
            // The step alone is no refutation. With the negated literals of its clause as unit clauses it becomes one.
            let (mut all, mut proof) = (clauses.clone(), Proof::new(of.len() + negated.len()));
            negated.iter().for_each(|literal| all.clause(&[*literal]));
            match rup.is_refuted() {
                true => proof.push(&[], hints),
                false => {
                    proof.push(&clause, hints);
                    let units = (of.len() + 1..=all.len()).map(|number| number as u32);
                    let step = proof.given() as u32 + 1;
                    proof.push(&[], units.chain([step]));
                }
            }
            refuted += usize::from(rup.is_refuted());
            if !clause.is_empty() || rup.is_refuted() {
                assert_eq!(check(&all, &proof), Ok(()), "{all}{proof}");
            }
        }
    }
    assert!(implied > 5_000 && refuted > 1_000, "{implied} {refuted}");
}

#[test]
fn a_clause_that_needs_search_does_not_follow() {
    let (variables, of) = pigeons(4);
    let (mut rup, _) = load(variables, &of);
    assert!(!rup.is_refuted());
    assert!(!rup.implies(&[]));
    assert_eq!(rup.hints(&[]), None);
    // The failed checks have not changed the state of `rup`.
    assert!(rup.implies(&of[0]));
}

#[test]
fn proofs_of_batsat_have_hints() {
    let (variables, of) = pigeons(6);
    let (_, clauses) = load(variables, &of);
    let Decision::Refuted(proof) = (Backend::BATSAT.prove)(&clauses, &mut go_on) else {
        panic!("the clauses are unsatisfiable")
    };
    assert!(proof.len() > 10);
    assert!(proof.steps().all(|step| !step.hints.is_empty()));
    assert_eq!(check(&clauses, &proof), Ok(()));
}
