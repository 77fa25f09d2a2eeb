//! The events of a slice form a run, in which the root nodes end in the same states as in the whole run.

use crate::walks;
use crate::walks::{large_walk, walk, walk_of};
use machine::{Instance, NodeId, StepError, Value};
use report::roots;
use verdict::{Ending, Explanation, PartVerdict, Why};

#[test]
fn what_matters_is_a_run_with_the_same_end() {
    let (mut pale, mut all) = (0, 0);
    for seed in 0..900 {
        let found = match seed % 3 {
            0 => large_walk(seed, 6, 30),
            _ => walk(seed, 3, 30),
        };
        let Some(walk) = found else {
            continue;
        };
        let replay = walk.replay();
        let matters = replay.slice();
        assert_eq!(matters.len(), walk.run.choices.len());
        let end = match walk.explanation.as_ref().map(|e| e.verdict) {
            // If the claim becomes false within the loop, the slice is taken of the whole loop.
            Some(PartVerdict::FalseAfter(after)) if !matches!(walk.run.ending, Ending::Loops(from) if after > from) => {
                after
            }
            _ => walk.states.len() - 1,
        };
        let instance = Instance {
            machine: &walk.machine,
            frozen: &walk.run.frozen,
        };
        let mut state = walk.run.initial.clone();
        for (i, choice) in walk.run.choices.iter().enumerate() {
            if !matters[i] {
                pale += 1;
                continue;
            }
            match instance.step(&state, choice) {
                Ok(next) => state = next,
                Err(StepError::Error(error)) => assert_eq!(Some(&error), walk.error.as_ref()),
                Err(StepError::NotEnabled) => panic!("seed {seed}: event {} misses one", i + 1),
            }
        }
        all += matters.len();
        if walk.error.is_none() {
            for node in roots(&replay) {
                let (is, was) = (
                    &state.nodes[node.index()],
                    &walk.states[end].nodes[node.index()],
                );
                assert_eq!(is, was, "seed {seed}: {node}");
            }
        }
    }
    assert!(pale * 10 > all && pale * 10 < all * 9, "{pale} of {all}");
}

/// On a ring of three nodes, the start of a node that sends nothing to the root node does not matter.
#[test]
fn starts_of_others_do_not_matter() {
    let text = include_str!("../../../../tests/machine/ring-fifo.machine");
    let machine = machine::parse(text).expect("a machine");
    let mut walk = walk_of(machine, 1, 3).expect("a walk");
    walk.explanation = about(NodeId(1), PartVerdict::FalseAfter(3));
    let nodes: Vec<NodeId> = walk.run.choices.iter().map(|c| node(&walk, c)).collect();
    let replay = walk.replay();
    let matters = replay.slice();
    for (i, node) in nodes.iter().enumerate() {
        let last = i == 2;
        assert_eq!(
            matters[i],
            last || *node == NodeId(1) || sends_to_it(&walk, i),
            "{i}"
        );
    }
}

#[test]
fn what_comes_behind_the_failure_does_not_matter() {
    let text = include_str!("../../../../tests/machine/ring-fifo.machine");
    for seed in 1..40 {
        let machine = machine::parse(text).expect("a machine");
        let mut walk = walk_of(machine, seed, 12).expect("a walk");
        walk.run.ending = Ending::Open;
        walk.explanation = about(NodeId(0), PartVerdict::FalseAfter(5));
        let replay = walk.replay();
        let matters = replay.slice();
        assert!(matters[5..].iter().all(|m| !m));
        assert!(matters[4], "with this event it became false");
    }
}

#[test]
fn without_an_explanation_all_nodes_count() {
    let walk = walk(7, 3, 20).expect("a walk");
    let replay = walk.replay().explained(None, &[]);
    assert_eq!(roots(&replay).len(), walk.machine.node_count() as usize);
}

/// On an instant channel with inboxes, the messages that a node reads matter. The test compares variables only, because
/// messages that are still unread at the end may be missing in the run of the slice.
#[test]
fn what_is_read_matters() {
    let text = include_str!("../data/election.machine");
    let from = text.find("(every 49").expect("a rhythm");
    let to = from + text[from..].find("period))").expect("its end") + 8;
    let text = format!("{}(every any){}", &text[..from], &text[to..]);
    let (mut pale, mut all) = (0, 0);
    for seed in 0..300 {
        let mut machine = machine::parse(&text).expect("a machine");
        machine.inbox.copies = seed % 3 == 0;
        machine.inbox.latest = seed % 4 == 0;
        let mut walk = walk_of(machine, seed, 14).expect("a walk");
        walk.run.ending = Ending::Open;
        let node = NodeId(seed as u32 % 2);
        let end = 3 + seed as usize % 10;
        walk.explanation = about(node, PartVerdict::FalseAfter(end));
        let replay = walk.replay();
        let matters = replay.slice();
        let instance = Instance {
            machine: &walk.machine,
            frozen: &walk.run.frozen,
        };
        let mut state = walk.run.initial.clone();
        for (i, choice) in walk.run.choices.iter().enumerate() {
            all += 1;
            if matters[i] {
                state = instance.step(&state, choice).expect("a step");
            } else {
                pale += 1;
            }
        }
        let was = &walk.states[end].nodes[node.index()];
        assert_eq!(state.nodes[node.index()].vars, was.vars, "seed {seed}");
    }
    assert!(pale * 20 > all, "{pale} of {all}");
}

fn about(node: NodeId, verdict: PartVerdict) -> Option<Explanation> {
    Some(Explanation {
        every_bound: false,
        also: Vec::new(),
        verdict,
        why: Why {
            part: None,
            bindings: vec![("k".into(), Value::Node(node))],
            facts: Vec::new(),
        },
    })
}

fn node(walk: &walks::Walk, choice: &machine::Choice) -> NodeId {
    match &choice.event {
        machine::Event::Run(node, _) | machine::Event::Transmit(node) => *node,
        machine::Event::Deliver(edge, ..) => walk.machine.edges[edge.index()].1,
        other => panic!("no such event in these runs: {other:?}"),
    }
}

/// Whether a later event delivers a message from the node of event `i` to node 2.
fn sends_to_it(walk: &walks::Walk, i: usize) -> bool {
    let later = walk.run.choices[i + 1..].iter();
    let mut delivered = later.filter_map(|c| match &c.event {
        machine::Event::Deliver(edge, ..) => Some(walk.machine.edges[edge.index()]),
        _ => None,
    });
    let from = node(walk, &walk.run.choices[i]);
    delivered.any(|edge| edge == (from, NodeId(1)))
}
