//! Timed agreement of two processes of which one may fail: the published algorithm, transcribed literally.
//!
//! A zone-based and an integer-time explorer, both written independently, found the same numbers.

use enumerator::{Answer, Setup, ask, latest, read, read_condition};
use syntax::ast;

const MODEL: &str = "
param n: 2..4 = 2
param f: 0..2 = 1
param c1: Duration = 1
param c2: Duration = 1
param d:  Duration = 0

let D = d + c2
let misses = floor(D / c1) + 1
let T = D + c2 * misses
let U = (2 * f - 1) * D + max(T, 3 * D)
let rounds = 2 * f + 4

message Alive
message Round { r: 0..rounds }

node Proc[n] {
    var input: 0..1 = any
    var r: 0..rounds = 0
    var decision: Option<0..1> = none
    var got: [Set<Node>; 0..rounds] = {}
    var fresh: Set<Node> = {}
    var missed: [-1..misses; Node] = -1
    var gone: Set<Node> = {}

    on Alive from s          { fresh = fresh union { s } }
    on Round as m from s     { got[m.r] = got[m.r] union { s } }

    every c1 .. c2, first 0 {
        broadcast Alive
        for j in Proc minus { self } {
            missed[j] = min(missed[j] + 1, misses)
            if j in fresh               { missed[j] = 0 }
            else if missed[j] == misses { gone = gone union { j } }
        }
        fresh = {}

        if r == 0 and input == 1 { tell(0); r = 1 }
        else if r == 0           { tell(1); decide(0) }
        else if got[r] != {}     { tell(r); r = r + 1 }
        else if all j in Proc: j in gone or j in got[r - 1]
                                 { tell(r + 1); decide(r mod 2) }
    }

    action tell(q: 0..rounds) { broadcast Round { r: q }; got[q] = got[q] union { self } }
    action decide(v: 0..1)    { decision = v; halt }
}

network complete { delivery within 0 .. d, unordered }
faults at most f nodes: crash any time, during broadcast

claim agreement: always (all i, j in Proc: i.decision != none and j.decision != none
                                           implies i.decision == j.decision)
claim validity:  always (all i in Proc: i.decision != none
                                        implies exists j in Proc: i.decision == j.input)
claim in_time(u: Duration): always ((exists i in Proc: not i.halted and not i.crashed) implies now <= u)
";

fn model() -> ast::File {
    read(MODEL).expect("the model can be read")
}

fn answer(file: &ast::File, setup: &Setup, claim: &str) -> Answer {
    let claim = read_condition(claim).expect("a claim");
    ask(file, setup, &claim).expect("an answer")
}

#[test]
fn they_agree_in_time() {
    let setup = Setup::default();
    for claim in ["agreement", "validity", "in_time(U)", "in_time(3)"] {
        assert_eq!(answer(&model(), &setup, claim), Answer::Holds, "{claim}");
    }
    // The formula for U gives 4, but 3 suffices and 2 does not.
    assert_eq!(answer(&model(), &setup, "in_time(2)"), Answer::Fails);
}

#[test]
fn the_latest_decision() {
    let undecided = "exists i in Proc: not i.halted and not i.crashed";
    let undecided = read_condition(undecided).expect("a condition");
    for (d, expected) in [(0, 3), (1, 5)] {
        let setup = Setup::default().param("d", d);
        let found = latest(&model(), &setup, &undecided, 12);
        assert_eq!(found, Ok(Some(expected)), "d = {d}");
    }
}

#[test]
fn a_decider_that_announces_its_own_round_is_not_believed() {
    let text = MODEL.replace("tell(r + 1); decide", "tell(r); decide");
    let file = read(&text).expect("the model can be read");
    for claim in ["agreement", "validity"] {
        let found = answer(&file, &Setup::default(), claim);
        assert_eq!(found, Answer::Fails, "{claim}");
    }
}
