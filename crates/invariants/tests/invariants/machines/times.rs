//! Random Machines with digitised time: the answers of BMC, k-induction and PDR, compared with explicit search.

use crate::machines::{Construct, Tally, about_states, compare_on, number};
use machine::random::Rng;
use machine::{
    Abstraction, BinaryOp, Channel, Delay, Digitisation, Expr, Formula, Instance, Jitter, Machine,
    NodeId, Property, PropertyKind, Scope, State, Timing, Trigger, Value, VarId,
};
use rational::Rational;
use testkit::{Size, random_timed_machine};

/// The Machine of a seed, without constructs that circuits do not support: timers, restarts, bounded-response
/// obligations.
fn machine(seed: u64) -> Machine {
    let mut machine = random_timed_machine(seed, &Size::default());
    machine
        .runtime_faults
        .retain(|runtime_fault| runtime_fault.stop.is_none());
    for block in &mut machine.blocks {
        if let Trigger::Every(Timing::Periodic(periodic)) = &mut block.trigger {
            // If only one period is possible, fixed and variable periods are equivalent.
            periodic.fixed = periodic.gap.0 == periodic.gap.1 && seed.is_multiple_of(2);
        }
    }
    let has_bits = |e: &Expr| !matches!(e, Expr::Now(..) | Expr::Overdue(_));
    let all = |formula: &Formula| {
        let mut all = true;
        formula.walk_exprs(&mut |e| all &= has_bits(e));
        all
    };
    machine.properties.retain(|property| match &property.kind {
        PropertyKind::Claim(formula) => all(formula),
        PropertyKind::Possible(condition) => all(&Formula::State(condition.clone())),
    });
    machine.responses.clear();
    let mut machine = about_states(machine);
    if invariants::refuses(&machine).is_none() {
        let nearly = nearly_reached(seed, &machine);
        machine.properties.extend(nearly);
    }
    machine
}

/// Reachability properties: variables have the values of some state of a random run, or the same values except for one.
/// Whether the changed values are reachable depends on the times.
fn nearly_reached(seed: u64, machine: &Machine) -> Vec<Property> {
    let mut rng = Rng(seed);
    let Some(Ok(begin)) = machine.frozen_choices().next().map(|frozen| {
        let instance = Instance {
            machine,
            frozen: &frozen,
        };
        instance
            .initial_states()
            .map(|states| (frozen.clone(), states))
    }) else {
        return Vec::new();
    };
    let (frozen, states) = begin;
    let instance = Instance {
        machine,
        frozen: &frozen,
    };
    let Some(mut state) = states.into_iter().next() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for step in 0..24 {
        let choices = instance.choices(&state);
        if choices.is_empty() {
            break;
        }
        let choice = &choices[rng.below(choices.len())];
        let Ok(next) = instance.step(&state, choice) else {
            break;
        };
        state = next;
        if step % 4 == 3 {
            found.extend(values(&mut rng, machine, &state));
        }
    }
    found
}

/// The property that the variables can have the values of a state, and the property that they can have these values
/// except one.
fn values(rng: &mut Rng, machine: &Machine, state: &State) -> Vec<Property> {
    let mut places = Vec::new();
    for node in machine.nodes() {
        for (v, var) in machine.vars.iter().enumerate() {
            if var.kind == machine.kind_of(node) {
                let var = VarId(v as u32);
                let value = &state.nodes[node.index()].vars[machine.place_of_var(var)];
                places.push((var, node, value.clone()));
            }
        }
    }
    if places.is_empty() {
        return Vec::new();
    }
    let mut other = places.clone();
    let changed = rng.below(other.len());
    let others = machine.values(&machine.vars[other[changed].0.index()].ty);
    other[changed].2 = others[rng.below(others.len())].clone();
    let property = |places: &[(VarId, NodeId, Value)]| {
        let equal = places.iter().map(|(var, node, value)| {
            let of = Expr::Var(*var, Box::new(Expr::Const(Value::Node(*node))));
            let value = Expr::Const(value.clone());
            Expr::Binary(BinaryOp::Eq, Box::new(of), Box::new(value))
        });
        let both = |a, b| Expr::Binary(BinaryOp::And, Box::new(a), Box::new(b));
        Property {
            name: "values".into(),
            scope: Scope::default(),
            kind: PropertyKind::Possible(equal.reduce(both).expect("a variable")),
        }
    };
    // A value whose type cannot be inferred, such as an empty set, cannot be written as a constant.
    let is_typed = |property: &Property| {
        let alone = Machine {
            properties: vec![property.clone()],
            ..machine.clone()
        };
        machine::verify(&alone).is_ok()
    };
    let both = [property(&places), property(&other)];
    both.into_iter().filter(is_typed).collect()
}

fn periodic(machine: &Machine, is_one: fn(&machine::Periodic) -> bool) -> bool {
    let mut blocks = machine.blocks.iter();
    blocks.any(|block| match &block.trigger {
        Trigger::Every(Timing::Periodic(periodic)) => is_one(periodic),
        _ => false,
    })
}

const MET: [Construct; 8] = [
    ("periodic nodes", |m| periodic(m, |_| true)),
    ("jitter", |m| {
        periodic(m, |p| matches!(p.jitter, Jitter::PerGap(_)))
    }),
    ("fixed periods", |m| periodic(m, |p| p.fixed)),
    ("delays in order", |m| {
        matches!(m.delay, Delay::Within(..)) && matches!(m.channel, Channel::Fifo(_))
    }),
    ("delays in any order", |m| {
        matches!(m.delay, Delay::Within(..)) && m.channel == Channel::Unordered
    }),
    ("messages before the next activation", |m| {
        m.delay == Delay::BeforeNext && periodic(m, |_| true)
    }),
    ("messages that arrive at once", |m| {
        m.channel == Channel::Instant && periodic(m, |_| true)
    }),
    ("crashes", |m| !m.runtime_faults.is_empty() && m.has_time()),
];

#[test]
fn the_same_answers_where_time_counts() {
    let mut met = [0; MET.len()];
    let mut tally = Tally::default();
    let (from, enough) = (number("FROM", 0), number("EACH", 10));
    for seed in from..from + 20_000 {
        let machine = machine(seed);
        let has: Vec<usize> = (0..MET.len()).filter(|c| MET[*c].1(&machine)).collect();
        let is_new = has.iter().any(|c| met[*c] < enough);
        if !machine.has_time() || !is_new || invariants::refuses(&machine).is_some() {
            continue;
        }
        has.iter().for_each(|c| met[*c] += 1);
        compare_on(seed, &machine, &mut tally);
        if met.iter().all(|met| *met >= enough) {
            break;
        }
    }
    assert!(met.iter().all(|met| *met >= enough), "{met:?}");
    let said = |names: &[&str]| -> u32 { names.iter().filter_map(|n| tally.said.get(n)).sum() };
    let all: u32 = tally.said.values().sum();
    assert!(said(&["holds", "impossible"]) * 4 >= all, "{tally:?}");
    assert!(said(&["fails", "possible"]) * 4 >= all, "{tally:?}");
    assert!(tally.said.contains_key("error"), "{tally:?}");
}

#[test]
fn what_has_no_bits_is_refused_by_name() {
    let names = [
        "timers",
        "what must follow within a time",
        "nodes that begin again",
    ];
    let mut met = [false; 3];
    for seed in 0..400 {
        let machine = random_timed_machine(seed, &Size::default());
        if let Some(why) = invariants::refuses(&machine) {
            for (met, name) in met.iter_mut().zip(names) {
                *met |= why.starts_with(name);
            }
        }
    }
    assert_eq!(met, [true; 3]);
}

/// A sender with a period of one unit and a channel of capacity 1. With a minimum delay of 3 the channel is full when
/// the sender is due, and the sender is blocked while a message is in its outbox.
const FULL: &str = "
(message Ping)
(kind Sender 1)
(kind Receiver 1)
(edges (1 2))
(channel fifo 1)
(delay LEAST 3)
(var Sender left (int 0 3) (is 3))
(var Receiver got (int 0 3) (is 0))
(block Sender \"every 1 ms\"
  (every 1 1 (first 0 0))
  (if (> (var left self) 0)
    (do (:= left (- (var left self) 1)) (send (new Ping) (nodes Receiver)))))
(block Receiver \"on Ping\" (on Ping) (:= got (+ (var got self) 1)))
(claim few (always (state (<= (var got (node 2)) 3))))
";

#[test]
fn time_that_cannot_go_on_is_an_error() {
    for (least, answer) in [("3", "error"), ("1", "holds")] {
        let text = FULL.replace("LEAST", least);
        let mut machine = machine::parse(&text).expect("a Machine");
        machine.abstraction = Abstraction::Digitised(Digitisation {
            unit: Rational::ONE,
            horizon: 0,
        });
        let mut tally = Tally::default();
        compare_on(0, &machine, &mut tally);
        assert_eq!(tally.said.keys().collect::<Vec<_>>(), [&answer]);
    }
}
