//! Hash compaction: a set of state hashes, and the rows of the states that are still to be visited.
//!
//! The set stores only some bits of the hash of a state. Two states that agree in these bits are confused: the one
//! found later counts as visited, and may be missed together with its successors. So such a search cannot prove a
//! claim. The row of a state is kept until the state has been visited. In addition, eight bits of the hash of each
//! state are stored by number, for path reconstruction (`graph/path_reconstruction.rs`).
//!
//! *The probability of an omission.* The hash of a state is the sum of one 64-bit number for each component and its
//! value; its first `bits` bits are compared. If these numbers behave like random numbers, two different states agree
//! with probability 2^-bits. Let the search end with `n` states, and let it have missed one. Until the first confusion
//! it ran like an exact search and had found at most `n` states. So two of the first `n + 1` states of the exact search
//! agree. There are n (n + 1) / 2 pairs among these, and which states they are does not depend on the hash. Hence the
//! probability that a state is missed and the search ends with at most `n` states is at most n (n + 1) / 2^(bits + 1).
//!
//! *The table.* The range of hashes is divided into `homes` intervals of equal length; the home of a hash is the index
//! of its interval. The hash is stored at the index of its home or, if that is occupied, behind it; entries are ordered
//! by home. An entry stores its distance from the home and the position of the hash within the interval. Together with
//! the index this determines the hash, so a longer table needs fewer bits per entry. A full table is copied in order
//! into a longer one; its memory is released piece by piece while it is copied.

use crate::store::packed;
use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;

/// The hashes of all states, and the rows of those that are still to be visited.
pub(crate) struct HashCompaction {
    table: Table,
    count: u32,
    /// By state: the lowest eight bits of its hash, in chunks.
    tags: Vec<Vec<u8>>,
    /// Words per row.
    words: usize,
    /// The number of the first state whose row is kept.
    first: u32,
    /// Rows, each followed by its hash; `IN_CHUNK` rows per chunk.
    rows: VecDeque<Vec<u64>>,
    /// By state: the components that path reconstruction has found.
    reconstructed: HashMap<u32, Vec<u32>>,
}

const IN_CHUNK: usize = 1 << 12;

impl HashCompaction {
    /// An empty set that compares the first `bits` bits of hashes.
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

    /// Whether the set contains a state that agrees with this hash in the compared bits.
    pub(crate) fn has(&self, hash: u64) -> bool {
        self.table.find(hash).is_ok()
    }

    /// Inserts a state. Returns its number, and whether it is new. If it is not new, its number is not stored;
    /// `u32::MAX` is returned.
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

    /// The row and the hash of a state, if its row is kept.
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

    /// The components of a state that path reconstruction has found. Panics if it has not.
    pub(crate) fn reconstructed(&self, number: u32) -> &[u32] {
        let reconstructed = self.reconstructed.get(&number);
        reconstructed.expect("path reconstruction has found the state")
    }

    /// Stores the components of a state found by path reconstruction.
    pub(crate) fn insert_reconstructed(&mut self, number: u32, parts: Vec<u32>) {
        self.reconstructed.insert(number, parts);
    }

    /// Removes the results of path reconstruction.
    pub(crate) fn clear_reconstructed(&mut self) {
        self.reconstructed.clear();
    }

    /// Whether the stored eight bits of the hash of a state agree with this hash.
    pub(crate) fn can_be(&self, number: u32, hash: u64) -> bool {
        let number = number as usize;
        self.tags[number / IN_CHUNK][number % IN_CHUNK] == hash as u8
    }

    /// Drops the rows of states before this one, in whole chunks.
    pub(crate) fn forget_before(&mut self, state: u32) {
        while self.rows.len() > 1 && self.first as usize + IN_CHUNK <= state as usize {
            self.rows.pop_front();
            self.first += IN_CHUNK as u32;
        }
    }

    /// Converts all kept rows to this many words.
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

/// The summand of component `part` with component number `number` in the hash of a state.
pub(crate) fn share(part: u32, number: u32) -> u64 {
    let mut x = u64::from(part) << 32 | u64::from(number);
    for key in [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344] {
        x = (x ^ x >> 32 ^ key).wrapping_mul(0xd6e8_feb8_6659_fd93);
        x = (x ^ x >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x ^= x >> 32;
    }
    x
}

/// A set of hashes: open addressing, ordered by home.
struct Table {
    /// The number of leading bits of a hash that are compared.
    bits: u32,
    count: usize,
    homes: usize,
    /// The number of bits for the position of a hash within its home interval.
    rest: u32,
    /// Packed entries, `IN_CHUNK` per chunk.
    chunks: Vec<Vec<u64>>,
    /// Hashes whose distance from their home would exceed [`FURTHEST`].
    beside: HashSet<u64>,
}

/// The number of bits for one plus the distance of an entry from its home; zero marks an empty entry.
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

    /// The number of bits for the position of a hash within its home interval, if there are this many homes.
    fn rest_of(&self, homes: usize) -> u32 {
        let each = ((1u128 << self.bits) - 1) / homes as u128;
        u128::BITS - each.leading_zeros()
    }

    /// The home of a hash, and its position within the interval.
    fn home(&self, hash: u64) -> (usize, u64) {
        let hash = hash >> (u64::BITS - self.bits);
        let product = u128::from(hash) * self.homes as u128;
        let home = (product >> self.bits) as usize;
        let behind = (product - ((home as u128) << self.bits)) as u64;
        (home, behind / self.homes as u64)
    }

    /// The hash with this home and this position within the interval; bits that are not compared are zero.
    fn hash(&self, home: usize, rest: u64) -> u64 {
        let first = ((home as u128) << self.bits).div_ceil(self.homes as u128);
        ((first + u128::from(rest)) as u64) << (u64::BITS - self.bits)
    }

    /// The entry at index `place`; zero if it is empty.
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

    /// `Ok` if a hash is in the table; otherwise the index at which to insert it, and its entry.
    fn find(&self, hash: u64) -> Result<(), (usize, u64)> {
        let (home, rest) = self.home(hash);
        let mut place = home;
        let mut wanted = 1 << self.rest | rest;
        loop {
            let entry = self.entry(place);
            if entry == wanted {
                return Ok(());
            }
            // The entry is empty or has a later home, so the hash is not behind it.
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

    /// Inserts a hash. Returns whether it is new.
    fn insert(&mut self, hash: u64) -> bool {
        if self.count * 10 >= self.homes * 9 {
            // Inserting a hash that is in the table does not enlarge it.
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

    /// Inserts an entry at an index, and moves the following entries by one up to the next empty one. An entry that
    /// becomes too distant from its home moves to `beside`.
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

    /// Moves all entries to a table with this many homes.
    fn grow(&mut self, homes: usize) {
        let mut new = Table {
            homes,
            rest: self.rest_of(homes),
            count: self.count,
            bits: self.bits,
            chunks: Vec::new(),
            beside: HashSet::default(),
        };
        // Hashes with the same home are unordered, and may have different homes in the new table. So they are collected
        // and sorted.
        let (mut free, mut last, mut same) = (0, 0, Vec::new());
        for number in 0..self.chunks.len() {
            cancellation::poll();
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
    /// Appends hashes that are greater than all in the table. `free` is the first index behind all entries.
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

    /// A table behaves like a set of the compared bits.
    #[test]
    fn tables_are_sets_of_bits() {
        for bits in [1, 5, 11, 16, 33, 48, 64] {
            let mut rng = Rng(u64::from(bits));
            let (mut table, mut known) = (Table::new(bits), HashSet::default());
            for round in 0..40_000u64 {
                let hash = match round % 3 {
                    // Some hashes are close to each other, and some repeat.
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

    /// Hashes with the same home overflow the table, and are found in `beside`.
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

    /// States that differ in one component by little have hashes that behave like random ones.
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
        // About four collisions are expected for this many states. The test is deterministic, so their number is always
        // the same.
        let expected = (count * count) as f64 / 2f64.powi(BITS as i32 + 1);
        let agree = count - seen.len() as u64;
        assert!(
            (agree as f64) < 4.0 * expected + 4.0,
            "{agree} of {count}, expected {expected}"
        );
    }
}
