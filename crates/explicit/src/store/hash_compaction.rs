//! Hash compaction: a set of state hashes, and the rows of the states that are still to be visited. Not exact.
//!
//! The set keeps only some bits of the hash of a visited state. A state whose bits equal those of another one counts as
//! visited, and may be missed together with its successors; so such a search proves nothing. Rows are kept until their
//! states have been visited. Eight bits of the hash of each state are kept by number, for path reconstruction
//! (`graph/path_reconstruction.rs`).
//!
//! *The probability of an omission.* The hash of a state is the sum of one 64-bit number for each component and its
//! value; its first `bits` bits count. If these numbers behave like random numbers, the hashes of two different states
//! agree with probability 2^-bits. Let the search end with `n` states, and let it have missed one. Before the first
//! state that was mistaken for another one, it ran like an exact search and had found at most `n` states. So two of the
//! first `n + 1` states of the exact search agree: there are n (n + 1) / 2 such pairs, and they do not depend on the
//! hash. The probability that a state is missed and the search ends with at most `n` states is at most n (n + 1) /
//! 2^(bits + 1).
//!
//! *The table.* The home of a hash is its place in the table if all hashes were spread evenly. The hash is stored at
//! its home or behind it, in the order of homes. An entry stores its distance from the home and the position of the
//! hash within the home: this determines the hash, and an entry needs fewer bits the more places the table has. A full
//! table is copied in order into a longer one, and its memory is released on the way.

use crate::store::packed;
use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;

/// The hashes of all states, and the rows of some.
pub(crate) struct HashCompaction {
    table: Table,
    count: u32,
    /// By state: eight bits of its hash.
    tags: Vec<Vec<u8>>,
    /// Words per row.
    words: usize,
    /// The first state whose row is kept.
    first: u32,
    /// Rows, each followed by its hash; `IN_CHUNK` rows per chunk.
    rows: VecDeque<Vec<u64>>,
    /// The components of states that path reconstruction has found again.
    reconstructed: HashMap<u32, Vec<u32>>,
}

const IN_CHUNK: usize = 1 << 12;

impl HashCompaction {
    /// A set of hashes of this many bits.
    pub(crate) fn new(bits: u32) -> HashCompaction {
        HashCompaction {
            table: Table::new(bits),
            count: 0,
            tags: Vec::new(),
            words: 0,
            first: 0,
            rows: VecDeque::new(),
            reconstructed: HashMap::default(),
        }
    }

    pub(crate) fn len(&self) -> u32 {
        self.count
    }

    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        let rows: usize = self.rows.iter().map(|chunk| chunk.capacity() * 8).sum();
        let tags: usize = self.tags.iter().map(|chunk| chunk.capacity()).sum();
        (rows + tags) as u64 + self.table.memory()
    }

    /// Whether a state with this hash, or another one with the same hash, is in the set.
    pub(crate) fn has(&self, hash: u64) -> bool {
        self.table.find(hash).is_ok()
    }

    /// Inserts a state. Returns its number, and whether it is new; the number of a state that is not new is unknown and
    /// `u32::MAX`.
    pub(crate) fn insert(&mut self, row: &[u64], hash: u64) -> (u32, bool) {
        if !self.table.insert(hash) {
            return (u32::MAX, false);
        }
        let number = self.count as usize;
        if number.is_multiple_of(IN_CHUNK) {
            self.tags.push(Vec::with_capacity(IN_CHUNK));
            let words_for = (self.words + 1) * IN_CHUNK;
            self.rows.push_back(Vec::with_capacity(words_for));
        }
        let tags = self.tags.last_mut().expect("there is one");
        tags.push(hash as u8);
        let rows = self.rows.back_mut().expect("there is one");
        rows.extend_from_slice(row);
        rows.push(hash);
        self.count += 1;
        (number as u32, true)
    }

    /// The row of a state and its hash, if the row is kept.
    pub(crate) fn get(&self, number: u32) -> Option<(&[u64], u64)> {
        let place = number.checked_sub(self.first)? as usize;
        let length = self.words + 1;
        let start = place % IN_CHUNK * length;
        let row = self
            .rows
            .get(place / IN_CHUNK)?
            .get(start..start + length)?;
        Some((&row[..self.words], row[self.words]))
    }

    /// The components of a state that path reconstruction has found again.
    pub(crate) fn reconstructed(&self, number: u32) -> &[u32] {
        let reconstructed = self.reconstructed.get(&number);
        reconstructed.expect("path reconstruction has found the state")
    }

    /// Stores the components of a state for path reconstruction.
    pub(crate) fn insert_reconstructed(&mut self, number: u32, parts: Vec<u32>) {
        self.reconstructed.insert(number, parts);
    }

    /// Drops the states that path reconstruction has found again.
    pub(crate) fn clear_reconstructed(&mut self) {
        self.reconstructed.clear();
    }

    /// Whether a state may have this hash.
    pub(crate) fn can_be(&self, number: u32, hash: u64) -> bool {
        let number = number as usize;
        self.tags[number / IN_CHUNK][number % IN_CHUNK] == hash as u8
    }

    /// Drops the rows of states before this one, which have been visited.
    pub(crate) fn forget_before(&mut self, state: u32) {
        while self.rows.len() > 1 && self.first as usize + IN_CHUNK <= state as usize {
            self.rows.pop_front();
            self.first += IN_CHUNK as u32;
        }
    }

    /// Rewrites all kept rows to this many words.
    pub(crate) fn rewrite(&mut self, words: usize, write: impl Fn(&[u64], &mut [u64])) {
        let mut row = vec![0; words];
        for chunk in &mut self.rows {
            let old = std::mem::take(chunk);
            chunk.reserve_exact((words + 1) * IN_CHUNK);
            for old in old.chunks_exact(self.words + 1) {
                row.fill(0);
                write(&old[..self.words], &mut row);
                chunk.extend_from_slice(&row);
                chunk.push(old[self.words]);
            }
        }
        self.words = words;
    }
}

/// The contribution of a component with this value number to the hash of a state.
pub(crate) fn share(part: u32, number: u32) -> u64 {
    let mut x = u64::from(part) << 32 | u64::from(number);
    for key in [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344] {
        x = (x ^ x >> 32 ^ key).wrapping_mul(0xd6e8_feb8_6659_fd93);
        x = (x ^ x >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x ^= x >> 32;
    }
    x
}

/// A set of hashes, by open addressing in the order of homes.
struct Table {
    /// The number of leading bits of a hash that count.
    bits: u32,
    count: usize,
    homes: usize,
    /// Bits for the position of a hash within its home.
    rest: u32,
    /// Packed entries, `IN_CHUNK` per chunk.
    chunks: Vec<Vec<u64>>,
    /// Hashes that are too far behind their home for the table.
    beside: HashSet<u64>,
}

/// Bits for the distance of an entry from its home, plus one; zero marks an empty place.
const BEHIND: u32 = 8;

/// The greatest distance of an entry from its home.
const FURTHEST: u64 = (1 << BEHIND) - 2;

const LEAST_HOMES: usize = 1 << 10;

impl Table {
    fn new(bits: u32) -> Table {
        let mut table = Table {
            bits: bits.clamp(1, u64::BITS),
            count: 0,
            homes: LEAST_HOMES,
            rest: 0,
            chunks: Vec::new(),
            beside: HashSet::default(),
        };
        table.rest = table.rest_of(LEAST_HOMES);
        table
    }

    fn memory(&self) -> u64 {
        let words: usize = self.chunks.iter().map(Vec::capacity).sum();
        (8 * words + 16 * self.beside.capacity()) as u64
    }

    /// The number of bits for the position of a hash within its home, in a table of this many homes.
    fn rest_of(&self, homes: usize) -> u32 {
        let each = ((1u128 << self.bits) - 1) / homes as u128;
        u128::BITS - each.leading_zeros()
    }

    /// The home of a hash, and its position there.
    fn home(&self, hash: u64) -> (usize, u64) {
        let hash = hash >> (u64::BITS - self.bits);
        let product = u128::from(hash) * self.homes as u128;
        let home = (product >> self.bits) as usize;
        let behind = (product - ((home as u128) << self.bits)) as u64;
        (home, behind / self.homes as u64)
    }

    /// The hash with this home and position.
    fn hash(&self, home: usize, rest: u64) -> u64 {
        let first = ((home as u128) << self.bits).div_ceil(self.homes as u128);
        ((first + u128::from(rest)) as u64) << (u64::BITS - self.bits)
    }

    /// The entry at a place; zero if the place is empty.
    fn entry(&self, place: usize) -> u64 {
        match self.chunks.get(place / IN_CHUNK) {
            Some(chunk) => packed::read(chunk, place % IN_CHUNK, self.rest + BEHIND),
            None => 0,
        }
    }

    fn set(&mut self, place: usize, entry: u64) {
        let width = self.rest + BEHIND;
        while self.chunks.len() <= place / IN_CHUNK {
            self.chunks
                .push(vec![0; packed::words_for(IN_CHUNK, width)]);
        }
        let chunk = &mut self.chunks[place / IN_CHUNK];
        packed::write(chunk, place % IN_CHUNK, width, entry);
    }

    /// Whether a hash is in the table; if not, its place and its entry.
    fn find(&self, hash: u64) -> Result<(), (usize, u64)> {
        let (home, rest) = self.home(hash);
        let mut place = home;
        let mut wanted = 1 << self.rest | rest;
        loop {
            let entry = self.entry(place);
            if entry == wanted {
                return Ok(());
            }
            // The place is empty, or its entry has a later home.
            if entry >> self.rest < wanted >> self.rest {
                break;
            }
            if wanted >> self.rest > FURTHEST {
                break;
            }
            place += 1;
            wanted += 1 << self.rest;
        }
        match !self.beside.is_empty() && self.beside.contains(&self.hash(home, rest)) {
            true => Ok(()),
            false => Err((place, wanted)),
        }
    }

    /// Inserts a hash; whether it is new.
    fn insert(&mut self, hash: u64) -> bool {
        if self.count * 10 >= self.homes * 9 {
            // A hash that is in the table does not make it grow.
            if self.count > 0 && self.find(hash).is_ok() {
                return false;
            }
            self.grow(self.homes / 7 * 8 + IN_CHUNK);
        }
        let Err((place, entry)) = self.find(hash) else {
            return false;
        };
        self.put(place, entry);
        self.count += 1;
        true
    }

    /// Inserts an entry at a place, and moves the entries behind it by one place.
    fn put(&mut self, mut place: usize, mut entry: u64) {
        while entry != 0 {
            let behind = entry >> self.rest;
            if behind > FURTHEST + 1 {
                let home = place + 1 - behind as usize;
                let hash = self.hash(home, entry & packed::ones(self.rest));
                self.beside.insert(hash);
                return;
            }
            let found = self.entry(place);
            if found >> self.rest < behind {
                self.set(place, entry);
                entry = match found {
                    0 => 0,
                    _ => found + (1 << self.rest),
                };
            } else {
                entry += 1 << self.rest;
            }
            place += 1;
        }
    }

    /// Moves all entries to a longer table.
    fn grow(&mut self, homes: usize) {
        let mut new = Table {
            homes,
            rest: self.rest_of(homes),
            count: self.count,
            bits: self.bits,
            chunks: Vec::new(),
            beside: HashSet::default(),
        };
        // Hashes of one home are in no order, and may have several homes in the new table.
        let (mut free, mut last, mut same) = (0, 0, Vec::new());
        for number in 0..self.chunks.len() {
            for place in number * IN_CHUNK..(number + 1) * IN_CHUNK {
                let entry = self.entry(place);
                if entry == 0 {
                    continue;
                }
                let home = place + 1 - (entry >> self.rest) as usize;
                if home != last {
                    new.append(&mut same, &mut free);
                    last = home;
                }
                same.push(self.hash(home, entry & packed::ones(self.rest)));
            }
            self.chunks[number] = Vec::new();
        }
        new.append(&mut same, &mut free);
        for hash in std::mem::take(&mut self.beside) {
            if let Err((place, entry)) = new.find(hash) {
                new.put(place, entry);
            }
        }
        *self = new;
    }
    /// Appends hashes that are greater than all others, and updates the next free place.
    fn append(&mut self, hashes: &mut Vec<u64>, free: &mut usize) {
        hashes.sort_unstable();
        for hash in hashes.drain(..) {
            let (home, rest) = self.home(hash);
            let place = home.max(*free);
            match (place - home) as u64 {
                behind @ 0..=FURTHEST => {
                    self.set(place, (behind + 1) << self.rest | rest);
                    *free = place + 1;
                }
                _ => {
                    self.beside.insert(hash);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::random::Rng;

    /// A table is a set of the bits that count, and finds each of them again.
    #[test]
    fn tables_are_sets_of_bits() {
        for bits in [1, 5, 11, 16, 33, 48, 64] {
            let mut rng = Rng(u64::from(bits));
            let (mut table, mut known) = (Table::new(bits), HashSet::default());
            for round in 0..40_000u64 {
                let hash = match round % 3 {
                    // Some hashes are close to each other, and some are repeated.
                    0 => round.wrapping_mul(share(1, 2)),
                    1 => share(rng.below(100) as u32, rng.below(300) as u32),
                    _ => share(7, rng.below(50) as u32).wrapping_add(round << 20),
                };
                let counts = hash >> (64 - bits);
                assert_eq!(table.find(hash).is_ok(), known.contains(&counts), "{bits}");
                assert_eq!(table.insert(hash), known.insert(counts), "{bits}");
            }
            assert_eq!(table.count, known.len());
            assert!(
                known
                    .iter()
                    .all(|one| table.find(one << (64 - bits)).is_ok())
            );
        }
    }

    /// Hashes of one home exceed the table, and are found all the same.
    #[test]
    fn what_has_no_place_is_kept_beside() {
        let mut table = Table::new(64);
        for round in 0..3_000u64 {
            assert!(table.insert(round));
        }
        assert!(!table.beside.is_empty());
        assert!((0..3_000).all(|one| table.find(one).is_ok()));
        assert!((3_000..9_000).all(|one| table.find(one).is_err()));
    }

    #[test]
    fn rows_are_there_until_they_have_been_visited() {
        let mut hashes = HashCompaction::new(64);
        hashes.rewrite(1, |_, _| {});
        for number in 0..20_000u64 {
            let (found, new) = hashes.insert(&[number], share(3, number as u32));
            assert_eq!((found, new), (number as u32, true));
        }
        let before = hashes.memory();
        hashes.forget_before(15_000);
        assert!(hashes.memory() < before);
        assert_eq!(hashes.get(100), None);
        assert_eq!(hashes.get(15_000), Some((&[15_000][..], share(3, 15_000))));
        hashes.rewrite(2, |from, to| to[1] = from[0] + 1);
        assert_eq!(
            hashes.get(19_999),
            Some((&[0, 20_000][..], share(3, 19_999)))
        );
        assert_eq!(hashes.get(20_000), None);
        assert!(hashes.can_be(100, share(3, 100)) && hashes.has(share(3, 100)));
        assert_eq!(hashes.insert(&[0, 0], share(3, 100)), (u32::MAX, false));
    }

    /// Components and numbers that differ by little have hashes that differ like random numbers.
    #[test]
    fn hashes_of_states_that_are_close_are_spread() {
        const BITS: u32 = 32;
        let mut seen: HashMap<u64, u32> = HashMap::default();
        let mut count = 0u64;
        for a in 0..40u32 {
            for b in 0..40u32 {
                for c in 0..40u32 {
                    for d in [0, 1, 5] {
                        let shares = [share(0, a), share(1, b), share(2, c), share(3, d)];
                        let hash = shares.into_iter().fold(0, u64::wrapping_add);
                        *seen.entry(hash >> (64 - BITS)).or_insert(0) += 1;
                        count += 1;
                    }
                }
            }
        }
        // About four collisions are expected for this many states; nothing is random, so the count is always the same.
        let expected = (count * count) as f64 / 2f64.powi(BITS as i32 + 1);
        let agree = count - seen.len() as u64;
        assert!(
            (agree as f64) < 4.0 * expected + 4.0,
            "{agree} of {count}, expected {expected}"
        );
    }
}
