//! Concretisation of orders of activations that real times allow, and of orders that they exclude.

use audit::{Concretised, Constraint, concretise, replay};
use machine::{Abstraction, BlockId, Choice, Event, Instance, Machine, NodeId, parse, verify};
use rational::Rational;
use verdict::{Ending, Run};

/// Two nodes that are activated periodically and do nothing.
fn clocks(timing: &str) -> Machine {
    let text = format!("(kind K 2) (channel instant) (block K tick (every {timing}))");
    let machine = parse(&text).unwrap_or_else(|e| panic!("{}: {}", e.line, e.expected));
    verify(&machine).unwrap_or_else(|e| panic!("{e}"));
    machine
}

/// A fixed period of 49 to 51 milliseconds with jitter, as in the Thales election.
const THALES: &str = "49 51 fixed (per-gap 1/2) (first 0 period)";

/// The result of concretisation for an order of activations; nodes are counted from 1.
fn times(machine: &Machine, order: &[u32], ending: Ending) -> Concretised {
    let activations: Vec<(u32, u32)> = order.iter().map(|node| (*node, 0)).collect();
    times_of(machine, &activations, ending)
}

/// The result of concretisation for an order of block executions: pairs of a node, counted from 1, and a block.
fn times_of(machine: &Machine, order: &[(u32, u32)], ending: Ending) -> Concretised {
    let abstraction = Machine {
        abstraction: Abstraction::Order(vec![], vec![]),
        ..machine.clone()
    };
    let frozen = abstraction.frozen_choices().next().expect("an instance");
    let instance = Instance {
        machine: &abstraction,
        frozen: &frozen,
    };
    let initial = instance.initial_states().expect("no errors").remove(0);
    let choices = order.iter().map(|(node, block)| Choice {
        event: Event::Run(NodeId(node - 1), BlockId(*block)),
        picks: vec![],
        time: None,
    });
    let run = Run {
        frozen: frozen.clone(),
        initial,
        choices: choices.collect(),
        ending,
    };
    let stands = run.ending == Ending::StandsStill;
    let mut finite = run.clone();
    if stands {
        finite.ending = Ending::Open;
    }
    let replayed = replay(&abstraction, &finite).unwrap_or_else(|e| panic!("{e}"));
    let found = concretise(machine, &run, &replayed, &Rational::from(1)).expect("an answer");
    if let Concretised::Run(timed) = &found {
        replay(machine, timed).unwrap_or_else(|e| panic!("{order:?}: {e}\n{timed:?}"));
    }
    found
}

fn has_times(machine: &Machine, order: &[u32], ending: Ending) -> bool {
    matches!(times(machine, order, ending), Concretised::Run(_))
}

#[test]
fn two_before_the_other_but_not_three() {
    let machine = clocks(THALES);
    assert!(has_times(&machine, &[1, 1], Ending::Open));
    assert!(!has_times(&machine, &[1, 1, 1], Ending::Open));
    // In one gap of a node, the other node has at most two activations.
    assert!(has_times(&machine, &[2, 1, 1], Ending::Open));
    assert!(has_times(&machine, &[1, 2, 1, 1, 2], Ending::Open));
    assert!(!has_times(&machine, &[1, 2, 1, 1, 1, 2], Ending::Open));
}

#[test]
fn a_lead_of_three_takes_nineteen() {
    let machine = clocks(THALES);
    let lead = |fast: usize, slow: usize| {
        // The slow node is activated as late as possible: only when the fast one would otherwise be too far ahead.
        let order = (0..fast + slow).map(|_| 0).collect::<Vec<u32>>();
        let mut order = order;
        let (mut a, mut b) = (0, 0);
        for place in &mut order {
            let ahead = a - b;
            let more = a < fast && (ahead < 2 || b == slow);
            *place = if more { 1 } else { 2 };
            match more {
                true => a += 1,
                false => b += 1,
            }
        }
        has_times(&machine, &order, Ending::Open)
    };
    assert!(lead(19, 16));
    assert!(!lead(18, 15));
}

#[test]
fn loops_that_go_on_for_ever() {
    let machine = clocks(THALES);
    assert!(has_times(&machine, &[1, 2], Ending::Loops(0)));
    assert!(has_times(&machine, &[1, 2, 2, 1, 1, 2], Ending::Loops(2)));
    assert!(!has_times(&machine, &[1, 1, 2], Ending::Loops(0)));
    // A loop in which one node is never activated has no times.
    let starved = times(&machine, &[1, 2, 1], Ending::Loops(2));
    assert_eq!(
        starved,
        Concretised::Never(vec![Constraint::Activated(NodeId(1))])
    );
    let still = times(&machine, &[1, 2], Ending::StandsStill);
    assert_eq!(
        still,
        Concretised::Never(vec![Constraint::Activated(NodeId(0))])
    );
}

/// A loop takes a positive time, however short, independently of the unit in which times are reported.
#[test]
fn loops_that_are_shorter_than_the_unit() {
    for timing in [
        "1/2 1/2 (first 0 0)",
        "49/1000 51/1000 (first 0 51/1000)",
        "49/1000 51/1000 fixed (per-gap 1/2000) (first 0 period)",
        "1/20 1/20 fixed (on-grid 1/100) (first 0 period)",
    ] {
        let machine = clocks(timing);
        assert!(has_times(&machine, &[1, 2], Ending::Loops(0)), "{timing}");
    }
}

/// Starts are at time 0. So events before a start are at time 0, too, whether or not the run contains the start.
#[test]
fn nothing_is_later_than_a_start_that_has_not_come() {
    let has_times = |first: &str, order: &[(u32, u32)], ending| {
        let text = format!(
            "(kind K 2) (channel fifo) (block K begin start)
             (block K tick (every 10 20 (first {first})))"
        );
        let machine = parse(&text).unwrap_or_else(|e| panic!("{}: {}", e.line, e.expected));
        matches!(times_of(&machine, order, ending), Concretised::Run(_))
    };
    let (begin, tick) = (0, 1);
    let late = [(1, begin), (1, tick), (2, begin)];
    assert!(has_times("0 5", &late, Ending::Open));
    assert!(has_times("0 5", &late[..2], Ending::Open));
    assert!(!has_times("1 5", &late, Ending::Open));
    assert!(!has_times("1 5", &late[..2], Ending::Open));
    let twice = [(1, begin), (1, tick), (1, tick)];
    assert!(!has_times("0 5", &twice, Ending::Open));
    assert!(!has_times("0 5", &twice, Ending::Loops(2)));
    let both = [(1, begin), (2, begin), (1, tick)];
    assert!(has_times("1 5", &both, Ending::Open));
}

#[test]
fn periods_that_are_fixed_are_one_number() {
    // A short gap followed by a long one: possible with free gaps, impossible with a fixed period.
    let order = [1, 2, 1, 2, 2, 1, 2];
    let free = clocks("10 20 (first 0 0)");
    let fixed = clocks("10 20 fixed (first 0 0)");
    assert!(has_times(&free, &order, Ending::Open));
    assert!(has_times(&fixed, &[1, 2, 2, 1, 2], Ending::Open));
    let long = [1, 2, 2, 2, 1, 1, 1, 2];
    assert!(has_times(&free, &long, Ending::Open));
    assert!(!has_times(&fixed, &long, Ending::Open));
}

#[test]
fn jitter_on_the_grid_does_not_add_up() {
    // One node is always 5 late, the other always 5 early: after six gaps a whole period is gained if jitter
    // accumulates.
    let per_gap = clocks("50 50 (per-gap 5) (first 0 0)");
    let grid = clocks("50 50 fixed (on-grid 5) (first 0 0)");
    let mut order = vec![1, 2];
    order.extend([1, 2].repeat(5));
    order.extend([1, 1]);
    assert!(has_times(&per_gap, &order, Ending::Open));
    assert!(!has_times(&grid, &order, Ending::Open));
    assert!(has_times(&grid, &[1, 2, 2, 1], Ending::Loops(2)));
    assert!(!has_times(&grid, &[1, 2, 2, 1, 1], Ending::Loops(2)));
}

#[test]
fn times_are_simple_and_not_at_once() {
    let machine = clocks(THALES);
    let Concretised::Run(run) = times(&machine, &[1, 1, 2, 1, 2], Ending::Open) else {
        panic!("it has times");
    };
    let shown: Vec<String> = run
        .choices
        .iter()
        .map(|c| c.time.as_ref().expect("a time").to_string())
        .collect();
    let mut different = shown.clone();
    different.dedup();
    assert_eq!(different, shown);
    assert!(shown.iter().all(|time| time.len() <= 6), "{shown:?}");
}

/// The result of concretisation for a node that sends itself a message exactly every 10, with a delay of 12 to 13. In
/// `order`, `true` is an activation and `false` a delivery.
fn echoed(order: &[bool], ending: Ending) -> Result<Concretised, audit::Rejected> {
    let text = "(message M) (kind K 1 (ignores M)) (edges (1 1)) (channel unordered) (delay 12 13) \
                (block K tick (every 10 10 (first 0 0)) (send (new M) (node 1)))";
    let machine = parse(text).unwrap_or_else(|e| panic!("{}: {}", e.line, e.expected));
    verify(&machine).unwrap_or_else(|e| panic!("{e}"));
    let abstraction = Machine {
        abstraction: Abstraction::Order(vec![], vec![]),
        ..machine.clone()
    };
    let frozen = abstraction.frozen_choices().next().expect("an instance");
    let instance = Instance {
        machine: &abstraction,
        frozen: &frozen,
    };
    let initial = instance.initial_states().expect("no errors").remove(0);
    let mut state = initial.clone();
    let mut choices = Vec::new();
    for activation in order {
        let all = instance.choices(&state).into_iter();
        let wanted = |choice: &Choice| matches!(choice.event, Event::Run(..)) == *activation;
        let choice = all.into_iter().find(wanted).expect("such an event");
        state = instance.step(&state, &choice).expect("a state");
        choices.push(choice);
    }
    let run = Run {
        frozen: frozen.clone(),
        initial,
        choices,
        ending,
    };
    let replayed = replay(&abstraction, &run).unwrap_or_else(|e| panic!("{e}"));
    let found = concretise(&machine, &run, &replayed, &Rational::from(1));
    if let Ok(Concretised::Run(timed)) = &found {
        replay(&machine, timed).unwrap_or_else(|e| panic!("{order:?}: {e}\n{timed:?}"));
    }
    found
}

#[test]
fn messages_arrive_in_their_time() {
    let is_real = |order: &[bool]| matches!(echoed(order, Ending::Open), Ok(Concretised::Run(_)));
    assert!(is_real(&[true, true, false, true]));
    // A message sent at 0 cannot have arrived at 10.
    assert!(!is_real(&[true, false, true]));
    // It must have arrived at 20.
    assert!(!is_real(&[true, true, true]));
    // The second message is sent at 10 and cannot have arrived at 20.
    assert!(!is_real(&[true, true, false, false, true]));
}

#[test]
fn a_loop_hands_over_what_its_last_round_has_sent() {
    let found = echoed(&[true, true, false], Ending::Loops(1));
    assert!(matches!(found, Ok(Concretised::Run(_))), "{found:?}");
    // If two messages are always in transit, each is delivered two iterations after it is sent: such loops are
    // rejected.
    let refused = echoed(&[true, true, true, false], Ending::Loops(2));
    assert!(refused.is_err(), "{refused:?}");
}
