//! The methods on random circuits, compared with an enumeration of all states; and the rejection of wrong proofs.

mod random;

use self::random::{Dice, circuit, visit};
use ::circuits::{Circuit, Flaw, Latch, Proof, check_inductive, check_invariant, check_proof};
use invariants::{Bmc, Depth, Induction, Pdr, Solvers, Step, Verdict, decide};
use sat::{Aig, Backend, Certified, Lit, Solver};

/// The solver that checks proofs, independently of the solver that found them.
fn checker() -> Box<dyn Solver> {
    Box::new(Certified::new())
}

/// The solvers of the portfolio: `backend` for hard queries, Batsat for easy ones.
fn both(backend: &Backend) -> Solvers<'_> {
    Solvers {
        thorough: &backend.new,
        quick: &Backend::BATSAT.new,
    }
}

fn never() -> bool {
    false
}

/// Random circuits, with the result of an enumeration of all states, and a solver; the solvers alternate.
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
        // With distinct states, the step holds for some k even if a bad state is reachable. Then the base fails.
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
            Verdict::Stopped => panic!("stopped"),
        }
    }
}

#[test]
fn a_limit_ends_in_unknown() {
    let (circuit, _, backend) = &sample(4, 1, 6)[0];
    let decision = decide(circuit, vec![], None, both(backend), &mut || true);
    assert!(matches!(decision.verdict, Verdict::Stopped));
    assert_eq!((decision.method, decision.clear), (None, 0));
}

/// A circuit that counts 0, 1, 2, 3, 4, 0, … The bad state 7 is unreachable; 5 and 6 lead to it.
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
    // The value is at most 4: if the highest bit is set, the others are not.
    assert_eq!(check(&[vec![!c, !a], vec![!c, !b]]), Ok(()));
    // True in all reachable states, but not inductive: 6 leads to 7.
    assert_eq!(check(&[vec![!a, !b, !c]]), Err(Flaw::NotKept(0)));
    // Inductive, but it does not exclude bad states.
    assert_eq!(check(&[]), Err(Flaw::AllowsBad));
    assert_eq!(check_inductive(&circuit, &[], &mut *checker()), Ok(()));
    // Inductive, but not true in the initial state.
    assert_eq!(check(&[vec![a, b, c], vec![]]), Err(Flaw::NotInitial(0)));
    assert_eq!(check(&[vec![circuit.bad]]), Err(Flaw::NotAboutStates));
    // The condition `known` must be inductive.
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
    // 5, 6, 7 is a path of good states that ends in a bad one.
    assert_eq!(check(&circuit, 1), Err(Flaw::StepFails));
    assert_eq!(check(&circuit, 2), Err(Flaw::StepFails));
    assert_eq!(check(&circuit, 3), Ok(()));
    // With a strengthening a smaller k is sufficient, but the strengthening must be inductive.
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
    // The runs of this circuit are infinite.
    let proof = Proof::Exhaustive { steps: 9 };
    assert_eq!(check_proof(&circuit, &proof, &checker), Err(Flaw::GoesOn));
    // The step holds, but the base fails.
    circuit.bad = circuit.init;
    assert_eq!(check(&circuit, 8), Err(Flaw::BaseFails));
    // The state changes although `moves` is false.
    circuit.moves = Lit::FALSE;
    assert_eq!(check(&circuit, 8), Err(Flaw::MovesAnyway));
}
