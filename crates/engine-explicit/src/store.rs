//! The set of visited states: packed bytes one after the other, and a table of their numbers.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// Every state once, numbered in the order of arrival.
#[derive(Default)]
pub(crate) struct Store {
    bytes: Vec<u8>,
    ends: Vec<u64>,
    table: HashTable<u32>,
    hash: FixedState,
}

impl Store {
    /// The number of a state, and whether it is new.
    pub(crate) fn insert(&mut self, state: &[u8]) -> (u32, bool) {
        let hash = self.hash.hash_one(state);
        if let Some(number) = self.find_hashed(hash, state) {
            return (number, false);
        }
        let number = self.ends.len() as u32;
        self.bytes.extend_from_slice(state);
        self.ends.push(self.bytes.len() as u64);
        let (bytes, ends, hasher) = (&self.bytes, &self.ends, &self.hash);
        self.table
            .insert_unique(hash, number, |n| hasher.hash_one(slice(bytes, ends, *n)));
        (number, true)
    }

    /// The number of a state, if it is there.
    pub(crate) fn find(&self, state: &[u8]) -> Option<u32> {
        self.find_hashed(self.hash.hash_one(state), state)
    }

    fn find_hashed(&self, hash: u64, state: &[u8]) -> Option<u32> {
        let same = |n: &u32| slice(&self.bytes, &self.ends, *n) == state;
        self.table.find(hash, same).copied()
    }

    /// A state by its number.
    pub(crate) fn get(&self, number: u32) -> &[u8] {
        slice(&self.bytes, &self.ends, number)
    }

    pub(crate) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        (self.bytes.capacity() + self.ends.capacity() * 8 + self.table.allocation_size()) as u64
    }
}

fn slice<'b>(bytes: &'b [u8], ends: &[u64], number: u32) -> &'b [u8] {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &bytes[start as usize..ends[number] as usize]
}
