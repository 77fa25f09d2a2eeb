//! Runs with times for the tests: scripted and random runs of the election model.

use crate::walks::{Dice, Walk};
use machine::{
    Channel, Choice, Event, Expr, Fault, Frozen, Instance, Jitter, Machine, NodeId, Origin, State,
    StepError, Timing, Trigger, Value,
};
use rational::Rational;
use verdict::{Ending, Explanation, Fact, Label, Labels, PartVerdict, Run, Why};

const ELECTION: &str = include_str!("../data/election.machine");

fn ms(time: &str) -> Rational {
    time.parse().expect("a number")
}

fn labels(nodes: u32) -> Labels {
    let label = |text: &str| Label {
        text: text.into(),
        file: "election.scrut".into(),
        line: 1,
    };
    Labels {
        nodes: (1..=nodes).map(|n| format!("node {n}")).collect(),
        ids: Vec::new(),
        blocks: Vec::new(),
        unit: Some("ms".into()),
        origins: vec![
            label(
                "always ((all k in running: k.activations >= 6) implies (boss.role == Leader and all k in running: k != boss implies k.role == Follower))",
            ),
            label("boss.role == Leader"),
            label("boss.role"),
            label("k.role == Follower"),
            label("k.role"),
        ],
    }
}

/// The run with these activations, in order, each given as its node and its time in milliseconds.
fn replayed(machine: Machine, frozen: Frozen, initial: State, times: &[(u32, &str)]) -> Walk {
    let mut states = vec![initial.clone()];
    let mut choices = Vec::new();
    let every = |b: &machine::Block| matches!(b.trigger, Trigger::Every(_));
    let block = machine.blocks.iter().position(every).expect("a rhythm");
    let instance = Instance {
        machine: &machine,
        frozen: &frozen,
    };
    assert!(instance.periods_fit());
    for (node, time) in times {
        let choice = Choice {
            event: Event::Run(NodeId(node - 1), machine::BlockId(block as u32)),
            picks: Vec::new(),
            time: Some(ms(time)),
        };
        let next = instance.step(states.last().expect("a state"), &choice);
        states.push(next.unwrap_or_else(|e| panic!("node {node} at {time}: {e:?}")));
        choices.push(choice);
    }
    Walk {
        labels: labels(machine.node_count()),
        run: Run {
            frozen,
            initial,
            choices,
            ending: Ending::Open,
        },
        states,
        error: None,
        explanation: None,
        machine,
    }
}

fn start(machine: &Machine, frozen: &Frozen, vars: &[[i64; 2]]) -> State {
    let instance = Instance { machine, frozen };
    let wanted = |s: &State| {
        let nodes = s.nodes.iter().zip(vars).enumerate();
        nodes.into_iter().all(|(n, (node, [role, turn]))| {
            let off = frozen.fault(NodeId(n as u32)) == Some(Fault::Off);
            off || (node.vars[0] == Value::Enum(machine::EnumId(0), *role as u32)
                && node.vars[1] == Value::Int(*turn))
        })
    };
    let states = instance.initial_states().expect("initial states");
    states.into_iter().find(wanted).expect("this initial state")
}

/// Node 1 reads at 294 ms and at 366 ms. Node 2 sends at 294 ms just before the read, and not again before 370 ms.
pub fn silence() -> Walk {
    let machine = machine::parse(ELECTION).expect("a machine");
    let frozen = Frozen {
        values: vec![vec![Value::Id(1), Value::Id(2)]],
        faults: vec![None, None],
        periods: vec![Some(ms("49")), Some(ms("51"))],
    };
    let initial = start(&machine, &frozen, &[[2, 0], [0, 2]]);
    let mut walk = replayed(
        machine,
        frozen,
        initial,
        &[
            (1, "0"),
            (2, "5"),
            (1, "49"),
            (2, "56"),
            (1, "98"),
            (2, "105"),
            (1, "147"),
            (2, "154"),
            (1, "196"),
            (2, "200"),
            (1, "245"),
            (2, "250"),
            (2, "294"),
            (1, "294"),
            (1, "318"),
            (1, "342"),
            (1, "366"),
            (2, "370"),
        ],
    );
    walk.explanation = Some(Explanation {
        every_bound: false,
        also: Vec::new(),
        verdict: PartVerdict::FalseAfter(17),
        why: Why {
            part: Some(Origin(3)),
            bindings: vec![("k".into(), Value::Node(NodeId(0)))],
            facts: vec![Fact {
                origin: Origin(4),
                value: walk.states[17].nodes[0].vars[0].clone(),
                timely: None,
                or_more: false,
                of: None,
                meaning: None,
                given: Vec::new(),
                wanted: None,
                stays: false,
            }],
        },
    });
    walk
}

/// Node 1 is off, and node 2 reads its inbox for the first time at its second activation.
pub fn alone() -> Walk {
    let mut text = ELECTION
        .replace("(int 0 2)", "(int 0 1)")
        .replace("self) 1) 3)", "self) 1) 2)");
    text = text.replace("(per-gap 25)", "(per-gap 1/2)");
    let machine = machine::parse(&text).expect("a machine");
    let frozen = Frozen {
        values: vec![vec![Value::Id(1), Value::Id(2)]],
        faults: vec![Some(Fault::Off), None],
        periods: vec![Some(ms("50")), Some(ms("50"))],
    };
    let initial = start(&machine, &frozen, &[[0, 0], [0, 1]]);
    let times = [(2, "50"), (2, "100.5"), (2, "150.75")];
    let mut walk = replayed(machine, frozen, initial, &times);
    walk.explanation = Some(Explanation {
        every_bound: false,
        also: Vec::new(),
        verdict: PartVerdict::FalseAfter(3),
        why: Why {
            part: Some(Origin(1)),
            bindings: vec![],
            facts: vec![Fact {
                origin: Origin(2),
                value: walk.states[3].nodes[1].vars[0].clone(),
                timely: None,
                or_more: false,
                of: Some(Value::Node(NodeId(1))),
                meaning: None,
                given: Vec::new(),
                wanted: None,
                stays: false,
            }],
        },
    });
    walk
}

/// A run of the election with `every round(1)`, without times.
pub fn rounds() -> Walk {
    let from = ELECTION.find("(every 49").expect("a rhythm");
    let to = from + ELECTION[from..].find("period))").expect("its end") + 8;
    let text = format!("{}(every round 1){}", &ELECTION[..from], &ELECTION[to..]);
    let machine = machine::parse(&text).expect("a machine");
    let mut walk = crate::walks::walk_of(machine, 5, 9).expect("a walk");
    walk.labels = labels(2);
    walk.explanation = Some(Explanation {
        every_bound: false,
        also: Vec::new(),
        verdict: PartVerdict::FalseAfter(9),
        why: Why {
            part: Some(Origin(3)),
            bindings: vec![("k".into(), Value::Node(NodeId(0)))],
            facts: Vec::new(),
        },
    });
    walk
}

/// A random run of the election. If `delayed`, the channel is unordered instead of instant.
pub fn random(seed: u64, nodes: u32, most: usize, delayed: bool) -> Walk {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut machine = machine::parse(ELECTION).expect("a machine");
    machine.kinds[0].count = nodes;
    machine.ids = nodes;
    let pairs = (0..nodes).flat_map(|a| (0..nodes).map(move |b| (NodeId(a), NodeId(b))));
    machine.edges = pairs.collect();
    machine.inbox.start = machine::InboxStart::Empty;
    machine.inbox.copies = seed.is_multiple_of(3);
    machine.inbox.latest = seed.is_multiple_of(4);
    if let Trigger::Every(Timing::Periodic(periodic)) = &mut machine.blocks[0].trigger
        && !seed.is_multiple_of(3)
    {
        periodic.jitter = Jitter::PerGap(ms("40")); // large enough for silences
    }
    if delayed {
        machine.channel = Channel::Unordered;
    }
    let faults = (0..nodes).map(|_| match dice.below(7) {
        0 => Some(Fault::Off),
        1 => Some(Fault::Deaf),
        2 => Some(Fault::Mute),
        _ => None,
    });
    let faults: Vec<_> = faults.collect();
    let frozen = Frozen {
        values: vec![(1..=nodes).map(Value::Id).collect()],
        faults,
        periods: (0..nodes)
            .map(|_| Some(Rational::new(490 + dice.below(21) as i128, 10)))
            .collect(),
    };
    let walk = random_run(machine, frozen, &mut dice, most);
    with_explanation(walk, &mut dice)
}

fn random_run(machine: Machine, frozen: Frozen, dice: &mut Dice, most: usize) -> Walk {
    let mut small = machine.clone();
    for var in &mut small.vars {
        // Fixed initial values, so that only one initial state is computed; it is changed below.
        let value = match var.ty {
            machine::Type::Enum(e) => Value::Enum(e, 0),
            _ => Value::Int(0),
        };
        var.init = machine::Init::Value(machine::Scope::of_node(), Expr::Const(value));
    }
    let first = Instance {
        machine: &small,
        frozen: &frozen,
    };
    let mut initial = first.initial_states().expect("initial states").remove(0);
    for node in &mut initial.nodes {
        node.vars[0] = Value::Enum(machine::EnumId(0), dice.below(3) as u32);
        node.vars[1] = Value::Int(dice.below(3) as i64);
    }
    let instance = Instance {
        machine: &machine,
        frozen: &frozen,
    };
    let mut states = vec![initial.clone()];
    let mut choices = Vec::new();
    let mut tries = 0;
    while choices.len() < most {
        let now = states.last().expect("a state");
        let mut choice = if machine.channel == Channel::Instant {
            // With many nodes, computing all enabled choices would take too long.
            Choice {
                event: Event::Run(
                    NodeId(dice.below(now.nodes.len()) as u32),
                    machine::BlockId(0),
                ),
                picks: Vec::new(),
                time: None,
            }
        } else {
            let mut possible = instance.choices(now);
            // Otherwise nearly all events would be deliveries.
            possible.retain(|c| matches!(c.event, Event::Run(..)) || dice.below(3) > 0);
            if possible.is_empty() {
                continue;
            }
            possible.remove(dice.below(possible.len()))
        };
        if let Event::Run(node, _) = &choice.event
            && now.nodes[node.index()].mode == machine::Mode::Off
        {
            tries += 1;
            if tries > 1000 {
                break;
            }
            continue;
        }
        let Some((from, Some(to))) = instance.enabled_interval(now, &choice.event) else {
            continue;
        };
        let part = Rational::new(dice.below(4) as i128, 3);
        choice.time = Some(&from + (&to - &from) * part);
        match instance.step(now, &choice) {
            Ok(next) => states.push(next),
            Err(StepError::NotEnabled) => panic!("{choice:?}"),
            Err(StepError::Error(error)) => panic!("{error:?}"),
        }
        choices.push(choice);
    }
    Walk {
        labels: labels(machine.node_count()),
        run: Run {
            frozen,
            initial,
            choices,
            ending: Ending::Open,
        },
        states,
        error: None,
        explanation: None,
        machine,
    }
}

fn with_explanation(mut walk: Walk, dice: &mut Dice) -> Walk {
    let events = walk.run.choices.len();
    if dice.below(5) == 0 || events == 0 {
        return walk;
    }
    let mut node = NodeId(dice.below(walk.machine.node_count() as usize) as u32);
    // The events in which a node reads its inbox and finds no message from some running node.
    let silent: Vec<(usize, NodeId)> = (0..events)
        .filter_map(|i| match walk.run.choices[i].event {
            Event::Run(node, _) => Some((i, node)),
            _ => None,
        })
        .filter(|(i, reader)| {
            let now = &walk.states[*i];
            let own = &now.nodes[reader.index()];
            let heard = |n: NodeId| own.inbox.iter().any(|entry| entry.0 == n);
            let able = |n: NodeId| now.nodes[n.index()].mode.runs() && walk.run.frozen.can_send(n);
            let mut others = walk.machine.nodes().filter(|n| n != reader);
            own.vars[1] == Value::Int(0)
                && walk.run.frozen.can_receive(*reader)
                && others.any(|n| able(n) && !heard(n))
        })
        .collect();
    let verdict = match dice.below(5) {
        0 => {
            walk.run.ending = Ending::Loops(dice.below(events));
            PartVerdict::NeverAfter(dice.below(events))
        }
        1 => PartVerdict::FalseAfter(1 + dice.below(events)),
        2 => PartVerdict::FalseAfter(events),
        _ => {
            let (event, reader) = silent.last().copied().unwrap_or((events - 1, node));
            node = reader;
            PartVerdict::FalseAfter(event + 1)
        }
    };
    walk.explanation = Some(Explanation {
        every_bound: false,
        also: Vec::new(),
        verdict,
        why: Why {
            part: Some(Origin(3)),
            bindings: vec![("k".into(), Value::Node(node))],
            facts: Vec::new(),
        },
    });
    walk
}
