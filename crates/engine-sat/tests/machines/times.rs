//! Random Machines with times on a grid: what this engine says, and what visiting every state says.

use crate::{Construct, Tally, about_states, compare_on, number};
use machine::random::{Size, random_timed_machine};
use machine::{Channel, Delay, Expr, Formula, Jitter, Machine, PropertyKind, Timing, Trigger};

/// The Machine of a seed without what has no bits: no timers, nobody who begins again, nothing that must follow in time.
fn machine(seed: u64) -> Machine {
    let mut machine = random_timed_machine(seed, &Size::default());
    machine.strikes.retain(|strike| strike.stop.is_none());
    for block in &mut machine.blocks {
        if let Trigger::Every(Timing::Periodic(periodic)) = &mut block.trigger {
            // One period in the whole run is one in every gap where there is no other.
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
    about_states(machine)
}

fn rhythm(machine: &Machine, is_one: fn(&machine::Periodic) -> bool) -> bool {
    let mut blocks = machine.blocks.iter();
    blocks.any(|block| match &block.trigger {
        Trigger::Every(Timing::Periodic(periodic)) => is_one(periodic),
        _ => false,
    })
}

const MET: [Construct; 8] = [
    ("rhythms", |m| rhythm(m, |_| true)),
    ("jitter", |m| {
        rhythm(m, |p| matches!(p.jitter, Jitter::PerGap(_)))
    }),
    ("fixed periods", |m| rhythm(m, |p| p.fixed)),
    ("delays in order", |m| {
        matches!(m.delay, Delay::Within(..)) && matches!(m.channel, Channel::Fifo(_))
    }),
    ("delays in any order", |m| {
        matches!(m.delay, Delay::Within(..)) && m.channel == Channel::Unordered
    }),
    ("messages before the next activation", |m| {
        m.delay == Delay::BeforeNext && rhythm(m, |_| true)
    }),
    ("messages that arrive at once", |m| {
        m.channel == Channel::Instant && rhythm(m, |_| true)
    }),
    ("crashes", |m| !m.strikes.is_empty() && m.has_time()),
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
        if !machine.has_time() || !is_new || engine_sat::refuses(&machine).is_some() {
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
        if let Some(why) = engine_sat::refuses(&machine) {
            for (met, name) in met.iter_mut().zip(names) {
                *met |= why.starts_with(name);
            }
        }
    }
    assert_eq!(met, [true; 3]);
}
