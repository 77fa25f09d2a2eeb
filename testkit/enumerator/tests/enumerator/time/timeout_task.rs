//! The timeout task of the agreement algorithm: two processes that exchange alive messages.

use enumerator::{Answer, Setup, ask, read, read_condition};

const MODEL: &str = "
param c1: Duration = 1
param c2: Duration = 1
param d:  Duration = 0
param less = 0                              // taken from the threshold

let D = d + c2
let misses = floor(D / c1) + 1 - less
let T = D + c2 * (floor(D / c1) + 1)

message Alive

node Proc[2] {
    var fresh: Bool = false
    var missed: -1..misses = -1
    var gone: Bool = false                  // the other one, as far as I know

    on Alive { fresh = true }
    every c1 .. c2, first 0 {
        broadcast Alive
        missed = min(missed + 1, misses)
        if fresh                  { missed = 0 }
        else if missed == misses  { gone = true }
        fresh = false
    }
}

network complete { delivery within 0 .. d }
faults at most 1 node: crash any time, during broadcast

claim right: always all i, j in Proc: i != j and i.gone implies j.crashed and in_flight(Alive, j, i) == 0
claim known(x: Duration): all i, j in Proc:
    i != j and j.crashed and not i.crashed leads to i.gone or i.crashed within x
";

fn answer(numbers: [i128; 4], claim: &str) -> Answer {
    let file = read(MODEL).expect("the model can be read");
    let mut setup = Setup::default();
    for (name, number) in ["c1", "c2", "d", "less"].into_iter().zip(numbers) {
        setup = setup.param(name, number);
    }
    let claim = read_condition(claim).expect("a claim");
    ask(&file, &setup, &claim).expect("an answer")
}

#[test]
fn a_crash_is_detected_in_time_but_not_earlier() {
    for [c1, c2, d] in [[1, 1, 0], [1, 1, 1], [1, 1, 2], [1, 2, 0], [1, 2, 1]] {
        for (claim, expected) in [
            ("right", Answer::Holds),
            ("known(T)", Answer::Holds),
            ("known(T - 1)", Answer::Fails),
        ] {
            let found = answer([c1, c2, d, 0], claim);
            assert_eq!(found, expected, "{claim} for {c1}, {c2}, {d}");
        }
        let found = answer([c1, c2, d, 1], "right");
        assert_eq!(
            found,
            Answer::Fails,
            "a threshold one lower: {c1}, {c2}, {d}"
        );
    }
}
