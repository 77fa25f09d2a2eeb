//! Sampling yields only enumerated frozen choices and initial states, and nearly all of them.

use machine::random::Rng;
use machine::{Instance, Machine, Order, Type};
use std::collections::BTreeSet;
use testkit::{Size, random_machine};

fn sample(count: u64) -> impl Iterator<Item = (u64, Machine)> {
    (0..count).map(|seed| (seed, random_machine(seed, &Size::default())))
}

#[test]
fn frozen_choices_can_be_counted_and_picked() {
    let mut several = 0;
    for (seed, machine) in sample(300) {
        let all: BTreeSet<_> = machine.frozen_choices().collect();
        assert_eq!(machine.frozen_count(), all.len() as u128, "seed {seed}");
        let mut rng = Rng(seed);
        let mut picked = BTreeSet::new();
        for _ in 0..all.len() * 20 {
            picked.extend(machine.sample_frozen(&mut |n| rng.below(n)));
        }
        assert!(picked.is_subset(&all), "seed {seed}");
        // There are twenty times as many samples as elements, so nearly all elements occur.
        assert!(picked.len() * 10 >= all.len() * 9, "seed {seed}");
        several += u32::from(all.len() > 1);
    }
    assert!(several > 50, "{several}");
}

#[test]
fn more_arrangements_than_ids_there_are_none() {
    let mut machine = sample(300)
        .map(|(_, machine)| machine)
        .find(|m| m.frozen_vars.iter().any(|r| r.order == Order::Arrangement))
        .expect("a machine with ids");
    machine.ids = 0;
    assert_eq!(machine.frozen_choices().count(), 0);
    assert_eq!(machine.sample_frozen(&mut |_| 0), None);
}

#[test]
fn initial_states_can_be_picked() {
    let mut several = 0;
    for (seed, machine) in sample(300) {
        let Some(frozen) = machine.frozen_choices().next() else {
            continue;
        };
        let instance = Instance {
            machine: &machine,
            frozen: &frozen,
        };
        let Ok(all) = instance.initial_states() else {
            continue;
        };
        let all: BTreeSet<_> = all.into_iter().collect();
        let mut rng = Rng(seed);
        let mut picked = BTreeSet::new();
        let draws = (instance.initial_bound(&|_| true) as usize * 20).min(2_000);
        for _ in 0..draws {
            let state = instance.sample_initial(&mut |n| rng.below(n));
            picked.extend(state.expect("no error, for the list has none"));
        }
        assert!(picked.is_subset(&all), "seed {seed}");
        if instance.initial_bound(&|_| true) <= 100 {
            assert!(picked.len() * 10 >= all.len() * 9, "seed {seed}");
            several += u32::from(all.len() > 1);
        }
    }
    assert!(several > 20, "{several}");
}

#[test]
fn values_of_a_type_that_is_too_large_to_list() {
    let machine = Machine::default();
    let mut rng = Rng(1);
    for ty in [
        Type::Int(i64::MIN, i64::MAX),
        Type::Int(0, 59).set(),
        Type::Array(
            Box::new(Type::Int(0, 99)),
            Box::new(Type::Int(-5, 5).option()),
        ),
    ] {
        for _ in 0..100 {
            let value = machine.sample_value(&ty, &mut |n| rng.below(n));
            assert!(machine.is_of(&value.expect("a value"), &ty), "{ty:?}");
        }
    }
    assert_eq!(machine.sample_value(&Type::Id, &mut |_| 0), None);
}
