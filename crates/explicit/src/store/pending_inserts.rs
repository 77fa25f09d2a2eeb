//! States that one desk has looked up in a round of work and that were not known before it: each once.
//!
//! Numbers are given afterwards, by one hand and in the order of states. Another desk may have looked for the same state: then it has a
//! number already.

use crate::store::rows::ABSENT;
use crate::store::visited_set::{RowFormat, VisitedSet};
use hashbrown::HashTable;
use std::sync::Arc;

/// What a desk has looked for in vain in a round.
#[derive(Default)]
pub(crate) struct PendingInserts {
    /// What rows are like.
    format: Arc<RowFormat>,
    words: usize,
    rows: Vec<u64>,
    hashes: Vec<u64>,
    /// The number of each, once it has one.
    numbers: Vec<u32>,
    /// Claims, each with a piece of its hash: most of what is not the same need not be looked at.
    table: HashTable<(u32, u32)>,
}

impl PendingInserts {
    /// Begins a round.
    pub(crate) fn begin(&mut self, store: &VisitedSet) {
        (self.format, self.words) = (store.format(), store.words());
        self.rows.clear();
        self.hashes.clear();
        self.numbers.clear();
        self.table.clear();
    }

    /// Which it is of what was found: a state that is not known, by its row and hash.
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

    /// These get their numbers soon: looks where they will be, so that nobody need wait for that.
    pub(crate) fn touch(&self, inserts: impl Iterator<Item = u32>, store: &VisitedSet) {
        let open = inserts.filter(|insert| self.numbers[*insert as usize] == ABSENT);
        store.touch(open.map(|insert| self.hashes[insert as usize]));
    }

    /// The number of what was found, which may be new.
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
