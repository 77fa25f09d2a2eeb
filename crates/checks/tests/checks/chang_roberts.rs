//! The shipped model of the Chang-Roberts ring against known state counts and message counts.

use checks::{Options, check, load_text};
use machine::{Event, Frozen, Instance, Machine};
use std::sync::atomic::AtomicBool;
use strategy::Method;
use verdict::{Answer, Unlimited};

const RING: &str = include_str!("../../../../models/chang-roberts.scrut");

/// The Machine of the first instance of a check, for `n` nodes.
fn lowered(text: &str, check: usize, n: u32) -> Machine {
    let loaded = load_text("ring.scrut", text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let define = lower::Define {
        name: "n".into(),
        value: n.to_string(),
    };
    let requests = lower::instances(&loaded.model, check, &[define]).expect("instances");
    let mut machine = lower::lower(&loaded.model, &loaded.sources, &requests[0])
        .expect("a machine")
        .machine;
    machine.properties.clear();
    machine
}

/// The numbers of states and transitions, over all orders of ids up to rotation.
fn counts(machine: &Machine) -> (u64, u64) {
    let question = verdict::Question {
        machine,
        fair: true,
    };
    let report =
        explicit::run(&question, &explicit::Options::default(), &Unlimited).expect("a report");
    (report.counts.states, report.counts.transitions)
}

#[test]
fn states_and_transitions_are_those_of_the_specification() {
    let one = [
        (4, 3),
        (11, 12),
        (60, 92),
        (512, 1042),
        (6003, 15340),
        (89328, 274772),
    ];
    let two = [
        (4, 3),
        (10, 11),
        (53, 82),
        (438, 902),
        (4969, 12866),
        (71513, 222961),
    ];
    let any = [
        (4, 3),
        (10, 11),
        (51, 79),
        (407, 841),
        (4469, 11648),
        (62403, 196386),
    ];
    for (channel, table) in [("fifo(1)", one), ("fifo(2)", two), ("fifo", any)] {
        let text = RING.replace("channel fifo(1)", &format!("channel {channel}"));
        // The third check has no ghost variables in its claims, and its `n` can be set.
        for (n, expected) in (1..).zip(table) {
            assert_eq!(
                counts(&lowered(&text, 2, n)),
                expected,
                "{channel}, n = {n}"
            );
        }
    }
}

#[test]
fn the_reports_ids_for_ten_nodes() {
    let loaded = load_text("ring.scrut", RING);
    let counts = |by| {
        let options = Options {
            by,
            ..Options::default()
        };
        let never = AtomicBool::new(false);
        let report = check(&loaded, 1, &options, &never, &mut |_| {});
        let report = report.ok().flatten().expect("a report");
        let report = &report.instances[0].report;
        assert!(report.answers().eq(&[Answer::Holds, Answer::Holds]));
        (report.counts.states, report.counts.transitions)
    };
    assert_eq!(counts(Some(Method::States)), (84_147, 426_936));
    // Partial-order reduction leaves a single run: one state after each of its events, and the initial state.
    let (states, transitions) = counts(None);
    assert_eq!(states, transitions + 1);
    assert!(states < 100, "{states}");
}

/// Fires the first choice in every state until no event is enabled. Returns the number of deliveries of each message
/// type, and the last state.
fn first_run(machine: &Machine, frozen: &Frozen) -> (Vec<usize>, machine::State) {
    let instance = Instance { machine, frozen };
    let mut state = instance.initial_states().expect("initial states").remove(0);
    let mut handed = vec![0; machine.records.len()];
    while let Some(choice) = instance.choices(&state).first() {
        if let Event::Deliver(_, message, _) = &choice.event {
            handed[message.record().index()] += 1;
        }
        state = instance.step(&state, choice).expect("no errors");
    }
    (handed, state)
}

#[test]
fn messages_of_an_election() {
    let sums = [1, 6, 33, 200, 1370];
    for (n, sum) in (1..).zip(sums) {
        let machine = lowered(RING, 2, n);
        let mut elections = Vec::new();
        for frozen in machine.frozen_choices() {
            let (handed, end) = first_run(&machine, &frozen);
            assert_eq!(handed[1], n as usize, "each node sends Elected once");
            assert!(
                end.nodes
                    .iter()
                    .all(|node| node.mode == machine::Mode::Halted)
            );
            assert!(end.edges.iter().all(Vec::is_empty));
            elections.push(handed[0]);
        }
        let n = n as usize;
        assert_eq!(elections.iter().sum::<usize>(), sum);
        assert_eq!(elections.iter().min(), Some(&(2 * n - 1)));
        assert_eq!(elections.iter().max(), Some(&(n * (n + 1) / 2)));
    }
}

#[test]
fn the_ring_has_one_final_state_for_each_arrangement_and_no_cycle() {
    for n in 1..=4 {
        let machine = lowered(RING, 2, n);
        for frozen in machine.frozen_choices() {
            let instance = Instance {
                machine: &machine,
                frozen: &frozen,
            };
            let explored = testkit::explore(instance, 100_000).expect("explored");
            let ends = explored.successors.iter().filter(|s| s.is_empty()).count();
            assert_eq!(ends, 1);
            // The states have a topological order if and only if there is no cycle.
            let mut waiting: Vec<usize> = explored.successors.iter().map(Vec::len).collect();
            let mut done: Vec<usize> = (0..waiting.len()).filter(|s| waiting[*s] == 0).collect();
            let mut ordered = 0;
            while let Some(state) = done.pop() {
                ordered += 1;
                for (before, successors) in explored.successors.iter().enumerate() {
                    let arrows = successors.iter().filter(|(_, to)| *to == state).count();
                    if arrows > 0 {
                        waiting[before] -= arrows;
                        if waiting[before] == 0 {
                            done.push(before);
                        }
                    }
                }
            }
            assert_eq!(ordered, explored.states.len());
        }
    }
}
