//! Clauses as data: their text form, and a query of one solver repeated by another.

use crate::go_on;
use crate::random::{Rng, satisfiable};
use sat::{Batsat, Clauses, Decision, Outcome, Recording, Sink, Solver, check};

#[test]
fn the_text_form_is_dimacs() {
    let mut clauses = Clauses::new();
    for _ in 0..3 {
        clauses.variable();
    }
    for clause in [&[1, -2][..], &[], &[3, 3, -1]] {
        clauses.clause(clause);
    }
    assert_eq!(clauses.to_string(), "p cnf 3 3\n1 -2 0\n0\n3 3 -1 0\n");
    assert_eq!(Clauses::parse(&clauses.to_string()), Ok(clauses.clone()));
    let commented = "c of three\n\np cnf 3 3\n1 -2 0\nc nothing\n0\n  3  3 -1 0";
    assert_eq!(Clauses::parse(commented), Ok(clauses.clone()));
    assert_eq!((clauses.variables(), clauses.len()), (3, 3));
    assert_eq!(clauses.get(0), None);
    assert_eq!(clauses.get(1), Some(&[1, -2][..]));
    assert_eq!(clauses.get(2), Some(&[][..]));
    assert_eq!(clauses.get(4), None);
    assert_eq!(
        Clauses::parse(&Clauses::new().to_string()),
        Ok(Clauses::new())
    );
}

#[test]
fn malformed_clauses_are_refused() {
    for (text, message) in [
        ("", "line 1: there is no header `p cnf`"),
        ("1 2 0", "line 1: a clause comes before the header `p cnf`"),
        ("p cnf 2 1\n1 3 0", "line 2: 3 is of no variable"),
        (
            "p cnf 2 1\n-2147483648 0",
            "line 2: -2147483648 is of no variable",
        ),
        ("p cnf 2 1\n1 2", "line 2: the line ends too early"),
        ("p cnf 2 1\n1 0 2 0", "line 2: `2` comes after the end"),
        (
            "p cnf 2 1\n1 a 0",
            "line 2: `a` is no number that can stand here",
        ),
        (
            "p cnf 2 1\np cnf 2 1\n1 0",
            "line 2: there is a second header",
        ),
        ("p cnf 2", "line 1: the line ends too early"),
        (
            "p cnf -2 1",
            "line 1: there cannot be fewer than no variables",
        ),
        (
            "p cnf 2 2\n1 0\n",
            "line 2: there are 1 clauses, the header says 2",
        ),
    ] {
        assert_eq!(Clauses::parse(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn another_solver_repeats_a_query() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let mut recording = Recording::new((cadical::BACKEND.new)());
        for _ in 0..8 {
            recording.variable();
        }
        let of: Vec<Vec<i32>> = (0..30).map(|_| rng.literals(3, 8)).collect();
        for clause in &of {
            recording.clause(clause);
        }
        let assumed = rng.literals(2, 8);
        let outcome = recording.solve(&assumed, &mut go_on);
        assert_eq!(
            outcome == Outcome::Satisfiable,
            satisfiable(8, &of, &assumed)
        );
        let clauses = recording.clauses();
        assert!(clauses.iter().eq(of.iter().map(Vec::as_slice)));
        // If the solver already has variables, `load` renames those of the clauses.
        let mut other = Batsat::new();
        let unused = other.variable();
        other.clause(&[-unused]);
        let names = clauses.load(&mut other);
        let renamed = |literal: &i32| names[literal.unsigned_abs() as usize - 1] * literal.signum();
        let renamed: Vec<i32> = assumed.iter().map(renamed).collect();
        assert_eq!(other.solve(&renamed, &mut go_on), outcome);
        // If the assumptions are unsatisfiable, there is a proof for the clauses with the assumptions as unit clauses,
        // and also for the clauses with only the core as unit clauses.
        match (cadical::BACKEND.prove)(&recording.question(&assumed), &mut go_on) {
            Decision::Satisfied(values) => {
                assert_eq!(outcome, Outcome::Satisfiable);
                assert!(clauses.hold(&values));
            }
            Decision::Refuted(proof) => {
                assert_eq!(outcome, Outcome::Unsatisfiable);
                assert_eq!(check(&recording.question(&assumed), &proof), Ok(()));
                let core = recording.question(&recording.core());
                let Decision::Refuted(proof) = (cadical::BACKEND.prove)(&core, &mut go_on) else {
                    panic!("the core is no core")
                };
                assert_eq!(check(&core, &proof), Ok(()));
            }
            Decision::Stopped => panic!("stopped without a reason"),
        }
    }
}
