//! What partial-order reduction records about the states of a graph: which were expanded in part, and what is enabled there.

use crate::defects::{Defect, broken};
use foldhash::{HashMap, HashSet};
use std::ops::Range;

/// How a state was expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expanded {
    Fully,
    Partially,
    /// Only what can go out goes out.
    Settling,
}

/// How the states of a graph were expanded.
#[derive(Default)]
pub(crate) struct PartialExpansion {
    pub(crate) expanded: Vec<Expanded>,
    /// States that must be expanded wholly.
    pub(crate) whole: HashSet<u32>,
    /// The transitions of states that are not where they would be.
    pub(crate) again: HashMap<u32, Range<usize>>,
    /// By state that was expanded in part: the number of the set of units that are possible.
    owed: HashMap<u32, u32>,
    sets: Vec<Vec<u32>>,
    set_numbers: HashMap<Vec<u32>, u32>,
    /// How often cycles were looked for.
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

    /// Records the units of which an event is enabled in a state that is expanded in part.
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

    /// The units that are possible in a state that was expanded in part.
    pub(crate) fn owed(&self, state: u32) -> Option<&[u32]> {
        let number = self.owed.get(&state)?;
        (!broken(Defect::OwedOfChosen)).then(|| &self.sets[*number as usize][..])
    }

    /// Bytes in use, about.
    pub(crate) fn memory(&self) -> u64 {
        let sets = self.sets.iter().map(|set| 2 * set.len() * 4 + 64);
        (sets.sum::<usize>() + self.owed.len() * 10 + self.expanded.capacity()) as u64
    }
}
