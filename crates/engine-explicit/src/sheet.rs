//! What a desk has found behind some states, for whoever takes it into the graph.

use crate::events::Events;
use crate::graph::Graph;
use crate::parts::Fresh;
use crate::store::{Change, Column, Store};
use machine::BlockId;

/// What a desk has found.
#[derive(Default)]
pub(crate) struct Sheet {
    pub(crate) states: Vec<Note>,
    /// The states behind them that were not known, each once, in order: as rows with their hashes, or by what is different.
    pub(crate) found: Vec<Found>,
    pub(crate) rows: Vec<u64>,
    pub(crate) changes: Vec<Change>,
    /// How many of them belong to states whose others were looked up.
    pub(crate) changes_before: u32,
    /// All transitions, if they are kept.
    pub(crate) arcs: Vec<Arc>,
    /// The columns of the rows, how many words they have, and since when.
    pub(crate) columns: Vec<Column>,
    pub(crate) words: usize,
    pub(crate) widened: u32,
    /// What ran and was sent for the first time, behind which state.
    pub(crate) ran: Vec<(u32, BlockId)>,
    pub(crate) sent: Vec<(u32, usize)>,
    pub(crate) fresh: Fresh,
    /// Which desk has found it.
    pub(crate) by: usize,
    /// The numbers of what was found, as far as it has been taken in.
    numbers: Vec<u32>,
}

/// A state behind another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// By its row, with this hash.
    Row(u64),
    /// By so many changes: some part of it has a new number.
    Changes(u32),
}

impl Found {
    fn hash(&self) -> Option<u64> {
        match self {
            Found::Row(hash) => Some(*hash),
            Found::Changes(_) => None,
        }
    }
}

/// Before so many are taken in somebody looks where they will be.
const TOGETHER: usize = 64;

/// A transition: what fairness tells of its event, by a number of the desk, and the state behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub(crate) event: u32,
    pub(crate) to: To,
}

/// The state behind a transition.
#[derive(Clone, Copy, Debug)]
pub(crate) enum To {
    /// It was known.
    Known(u32),
    /// It is on the sheet, among what was found.
    Found(u32),
}

/// What was found at a state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Note {
    /// There may be something to see in it.
    pub(crate) look: bool,
    /// Its transitions must be visited anew.
    pub(crate) anew: bool,
    pub(crate) transitions: u32,
    /// Where what belongs to it ends among what was found, among rows, changes, and transitions.
    pub(crate) found: u32,
    pub(crate) rows: u32,
    pub(crate) changes: u32,
    pub(crate) arcs: u32,
}

impl Sheet {
    /// Begins anew, with rows as a store has them.
    pub(crate) fn begin(&mut self, store: &Store) {
        self.states.clear();
        self.found.clear();
        self.rows.clear();
        self.changes.clear();
        self.changes_before = 0;
        self.arcs.clear();
        self.ran.clear();
        self.sent.clear();
        self.fresh.clear();
        self.numbers.clear();
        let (columns, words) = store.columns();
        self.columns.clear();
        self.columns.extend_from_slice(columns);
        (self.words, self.widened) = (words, store.widened());
    }

    /// How many states are on it.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// What was found at a state.
    pub(crate) fn note(&self, place: usize) -> Note {
        self.states[place]
    }

    /// Takes what was found behind a state into the graph.
    pub(crate) fn take_in(
        &mut self,
        graph: &mut Graph<'_>,
        state: u32,
        place: usize,
        events: &mut Events,
    ) {
        let before = match place.checked_sub(1) {
            Some(before) => self.states[before],
            None => Note::default(),
        };
        let note = self.states[place];
        let mut rows = self.rows[before.rows as usize..note.rows as usize].chunks_exact(self.words);
        let mut changes = before.changes as usize;
        for found in &self.found[before.found as usize..note.found as usize] {
            let done = self.numbers.len();
            if done.is_multiple_of(TOGETHER) {
                let next = &self.found[done..self.found.len().min(done + TOGETHER)];
                graph
                    .store
                    .touch(next.iter().filter_map(|found| found.hash()));
            }
            let number = match found {
                Found::Row(hash) => {
                    let row = rows.next().expect("one for each");
                    match graph.store.widened() == self.widened {
                        true => graph.add_packed(row, *hash),
                        false => graph.add_row(&self.columns, row),
                    }
                }
                Found::Changes(count) => {
                    let end = changes + *count as usize;
                    let differs = &mut self.changes[changes..end];
                    changes = end;
                    graph.add_changed(state, differs, &self.fresh)
                }
            };
            self.numbers.push(number);
        }
        for arc in &self.arcs[before.arcs as usize..note.arcs as usize] {
            let target = match arc.to {
                To::Known(number) => number,
                To::Found(found) => self.numbers[found as usize],
            };
            let label = events.label(arc.event, graph);
            graph.keep(target, label);
        }
        graph.transitions += u64::from(note.transitions);
        graph.end_of_state();
    }

    /// What ran for the first time behind a state, and what was sent.
    pub(crate) fn firsts(
        &self,
        state: u32,
    ) -> (impl Iterator<Item = BlockId>, impl Iterator<Item = usize>) {
        let ran = self.ran.iter().filter(move |(s, _)| *s == state);
        let sent = self.sent.iter().filter(move |(s, _)| *s == state);
        (
            ran.map(|(_, block)| *block),
            sent.map(|(_, record)| *record),
        )
    }
}
