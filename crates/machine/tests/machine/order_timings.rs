//! All exact orders of activations for timings with small integers, implemented independently of the interpreter.
//!
//! If the bounds on differences of times are integers, every feasible order has integer times. So enumerating integer
//! times is exact for gaps that are not fixed. Fixed periods are enumerated at integer values only.

use machine::{
    Abstraction, ChainRule, First, Jitter, Kind, KindId, Machine, NodeId, OrderRule, Periodic,
    Timing, Trigger,
};
use std::collections::HashSet;
use std::hash::Hash;

/// A multiplicative congruential generator.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number in lo..=hi.
    pub fn between(&mut self, lo: i64, hi: i64) -> i64 {
        self.0 = self.0.wrapping_mul(0xda94_2042_e4dd_58b5);
        lo + ((self.0 >> 33) % (hi - lo + 1) as u64) as i64
    }

    pub fn percent(&mut self, chance: i64) -> bool {
        self.between(0, 99) < chance
    }
}

/// Jitter with an integer amplitude, as in `machine::Jitter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntJitter {
    Nothing,
    PerGap(i64),
    OnGrid(i64),
}

/// The timing of a node. `first` bounds the first activation; an upper bound of `None` stands for the period or longest
/// gap.
#[derive(Clone, Copy, Debug)]
pub struct IntTiming {
    pub gap: (i64, i64),
    pub fixed: bool,
    pub jitter: IntJitter,
    pub first: (i64, Option<i64>),
}

impl IntTiming {
    /// A timing with variable gaps; the first activation is at any time up to the longest gap.
    pub fn free(lo: i64, hi: i64) -> IntTiming {
        IntTiming {
            gap: (lo, hi),
            fixed: false,
            jitter: IntJitter::Nothing,
            first: (0, None),
        }
    }

    pub fn periodic(&self) -> Periodic {
        Periodic {
            gap: (self.gap.0.into(), self.gap.1.into()),
            fixed: self.fixed,
            jitter: match self.jitter {
                IntJitter::Nothing => Jitter::None,
                IntJitter::PerGap(by) => Jitter::PerGap(by.into()),
                IntJitter::OnGrid(by) => Jitter::OnGrid(by.into()),
            },
            first: (
                First::At(self.first.0.into()),
                self.first.1.map_or(First::Period, |t| First::At(t.into())),
            ),
        }
    }

    /// The possible ranges of a gap: one range for each integer period if the period is fixed, otherwise the whole
    /// range.
    pub fn periods(&self) -> Vec<(i64, i64)> {
        match self.fixed {
            true => (self.gap.0..=self.gap.1).map(|p| (p, p)).collect(),
            false => vec![self.gap],
        }
    }
}

/// A Machine with one kind for each timing, with the given number of nodes, and the given rules.
pub fn machine(
    timings: &[(IntTiming, u32)],
    rules: Vec<OrderRule>,
    chains: Vec<ChainRule>,
) -> Machine {
    let mut machine = Machine {
        abstraction: Abstraction::Order(rules, chains),
        ..Machine::default()
    };
    for (k, (timing, count)) in timings.iter().enumerate() {
        machine.kinds.push(Kind {
            name: format!("K{k}"),
            count: *count,
            ignores: vec![],
        });
        machine.blocks.push(machine::Block {
            name: format!("tick {k}"),
            kind: KindId(k as u32),
            trigger: Trigger::Every(Timing::Periodic(timing.periodic())),
            scope: machine::Scope::of_node(),
            body: vec![],
            origin: machine::Origin(0),
        });
    }
    machine
}

/// When a node is next activated, relative to the current time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    Within(i64, i64),
    /// Around a grid point at this time, up to the jitter.
    Around(i64),
    /// Never: the node has halted.
    Never,
}

/// A node with its timing and the range of its gaps, which is a single number for a fixed period.
#[derive(Clone, Copy, Debug)]
pub struct TimedNode {
    pub timing: IntTiming,
    pub gap: (i64, i64),
}

impl TimedNode {
    pub fn start(&self) -> Next {
        let (from, to) = self.timing.first;
        Next::Within(from, to.unwrap_or(self.gap.1))
    }

    fn bounds(&self, next: Next) -> Option<(i64, i64)> {
        match (next, self.timing.jitter) {
            (Next::Within(from, to), _) => Some((from, to)),
            (Next::Around(place), IntJitter::OnGrid(by)) => Some((place - by, place + by)),
            (Next::Around(place), _) => Some((place, place)),
            (Next::Never, _) => None,
        }
    }

    fn after(&self, next: Next, time: i64) -> Next {
        match (self.timing.jitter, next) {
            (IntJitter::Nothing, _) => Next::Within(self.gap.0, self.gap.1),
            (IntJitter::PerGap(by), _) => Next::Within(self.gap.0 - by, self.gap.1 + by),
            (IntJitter::OnGrid(_), Next::Around(place)) => Next::Around(place - time + self.gap.0),
            (IntJitter::OnGrid(_), _) => Next::Around(self.gap.0),
        }
    }
}

fn later(next: Next, by: i64) -> Next {
    match next {
        Next::Within(from, to) => Next::Within(from - by, to - by),
        Next::Around(place) => Next::Around(place - by),
        Next::Never => Next::Never,
    }
}

/// All combinations of integer periods, one timing per node.
pub fn period_choices(timings: &[IntTiming]) -> Vec<Vec<TimedNode>> {
    let mut all = vec![vec![]];
    for timing in timings {
        let extended = all.iter().flat_map(|system: &Vec<TimedNode>| {
            timing.periods().into_iter().map(move |gap| {
                let voice = TimedNode {
                    timing: *timing,
                    gap,
                };
                [system.clone(), vec![voice]].concat()
            })
        });
        all = extended.collect();
    }
    all
}

/// Visits all exact runs together with an observer value that starts as `start`. `note` returns the observer value
/// after an activation, or `None` to end the run. With `halting`, a node may also halt at any activation. Stops after
/// `most` states.
pub fn every_run<N: Clone + Eq + Hash>(
    system: &[TimedNode],
    start: N,
    halting: bool,
    most: usize,
    note: &mut dyn FnMut(&N, NodeId, bool) -> Option<N>,
) {
    let first: (Vec<Next>, N) = (system.iter().map(TimedNode::start).collect(), start);
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some((nexts, noted)) = open.pop() {
        if seen.len() > most {
            return;
        }
        let bounds = |n: usize| system[n].bounds(nexts[n]);
        let deadline = (0..nexts.len())
            .filter_map(|n| bounds(n).map(|b| b.1))
            .min();
        for n in 0..nexts.len() {
            let Some((from, _)) = bounds(n) else { continue };
            let deadline = deadline.expect("this one at least");
            for time in from.max(0)..=deadline {
                for halts in [false, true] {
                    if halts && !halting {
                        continue;
                    }
                    let Some(noted) = note(&noted, NodeId(n as u32), halts) else {
                        continue;
                    };
                    let mut after: Vec<Next> = nexts.iter().map(|x| later(*x, time)).collect();
                    after[n] = match halts {
                        true => Next::Never,
                        false => system[n].after(nexts[n], time),
                    };
                    let state = (after, noted);
                    if seen.insert(state.clone()) {
                        open.push(state);
                    }
                }
            }
        }
    }
}
