//! The proofs of every solver are correct, and the checker rejects incorrect ones.

use crate::random::{Rng, holds, pigeons, satisfiable};
use crate::{BACKENDS, go_on};
use sat::{Backend, Batsat, Clauses, Decision, Mistake, Outcome, Proof, Sink, Solver, check};

fn clauses_of(variables: i32, of: &[Vec<i32>]) -> Clauses {
    let mut clauses = Clauses::new();
    for _ in 0..variables {
        clauses.variable();
    }
    for clause in of {
        clauses.clause(clause);
    }
    clauses
}

fn refutation(backend: Backend, clauses: &Clauses) -> Proof {
    match (backend.prove)(clauses, &mut go_on) {
        Decision::Refuted(proof) => proof,
        other => panic!("{other:?} of\n{clauses}"),
    }
}

/// The eight clauses of three literals over three variables. Every assignment falsifies one of them.
fn cube() -> Clauses {
    let signs = [1, -1];
    let all = signs.map(|a| signs.map(|b| signs.map(|c| vec![a, 2 * b, 3 * c])));
    clauses_of(3, &all.into_iter().flatten().flatten().collect::<Vec<_>>())
}

/// A proof for [`cube`], written by hand.
fn by_hand() -> Proof {
    Proof::parse(
        "9 1 2 0 1 2 0\n\
         10 1 -2 0 3 4 0\n\
         11 1 0 9 10 0\n\
         12 2 0 11 5 6 0\n\
         13 0 11 12 7 8 0\n",
    )
    .unwrap()
}

#[test]
fn random_clauses_are_decided_with_a_proof_or_values() {
    for backend in BACKENDS {
        let mut counts = [0, 0];
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let variables = 3 + rng.below(10) as i32;
            let number = rng.below(6 * variables as usize);
            let of: Vec<Vec<i32>> = (0..number)
                .map(|_| {
                    let length = [1, 2, 2, 3, 3, 3, 3, 3][rng.below(8)];
                    rng.literals(length, variables)
                })
                .collect();
            let clauses = clauses_of(variables, &of);
            match (backend.prove)(&clauses, &mut go_on) {
                Decision::Refuted(proof) => {
                    counts[0] += 1;
                    assert!(!satisfiable(variables, &of, &[]));
                    assert_eq!(check(&clauses, &proof), Ok(()), "{clauses}{proof}");
                    assert_eq!(Proof::parse(&proof.to_string()).unwrap(), proof);
                    assert_eq!(proof.trimmed(), proof);
                }
                Decision::Satisfied(values) => {
                    counts[1] += 1;
                    assert!(clauses.hold(&values), "{clauses}");
                }
                Decision::Stopped => panic!("stopped without a reason"),
            }
        }
        assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
    }
}

#[test]
fn queries_that_need_search() {
    for backend in BACKENDS {
        for seed in 0..6 {
            let mut rng = Rng::new(seed);
            let of: Vec<Vec<i32>> = (0..500).map(|_| rng.literals(3, 90)).collect();
            let clauses = clauses_of(90, &of);
            let proof = refutation(backend, &clauses);
            assert_eq!(check(&clauses, &proof), Ok(()));
            assert_eq!(refutation(backend, &clauses), proof, "the same proof again");
            let mut batsat = Batsat::new();
            clauses.load(&mut batsat);
            assert_eq!(batsat.solve(&[], &mut go_on), Outcome::Unsatisfiable);
        }
    }
}

#[test]
fn more_pigeons_than_holes() {
    for backend in BACKENDS {
        for holes in 1..=7 {
            let (variables, of) = pigeons(holes);
            let clauses = clauses_of(variables, &of);
            let proof = refutation(backend, &clauses);
            assert_eq!(check(&clauses, &proof), Ok(()));
            assert_eq!(Proof::parse(&proof.to_string()).unwrap(), proof);
        }
    }
}

#[test]
fn clauses_that_are_refuted_as_they_come() {
    for backend in BACKENDS {
        for of in [
            vec![vec![]],
            vec![vec![1], vec![]],
            vec![vec![1], vec![-1]],
            vec![vec![1, 1], vec![-1, -1, -1]],
            vec![vec![1, -1], vec![2], vec![-2, 1], vec![-1], vec![]],
            vec![vec![1, 2], vec![1], vec![-1, 2, 1], vec![-2], vec![-1, 2]],
        ] {
            let clauses = clauses_of(2, &of);
            let proof = refutation(backend, &clauses);
            assert_eq!(check(&clauses, &proof), Ok(()), "{clauses}{proof}");
        }
    }
}

#[test]
fn a_stopped_solver_has_no_result() {
    for backend in BACKENDS {
        let (variables, of) = pigeons(11);
        let clauses = clauses_of(variables, &of);
        assert_eq!((backend.prove)(&clauses, &mut || true), Decision::Stopped);
        let mut asked = 0;
        let mut stop = || {
            asked += 1;
            asked == 3
        };
        assert_eq!((backend.prove)(&clauses, &mut stop), Decision::Stopped);
    }
}

#[test]
fn a_proof_by_hand() {
    let proof = by_hand();
    assert_eq!(check(&cube(), &proof), Ok(()));
    assert_eq!((proof.given(), proof.len()), (8, 5));
    let with_more = Proof::parse(&format!("{}", proof).replace("13 0", "13 1 3 0 1 3 0\n14 0"));
    let with_more = with_more.unwrap();
    assert_eq!(check(&cube(), &with_more), Ok(()));
    assert_eq!(with_more.trimmed(), proof);
}

#[test]
fn every_kind_of_mistake() {
    let right = by_hand().to_string();
    let cases = [
        ("13 0 11 12 7 8 0\n", "", Mistake::Unfinished),
        (
            "13 0 11",
            "13 3 0 11",
            Mistake::Useless { step: 13, hint: 8 },
        ),
        (
            "13 0 11 12 7 8 0",
            "13 0 0",
            Mistake::NoConflict { step: 13 },
        ),
        ("12 7 8 0", "12 7 0", Mistake::NoConflict { step: 13 }),
        ("12 7 8 0", "12 8 0", Mistake::NoConflict { step: 13 }),
        ("12 7 8 0", "7 8 0", Mistake::Useless { step: 13, hint: 7 }),
        (
            "12 7 8 0",
            "12 7 8 8 0",
            Mistake::Useless { step: 13, hint: 8 },
        ),
        (
            "12 7 8 0",
            "12 12 7 8 0",
            Mistake::Useless { step: 13, hint: 12 },
        ),
        ("9 10 0", "9 11 0", Mistake::NoClause { step: 11, hint: 11 }),
        ("9 10 0", "9 13 0", Mistake::NoClause { step: 11, hint: 13 }),
        (
            "9 10 0",
            "9 4000000000 0",
            Mistake::NoClause {
                step: 11,
                hint: 4_000_000_000,
            },
        ),
        ("9 1 2 0", "9 1 0", Mistake::Useless { step: 9, hint: 1 }),
        (
            "9 1 2 0",
            "9 1 4 0",
            Mistake::Literal {
                step: 9,
                literal: 4,
            },
        ),
        ("9 1 2 0", "9 1 -2 0", Mistake::Useless { step: 9, hint: 1 }),
        (
            "9 1 2 0",
            "9 1 1 0",
            Mistake::Literal {
                step: 9,
                literal: 1,
            },
        ),
        (
            "9 1 2 0",
            "9 1 -1 0",
            Mistake::Literal {
                step: 9,
                literal: -1,
            },
        ),
        (
            "9 1 2 0",
            "9 1 -2147483648 0",
            Mistake::Literal {
                step: 9,
                literal: i32::MIN,
            },
        ),
    ];
    for (from, to, mistake) in cases {
        assert!(right.contains(from));
        let wrong = Proof::parse(&right.replacen(from, to, 1)).unwrap();
        assert_eq!(check(&cube(), &wrong), Err(mistake), "{wrong}");
    }
    let fewer = clauses_of(3, &[vec![1], vec![-1]]);
    let mistake = Mistake::OtherClauses {
        given: 2,
        expected: 8,
    };
    assert_eq!(check(&fewer, &by_hand()), Err(mistake));
    let nothing = Proof::parse("").unwrap();
    assert_eq!(check(&Clauses::new(), &nothing), Err(Mistake::Unfinished));
}

#[test]
fn malformed_proofs_are_refused() {
    for (text, message) in [
        ("9 1 2 0 1 2", "line 1: the line ends too early"),
        ("9 1 2 0 1 2 0 3", "line 1: `3` comes after the end"),
        (
            "9 1 2 0 1 x 0",
            "line 1: `x` is no number that can stand here",
        ),
        (
            "9 1 2 0 1 -2 0",
            "line 1: `-2` is no number that can stand here",
        ),
        ("9 1 2 0 1 2 0\n11 0 9 0", "line 2: here is step 11, not 10"),
        ("9 1 2 0 1 2 0\n9 d 1 2 0", "line 2: here is step 9, not 10"),
        ("0 1 2 0 1 2 0", "line 1: clauses are numbered from 1"),
        ("9 1 2 0 1 2 0\n\n", "line 2: the line ends too early"),
    ] {
        assert_eq!(Proof::parse(text).unwrap_err().to_string(), message);
    }
}

/// Whether each step follows from its hints (by enumeration of all assignments) and the last step is the empty clause.
fn is_proof(clauses: &Clauses, proof: &Proof) -> bool {
    let numbered = |number: u32| {
        let steps = proof.steps().map(|step| step.clause);
        let mut all = clauses.iter().chain(steps);
        all.nth(number as usize - 1).unwrap()
    };
    let holds_in = |clause: &[i32], values| clause.iter().any(|lit| holds(*lit, values));
    let follows = proof.steps().enumerate().all(|(index, step)| {
        let earlier = 1..(clauses.len() + 1 + index) as u32;
        step.hints.iter().all(|hint| earlier.contains(hint))
            && (0..1 << clauses.variables()).all(|values| {
                let mut named = step.hints.iter().map(|hint| numbered(*hint));
                holds_in(step.clause, values) || !named.all(|clause| holds_in(clause, values))
            })
    });
    follows
        && proof
            .steps()
            .last()
            .is_some_and(|step| step.clause.is_empty())
}

/// All proofs that differ from a proof in one step by a small change.
fn altered(proof: &Proof, variables: i32) -> Vec<Proof> {
    let literals: Vec<i32> = (-variables..=variables).filter(|lit| *lit != 0).collect();
    let numbers = 1..=(proof.given() + proof.len()) as u32;
    let mut all = Vec::new();
    let mut add = |index: usize, clause: &[i32], hints: &[u32]| {
        let mut altered = Proof::new(proof.given());
        for (other, step) in proof.steps().enumerate() {
            match other == index {
                true => altered.push(clause, hints.iter().copied()),
                false => altered.push(step.clause, step.hints.iter().copied()),
            }
        }
        all.push(altered);
    };
    for (index, step) in proof.steps().enumerate() {
        for place in 0..step.clause.len() {
            let mut clause = step.clause.to_vec();
            clause.remove(place);
            add(index, &clause, step.hints);
            for literal in literals.iter().filter(|lit| **lit != step.clause[place]) {
                let mut clause = step.clause.to_vec();
                clause[place] = *literal;
                add(index, &clause, step.hints);
            }
        }
        for literal in &literals {
            let mut clause = step.clause.to_vec();
            clause.push(*literal);
            add(index, &clause, step.hints);
        }
        for place in 0..step.hints.len() {
            let mut hints = step.hints.to_vec();
            hints.remove(place);
            add(index, step.clause, &hints);
            for number in numbers.clone().filter(|it| *it != step.hints[place]) {
                let mut hints = step.hints.to_vec();
                hints[place] = number;
                add(index, step.clause, &hints);
            }
        }
        for number in numbers.clone() {
            let mut hints = step.hints.to_vec();
            hints.push(number);
            add(index, step.clause, &hints);
        }
    }
    for index in 0..proof.len() {
        let mut shorter = Proof::new(proof.given());
        let rest = proof
            .steps()
            .enumerate()
            .filter(|(other, _)| *other != index);
        rest.for_each(|(_, step)| shorter.push(step.clause, step.hints.iter().copied()));
        all.push(shorter);
    }
    all
}

#[test]
fn an_altered_proof_is_refused_or_is_a_proof() {
    for backend in BACKENDS {
        let mut questions = vec![(cube(), by_hand()), (cube(), refutation(backend, &cube()))];
        for seed in 0..12 {
            let mut rng = Rng::new(seed);
            let of: Vec<Vec<i32>> = (0..40).map(|_| rng.literals(3, 5)).collect();
            let clauses = clauses_of(5, &of);
            if let Decision::Refuted(proof) = (backend.prove)(&clauses, &mut go_on) {
                questions.push((clauses, proof));
            }
        }
        assert!(questions.len() > 6);
        let mut counts = [0, 0];
        for (clauses, proof) in &questions {
            assert!(is_proof(clauses, proof));
            for altered in altered(proof, clauses.variables()) {
                let accepted = check(clauses, &altered).is_ok();
                counts[usize::from(accepted)] += 1;
                assert!(
                    !accepted || is_proof(clauses, &altered),
                    "{clauses}{altered}"
                );
            }
        }
        // Few of the altered proofs are correct.
        assert!(counts[0] > 10 * counts[1], "{counts:?}");
    }
}

#[test]
fn a_proof_proves_nothing_about_other_clauses() {
    for backend in BACKENDS {
        let (variables, of) = pigeons(4);
        let proof = refutation(backend, &clauses_of(variables, &of));
        for index in 0..of.len() {
            // The clauses are a minimal unsatisfiable set. If one of them is replaced by a tautology, they are
            // satisfiable.
            let mut others = of.clone();
            others[index] = vec![1, -1];
            let others = clauses_of(variables, &others);
            assert!(matches!(
                (backend.prove)(&others, &mut go_on),
                Decision::Satisfied(_)
            ));
            assert!(check(&others, &proof).is_err());
            let mut others = of.clone();
            others[index][0] *= -1;
            let others = clauses_of(variables, &others);
            if matches!((backend.prove)(&others, &mut go_on), Decision::Satisfied(_)) {
                assert!(check(&others, &proof).is_err());
            }
            let mut fewer = of.clone();
            fewer.remove(index);
            assert!(check(&clauses_of(variables, &fewer), &proof).is_err());
        }
        // The checker rejects every proper prefix of the proof.
        let text = proof.to_string();
        let lines: Vec<&str> = text.lines().collect();
        for length in 0..lines.len() {
            let shorter = Proof::parse(&lines[..length].join("\n")).unwrap();
            assert!(check(&clauses_of(variables, &of), &shorter).is_err());
        }
    }
}
