//! States that one explorer found in a batch and that were not in the visited set, each once.
//!
//! The search inserts them afterwards, sequentially and in the order of states. If another explorer found the same
//! state, it has a number by then.

use crate::store::rows::ABSENT;
use crate::store::visited_set::{RowFormat, VisitedSet};
use hashbrown::HashTable;
use std::sync::Arc;

/// The new states of one explorer in a batch.
#[derive(Default)]
pub(crate) struct PendingInserts {
    /// The format of the rows.
    format: Arc<RowFormat>,
    words: usize,
    rows: Vec<u64>,
    hashes: Vec<u64>,
    /// The number of each state, once it has one.
    numbers: Vec<u32>,
    /// Indices of pending states, each with a part of its hash, to avoid most comparisons of rows.
    table: HashTable<(u32, u32)>,
}

impl PendingInserts {
    /// Begins a batch.
    pub(crate) fn begin(&mut self, store: &VisitedSet) {
        (self.format, self.words) = (store.format(), store.words());
        self.rows.clear();
        self.hashes.clear();
        self.numbers.clear();
        self.table.clear();
    }

    /// The index of a new state, given by its row and hash.
    pub(crate) fn insert(&mut self, row: &[u64], hash: u64) -> u32 {
        let PendingInserts {
            words,
            rows,
            hashes,
            numbers,
            ..
        } = self;
        let place = |insert: u32| insert as usize * *words..(insert as usize + 1) * *words;
        let same = |(insert, piece): &(u32, u32)| {
            *piece == (hash >> 32) as u32 && rows[place(*insert)] == *row
        };
        if let Some((insert, _)) = self.table.find(hash, same) {
            return *insert;
        }
        let insert = numbers.len() as u32;
        let hash_of = |(insert, _): &(u32, u32)| hashes[*insert as usize];
        self.table
            .insert_unique(hash, (insert, (hash >> 32) as u32), hash_of);
        rows.extend_from_slice(row);
        hashes.push(hash);
        numbers.push(ABSENT);
        insert
    }

    /// Prefetches the places where these states will be inserted.
    pub(crate) fn prefetch(&self, inserts: impl Iterator<Item = u32>, store: &VisitedSet) {
        let open = inserts.filter(|insert| self.numbers[*insert as usize] == ABSENT);
        store.prefetch(open.map(|insert| self.hashes[insert as usize]));
    }

    /// Inserts a pending state into the visited set, and returns its number.
    pub(crate) fn settle(&mut self, insert: u32, store: &mut VisitedSet) -> u32 {
        let number = &mut self.numbers[insert as usize];
        if *number == ABSENT {
            let row = &self.rows[insert as usize * self.words..][..self.words];
            *number = match store.has_format(&self.format) {
                true => store.insert_packed(row, self.hashes[insert as usize]).0,
                false => {
                    let mut state = Vec::new();
                    self.format.unpack(row, &mut state);
                    store.insert(&state).0
                }
            };
        }
        *number
    }
}
