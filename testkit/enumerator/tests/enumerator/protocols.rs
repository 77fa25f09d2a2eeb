//! Models of published protocols: states and transitions of the smallest instances, and variants that violate a claim.
//!
//! The numbers are those that `check -v` reports for a search without reductions. Ghost variables count as variables,
//! because the claims of these models read them.

use enumerator::{
    Count, Setup, enumerate, enumerate_up_to_rotation, invariant, read, read_condition, sum,
};
use syntax::ast;

const DOLEV_KLAWE_RODEH: &str = include_str!("../../../../models/dolev-klawe-rodeh.scrut");
const HIRSCHBERG_SINCLAIR: &str = include_str!("../../../../models/hirschberg-sinclair.scrut");
const PAXOS: &str = include_str!("../../../../models/paxos.scrut");
const RAFT_ELECTION: &str = include_str!("../../../../models/raft-election.scrut");

fn model(text: &str) -> ast::File {
    let text = text.replace("ghost var", "var");
    read(&text).expect("the model can be read")
}

/// States, transitions and final states. Asserts that there are no errors.
fn numbers(counts: &[Count]) -> (usize, usize, usize) {
    let all = sum(counts);
    assert_eq!(all.errors, 0);
    (all.states, all.transitions, all.final_states)
}

fn of_size(n: i128) -> Setup {
    Setup::default().param("n", n)
}

/// Compares counts up to rotation with expected (states, transitions), for n = 1, 2, …; each arrangement of ids has one
/// final state.
fn rings(text: &str, expected: &[(usize, usize)]) {
    for (n, (states, transitions)) in (1..).zip(expected) {
        let counts = enumerate_up_to_rotation(&model(text), &of_size(n)).expect("counted");
        let arrangements = (1..n as usize).product::<usize>();
        assert_eq!(counts.len(), arrangements);
        let found = numbers(&counts);
        assert_eq!(found, (*states, *transitions, arrangements), "n = {n}");
    }
}

#[test]
fn dolev_klawe_rodeh_is_counted() {
    rings(
        DOLEV_KLAWE_RODEH,
        &[(4, 3), (17, 19), (94, 150), (926, 1940), (11_784, 30_640)],
    );
}

#[test]
fn hirschberg_sinclair_is_counted() {
    rings(
        HIRSCHBERG_SINCLAIR,
        &[(5, 4), (23, 30), (474, 1172), (8317, 27_840)],
    );
}

fn ballots(acceptors: i128, proposers: i128) -> Setup {
    let setup = Setup::default().param("acceptors", acceptors);
    setup.param("proposers", proposers)
}

/// All orders of ballots and all proposed values: twice as many as in the checks of the model, which fix the order.
#[test]
fn paxos_is_counted() {
    for (setup, expected) in [
        (ballots(1, 1), (10, 8, 2)),
        (ballots(3, 1), (186, 410, 6)),
        (ballots(1, 2), (248, 352, 24)),
        (ballots(2, 2), (2184, 4976, 56)),
        (ballots(1, 2).world("Lossy"), (472, 864, 104)),
        (ballots(2, 2).world("Lossy"), (7544, 24_832, 776)),
    ] {
        let counts = enumerate(&model(PAXOS), &setup).expect("counted");
        assert_eq!(numbers(&counts), expected, "{setup:?}");
    }
}

fn terms(n: i128, terms: i128) -> Setup {
    of_size(n).param("terms", terms)
}

#[test]
fn the_election_of_raft_is_counted() {
    for (setup, expected) in [
        (terms(1, 2), (2, 1, 1)),
        (terms(2, 1), (13, 14, 3)),
        (terms(2, 2), (105, 206, 5)),
        (terms(3, 1), (389, 999, 10)),
        (terms(2, 1).world("Lossy"), (19, 26, 7)),
        (terms(3, 1).world("Lossy"), (878, 3567, 58)),
        (terms(1, 2).world("Restarts"), (12, 15, 0)),
        (terms(2, 2).world("Restarts"), (1121, 3176, 0)),
        (terms(3, 1).world("Restarts"), (5168, 18_510, 0)),
    ] {
        let counts = enumerate(&model(RAFT_ELECTION), &setup).expect("counted");
        assert_eq!(numbers(&counts), expected, "{setup:?}");
    }
}

#[test]
fn what_is_changed_goes_wrong() {
    let ring = "all k in Member: k.leader == none or k.leader == greatest.id";
    let paxos = "not (chosen(1) and chosen(2))";
    let raft = "all j, k in Server: j != k implies j.led intersect k.led == {}";
    for (text, condition, setup, variant) in [
        (DOLEV_KLAWE_RODEH, ring, of_size(3), "Proud"),
        (HIRSCHBERG_SINCLAIR, ring, of_size(2), "Polite"),
        (PAXOS, paxos, ballots(2, 2), "Stubborn"),
        (PAXOS, paxos, ballots(3, 2), "Fickle"),
        (RAFT_ELECTION, raft, terms(3, 1), "Twice"),
        (
            RAFT_ELECTION,
            raft,
            terms(3, 1).world("Restarts"),
            "Forgetful",
        ),
        (RAFT_ELECTION, raft, terms(3, 2), "Late"),
    ] {
        let file = model(text);
        let condition = read_condition(condition).expect("a condition");
        let changed = setup.clone().variant(variant);
        assert_eq!(
            invariant(&file, &changed, &condition),
            Ok(false),
            "{variant}"
        );
        // Without the variant the claim holds. Two cases are skipped because they have too many states.
        if !matches!(variant, "Fickle" | "Late") {
            assert_eq!(invariant(&file, &setup, &condition), Ok(true), "{variant}");
        }
    }
}

#[test]
fn a_member_that_does_not_compare_with_the_second_is_right_all_the_same() {
    let file = model(DOLEV_KLAWE_RODEH);
    let ring = read_condition("all k in Member: k.leader == none or k.leader == greatest.id");
    let ring = ring.expect("a condition");
    let few = read_condition("all k in Member: k.sent(Second) <= log2(n)").expect("a condition");
    for n in 1..=4 {
        let greedy = of_size(n).variant("Greedy");
        assert_eq!(invariant(&file, &greedy, &ring), Ok(true), "n = {n}");
    }
    assert_eq!(invariant(&file, &of_size(4), &few), Ok(true));
    assert_eq!(
        invariant(&file, &of_size(4).variant("Greedy"), &few),
        Ok(false)
    );
}
