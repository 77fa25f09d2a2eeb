//! Limits end a search wherever it is, also before it has visited any state.

use machine::{Machine, parse, verify};
use std::cell::{Cell, RefCell};
use verdict::{Answer, Budget, Progress, Question, Spent};

/// Notes what it is told, and ends the search when something is true of that.
struct Until<F>(F, RefCell<Vec<Progress>>, Cell<bool>);

impl<F: Fn(&Progress, usize) -> bool> Budget for Until<F> {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        assert!(!self.2.get(), "asked again after the end");
        self.1.borrow_mut().push(*progress);
        self.2.set((self.0)(progress, self.1.borrow().len()));
        self.2.get().then_some(Spent::Interrupted)
    }
}

fn machine(text: &str) -> Machine {
    let machine = parse(text).unwrap_or_else(|e| panic!("{}: {}", e.line, e.expected));
    verify(&machine).unwrap_or_else(|e| panic!("{e}"));
    machine
}

/// A node that can begin in 4096 ways.
fn many_beginnings(more: &str) -> Machine {
    machine(&format!(
        "(kind K 1) (channel fifo) (var K a (int 0 63) any) (var K b (int 0 63) any)
         {more} (claim c (always (state (<= (var a (node 1)) (+ (var b (node 1)) 63)))))"
    ))
}

/// The only answer of a search that ends when something is true.
fn unknown(machine: &Machine, end: impl Fn(&Progress, usize) -> bool) -> String {
    let budget = Until(end, RefCell::default(), Cell::default());
    let question = Question {
        machine,
        fair: true,
    };
    let report = engine_explicit::run(&question, &budget).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(!report.findings.complete);
    match &report.answers[..] {
        [Answer::Unknown(why)] => why.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn before_there_is_an_initial_state() {
    let why = unknown(&many_beginnings(""), |_, asked| asked == 2);
    assert!(why.starts_with("interrupted after 0 states"), "{why}");
}

#[test]
fn while_initial_states_are_made() {
    let why = unknown(&many_beginnings(""), |progress, _| progress.states > 0);
    assert!(why.starts_with("interrupted after 256 states"), "{why}");
}

/// None has been found when it ends: that is not to say that there is none.
#[test]
fn while_initial_states_are_looked_for() {
    let none = many_beginnings("(initially (< (+ (var a (node 1)) (var b (node 1))) 0))");
    let why = unknown(&none, |_, asked| asked == 3);
    assert!(why.starts_with("interrupted after 0 states"), "{why}");
}

#[test]
fn between_instances() {
    let machine = machine(
        "(kind K 1) (channel fifo) (rigid K r (int 1 10) every) (var K a bool (is false))
         (claim c (always (state (not (var a (node 1))))))",
    );
    let budget = Until(|_: &Progress, _| false, RefCell::default(), Cell::default());
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let report = engine_explicit::run(&question, &budget).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(report.counts.instances, 10);
    let asked = budget.1.borrow();
    for states in 0..10 {
        let between = |p: &&Progress| p.states == states && p.waiting == 0;
        assert!(asked.iter().any(|p| between(&p)), "{states}: {asked:?}");
    }
}

/// Ends a search at so many bytes, as the limit that a person gives does.
struct Memory(u64);

impl Budget for Memory {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        (progress.memory > self.0).then(|| Spent::Memory("of this test".into()))
    }
}

/// Initial states are counted like others, and a limit is noticed while they are made: none is kept in another way.
#[test]
fn memory_while_initial_states_are_made() {
    let machine = machine(
        "(kind K 3) (channel fifo) (var K a (int 0 9) any) (var K b (int 0 9) any)
         (claim c (always (state (<= (var a (node 1)) 9))))",
    );
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let limit = 1_000_000;
    let report = engine_explicit::run(&question, &Memory(limit)).expect("an answer");
    let [Answer::Unknown(why)] = &report.answers[..] else {
        panic!("{:?}", report.answers);
    };
    assert!(
        why.starts_with("memory limit of this test reached after "),
        "{why}"
    );
    assert!(why.ends_with("at depth 0; nothing is known yet"), "{why}");
    assert!(!report.findings.complete);
    let counts = report.counts;
    assert!(0 < counts.states && counts.states < 1_000_000, "{counts:?}");
    assert_eq!(counts.transitions, 0);
    // Tables double when they grow.
    assert!(
        limit < counts.memory && counts.memory < 4 * limit,
        "{counts:?}"
    );
    // A packed state has five bytes; its number and place in the tables take the rest.
    assert!(counts.memory < 100 * counts.states, "{counts:?}");
}
