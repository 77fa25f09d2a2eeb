//! Partial expansion: which states were only partially expanded by partial-order reduction, and which fairness units
//! are enabled in them.

use crate::defects::{Defect, broken};
use foldhash::{HashMap, HashSet};
use std::ops::Range;

/// How a state was expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expanded {
    Fully,
    Partially,
    /// Only the transmission of one outbox was followed, because the state is not settled.
    Settling,
}

/// How each state of a graph was expanded.
#[derive(Default)]
pub(crate) struct PartialExpansion {
    pub(crate) expanded: Vec<Expanded>,
    /// States that the cycle proviso requires to be fully expanded.
    pub(crate) whole: HashSet<u32>,
    /// By state that was expanded a second time: the range of its new transitions. They follow those of later states.
    /// The range of the last state is recorded, too, because its end in `starts` moves.
    pub(crate) again: HashMap<u32, Range<usize>>,
    /// By partially expanded state: the index in `sets` of its set of enabled fairness units.
    owed: HashMap<u32, u32>,
    sets: Vec<Vec<u32>>,
    set_numbers: HashMap<Vec<u32>, u32>,
    /// The number of passes of the cycle proviso so far.
    pub(crate) rounds: u32,
}

impl PartialExpansion {
    /// Records how a state was expanded.
    pub(crate) fn note(&mut self, state: u32, how: Expanded) {
        let place = state as usize;
        if self.expanded.len() <= place {
            self.expanded.resize(place + 1, Expanded::Fully);
        }
        self.expanded[place] = how;
    }

    /// Records the fairness units with an enabled event in a partially expanded state.
    pub(crate) fn note_enabled(&mut self, state: u32, mut units: Vec<u32>) {
        units.sort_unstable();
        units.dedup();
        let next = self.sets.len() as u32;
        let number = *self.set_numbers.entry(units.clone()).or_insert(next);
        if number == next {
            self.sets.push(units);
        }
        self.owed.insert(state, number);
    }

    /// The fairness units that are enabled in a partially expanded state; `None` if the state is fully expanded.
    pub(crate) fn owed(&self, state: u32) -> Option<&[u32]> {
        let number = self.owed.get(&state)?;
        (!broken(Defect::OwedOfChosen)).then(|| &self.sets[*number as usize][..])
    }

    /// Bytes in use, approximately.
    pub(crate) fn memory(&self) -> u64 {
        let sets = self.sets.iter().map(|set| 2 * set.len() * 4 + 64);
        (sets.sum::<usize>() + self.owed.len() * 10 + self.expanded.capacity()) as u64
    }
}
