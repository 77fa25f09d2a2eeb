//! Order rules compared with all exact orders of activations for small integer timings: the rules exclude no exact
//! order, and their bounds are attained if the timings are simple.

use crate::order_timings::{self, Dice, IntJitter, IntTiming, every_run, machine, period_choices};
use machine::{
    ChainRule, KindId, NodeId, OrderConstraints, OrderRule, Window, chain_rule, horizon,
    order_rule, parse, verify,
};

/// A random timing. If `plain`, its gaps vary and it has no jitter; otherwise it may have a fixed period or jitter.
fn timing(dice: &mut Dice, plain: bool) -> IntTiming {
    let lo = dice.between(1, 4);
    let hi = lo + dice.between(0, 3);
    let mut whole = IntTiming::free(lo, hi);
    if dice.percent(50) {
        let from = dice.between(0, 4);
        whole.first = (from, Some(from + dice.between(0, 4)));
    }
    if !plain {
        whole.fixed = dice.percent(40);
        if dice.percent(30) {
            whole.gap = (lo + 1, hi + 1);
            whole.jitter = IntJitter::PerGap(1);
        } else if dice.percent(40) {
            whole.fixed = true;
            whole.gap = (lo + 2, hi + 2);
            whole.jitter = IntJitter::OnGrid(1);
        }
    }
    whole
}

/// The order rules for all windows of up to `activations` activations from the start and up to `gaps` gaps.
fn rules(timings: &[(IntTiming, u32)], activations: u32, gaps: u32) -> Vec<OrderRule> {
    let mut rules = Vec::new();
    for (i, (of, count)) in timings.iter().enumerate() {
        for (j, (with, _)) in timings.iter().enumerate() {
            if i == j && *count < 2 {
                continue;
            }
            let (of, with) = (of.periodic(), with.periodic());
            let mut add = |window| {
                let (i, j) = (KindId(i as u32), KindId(j as u32));
                rules.push(order_rule((i, &of), (j, &with), window));
            };
            (1..=activations).for_each(|n| add(Window::Start(n)));
            (1..=gaps).for_each(|gaps| add(Window::Gaps { gaps, early: false }));
        }
    }
    rules
}

/// All chain rules that follow from the timings, for all leads within a number of activations.
fn chains(timings: &[(IntTiming, u32)], activations: u32) -> Vec<ChainRule> {
    let all: Vec<(KindId, machine::Periodic)> = { timings.iter().enumerate() }
        .map(|(k, (whole, _))| (KindId(k as u32), whole.periodic()))
        .collect();
    let all: Vec<(KindId, &machine::Periodic)> = all.iter().map(|(k, p)| (*k, p)).collect();
    let mut rules = Vec::new();
    for leads in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        for of in &all {
            for with in &all {
                for then in &all {
                    rules.extend(chain_rule([*of, *with, *then], activations, leads));
                }
            }
        }
    }
    rules
}

/// Checks that the rules allow the order of every exact run.
fn allows_every_run(timings: &[(IntTiming, u32)], activations: u32, gaps: u32, halting: bool) {
    let chains = chains(timings, activations);
    let machine = machine(timings, rules(timings, activations, gaps), chains);
    verify(&machine).unwrap_or_else(|e| panic!("{e}: {timings:?}"));
    let constraints = OrderConstraints::of(&machine);
    let limits = constraints.limits();
    let nodes: Vec<IntTiming> = timings
        .iter()
        .flat_map(|(whole, count)| (0..*count).map(move |_| *whole))
        .collect();
    for system in period_choices(&nodes) {
        let start = (constraints.start(), vec![true; nodes.len()]);
        every_run(
            &system,
            start,
            halting,
            4_000,
            &mut |(numbers, runs), node, halts| {
                let running = |n: NodeId| runs[n.index()];
                assert!(
                    constraints.allows(numbers, node, &running),
                    "{system:?}: {node} is refused after {numbers:?}\n{machine}"
                );
                let mut numbers = numbers.clone();
                let mut runs = runs.clone();
                runs[node.index()] = !halts;
                constraints.activated(&mut numbers, node, &running);
                constraints.normalise(&mut numbers, &|n| runs[n.index()]);
                let fits = numbers
                    .iter()
                    .zip(&limits)
                    .all(|(n, limit)| 0 <= *n && n <= limit);
                assert!(fits, "{numbers:?} beyond {limits:?}");
                Some((numbers, runs))
            },
        );
    }
}

#[test]
fn two_nodes_with_free_gaps_are_allowed() {
    for seed in 0..150 {
        let mut dice = Dice::new(seed);
        let pair = [(timing(&mut dice, true), 1), (timing(&mut dice, true), 1)];
        allows_every_run(&pair, 4, 3, seed % 3 == 0);
    }
}

#[test]
fn two_nodes_with_periods_and_jitter_are_allowed() {
    for seed in 0..100 {
        let mut dice = Dice::new(1_000 + seed);
        let pair = [(timing(&mut dice, false), 1), (timing(&mut dice, false), 1)];
        allows_every_run(&pair, 4, 3, seed % 4 == 0);
    }
}

#[test]
fn three_nodes_are_allowed() {
    for seed in 0..45 {
        let mut dice = Dice::new(2_000 + seed);
        let plain = dice.percent(50);
        let mut one = || timing(&mut dice, plain);
        let timings = match seed % 3 {
            0 => vec![(one(), 1), (one(), 1), (one(), 1)],
            1 => vec![(one(), 2), (one(), 1)],
            _ => vec![(one(), 3)],
        };
        allows_every_run(&timings, 3, 2, seed % 2 == 0);
    }
}

/// The least and the greatest number of activations of node 2 before the n-th activation of node 1.
fn from_start(system: &[order_timings::TimedNode], n: i64) -> (i64, i64) {
    let (mut least, mut most) = (i64::MAX, 0);
    every_run(
        system,
        (0, 0),
        false,
        usize::MAX,
        &mut |(own, other), node, _| match node {
            NodeId(0) if own + 1 == n => {
                least = least.min(*other);
                most = most.max(*other);
                None
            }
            NodeId(0) => Some((own + 1, *other)),
            _ => Some((*own, other + 1)),
        },
    );
    (least, most)
}

/// What was observed of a window: whether node 2 was activated before it; the gaps of node 1 and the activations of
/// node 2 in it so far.
type Looked = (bool, Option<(i64, i64)>);

/// For windows of `gaps` gaps of node 1: the least number of activations of node 2, separately for windows with and
/// without an earlier activation of node 2, and the greatest number.
fn in_gaps(system: &[order_timings::TimedNode], gaps: i64) -> ((i64, i64), i64) {
    let (mut after, mut before, mut most) = (i64::MAX, i64::MAX, 0);
    // The window begins at one of the first four activations of node 1.
    for skip in 0..4 {
        let start: (Looked, i64) = ((false, None), skip);
        every_run(
            system,
            start,
            false,
            usize::MAX,
            &mut |((was, window), skip), node, _| match (node, window) {
                (NodeId(0), None) if *skip == 0 => Some(((*was, Some((0, 0))), 0)),
                (NodeId(0), None) => Some(((*was, None), skip - 1)),
                (NodeId(0), Some((own, count))) if own + 1 == gaps => {
                    let least = if *was { &mut after } else { &mut before };
                    *least = (*least).min(*count);
                    most = most.max(*count);
                    None
                }
                (NodeId(0), Some((own, count))) => Some(((*was, Some((own + 1, *count))), 0)),
                (_, None) => Some(((true, None), *skip)),
                (_, Some((own, count))) => Some(((*was, Some((*own, count + 1))), 0)),
            },
        );
    }
    ((after, before), most)
}

#[test]
fn bounds_from_the_start_are_attained() {
    for seed in 0..150 {
        let mut dice = Dice::new(3_000 + seed);
        let pair = [timing(&mut dice, true), timing(&mut dice, true)];
        let system = period_choices(&pair).remove(0);
        let (of, with) = (pair[0].periodic(), pair[1].periodic());
        for n in 1..=4 {
            let rule = order_rule((KindId(0), &of), (KindId(1), &with), Window::Start(n));
            let found = from_start(&system, i64::from(n));
            let said = (i64::from(rule.least), rule.most.map_or(0, i64::from));
            assert_eq!(said, found, "{n}: {pair:?}");
        }
    }
}

/// The bounds are attained if the first activations can have any phase. `early` is exact: it is true if and only if
/// windows without an earlier activation of node 2 also contain at least `least` activations.
#[test]
fn bounds_in_gaps_are_attained() {
    for seed in 0..150 {
        let mut dice = Dice::new(4_000 + seed);
        let mut pair = [timing(&mut dice, true), timing(&mut dice, true)];
        let any_phase = seed % 2 == 0;
        if any_phase {
            pair.iter_mut().for_each(|whole| whole.first = (0, None));
        }
        let system = period_choices(&pair).remove(0);
        let (of, with) = (pair[0].periodic(), pair[1].periodic());
        for gaps in 1..=3 {
            let window = Window::Gaps { gaps, early: false };
            let rule = order_rule((KindId(0), &of), (KindId(1), &with), window);
            let ((after, before), most) = in_gaps(&system, i64::from(gaps));
            let (least, greatest) = (i64::from(rule.least), rule.most.map_or(0, i64::from));
            assert!(least <= after && most <= greatest, "{gaps}: {pair:?}");
            if any_phase {
                assert_eq!((least, greatest), (after, most), "{gaps}: {pair:?}");
            }
            let Window::Gaps { early, .. } = rule.window else {
                panic!("another window")
            };
            assert_eq!(early, before >= least, "{gaps}: {pair:?} {rule:?}");
        }
    }
}

/// A single rule with only an upper bound allows exactly the orders in which each of its windows, complete or not,
/// contains at most `most` activations.
#[test]
fn a_rule_alone_bounds_its_windows() {
    let whole = IntTiming::free(1, 1);
    for gaps in 1..=3u32 {
        for most in 0..=3u32 {
            let rule = OrderRule {
                of: KindId(0),
                with: KindId(1),
                window: Window::Gaps { gaps, early: false },
                least: 0,
                most: Some(most),
            };
            let constraints =
                OrderConstraints::of(&machine(&[(whole, 1), (whole, 1)], vec![rule], vec![]));
            let every_order = |length: u32| (0..1u32 << length).map(move |order| (length, order));
            for (length, order) in (0..=8).flat_map(every_order) {
                let nodes: Vec<usize> = (0..length).map(|i| (order >> i & 1) as usize).collect();
                let mut numbers = constraints.start();
                let mut allowed = true;
                for node in &nodes {
                    allowed &= constraints.allows(&numbers, NodeId(*node as u32), &|_| true);
                    if !allowed {
                        break;
                    }
                    constraints.activated(&mut numbers, NodeId(*node as u32), &|_| true);
                    constraints.normalise(&mut numbers, &|_| true);
                }
                // The activations of node 1 split the order into gaps; the part before the first activation is not a
                // gap.
                let parts: Vec<u32> = nodes
                    .split(|node| *node == 0)
                    .map(|part| part.len() as u32)
                    .skip(1)
                    .collect();
                let fits = |from: usize| {
                    let part = parts[from..].iter().take(gaps as usize);
                    part.sum::<u32>() <= most
                };
                let wanted = (0..parts.len()).all(fits);
                assert_eq!(allowed, wanted, "gaps {gaps}, most {most}: {nodes:?}");
            }
        }
    }
}

/// Halted nodes do not constrain other nodes.
#[test]
fn a_halted_node_holds_nobody_back() {
    let whole = IntTiming::free(2, 3);
    let pair = [(whole, 1), (whole, 1)];
    let constraints = OrderConstraints::of(&machine(&pair, rules(&pair, 3, 2), vec![]));
    let (one, two) = (NodeId(0), NodeId(1));
    let mut numbers = constraints.start();
    let both = |_: NodeId| true;
    let alone = |node: NodeId| node == one;
    let mut made = 0;
    while constraints.allows(&numbers, one, &both) {
        constraints.activated(&mut numbers, one, &|_| true);
        constraints.normalise(&mut numbers, &both);
        made += 1;
    }
    // Node 2 is activated for the first time at time 3 or earlier, and node 1 for the third time at time 4 or later.
    assert_eq!(made, 2);
    assert!(constraints.allows(&numbers, two, &both));
    for _ in 0..10 {
        constraints.normalise(&mut numbers, &alone);
        assert!(constraints.allows(&numbers, one, &alone));
        constraints.activated(&mut numbers, one, &|_| true);
    }
    constraints.normalise(&mut numbers, &alone);
    assert_eq!(numbers[2..], [0; 8], "only the count of node 1 is left");
}

fn spread(every: &str) -> machine::Machine {
    let text = format!("(kind Node 2) (block Node tick (every {every}))");
    let machine = parse(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    verify(&machine).unwrap_or_else(|e| panic!("{e}: {text}"));
    machine
}

#[test]
fn horizons_of_gaps_between_29_7_and_30_3() {
    for (first, horizons) in [
        ("29.7 30.3", [50, 100, 151]),
        ("0 0", [51, 101, 152]),
        ("0 period", [1, 51, 101]),
    ] {
        let machine = spread(&format!("29.7 30.3 (first {first})"));
        for (lead, wanted) in (1..).zip(horizons) {
            assert_eq!(
                horizon(&machine, lead, 1_000),
                Some(wanted),
                "first {first}, {lead}"
            );
        }
    }
}

#[test]
fn horizons_of_a_fixed_period_with_jitter_per_gap() {
    let machine = spread("49 51 fixed (per-gap 0.5) (first 0 period)");
    assert_eq!(horizon(&machine, 2, 1_000), Some(18));
    assert_eq!(horizon(&machine, 3, 1_000), Some(35));
}

#[test]
fn windows_of_a_fixed_period_with_jitter_per_gap() {
    for (jitter, gaps, least) in [("0.5", 2, 1), ("25", 3, 0), ("25", 4, 1)] {
        let machine = spread(&format!("49 51 fixed (per-gap {jitter}) (first 0 period)"));
        let timing = machine.periodic_kinds()[0];
        let rule = order_rule(timing, timing, Window::Gaps { gaps, early: false });
        assert_eq!(rule.least, least, "jitter {jitter}, {gaps} gaps");
    }
}

#[test]
fn a_rhythm_without_a_horizon_has_none() {
    let machine = spread("30 30 (first 0 period)");
    // One node may be activated at 0 and 30 while the other is first activated at 30.
    assert_eq!(horizon(&machine, 1, 500), Some(1));
    assert_eq!(horizon(&machine, 2, 500), None);
}

#[test]
fn a_node_that_is_behind_is_not_ahead_of_a_third() {
    let whole = IntTiming::free(49, 51);
    let (kind, periodic) = (KindId(0), whole.periodic());
    let chain = |leads| chain_rule([(kind, &periodic); 3], 3, leads);
    assert_eq!(chain((1, 1)), None, "each may begin before the next");
    let chains = vec![chain((2, 2)).expect("two ahead of one that is two ahead")];
    let constraints = OrderConstraints::of(&machine(&[(whole, 3)], vec![], chains));
    let [one, two, three] = [NodeId(0), NodeId(1), NodeId(2)];
    let runs = |_| true;
    let mut numbers = constraints.start();
    for node in [one, one, two] {
        assert!(constraints.allows(&numbers, node, &runs));
        constraints.activated(&mut numbers, node, &runs);
        constraints.normalise(&mut numbers, &runs);
    }
    assert!(
        !constraints.allows(&numbers, two, &runs),
        "the third is late"
    );
    assert!(constraints.allows(&numbers, two, &|node| node != three));
    assert!(constraints.allows(&numbers, one, &runs));
    constraints.activated(&mut numbers, three, &runs);
    assert!(constraints.allows(&numbers, two, &runs));
}
