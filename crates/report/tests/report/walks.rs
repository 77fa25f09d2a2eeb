//! Random runs of random machines, whose names contain characters that must be escaped.

use machine::{
    Channel, Crash, Effect, Instance, Machine, MessageFault, NodeId, Order, Origin, Restart,
    RunError, RuntimeFault, State, StepError, Value,
};
use report::{ReplayedRun, Words};
use testkit::{Size, random_machine};
use verdict::{Ending, Explanation, Label, Labels, PartVerdict, Run, Why};

/// A run with all inputs of the renderers.
pub struct Walk {
    pub machine: Machine,
    pub labels: Labels,
    pub run: Run,
    pub states: Vec<State>,
    pub error: Option<RunError>,
    pub explanation: Option<Explanation>,
}

impl Walk {
    pub fn words(&self) -> Words<'_> {
        Words {
            machine: &self.machine,
            labels: &self.labels,
        }
    }

    pub fn replay(&self) -> ReplayedRun<'_> {
        ReplayedRun::new(self.words(), &self.run, &self.states, self.error.as_ref())
            .explained(self.explanation.as_ref(), &[])
    }
}

/// A pseudo-random number generator: xorshift.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// A random run of at most `most` events of a random machine; `None` if the machine has no initial state.
pub fn walk(seed: u64, nodes: u32, most: usize) -> Option<Walk> {
    let size = Size {
        nodes,
        ..Size::default()
    };
    walk_of(random_machine(seed, &size), seed, most)
}

/// A random run of an election: on a ring, or on a complete graph with unordered channels.
///
/// Random machines with this number of nodes would have more initial states than fit into memory.
pub fn large_walk(seed: u64, nodes: u32, most: usize) -> Option<Walk> {
    let text = include_str!("../../../../tests/machine/ring-fifo.machine");
    let mut machine = machine::parse(text).expect("a machine");
    machine.kinds[0].count = nodes;
    machine.ids = nodes;
    let turned = (0..nodes).map(|i| Value::Id((i * 7 + seed as u32) % nodes + 1));
    machine.frozen_vars[0].order = Order::Given(turned.collect());
    machine.maps[0].to = (0..nodes).map(|i| NodeId((i + 1) % nodes)).collect();
    machine.edges = (0..nodes)
        .map(|i| (NodeId(i), NodeId((i + 1) % nodes)))
        .collect();
    if seed.is_multiple_of(3) {
        machine.channel = Channel::Unordered;
        machine.maps[0].to = (0..nodes)
            .map(|i| NodeId((i + nodes / 2 + 1) % nodes))
            .collect();
        let pairs = (0..nodes).flat_map(|a| (0..nodes).map(move |b| (NodeId(a), NodeId(b))));
        machine.edges = pairs.collect();
    }
    if seed.is_multiple_of(2) {
        for effect in [Effect::Lose, Effect::Repeat] {
            machine.faults.push(MessageFault {
                effect,
                limit: None,
                of: None,
            });
        }
    }
    if seed.is_multiple_of(5) {
        machine.runtime_faults.push(RuntimeFault {
            of: None,
            limit: Some(2),
            crash: Some(Crash {
                during_broadcast: true,
            }),
            stop: Some(Restart {
                fresh: true,
                within: None,
            }),
        });
    }
    walk_of(machine, seed, most)
}

/// A random run of at most `most` events of a machine; `None` if the machine has no initial state.
pub fn walk_of(machine: Machine, seed: u64, most: usize) -> Option<Walk> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let frozen = machine.frozen_choices().next()?;
    let instance = Instance {
        machine: &machine,
        frozen: &frozen,
    };
    let initial = instance.initial_states().ok()?;
    if initial.is_empty() {
        return None;
    }
    let initial = initial[dice.below(initial.len())].clone();
    let mut states = vec![initial.clone()];
    let mut run = Run {
        frozen: frozen.clone(),
        initial,
        choices: Vec::new(),
        ending: Ending::Open,
    };
    let mut error = None;
    while run.choices.len() < most && error.is_none() {
        let now = states.last().expect("a state");
        let choices = instance.choices(now);
        if choices.is_empty() {
            run.ending = Ending::StandsStill;
            break;
        }
        let choice = choices[dice.below(choices.len())].clone();
        match instance.step(now, &choice) {
            Ok(next) => states.push(next),
            Err(StepError::Error(found)) => {
                run.ending = Ending::Error(found.clone());
                error = Some(found);
            }
            Err(StepError::NotEnabled) => unreachable!("one of the choices"),
        }
        run.choices.push(choice);
    }
    if run.ending == Ending::Open {
        let last = states.last().expect("a state");
        let from = states[..states.len() - 1].iter().position(|s| s == last);
        run.ending = from.map_or(Ending::Open, Ending::Loops);
    }
    let explanation = explanation(&machine, &run, &states, &mut dice);
    let labels = Labels {
        nodes: machine
            .nodes()
            .map(|n| format!("<{}> & \"co\"", n.0 + 1))
            .collect(),
        ids: Vec::new(),
        blocks: Vec::new(),
        unit: None,
        origins: vec![Label {
            text: "a <b> & c ]]> \"d\" </script><!-- e".into(),
            file: "m.scrut".into(),
            line: 1,
        }],
    };
    Some(Walk {
        labels,
        run,
        states,
        error,
        explanation,
        machine,
    })
}

/// A random explanation that names one node. `None` for runs with errors and for a quarter of the others.
fn explanation(
    machine: &Machine,
    run: &Run,
    states: &[State],
    dice: &mut Dice,
) -> Option<Explanation> {
    if matches!(run.ending, Ending::Error(_)) || dice.below(4) == 0 {
        return None;
    }
    let verdict = match run.ending {
        Ending::Loops(_) | Ending::StandsStill if dice.below(2) == 0 => PartVerdict::NeverAfter(0),
        _ => PartVerdict::FalseAfter(dice.below(states.len())),
    };
    let node = NodeId(dice.below(machine.node_count() as usize) as u32);
    Some(Explanation {
        every_bound: false,
        also: Vec::new(),
        verdict,
        why: Why {
            part: Some(Origin(0)),
            bindings: vec![("k".into(), Value::Node(node))],
            facts: Vec::new(),
        },
    })
}
