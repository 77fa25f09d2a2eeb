//! Pending inserts: the distinct states that one explorer found in a batch and that were not in the visited set.
//!
//! After the batch, the search inserts them sequentially, in the order of the states from which they were found. If
//! another explorer found the same state, the search may have inserted it already.

use crate::store::rows::ABSENT;
use crate::store::visited_set::{RowFormat, VisitedSet};
use hashbrown::HashTable;
use std::sync::Arc;

/// The new states that one explorer found in a batch.
#[derive(Default)]
pub(crate) struct PendingInserts {
    /// The row format of the visited set when the batch began.
    format: Arc<RowFormat>,
    words: usize,
    rows: Vec<u64>,
    hashes: Vec<u64>,
    /// By pending state: its number in the visited set, or [`ABSENT`] before it is inserted.
    numbers: Vec<u32>,
    /// Indices of pending states, each with the upper half of its hash to avoid most comparisons of rows.
    table: HashTable<(u32, u32)>,
}

impl PendingInserts {
    /// Removes all states, and adopts the row format of the visited set.
    pub(crate) fn begin(&mut self, store: &VisitedSet) {
        (self.format, self.words) = (store.format(), store.words());
        self.rows.clear();
        self.hashes.clear();
        self.numbers.clear();
        self.table.clear();
    }

    /// Adds a state, given by its row and hash, unless it is already pending. Returns its index.
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

    /// Prefetches the table entries for the insertion of these states.
    pub(crate) fn prefetch(&self, inserts: impl Iterator<Item = u32>, store: &VisitedSet) {
        let open = inserts.filter(|insert| self.numbers[*insert as usize] == ABSENT);
        store.prefetch(open.map(|insert| self.hashes[insert as usize]));
    }

    /// Inserts a pending state into the visited set, unless that has been done. Returns its number there.
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
