//! The methods on random circuits, compared with an enumeration of all states; and wrong proofs, which are rejected.

mod random;

use self::random::{Dice, circuit, visit};
use ::circuits::{Circuit, Flaw, Latch, Proof, check_inductive, check_invariant, check_proof};
use invariants::{Bmc, Depth, Induction, Pdr, Solvers, Step, Verdict, decide};
use sat::{Aig, Backend, Certified, Lit, Solver};

/// The solver that checks proofs, whichever solver has found them.
fn checker() -> Box<dyn Solver> {
    Box::new(Certified::new())
}

/// The solvers of the portfolio, with a backend as the thorough one.
fn both(backend: &Backend) -> Solvers<'_> {
    Solvers {
        thorough: &backend.new,
        quick: &Backend::BATSAT.new,
    }
}

fn never() -> bool {
    false
}

/// Random circuits, with the result of visiting every state. The solvers take turns.
fn sample(
    seed: u64,
    count: usize,
    most_latches: usize,
) -> Vec<(Circuit, random::Visited, Backend)> {
    let mut dice = Dice(seed);
    let backends = [cadical::BACKEND, Backend::BATSAT].into_iter().cycle();
    let circuits = (0..count).map(|_| circuit(&mut dice, most_latches));
    let circuits: Vec<Circuit> = circuits.collect();
    let circuits = circuits.into_iter().zip(backends);
    circuits
        .map(|(circuit, backend)| (circuit.clone(), visit(&circuit), backend))
        .collect()
}

#[test]
fn the_sample_is_worth_it() {
    let sample = sample(1, 600, 8);
    let fail = sample
        .iter()
        .filter(|(_, v, _)| v.shortest.is_some())
        .count();
    let deep = sample
        .iter()
        .filter(|(_, v, _)| v.shortest > Some(1))
        .count();
    assert!(
        fail * 4 > sample.len() && fail * 4 < 3 * sample.len(),
        "{fail}"
    );
    assert!(deep * 20 > sample.len(), "{deep}");
}

#[test]
fn bounded_search_finds_shortest_runs() {
    for (circuit, visited, backend) in sample(1, 600, 8) {
        let mut bmc = Bmc::new(&circuit, (backend.new)());
        let found = (0..12).find_map(|_| match bmc.advance(&mut never) {
            Depth::Reached(trace) => Some(trace),
            _ => None,
        });
        assert_eq!(
            found.as_ref().map(|t| t.depth()),
            visited.shortest.filter(|d| *d < 12)
        );
        assert!(found.is_none_or(|trace| circuit.is_run(&trace)));
    }
}

#[test]
fn induction_proves_what_is_true_and_nothing_else() {
    for (circuit, visited, backend) in sample(2, 400, 3) {
        let mut induction = Induction::new(&circuit, vec![], (backend.new)());
        let proved =
            (0..=1 << circuit.latches.len()).find_map(|_| match induction.advance(&mut never) {
                Step::Proved(k) => Some(k),
                _ => None,
            });
        // With different states some k is enough, whatever is true: the base decides.
        let k = proved.expect("there are no more states");
        let holds = visited.shortest.is_none_or(|depth| depth >= k);
        assert_eq!(holds, visited.shortest.is_none());
        let proof = Proof::KInductive {
            k,
            strengthened_by: vec![],
        };
        let checked = check_proof(&circuit, &proof, &checker);
        assert_eq!(checked, if holds { Ok(()) } else { Err(Flaw::BaseFails) });
    }
}

#[test]
fn without_different_states_induction_does_not_get_far() {
    let mut lost = 0;
    for (circuit, visited, backend) in sample(2, 200, 4) {
        let mut plain = Induction::new(&circuit, vec![], (backend.new)()).with_equal_states();
        let proved = (0..=16).any(|_| matches!(plain.advance(&mut never), Step::Proved(_)));
        lost += u32::from(!proved && visited.shortest.is_none());
    }
    assert!(lost > 5, "{lost}");
}

#[test]
fn reachability_gives_invariants_and_runs() {
    for (circuit, visited, backend) in sample(3, 500, 8) {
        match Pdr::new(&circuit, &backend.new).work(&mut never) {
            Some(Verdict::Holds(Proof::Inductive(invariant))) => {
                assert_eq!(visited.shortest, None);
                assert_eq!(
                    check_invariant(&circuit, &invariant, &mut *checker()),
                    Ok(())
                );
            }
            Some(Verdict::Fails(trace)) => {
                assert!(visited.shortest.is_some_and(|depth| depth <= trace.depth()));
                assert!(circuit.is_run(&trace));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn all_in_turns_agree_with_visiting_every_state() {
    for (circuit, visited, backend) in sample(4, 400, 6) {
        let decision = decide(&circuit, vec![], None, both(&backend), &mut never);
        match decision.verdict {
            Verdict::Holds(proof) => {
                assert_eq!(visited.shortest, None);
                assert_eq!(check_proof(&circuit, &proof, &checker), Ok(()));
            }
            Verdict::Fails(trace) => {
                assert_eq!(visited.shortest, Some(trace.depth()));
                assert!(circuit.is_run(&trace));
            }
            Verdict::Unknown(why) => panic!("{why}"),
        }
    }
}

#[test]
fn a_limit_ends_in_unknown() {
    let (circuit, _, backend) = &sample(4, 1, 6)[0];
    let decision = decide(circuit, vec![], None, both(backend), &mut || true);
    assert!(matches!(decision.verdict, Verdict::Unknown(_)));
    assert_eq!((decision.method, decision.clear), (None, 0));
}

/// Counts 0, 1, 2, 3, 4, 0, …; 7 is bad, which is out of reach, but 5 and 6 lead there.
fn counter() -> Circuit {
    let mut aig = Aig::new();
    let now: Vec<Lit> = (0..3).map(|_| aig.input()).collect();
    let four = aig.all([!now[0], !now[1], now[2]]);
    let carry = aig.and(now[0], now[1]);
    let sum = [!now[0], aig.xor(now[0], now[1]), aig.xor(now[2], carry)];
    let next: Vec<Lit> = sum.into_iter().map(|lit| aig.and(lit, !four)).collect();
    let latches = now
        .iter()
        .zip(next)
        .map(|(now, next)| Latch { now: *now, next });
    Circuit {
        latches: latches.collect(),
        init: aig.all(now.iter().map(|lit| !*lit)),
        constraint: Lit::TRUE,
        known: Lit::TRUE,
        relied: Lit::TRUE,
        moves: Lit::TRUE,
        bad: aig.all(now.iter().copied()),
        inputs: vec![],
        aig,
    }
}

#[test]
fn wrong_invariants_are_noticed() {
    let circuit = counter();
    let [a, b, c] = [0, 1, 2].map(|l: usize| circuit.latches[l].now);
    let check = |invariant: &[Vec<Lit>]| check_invariant(&circuit, invariant, &mut *checker());
    // At most 4: not both of the greatest bit and another.
    assert_eq!(check(&[vec![!c, !a], vec![!c, !b]]), Ok(()));
    // True, but not inductive: 6 leads to 7.
    assert_eq!(check(&[vec![!a, !b, !c]]), Err(Flaw::NotKept(0)));
    // Inductive, but it says nothing.
    assert_eq!(check(&[]), Err(Flaw::AllowsBad));
    assert_eq!(check_inductive(&circuit, &[], &mut *checker()), Ok(()));
    // Kept for ever, but not true at first.
    assert_eq!(check(&[vec![a, b, c], vec![]]), Err(Flaw::NotInitial(0)));
    assert_eq!(check(&[vec![circuit.bad]]), Err(Flaw::NotAboutStates));
    // What is said to be known must be so.
    let mut circuit = counter();
    circuit.known = !circuit.bad;
    assert_eq!(
        check_invariant(&circuit, &[], &mut *checker()),
        Err(Flaw::KnownIsNot)
    );
    circuit.known = {
        let low = circuit.aig.and(!a, !b);
        circuit.aig.or(!c, low)
    };
    assert_eq!(check_invariant(&circuit, &[], &mut *checker()), Ok(()));
}

#[test]
fn wrong_inductions_are_noticed() {
    let mut circuit = counter();
    let check = |circuit: &Circuit, k| {
        let proof = Proof::KInductive {
            k,
            strengthened_by: vec![],
        };
        check_proof(circuit, &proof, &checker)
    };
    // 5, 6, 7 is a row of good states with a bad one behind.
    assert_eq!(check(&circuit, 1), Err(Flaw::StepFails));
    assert_eq!(check(&circuit, 2), Err(Flaw::StepFails));
    assert_eq!(check(&circuit, 3), Ok(()));
    // With what is known less is enough; what is not so must not be taken for granted.
    let [a, b, c] = [0, 1, 2].map(|l: usize| circuit.latches[l].now);
    let known = |known: Vec<Vec<Lit>>| Proof::KInductive {
        k: 0,
        strengthened_by: known,
    };
    let proof = known(vec![vec![!c, !a], vec![!c, !b]]);
    assert_eq!(check_proof(&circuit, &proof, &checker), Ok(()));
    let proof = known(vec![vec![!a, !b, !c]]);
    assert_eq!(
        check_proof(&circuit, &proof, &checker),
        Err(Flaw::NotKept(0))
    );
    // It goes on for ever.
    let proof = Proof::Exhaustive { steps: 9 };
    assert_eq!(check_proof(&circuit, &proof, &checker), Err(Flaw::GoesOn));
    // A step that works without a base.
    circuit.bad = circuit.init;
    assert_eq!(check(&circuit, 8), Err(Flaw::BaseFails));
    // It moves without a word.
    circuit.moves = Lit::FALSE;
    assert_eq!(check(&circuit, 8), Err(Flaw::MovesAnyway));
}
