//! A set of pairs of numbers, numbered in the order of arrival, with the least number of bits per pair.
//!
//! Pairs are stored consecutively; a hash table holds their numbers, each with six bits of the hash. The first numbers
//! of all pairs have the width of the greatest first number so far, the second numbers that of the greatest second
//! number. A wider number causes a rewrite of all pairs, at most once per bit. The table is between 5/8 and 5/6 full; a
//! larger one is rebuilt from the pairs.

use crate::store::packed::{ones, read, words_for, write};
use crate::store::rows::SOON;

/// A set of pairs.
#[derive(Default)]
pub(crate) struct Pairs {
    /// Widths of the first and of the second number of a pair, in bits.
    bits: (u32, u32),
    /// Packed pairs, `PAIRS_IN_CHUNK` per chunk.
    chunks: Vec<Vec<u64>>,
    count: u32,
    /// Entries: the number of a pair, followed by bits of its hash. An empty entry is all ones.
    table: Vec<u64>,
    places: usize,
    /// Bits per entry of the table.
    width: u32,
}

const PAIRS_IN_CHUNK: usize = 1 << 14;

/// The number of bits of the hash in an entry of the table.
const TAG: u32 = 6;

impl Pairs {
    pub(crate) fn len(&self) -> u32 {
        self.count
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        let pairs: usize = self.chunks.iter().map(|chunk| chunk.capacity()).sum();
        (8 * (pairs + self.table.capacity())) as u64
    }

    /// Bytes that are added soon if the hash table is almost full, otherwise 0: a whole new table, as for rows.
    pub(crate) fn growth(&self) -> u64 {
        match is_full(self.count as usize + SOON, self.places) {
            true => 8 * words_for(enlarged(self.places), self.width + 1) as u64,
            false => 0,
        }
    }

    /// The pair with a number.
    pub(crate) fn get(&self, number: u32) -> (u32, u32) {
        let both = self.both(number);
        let (first, _) = self.bits;
        ((both & ones(first)) as u32, (both >> first) as u32)
    }

    /// The number of a pair, if it is in the set.
    pub(crate) fn find(&self, pair: (u32, u32)) -> Option<u32> {
        if self.count == 0 || !self.has_room_for(pair) {
            return None;
        }
        self.look_up(pair).ok()
    }

    /// Inserts a pair. Returns its number, and whether it is new.
    pub(crate) fn insert(&mut self, pair: (u32, u32)) -> (u32, bool) {
        if is_full(self.count as usize, self.places) {
            // Inserting a pair that is in the set does not enlarge the table.
            if let Some(number) = self.find(pair) {
                return (number, false);
            }
            self.make_table(enlarged(self.places));
        }
        if !self.has_room_for(pair) {
            self.make_room(pair);
        }
        match self.look_up(pair) {
            Ok(number) => (number, false),
            Err((place, tag)) => {
                let number = self.count;
                let entry = u64::from(number) << TAG | tag;
                write(&mut self.table, place, self.width, entry);
                self.push(pair);
                (number, true)
            }
        }
    }

    /// Removes all pairs in order. Releases the memory of a chunk when its pairs have been passed to `each`.
    pub(crate) fn drain(&mut self, mut each: impl FnMut((u32, u32))) {
        let (first, _) = self.bits;
        let width = self.width_of_pair();
        let mut left = self.count as usize;
        (self.table, self.places, self.count) = (Vec::new(), 0, 0);
        for chunk in std::mem::take(&mut self.chunks) {
            for place in 0..left.min(PAIRS_IN_CHUNK) {
                let both = read(&chunk, place, width);
                each(((both & ones(first)) as u32, (both >> first) as u32));
            }
            left = left.saturating_sub(PAIRS_IN_CHUNK);
        }
    }

    fn both(&self, number: u32) -> u64 {
        let number = number as usize;
        let chunk = &self.chunks[number / PAIRS_IN_CHUNK];
        read(chunk, number % PAIRS_IN_CHUNK, self.width_of_pair())
    }

    fn width_of_pair(&self) -> u32 {
        self.bits.0 + self.bits.1
    }

    fn has_room_for(&self, (a, b): (u32, u32)) -> bool {
        u64::from(a) >> self.bits.0 == 0 && u64::from(b) >> self.bits.1 == 0
    }

    /// Rewrites all pairs with widths that also fit this pair.
    fn make_room(&mut self, (a, b): (u32, u32)) {
        let bits = |number: u32| u32::BITS - number.leading_zeros();
        let (before, now) = (
            self.bits,
            (self.bits.0.max(bits(a)), self.bits.1.max(bits(b))),
        );
        let (old, new) = (before.0 + before.1, now.0 + now.1);
        let mut left = self.count as usize;
        for chunk in &mut self.chunks {
            cancellation::poll();
            let here = left.min(PAIRS_IN_CHUNK);
            let mut wider = vec![0; words_for(here, new)];
            for place in 0..here {
                let both = read(chunk, place, old);
                let both = both & ones(before.0) | both >> before.0 << now.0;
                write(&mut wider, place, new, both);
            }
            *chunk = wider;
            left -= here;
        }
        self.bits = now;
    }

    fn push(&mut self, (a, b): (u32, u32)) {
        let width = self.width_of_pair();
        let place = self.count as usize % PAIRS_IN_CHUNK;
        if place == 0 {
            self.chunks.push(Vec::new());
        }
        let few = self.chunks.len() == 1;
        let chunk = self.chunks.last_mut().expect("there is one");
        let needs = words_for(place + 1, width);
        if chunk.len() < needs {
            if !few {
                chunk.reserve_exact(words_for(PAIRS_IN_CHUNK, width) - chunk.len());
            }
            chunk.resize(needs, 0);
        }
        let both = u64::from(b) << self.bits.0 | u64::from(a);
        write(chunk, place, width, both);
        self.count += 1;
    }

    /// The number of a pair; if it is absent, the index of the empty entry for it, and the hash bits to store there.
    fn look_up(&self, pair: (u32, u32)) -> Result<u32, (usize, u64)> {
        let hash = hash(pair);
        let (mut place, tag) = (self.place(hash), hash & ones(TAG));
        let both = u64::from(pair.1) << self.bits.0 | u64::from(pair.0);
        let empty = ones(self.width);
        loop {
            let entry = read(&self.table, place, self.width);
            if entry == empty {
                return Err((place, tag));
            }
            let number = (entry >> TAG) as u32;
            if entry & ones(TAG) == tag && self.both(number) == both {
                return Ok(number);
            }
            place = self.behind(place);
        }
    }

    /// The index in the table at which probing begins.
    fn place(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.places as u128) >> 64) as usize
    }

    fn behind(&self, place: usize) -> usize {
        if place + 1 == self.places {
            0
        } else {
            place + 1
        }
    }

    fn make_table(&mut self, places: usize) {
        self.table = Vec::new(); // released before the new one is allocated
        // With this width, no entry of a pair is all ones.
        self.width = TAG + (usize::BITS - places.leading_zeros());
        self.places = places;
        self.table = vec![u64::MAX; words_for(places, self.width)];
        let empty = ones(self.width);
        for number in 0..self.count {
            cancellation::poll();
            let hash = hash(self.get(number));
            let mut place = self.place(hash);
            while read(&self.table, place, self.width) != empty {
                place = self.behind(place);
            }
            let entry = u64::from(number) << TAG | hash & ones(TAG);
            write(&mut self.table, place, self.width, entry);
        }
    }
}

/// Whether a table with this many places is full with this many pairs.
fn is_full(pairs: usize, places: usize) -> bool {
    pairs * 6 >= places * 5
}

/// The number of places of the table that follows one with this many.
fn enlarged(places: usize) -> usize {
    places / 3 * 4 + 64
}

/// A hash that is the same in every process, so that searches are reproducible.
fn hash((a, b): (u32, u32)) -> u64 {
    let both = u64::from(b) << 32 | u64::from(a);
    let product = u128::from(both ^ 0x243f_6a88_85a3_08d3) * 0x9e37_79b9_7f4a_7c15;
    let folded = product as u64 ^ (product >> 64) as u64;
    let product = u128::from(folded ^ 0x1319_8a2e_0370_7344) * 0xd1b5_4a32_d192_ed03;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::random::Rng;
    use std::collections::HashMap;

    #[test]
    fn pairs_keep_their_numbers_however_wide_they_become() {
        let mut rng = Rng(7);
        let (mut pairs, mut known) = (Pairs::default(), HashMap::new());
        let mut order = Vec::new();
        for round in 0..60_000u32 {
            // The range of the numbers grows up to 32 bits.
            let most = 1u64 << (round / 2_000 + 3).min(32);
            let mut draw = || (rng.below(most as usize)) as u32;
            let pair = (draw(), draw() >> 1);
            assert_eq!(pairs.find(pair), known.get(&pair).copied());
            let next = known.len() as u32;
            let number = *known.entry(pair).or_insert(next);
            assert_eq!(pairs.insert(pair), (number, number == next));
            if number == next {
                order.push(pair);
            }
        }
        assert!(order.len() > 30_000);
        for (number, pair) in (0..).zip(&order) {
            assert_eq!(pairs.get(number), *pair);
            assert_eq!(pairs.find(*pair), Some(number));
        }
        let mut drained = Vec::new();
        pairs.drain(|pair| drained.push(pair));
        assert_eq!(drained, order);
        assert_eq!((pairs.len(), pairs.memory()), (0, 0));
        assert_eq!(pairs.insert((1, 2)), (0, true));
    }
}
