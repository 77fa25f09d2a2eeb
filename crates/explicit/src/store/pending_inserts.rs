//! States that one desk has looked up in a round of work and that were not known before it: each once.
//!
//! Numbers are given afterwards, by one hand and in the order of states. Another desk may have looked for the same state: then it has a
//! number already.

use crate::store::rows::NOBODY;
use crate::store::visited_set::{Shape, Store};
use hashbrown::HashTable;
use std::sync::Arc;

/// What a desk has looked for in vain in a round.
#[derive(Default)]
pub(crate) struct Claims {
    /// What rows are like.
    shape: Arc<Shape>,
    words: usize,
    rows: Vec<u64>,
    hashes: Vec<u64>,
    /// The number of each, once it has one.
    numbers: Vec<u32>,
    /// Claims, each with a piece of its hash: most of what is not the same need not be looked at.
    table: HashTable<(u32, u32)>,
}

impl Claims {
    /// Begins a round.
    pub(crate) fn begin(&mut self, store: &Store) {
        (self.shape, self.words) = (store.shape(), store.words());
        self.rows.clear();
        self.hashes.clear();
        self.numbers.clear();
        self.table.clear();
    }

    /// Which it is of what was found: a state that is not known, by its row and hash.
    pub(crate) fn claim(&mut self, row: &[u64], hash: u64) -> u32 {
        let Claims {
            words,
            rows,
            hashes,
            numbers,
            ..
        } = self;
        let place = |claim: u32| claim as usize * *words..(claim as usize + 1) * *words;
        let same = |(claim, piece): &(u32, u32)| {
            *piece == (hash >> 32) as u32 && rows[place(*claim)] == *row
        };
        if let Some((claim, _)) = self.table.find(hash, same) {
            return *claim;
        }
        let claim = numbers.len() as u32;
        let hash_of = |(claim, _): &(u32, u32)| hashes[*claim as usize];
        self.table
            .insert_unique(hash, (claim, (hash >> 32) as u32), hash_of);
        rows.extend_from_slice(row);
        hashes.push(hash);
        numbers.push(NOBODY);
        claim
    }

    /// These get their numbers soon: looks where they will be, so that nobody need wait for that.
    pub(crate) fn touch(&self, claims: impl Iterator<Item = u32>, store: &Store) {
        let open = claims.filter(|claim| self.numbers[*claim as usize] == NOBODY);
        store.touch(open.map(|claim| self.hashes[claim as usize]));
    }

    /// The number of what was found, which may be new.
    pub(crate) fn settle(&mut self, claim: u32, store: &mut Store) -> u32 {
        let number = &mut self.numbers[claim as usize];
        if *number == NOBODY {
            let row = &self.rows[claim as usize * self.words..][..self.words];
            *number = match store.is_like(&self.shape) {
                true => store.insert_packed(row, self.hashes[claim as usize]).0,
                false => {
                    let mut state = Vec::new();
                    self.shape.unpack(row, &mut state);
                    store.insert(&state).0
                }
            };
        }
        *number
    }
}
