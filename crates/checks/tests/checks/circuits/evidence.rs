//! The audit refuses evidence from circuits that has one defect, with the matching reason.

use crate::circuits::machines;
use machine::Machine;
use verdict::{Evidence, Exhausted, Induction, Invariant};

/// Two bits that are swapped; exactly one of them is set. The claim is violated only from the unreachable state in
/// which both are set. The bits of the state are 1 `broken`, 2 `a`, 3 `b`.
const SWAP: &str = "
node One {
    var broken: Bool = false
    var a: Bool = true
    var b: Bool = false
    when swap: true {
        if a and b { broken = true }
        let old = a
        a = b
        b = old
    }
}
claim whole: always not One.broken
claim moved: always One.a
check whole
check moved
";

fn swap() -> Machine {
    machines(SWAP, 0).remove(0)
}

fn invariant(clauses: &[&[i32]]) -> Invariant {
    Invariant {
        room: 2,
        clauses: clauses.iter().map(|clause| clause.to_vec()).collect(),
    }
}

/// The reason for which the audit refuses the evidence; both solvers give the same.
fn refused(machine: &Machine, evidence: Evidence) -> String {
    let why = |backend| audit::evidence(machine, &evidence, backend).expect_err("wrong evidence");
    assert_eq!(why(cadical::BACKEND), why(sat::Backend::BATSAT));
    why(cadical::BACKEND).0
}

fn accepted(machine: &Machine, evidence: Evidence) {
    for backend in [cadical::BACKEND, sat::Backend::BATSAT] {
        audit::evidence(machine, &evidence, backend).expect("good evidence");
    }
}

#[test]
fn an_invariant() {
    let good: [&[i32]; 2] = [&[-1], &[-2, -3]];
    accepted(&swap(), Evidence::Invariant(invariant(&good)));
    let why = |clauses: &[&[i32]]| refused(&swap(), Evidence::Invariant(invariant(clauses)));
    // This invariant is true in every reachable state and implies the claim, but it is not inductive.
    assert!(why(&[&[-1]]).contains("an event leads"));
    assert!(why(&[&[-2, -3]]).contains("does not exclude"));
    assert!(why(&[&[-1], &[-2, 3]]).contains("not true at first"));
    assert!(why(&[&[-1], &[2]]).contains("an event leads"));
    assert!(why(&[&[-1], &[-2, -3], &[4]]).contains("no bit 4"));
    assert!(why(&[&[-1], &[-2, -3], &[0]]).contains("no bit 0"));
    assert!(why(&[&[-1], &[-2, -3], &[]]).contains("not true at first"));
    let moved = machines(SWAP, 1).remove(0);
    let other = refused(&moved, Evidence::Invariant(invariant(&good)));
    assert!(other.contains("does not exclude"));
}

#[test]
fn an_induction() {
    let by = |k: u32, clauses: &[&[i32]]| {
        Evidence::Induction(Induction {
            k,
            strengthening: invariant(clauses),
        })
    };
    accepted(&swap(), by(2, &[]));
    accepted(&swap(), by(1, &[&[-2, -3]]));
    assert!(refused(&swap(), by(1, &[])).contains("can be broken after"));
    assert!(refused(&swap(), by(0, &[&[-2, -3]])).contains("can be broken after"));
    assert!(refused(&swap(), by(1, &[&[-1]])).contains("an event leads"));
    let moved = machines(SWAP, 1).remove(0);
    assert!(refused(&moved, by(3, &[])).contains("before the induction begins"));
}

const ENDS: &str = "
node One {
    var n: 0..9 = 0
    when up: n < 3 { n = n + 1 }
}
claim low:   always One.n <= 3
claim lower: always One.n <= 2
check low
check lower
";

#[test]
fn runs_that_end() {
    let after = |events: u32| Evidence::Exhausted(Exhausted { room: 2, events });
    let low = machines(ENDS, 0).remove(0);
    accepted(&low, after(4));
    assert!(refused(&low, after(3)).contains("as many events as none should have"));
    let lower = machines(ENDS, 1).remove(0);
    assert!(refused(&lower, after(4)).contains("before the induction begins"));
}

const LETTERS: &str = "
message Letter
node Writer {
    var left: 0..3 = 3
    when write: left > 0 { left = left - 1; send Letter to Reader }
}
node Reader {
    var read: 0..3 = 0
    on Letter { read = read + 1 }
}
network complete { channel fifo }
claim all_sent: always Reader.read + Writer.left <= 3
claim for_ever: eventually Reader.read == 3
check all_sent
check for_ever
";

#[test]
fn room_for_messages() {
    let machine = machines(LETTERS, 0).remove(0);
    let runs = |room: u32| Evidence::Exhausted(Exhausted { room, events: 7 });
    accepted(&machine, runs(3));
    assert!(refused(&machine, runs(2)).contains("before the induction begins"));
    let other = machines(LETTERS, 1).remove(0);
    assert!(refused(&other, runs(3)).contains("more than single states"));
}
