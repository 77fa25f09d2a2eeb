//! Properties of random Machines: they are well formed, equal after a round trip through the text form, small and
//! varied. The interpreter satisfies its contracts on them.

use machine::{
    Choice, EdgeId, Event, Instance, Machine, NodeId, Outcome, State, StepError, Value, parse,
    verify,
};
use std::collections::{BTreeMap, BTreeSet};
use testkit::explore;
use testkit::{Size, random_machine};

const LIMIT: usize = 5_000;

fn sample(count: u64) -> impl Iterator<Item = (u64, Machine)> {
    (0..count).map(|seed| (seed, random_machine(seed, &Size::default())))
}

#[test]
fn random_machines_are_well_formed_and_survive_their_text() {
    for (seed, machine) in sample(1_000) {
        let text = machine.to_string();
        if let Err(error) = verify(&machine) {
            panic!("seed {seed}: {error}\n{text}");
        }
        match parse(&text) {
            Ok(again) => assert!(again == machine, "seed {seed} changes\n{text}\n{again}"),
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        }
    }
}

/// The words of a Machine's text form.
fn words(machine: &Machine) -> BTreeSet<String> {
    let text = machine.to_string();
    let words = text.split(|c: char| c.is_whitespace() || c == ')');
    words
        .map(|w| w.trim_start_matches('(').to_string())
        .collect()
}

#[test]
fn every_construct_is_in_one_of_twenty() {
    let wanted = "ids enum message struct kind ignores map edges channel fifo unordered lose repeat \
        at-most of frozen arrangement given var ghost any any-in is block start on when every \
        initially claim possible locals state not and or implies always eventually until leads-to \
        all exists count sum max-of min-of the union-of intersect-of largest smallest filter \
        + - * mod floor ceil min max = != < <= > >= in subset union intersect minus neg size is-some \
        some none unwrap new field index fill if set .. nodes values neighbours waiting running \
        halted in-flight quiescent := do for let choose send assert halt int bool id node option \
        array record name instant inbox latest copies one-from-each anything senders clear-inbox faulty \
        off mute deaf isolated fault round order first gaps early fixed";
    let total = 400;
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    for (_, machine) in sample(total) {
        for word in words(&machine) {
            *found.entry(word).or_default() += 1;
        }
    }
    let rare: Vec<_> = wanted
        .split_whitespace()
        .map(|word| (word, found.get(word).copied().unwrap_or(0)))
        .filter(|(_, count)| u64::from(*count) * 20 < total)
        .collect();
    assert!(rare.is_empty(), "rarer than one in twenty: {rare:?}");
}

/// Whether the transition graph has a cycle.
fn has_cycle(successors: &[Vec<(Choice, usize)>]) -> bool {
    let mut waiting: Vec<usize> = vec![0; successors.len()];
    for (_, to) in successors.iter().flatten() {
        waiting[*to] += 1;
    }
    let mut free: Vec<usize> = (0..waiting.len()).filter(|s| waiting[*s] == 0).collect();
    let mut removed = 0;
    while let Some(state) = free.pop() {
        removed += 1;
        for (_, to) in &successors[state] {
            waiting[*to] -= 1;
            if waiting[*to] == 0 {
                free.push(*to);
            }
        }
    }
    removed < successors.len()
}

#[test]
fn most_are_small_some_have_cycles_and_a_few_have_errors() {
    let total = 150;
    let (mut small, mut cycles, mut errors, mut empty) = (0, 0, 0, 0);
    let mut sizes = Vec::new();
    for (_, machine) in sample(total) {
        let frozen = machine.frozen_choices().next().expect("something frozen");
        let instance = Instance {
            machine: &machine,
            frozen: &frozen,
        };
        let Ok(found) = explore(instance, LIMIT) else {
            errors += 1;
            continue;
        };
        sizes.push(found.states.len());
        small += u32::from(found.complete);
        empty += u32::from(found.states.is_empty());
        errors += u32::from(!found.errors.is_empty());
        cycles += u32::from(found.complete && has_cycle(&found.successors));
    }
    sizes.sort_unstable();
    let middle = sizes[sizes.len() / 2];
    let report = format!(
        "of {total}: small {small}, cycles {cycles}, errors {errors}, empty {empty}, median {middle}"
    );
    println!("{report}\n{sizes:?}");
    assert!(small * 100 >= 85 * total as u32, "{report}");
    assert!(cycles * 3 >= total as u32, "{report}");
    assert!(
        (8..=25).contains(&(errors * 100 / total as u32)),
        "{report}"
    );
    assert!(empty * 100 <= 5 * total as u32, "{report}");
    assert!(middle >= 10, "{report}");
}

/// Up to 40 states of an instance, in the order in which they are found.
fn some_states(instance: Instance) -> Vec<State> {
    let found = explore(instance, 40).unwrap_or_default();
    found.states.into_iter().take(40).collect()
}

#[test]
fn step_takes_what_choices_offers_and_nothing_else() {
    for (seed, machine) in sample(150) {
        let frozen = machine.frozen_choices().next().expect("something frozen");
        let instance = Instance {
            machine: &machine,
            frozen: &frozen,
        };
        let states = some_states(instance);
        let mut all: BTreeSet<Choice> = BTreeSet::new();
        for state in &states {
            let choices = instance.choices(state);
            let different: BTreeSet<_> = choices.iter().cloned().collect();
            assert_eq!(
                different.len(),
                choices.len(),
                "seed {seed}: a choice twice"
            );
            all.extend(different);
        }
        all.insert(Choice {
            event: Event::Transmit(NodeId(0)),
            picks: vec![],
            time: None,
        });
        if !machine.edges.is_empty() {
            let message = Value::Record(machine::RecordId(0), vec![]);
            let event = Event::Deliver(EdgeId(0), message, Outcome::Drop);
            all.insert(Choice {
                event,
                picks: vec![],
                time: None,
            });
        }
        let longer = all.iter().cloned().map(|mut choice| {
            choice.picks.push(Value::Bool(true));
            choice
        });
        let shorter = all.iter().cloned().filter_map(|mut choice| {
            choice.picks.pop()?;
            Some(choice)
        });
        let all: BTreeSet<Choice> = longer.chain(shorter).chain(all.clone()).collect();
        for state in &states {
            let possible: BTreeSet<_> = instance.choices(state).into_iter().collect();
            for choice in &all {
                let refused = instance.step(state, choice) == Err(StepError::NotEnabled);
                assert_eq!(
                    refused,
                    !possible.contains(choice),
                    "seed {seed}: {} in {}",
                    machine.show_choice(choice),
                    machine.show_state(state)
                );
            }
        }
    }
}
