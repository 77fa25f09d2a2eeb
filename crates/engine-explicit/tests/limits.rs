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
fn while_initial_states_are_made() {
    let why = unknown(&many_beginnings(""), |_, asked| asked == 3);
    assert!(why.starts_with("interrupted after 0 states"), "{why}");
}

#[test]
fn while_initial_states_are_added() {
    let why = unknown(&many_beginnings(""), |progress, _| progress.states > 0);
    assert!(why.starts_with("interrupted after 1024 states"), "{why}");
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
