//! Counters: inference of counter classes, and invariance of steps under shifts of a whole class.

use machine::random::Rng;
use machine::{
    Choice, Instance, Machine, StepError, StmtKind, Type, classify, holds_counters, parse, verify,
};
use std::collections::BTreeSet;
use testkit::explore;
use testkit::{Size, random_counting_machine};

fn sample(count: u64) -> impl Iterator<Item = (u64, Machine)> {
    let size = Size {
        nodes: 2,
        values: 6,
        depth: 1,
        properties: 3,
    };
    (0..count).map(move |seed| (seed, random_counting_machine(seed, &size)))
}

#[test]
fn machines_that_count_are_well_formed_and_survive_their_text() {
    for (seed, machine) in sample(200) {
        assert_eq!(verify(&machine), Ok(()), "seed {seed}");
        let again = parse(&machine.to_string()).expect("its own text");
        assert!(again == machine, "seed {seed} changes");
    }
}

/// Whether a `choose` in the code picks a value that contains counters. To shift such a pick, its type must be known.
fn picks_counters(machine: &Machine) -> bool {
    let mut picks = false;
    for block in &machine.blocks {
        for statement in &block.body {
            statement.walk(&mut |s| {
                if let StmtKind::Choose(local, _) = &s.kind {
                    picks |= holds_counters(machine, &block.scope.locals[local.index()].ty);
                }
            });
        }
    }
    picks
}

#[test]
fn nobody_notices_a_shift() {
    let mut rng = Rng(7);
    let mut steps = 0;
    for (seed, machine) in sample(120) {
        if picks_counters(&machine) {
            continue;
        }
        let frozen = machine.frozen_choices().next().expect("something frozen");
        let instance = Instance {
            machine: &machine,
            frozen: &frozen,
        };
        let Ok(found) = explore(instance, 40) else {
            continue;
        };
        for state in found.states.iter().take(40) {
            let by: Vec<i64> = (machine.counters.iter())
                .map(|_| rng.below(100) as i64 - 50)
                .collect();
            let shifted = machine.shifted(state, &by);
            assert_eq!(machine.normalised(&shifted), *state, "seed {seed}");
            let moved = |c: &Choice| machine.shifted_choice(c, &[], &by);
            let choices = instance.choices(state);
            let here: BTreeSet<Choice> = choices.iter().map(moved).collect();
            let there: BTreeSet<Choice> = instance.choices(&shifted).into_iter().collect();
            assert_eq!(here, there, "seed {seed}");
            for choice in choices {
                steps += 1;
                let there = instance.step(&shifted, &moved(&choice));
                match (instance.step(state, &choice), there) {
                    (Ok(here), Ok(there)) => {
                        assert_eq!(machine.shifted(&here, &by), there, "seed {seed}");
                    }
                    (Err(StepError::Error(here)), Err(StepError::Error(there))) => {
                        assert_eq!(here.origin, there.origin, "seed {seed}");
                    }
                    (here, there) => panic!("seed {seed}: {here:?} but {there:?}"),
                }
            }
        }
    }
    assert!(steps > 2_000, "only {steps} steps");
}

/// The counter class of each variable, in the order of declaration.
fn classes(text: &str) -> Vec<u32> {
    let mut machine = parse(text).expect("a machine");
    classify(&mut machine);
    assert_eq!(verify(&machine), Ok(()), "{machine}");
    let class = |var: &machine::Var| match &var.ty {
        Type::Counter(class) => class.0,
        Type::Option(inner) => match **inner {
            Type::Counter(class) => class.0,
            _ => panic!("no counter"),
        },
        _ => panic!("no counter"),
    };
    machine.vars.iter().map(class).collect()
}

const FOUR: &str = "(counter c) (message M (seq (counter c))) (kind K 1)
    (var K a (counter c) (is 0)) (var K b (counter c) (is 0))
    (var K d (option (counter c)) (is (none (counter c)))) (var K e (counter c) (is 0))
    (channel fifo) (edges (1 1))";

#[test]
fn what_never_meets_is_a_class_of_its_own() {
    assert_eq!(classes(FOUR), [0, 1, 2, 3]);
}

#[test]
fn what_is_compared_or_assigned_is_one_class() {
    let compared = "(block K x (when (< (var a self) (var b self))) (:= e (+ (var e self) 1)))";
    assert_eq!(classes(&format!("{FOUR}{compared}")), [0, 0, 1, 2]);
    let assigned = "(block K x (when true) (:= d (some (var e self))))";
    assert_eq!(classes(&format!("{FOUR}{assigned}")), [0, 1, 2, 2]);
    let sent = "(block K x (when true) (send (new M (var b self)) self))
        (block K y (on M) (:= e (field M seq message)))";
    assert_eq!(classes(&format!("{FOUR}{sent}")), [0, 1, 2, 1]);
    let claimed = "(claim c (always (state (= (var a (node 1)) (var e (node 1))))))";
    assert_eq!(classes(&format!("{FOUR}{claimed}")), [0, 1, 2, 0]);
}

#[test]
fn comparisons_before_anything_runs_join_nothing() {
    let first = "(initially (<= (var a (node 1)) (var b (node 1))))
        (initially (>= (var a (node 1)) 0))";
    assert_eq!(classes(&format!("{FOUR}{first}")), [0, 1, 2, 3]);
}

#[test]
fn numbers_are_no_counters_once_something_runs() {
    let refused = [
        "(block K x (when true) (:= a 0))",
        "(block K x (when (< (var a self) 3)))",
        "(block K x (when true) (send (new M 1) self))",
        "(claim c (always (state (= (var a (node 1)) 1))))",
        "(block K x (when (= (mod (var a self) 2) (var a self))))",
    ];
    for code in refused {
        let machine = parse(&format!("{FOUR}{code}")).expect("a machine");
        assert!(verify(&machine).is_err(), "{code}");
    }
}
