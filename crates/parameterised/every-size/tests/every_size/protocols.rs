//! Protocols of the tests, and what the engine says of them.

use every_size::{Analysis, Answer, analyse};
use machine::{Abstraction, OpenMachine, Property, parse_open, verify_open};
use std::cell::Cell;
use verdict::{Budget, Progress, Question, Spent, Unlimited};

pub const ELECTION: &str = include_str!("models/election.machine");
pub const MEMBERSHIP_A: &str = include_str!("models/membership-a.machine");
pub const MEMBERSHIP_B: &str = include_str!("models/membership-b.machine");
pub const BEATS: &str = include_str!("models/beats.machine");
pub const GOSSIP: &str = include_str!("models/gossip.machine");
pub const DETECTOR: &str = include_str!("models/detector.machine");

/// A protocol from text, with replacements. Panics if a replaced text does not occur.
pub fn protocol(text: &str, replaced: &[(&str, &str)]) -> OpenMachine {
    let mut text = text.to_string();
    for (old, new) in replaced {
        assert!(text.contains(old), "{old} does not occur in\n{text}");
        text = text.replace(old, new);
    }
    let open = parse_open(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let wrong = verify_open(&open);
    assert!(wrong.is_ok(), "{wrong:?}\n{text}");
    open
}

pub fn analysis(open: &OpenMachine, claims: &[Property]) -> Analysis {
    let found = analyse(open, claims, cadical::BACKEND, &Unlimited);
    found.unwrap_or_else(|why| panic!("{why}"))
}

/// Whether the engine proves each claim.
pub fn answers(open: &OpenMachine) -> Vec<bool> {
    let answers = analysis(open, &open.base.properties).answers.into_iter();
    answers
        .map(|answer| matches!(answer, Answer::Holds(_)))
        .collect()
}

/// Whether each claim is proved, and its proof is accepted by the audit.
pub fn proved(open: &OpenMachine) -> Vec<bool> {
    audited(
        open,
        &open.base.properties,
        &analysis(open, &open.base.properties),
    )
}

/// Whether each answer is a proof. Panics if the audit rejects one.
pub fn audited(open: &OpenMachine, claims: &[Property], analysis: &Analysis) -> Vec<bool> {
    let answers = 0..analysis.answers.len();
    let checked = answers.map(|claim| accepted(open, claims, analysis, claim));
    checked.map(|checked| checked.expect("a proof")).collect()
}

/// Whether the answer to one claim is a proof; an error if the audit rejects it.
pub fn accepted(
    open: &OpenMachine,
    claims: &[Property],
    analysis: &Analysis,
    claim: usize,
) -> Result<bool, String> {
    let Answer::Holds(proof) = &analysis.answers[claim] else {
        return Ok(false);
    };
    let checked = audit::every_size(open, claims, claim, proof, cadical::BACKEND);
    checked.map(|_| true).map_err(|why| why.0)
}

/// A budget that ends after so many of an engine's questions for it.
struct Asks(Cell<u64>);

impl Budget for Asks {
    fn ask(&self, _: &Progress) -> Option<Spent> {
        self.0.set(self.0.get().saturating_sub(1));
        (self.0.get() == 0).then_some(Spent::Brief)
    }

    fn solver(&self) -> sat::Backend {
        cadical::BACKEND
    }
}

/// Whether a claim holds in the network of one size, by the order of events; `None` if that is not decided.
pub fn direct(open: &OpenMachine, n: u32, claim: usize) -> Option<bool> {
    direct_within(open, n, claim, u64::MAX)
}

/// The same; `None` also if the engine asks its budget too often.
pub fn direct_within(open: &OpenMachine, n: u32, claim: usize, asks: u64) -> Option<bool> {
    let mut machine = open.at(n);
    machine.properties = vec![machine.properties[claim].clone()];
    machine.abstraction = Abstraction::Order(Vec::new(), Vec::new());
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let report = event_order::run(&question, &Asks(Cell::new(asks)));
    match report.ok()?.results.first()?.answer {
        verdict::Answer::Holds => Some(true),
        verdict::Answer::Fails(_) => Some(false),
        _ => None,
    }
}
