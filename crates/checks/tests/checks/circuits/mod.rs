//! Each method on circuits, applied to models: the answers agree with the explicit search, and the audit accepts the
//! evidence.

mod abstractions;
mod evidence;
mod protocols;
mod relying;
mod times;

use machine::Machine;
use std::cell::Cell;
use strategy::{Method, answer_by};
use verdict::{Answer, Budget, Progress, Question, ReasonKind, Report, Spent, Unlimited};

/// A budget that ends a search after a number of calls of `ask`.
struct QueryLimited(Cell<u64>);

impl Budget for QueryLimited {
    fn ask(&self, _: &Progress) -> Option<Spent> {
        self.0.set(self.0.get().saturating_sub(1));
        (self.0.get() == 0).then_some(Spent::Interrupted)
    }

    fn solver(&self) -> sat::Backend {
        cadical::BACKEND
    }
}

/// The Machines of a check, one for each instance.
fn machines(text: &str, check: usize) -> Vec<Machine> {
    let loaded = checks::load_text("model.scrut", text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let requests = lower::instances(&loaded.model, check, &[]).expect("instances");
    let machine = |request| {
        lower::lower(&loaded.model, &loaded.sources, request)
            .expect("a Machine")
            .machine
    };
    requests.iter().map(machine).collect()
}

/// The report of a method on circuits. Asserts that the audit accepts all evidence and all runs.
fn by(machine: &Machine, method: Option<invariants::Method>) -> Report {
    let question = Question {
        machine,
        fair: true,
    };
    // BMC and k-induction make few queries, each of which may take long.
    let limit = match method {
        Some(invariants::Method::Bmc | invariants::Method::Induction) => 80,
        Some(invariants::Method::Pdr) | None => 60_000,
    };
    let limit = QueryLimited(Cell::new(limit));
    let report = answer_by(Method::Circuits(method), &question, &limit).expect("a report");
    for (p, answer) in report.answers().enumerate() {
        audit::confirm(&question, p, answer).expect("a run that shows it");
        if let Answer::Holds | Answer::Impossible = answer {
            let evidence = report.results[p].evidence.as_ref().expect("evidence");
            let alone = Machine {
                properties: vec![machine.properties[p].clone()],
                ..machine.clone()
            };
            audit::evidence(&alone, evidence, cadical::BACKEND).expect("a proof");
        }
    }
    report
}

/// For each instance, the answers on which circuits and the explicit search agree; `-` for an unknown answer of
/// circuits.
fn both(text: &str, check: usize) -> Vec<String> {
    machines(text, check)
        .iter()
        .map(|machine| agreed(machine, &by(machine, None)))
        .collect()
}

/// The answers of a report as text; `-` for an unknown answer. Asserts that the explicit search gives the same answers.
fn agreed(machine: &Machine, by_bits: &Report) -> String {
    let question = Question {
        machine,
        fair: true,
    };
    let by_states =
        explicit::run(&question, &explicit::Options::default(), &Unlimited).expect("a report");
    let answers = by_bits.answers().zip(by_states.answers());
    let words = answers.map(|(a, b)| match a {
        Answer::Unknown(why) => {
            assert_ne!(why.kind(), ReasonKind::Defect, "{why:?}");
            "-".to_owned()
        }
        answer => {
            assert_eq!(word(answer), word(b));
            let steps = |answer: &Answer| answer.run().map(|run| run.choices.len());
            assert_eq!(steps(answer), steps(b), "a shortest run");
            word(answer)
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn word(answer: &Answer) -> String {
    let text = format!("{answer:?}");
    text.split('(').next().unwrap_or_default().to_lowercase()
}

const MAIL: &str = "
message M
node Sender {
    var left: 0 .. 2 = 2
    when push: left > 0 { left = left - 1; send M to Receiver }
}
node Receiver {
    var got: 0 .. 9 = 0
    on M { got = got + 1 }
}
network complete { channel fifo(1) }
claim one:   always (quiescent implies Receiver.got >= 1)
claim two:   always (quiescent implies Receiver.got >= 2)
claim three: always (Receiver.got <= 3)
claim four:  always (Receiver.got <= 4)
";

#[test]
fn so_many_messages_are_lost_or_repeated_and_no_more() {
    let lossy = format!("{MAIL}\nfaults lose at most 1 messages\ncheck one, two");
    assert_eq!(both(&lossy, 0), ["holds fails"]);
    let repeating =
        format!("{MAIL}\nfaults repeat at most 2 messages\ncheck one, two, three, four");
    assert_eq!(both(&repeating, 0), ["holds holds fails holds"]);
}

#[test]
fn so_many_nodes_crash_and_no_more() {
    let crashing = format!(
        "{MAIL}
        claim some: always exists k in Node: not k.crashed
        claim over: always (Sender.crashed implies quiescent)
        faults at most 1 node: crash any time
        check one, some, over"
    );
    assert_eq!(both(&crashing, 0), ["fails holds fails"]);
}

#[test]
fn nodes_that_stop_go_on_as_they_were() {
    let stopping = format!(
        "{MAIL}
        claim kept: always (Sender.left == 0 and Sender.stopped implies Receiver.got <= 2)
        claim dropped: always (quiescent implies Receiver.got == 2)
        faults at most 1 node: stop any time, restart keeping state
        check kept, dropped"
    );
    assert_eq!(both(&stopping, 0), ["holds fails"]);
}

#[test]
fn two_phase_commit() {
    let text = include_str!("../../../../../models/two-phase-commit.scrut");
    assert_eq!(both(text, 0), ["holds holds - -"; 3]);
    assert_eq!(both(text, 1), ["fails fails"]);
}

#[test]
fn a_ring_with_every_order_of_ids() {
    let text = include_str!("../../../../../models/chang-roberts.scrut");
    let small = text.replace("for n in 1..6 ", "for n in 1..2 ");
    assert_ne!(small, text);
    assert_eq!(both(&small, 0), ["- holds holds"; 2]);
}
