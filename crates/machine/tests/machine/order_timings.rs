//! Rhythms with small whole numbers, told without the interpreter: all exact orders of activations, for ever.
//!
//! Bounds on differences of times that are whole numbers are met by whole times, so trying those is exact
//! for free gaps; a fixed period is tried at whole values only.

use machine::{
    Abstraction, ChainRule, First, Jitter, Kind, KindId, Machine, NodeId, OrderRule, Periodic,
    Timing, Trigger,
};
use std::collections::HashSet;
use std::hash::Hash;

/// Random numbers: a multiplicative congruential generator.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number in the range, both ends included.
    pub fn between(&mut self, lo: i64, hi: i64) -> i64 {
        self.0 = self.0.wrapping_mul(0xda94_2042_e4dd_58b5);
        lo + ((self.0 >> 33) % (hi - lo + 1) as u64) as i64
    }

    pub fn percent(&mut self, chance: i64) -> bool {
        self.between(0, 99) < chance
    }
}

/// What is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    Nothing,
    PerGap(i64),
    OnGrid(i64),
}

/// The rhythm of a node; the end of the first interval is the period where it is `None`.
#[derive(Clone, Copy, Debug)]
pub struct Whole {
    pub gap: (i64, i64),
    pub fixed: bool,
    pub added: Added,
    pub first: (i64, Option<i64>),
}

impl Whole {
    /// Free gaps, the first activation at any time up to the longest gap.
    pub fn free(lo: i64, hi: i64) -> Whole {
        Whole {
            gap: (lo, hi),
            fixed: false,
            added: Added::Nothing,
            first: (0, None),
        }
    }

    pub fn periodic(&self) -> Periodic {
        Periodic {
            gap: (self.gap.0.into(), self.gap.1.into()),
            fixed: self.fixed,
            jitter: match self.added {
                Added::Nothing => Jitter::None,
                Added::PerGap(by) => Jitter::PerGap(by.into()),
                Added::OnGrid(by) => Jitter::OnGrid(by.into()),
            },
            first: (
                First::At(self.first.0.into()),
                self.first.1.map_or(First::Period, |t| First::At(t.into())),
            ),
        }
    }

    /// Each whole period that the node can have.
    pub fn periods(&self) -> Vec<(i64, i64)> {
        match self.fixed {
            true => (self.gap.0..=self.gap.1).map(|p| (p, p)).collect(),
            false => vec![self.gap],
        }
    }
}

/// One node each, or so many, of kinds with rhythms.
pub fn machine(rhythms: &[(Whole, u32)], rules: Vec<OrderRule>, chains: Vec<ChainRule>) -> Machine {
    let mut machine = Machine {
        abstraction: Abstraction::Order(rules, chains),
        ..Machine::default()
    };
    for (k, (rhythm, count)) in rhythms.iter().enumerate() {
        machine.kinds.push(Kind {
            name: format!("K{k}"),
            count: *count,
            ignores: vec![],
        });
        machine.blocks.push(machine::Block {
            name: format!("tick {k}"),
            kind: KindId(k as u32),
            trigger: Trigger::Every(Timing::Periodic(rhythm.periodic())),
            scope: machine::Scope::of_node(),
            body: vec![],
            origin: machine::Origin(0),
        });
    }
    machine
}

/// When the next activation of a node is, from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    Within(i64, i64),
    /// At most so far from a place of the grid.
    Around(i64),
    /// Never: it has halted.
    Never,
}

/// A node with its rhythm and its gap, one number if that is a period.
#[derive(Clone, Copy, Debug)]
pub struct Voice {
    pub rhythm: Whole,
    pub gap: (i64, i64),
}

impl Voice {
    pub fn start(&self) -> Next {
        let (from, to) = self.rhythm.first;
        Next::Within(from, to.unwrap_or(self.gap.1))
    }

    fn bounds(&self, next: Next) -> Option<(i64, i64)> {
        match (next, self.rhythm.added) {
            (Next::Within(from, to), _) => Some((from, to)),
            (Next::Around(place), Added::OnGrid(by)) => Some((place - by, place + by)),
            (Next::Around(place), _) => Some((place, place)),
            (Next::Never, _) => None,
        }
    }

    fn after(&self, next: Next, time: i64) -> Next {
        match (self.rhythm.added, next) {
            (Added::Nothing, _) => Next::Within(self.gap.0, self.gap.1),
            (Added::PerGap(by), _) => Next::Within(self.gap.0 - by, self.gap.1 + by),
            (Added::OnGrid(_), Next::Around(place)) => Next::Around(place - time + self.gap.0),
            (Added::OnGrid(_), _) => Next::Around(self.gap.0),
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

/// Every choice of whole periods.
pub fn choirs(rhythms: &[Whole]) -> Vec<Vec<Voice>> {
    let mut all = vec![vec![]];
    for rhythm in rhythms {
        let extended = all.iter().flat_map(|choir: &Vec<Voice>| {
            rhythm.periods().into_iter().map(move |gap| {
                let voice = Voice {
                    rhythm: *rhythm,
                    gap,
                };
                [choir.clone(), vec![voice]].concat()
            })
        });
        all = extended.collect();
    }
    all
}

/// Goes through all exact runs, together with something that is noted of them: `note` says what there is
/// after an activation, or `None` if that is far enough. With `halting` a node may halt in any activation.
pub fn every_run<N: Clone + Eq + Hash>(
    choir: &[Voice],
    start: N,
    halting: bool,
    most: usize,
    note: &mut dyn FnMut(&N, NodeId, bool) -> Option<N>,
) {
    let first: (Vec<Next>, N) = (choir.iter().map(Voice::start).collect(), start);
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some((nexts, noted)) = open.pop() {
        if seen.len() > most {
            return;
        }
        let bounds = |n: usize| choir[n].bounds(nexts[n]);
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
                        false => choir[n].after(nexts[n], time),
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
