//! A limit may end a search at any point, even before it has visited a state.

use crate::searches;
use machine::{Machine, parse, verify};
use std::cell::{Cell, RefCell};
use verdict::{Answer, Budget, Component, Labels, Progress, Question, Reason, Report, Spent};

/// A budget that records the progress, and ends the search when a condition on the progress and the number of questions
/// is true.
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

/// A Machine with one node and 4096 initial states.
fn many_beginnings(more: &str) -> Machine {
    machine(&format!(
        "(kind K 1) (channel fifo) (var K a (int 0 63) any) (var K b (int 0 63) any)
         {more} (claim c (always (state (<= (var a (node 1)) (+ (var b (node 1)) 63)))))"
    ))
}

/// The report of a search that ends when the condition is true.
fn ended(machine: &Machine, end: impl Fn(&Progress, usize) -> bool) -> Report {
    let budget = Until(end, RefCell::default(), Cell::default());
    let question = Question {
        machine,
        fair: true,
    };
    let report = searches::run(&question, &budget).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(!report.findings.complete);
    report
}

/// The sentence of the report for a reason.
pub fn words(why: &Reason) -> String {
    report::reason(why, &Labels::default())
}

/// The only answer of such a search.
fn unknown(machine: &Machine, end: impl Fn(&Progress, usize) -> bool) -> String {
    let report = ended(machine, end);
    match &report.answers().collect::<Vec<_>>()[..] {
        [Answer::Unknown(why)] => words(why),
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

/// The search ends before it finds an initial state. It must not conclude that there is none.
#[test]
fn while_initial_states_are_looked_for() {
    let none = many_beginnings("(initially (< (+ (var a (node 1)) (var b (node 1))) 0))");
    let why = unknown(&none, |_, asked| asked == 3);
    assert!(why.starts_with("interrupted after 0 states"), "{why}");
}

#[test]
fn between_instances() {
    let machine = machine(
        "(kind K 1) (channel fifo) (frozen K r (int 1 10) every) (var K a bool (is false))
         (claim c (always (state (not (var a (node 1))))))",
    );
    let budget = Until(|_: &Progress, _| false, RefCell::default(), Cell::default());
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let report = searches::run(&question, &budget).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(report.counts.instances, 10);
    let asked = budget.1.borrow();
    for states in 0..10 {
        let between = |p: &&Progress| p.states == states && p.waiting == 0;
        assert!(asked.iter().any(|p| between(&p)), "{states}: {asked:?}");
    }
}

/// A budget with a memory limit in bytes.
struct Memory(u64);

impl Budget for Memory {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        (progress.memory > self.0).then_some(Spent::Memory(self.0))
    }
}

/// Initial states take as much memory as others, and a memory limit is noticed while they are enumerated.
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
    let report = searches::run(&question, &Memory(limit)).expect("an answer");
    let [Answer::Unknown(why)] = &report.answers().collect::<Vec<_>>()[..] else {
        panic!("{:?}", report.results);
    };
    let why = words(why);
    assert!(
        why.starts_with("memory limit of 1 MB reached after "),
        "{why}"
    );
    assert!(why.ends_with("at depth 0; nothing is known yet"), "{why}");
    assert!(!report.findings.complete);
    let counts = report.counts;
    assert!(0 < counts.states && counts.states < 1_000_000, "{counts:?}");
    assert_eq!(counts.transitions, 0);
    // Tables double their size when they grow.
    assert!(
        limit < counts.memory && counts.memory < 4 * limit,
        "{counts:?}"
    );
    // A packed state has five bytes. Its component numbers and table entries take the rest.
    assert!(counts.memory < 100 * counts.states, "{counts:?}");
}

/// Three independent variables, two of them of two nodes each, and one variable that never changes.
#[test]
fn what_multiplies_the_states_is_measured() {
    let machine = machine(
        "(kind K 2) (kind L 1) (channel fifo) (var K a (int 0 9) any) (var K b (int 0 4) any)
         (var L c (int 0 6) any) (var L d bool (is false))
         (claim c (always (state (<= (var a (node 1)) 9))))",
    );
    let all = 10 * 10 * 5 * 5 * 7;
    let report = ended(&machine, |p, _| p.states == all && p.waiting < all);
    let big = report.findings.state_explosion.expect("it is not small");
    assert_eq!((big.measured, big.of, big.levels), (all, all, vec![all, 0]));
    let variable = |kind: &str, name: &str| Component::Variable {
        kind: kind.into(),
        name: name.into(),
    };
    let found: Vec<_> = big.multipliers.into_iter().collect();
    let found: Vec<_> = found.iter().map(|m| (&m.what, m.hundredths)).collect();
    let wanted = [
        (&variable("K", "a"), 10_000),
        (&variable("K", "b"), 2_500),
        (&variable("L", "c"), 700),
    ];
    assert_eq!(found, wanted);
}

/// A small search, and a search with a brief budget, get no state-explosion diagnosis.
#[test]
fn what_is_small_is_not_measured() {
    let report = ended(&many_beginnings(""), |p, _| p.states >= 2_000);
    assert_eq!(report.findings.state_explosion, None);
    struct Brief;
    impl Budget for Brief {
        fn ask(&self, progress: &Progress) -> Option<Spent> {
            (progress.states > 6_000).then_some(Spent::Brief)
        }
    }
    let machine = machine(
        "(kind K 1) (channel fifo) (var K a (int 0 99) any) (var K b (int 0 99) any)
         (claim c (always (state (<= (var a (node 1)) 99))))",
    );
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let report = searches::run(&question, &Brief).expect("an answer");
    assert!(matches!(
        &report.answers().collect::<Vec<_>>()[..],
        [Answer::Unknown(_)]
    ));
    assert_eq!(report.findings.state_explosion, None);
}

/// If a limit is reached after all states have been visited, conditions on single states are decided, provided that
/// there is no other instance.
#[test]
fn while_runs_that_go_on_for_ever_are_looked_for() {
    let end = |p: &Progress, _| p.waiting == 0 && p.states > 0;
    let two = |frozen: &str| {
        many_beginnings(&format!(
            "{frozen} (claim e (eventually (state (<= (var a (node 1)) (+ (var b (node 1)) 63)))))"
        ))
    };
    let report = ended(&two(""), end);
    let [Answer::Unknown(why), Answer::Holds] = &report.answers().collect::<Vec<_>>()[..] else {
        panic!("{:?}", report.results);
    };
    let why = words(why);
    assert_eq!(
        why,
        "interrupted while looking for runs that go on for ever; nothing is known of runs that go on for ever"
    );
    let report = ended(&two("(frozen K r (int 1 3) every)"), end);
    let [Answer::Unknown(_), Answer::Unknown(why)] = &report.answers().collect::<Vec<_>>()[..]
    else {
        panic!("{:?}", report.results);
    };
    let why = words(why);
    assert!(
        why.ends_with("; no run of the first of 3 arrangements breaks it"),
        "{why}"
    );
}

/// The report describes the finished instances and the next one.
#[test]
fn what_was_established_of_several_arrangements() {
    let machine = machine(
        "(kind K 1) (channel fifo) (frozen K r (int 1 4) every) (var K a (int 0 99) any)
         (claim c (always (state (<= (var a (node 1)) 99))))",
    );
    let why = unknown(&machine, |p, _| p.states >= 200 && p.waiting == 0);
    assert_eq!(
        why,
        "interrupted after 200 states; no run of the first 2 of 4 arrangements breaks it; \
         of the next one nothing is known yet"
    );
}

/// The report is restricted to the instance that was searched: the other one violates the claim in its first step.
#[test]
fn what_was_established_of_the_first_of_several_arrangements() {
    let machine = machine(
        "(kind K 1) (channel fifo) (frozen K r (int 1 2) every) (var K a (int 0 9999) (is 0))
         (block K up (when (= (frozen r self) 1)) (if (< (var a self) 9998) (do (:= a (+ (var a self) 1)))))
         (block K end (when (= (frozen r self) 2)) (:= a 9999))
         (claim c (always (state (< (var a (node 1)) 9999))))",
    );
    let why = unknown(&machine, |p, _| p.depth >= 3 && p.states >= 4);
    let (_, established) = why.split_once("; ").expect("what was established");
    assert!(
        established.starts_with("in the first of 2 arrangements no run of up to"),
        "{why}"
    );
}
