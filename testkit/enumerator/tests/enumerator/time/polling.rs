//! A controller polls a sensor that may restart, over a lossy channel: two kinds of nodes, a timer, losses, a restart.

use super::Answer;
use enumerator::{Setup, ask, possible, read, read_condition};

const MODEL: &str = "
param tries: 1..5 = 1

message Ask   { seq: 0..1 }
message Reply { seq: 0..1, value: 0..1 }

node Controller {
    var seq: 0..1 = 0
    var left: 0..tries = tries
    var shown: Option<0..1> = none
    timer retry

    start { ask() }
    on Reply as r {
        if r.seq == seq {
            cancel retry
            shown = r.value
            seq = 1 - seq
            left = tries
            ask()
        }
    }
    on retry {
        if left == 0 { shown = none; halt }
        left = left - 1
        ask()
    }
    action ask() { send Ask { seq: seq } to Sensor; set retry in 5 ms .. 6 ms }
}

node Sensor {
    persistent var reading: 0..1 = any
    on Ask as a from c {
        choose v in 0..1
        reading = v
        send Reply { seq: a.seq, value: v } to c
    }
}

network complete { delivery within 1 ms .. 2 ms }

faults lose at most 1 message
faults at most 1 Sensor: stop any time, restart fresh within 0 ms .. 2 ms
";

fn answer(tries: i128, claim: &str) -> Answer {
    let file = read(MODEL).expect("the model can be read");
    let claim = read_condition(claim).expect("a claim");
    let setup = Setup::default().param("tries", tries);
    ask(&file, &setup, &claim).expect("an answer")
}

#[test]
fn it_gives_up_late_and_not_before() {
    let file = read(MODEL).expect("the model can be read");
    let halted = read_condition("Controller.halted").expect("a condition");
    let found = possible(&file, &Setup::default(), &halted);
    assert_eq!(found, Ok(Answer::Possible));
    // The controller gives up after two timers of at least 5 ms each have expired without a reply.
    let after = |ms: i128| format!("always (Controller.halted implies now >= {ms} ms)");
    assert_eq!(answer(1, &after(10)), Answer::Holds);
    assert_eq!(answer(1, &after(11)), Answer::Fails);
    // After the last question, the timer expires or a reply arrives before.
    let within = |ms: i128| {
        format!(
            "always (Controller.left == 0 leads to (Controller.halted or Controller.left == tries) within {ms} ms)"
        )
    };
    assert_eq!(answer(1, &within(6)), Answer::Holds);
    assert_eq!(answer(1, &within(5)), Answer::Fails);
}
