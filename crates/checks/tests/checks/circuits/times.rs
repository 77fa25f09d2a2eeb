//! Digitised times: the answers of each method on circuits, compared with the explicit search on digitised times and
//! with answers derived by hand.

use crate::circuits::word;
use invariants::Method::{Bmc, Induction, Pdr};
use strategy::{Method, answer_by};
use verdict::{Answer, Question, ReasonKind, Unlimited};

/// A sender that is activated at 0..2, 4..8 and 8..14 ms, so that its messages arrive at 1..5, 5..11 and 9..17 ms; and
/// a receiver that counts its activations at 1, 5, 9, … ms.
const PINGS: &str = "
message Ping
node Sender {
    var left: 0 .. 3 = 3
    every 5 ms, jitter ± 1 ms per gap, first 0 ms .. 2 ms { if left > 0 { left = left - 1; send Ping to Receiver } }
}
node Receiver {
    var got:   0 .. 3 = 0
    var beats: 0 .. 6 = 0
    every 4 ms, first 1 ms .. 1 ms { if beats < 6 { beats = beats + 1 } }
    on Ping { got = got + 1 }
}
network complete { delivery within 1 ms .. 3 ms }
claim comes(b: 0..6, g: 0..3):   always (Receiver.beats >= b implies Receiver.got >= g)
claim not_yet(g: 0..3, b: 0..6): always (Receiver.got >= g implies Receiver.beats >= b)
";

/// The answers of a method. Asserts that the audit confirms the runs with their times.
fn answers(claims: &str, method: Method) -> String {
    let text = format!("{PINGS}\ncheck {claims}");
    let machine = crate::circuits::machines(&text, 0).remove(0);
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let report = answer_by(method, &question, &Unlimited).expect("a report");
    for (p, answer) in report.answers().enumerate() {
        audit::confirm(&question, p, answer).expect("a run that shows it");
        assert!(!matches!(answer, Answer::Unknown(why) if why.kind() == ReasonKind::Defect));
    }
    let words: Vec<String> = report.answers().map(word).collect();
    words.join(" ")
}

#[test]
fn claims_that_hold() {
    let claims = "comes(3, 1), comes(4, 2), comes(6, 3), not_yet(2, 1), not_yet(3, 2)";
    let all = "holds holds holds holds holds";
    assert_eq!(answers(claims, Method::IntegerTime), all);
    assert_eq!(answers(claims, Method::Circuits(None)), all);
    assert_eq!(answers(claims, Method::Circuits(Some(Pdr))), all);
    assert_eq!(answers(claims, Method::Circuits(Some(Induction))), all);
}

#[test]
fn claims_that_fail() {
    let claims =
        "comes(2, 1), comes(3, 2), comes(5, 3), not_yet(1, 2), not_yet(2, 2), not_yet(3, 3)";
    let all = "fails fails fails fails fails fails";
    assert_eq!(answers(claims, Method::IntegerTime), all);
    assert_eq!(answers(claims, Method::Circuits(None)), all);
    assert_eq!(answers(claims, Method::Circuits(Some(Bmc))), all);
    assert_eq!(answers(claims, Method::Circuits(Some(Pdr))), all);
}
