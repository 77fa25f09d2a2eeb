//! A set of rows of words, numbered in the order of arrival, with a hash table.
//!
//! An entry of the table holds the number of a row and eight bits of its hash. A full table is released and a larger
//! one is built from the rows, so that the two never exist together. [`Rows::find_all`] looks up many rows together, so
//! that their cache misses overlap.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// A set of rows.
#[derive(Default)]
pub(crate) struct Rows {
    /// Words per row.
    words: usize,
    /// Rows, `ROWS_IN_CHUNK` per chunk.
    chunks: Vec<Vec<u64>>,
    count: u32,
    table: Vec<Entry>,
    /// The number of threads that may rebuild the table.
    threads: usize,
}

/// Eight bits of a hash, then the number of a row plus one (little-endian).
type Entry = [u8; 5];

/// An empty entry; it is zero so that a new table is zeroed memory.
const EMPTY: Entry = [0; 5];

/// The value, instead of a row number, if the row is not in the set.
pub(crate) const ABSENT: u32 = u32::MAX;

const ROWS_IN_CHUNK: usize = 1 << 14;

/// The least number of rows from which on several threads rebuild the table and rewrite rows.
const MANY: usize = 100_000;

/// A table that becomes full within this number of insertions counts as enlarged for the memory limit, because it may
/// be enlarged before the search checks the limit again.
pub(crate) const SOON: usize = 1 << 16;

/// The number of rows that are looked up together.
const TOGETHER: usize = 64;

impl Rows {
    pub(crate) fn len(&self) -> u32 {
        self.count
    }

    /// Sets the number of threads that may rebuild the table.
    pub(crate) fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// Prefetches the first table entries that a lookup with each of these hashes probes.
    pub(crate) fn prefetch(&self, hashes: impl Iterator<Item = u64>) {
        if !self.table.is_empty() {
            let seen = hashes.fold(0, |all, hash| all ^ self.table[self.place(hash)][0]);
            std::hint::black_box(seen);
        }
    }

    /// Words per row.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        let rows: usize = self.chunks.iter().map(|chunk| chunk.capacity() * 8).sum();
        (rows + self.table.capacity() * size_of::<Entry>()) as u64
    }

    /// Bytes that are added soon if the hash table is almost full, otherwise 0. The allocator returns the memory of the old
    /// table to the system only after a delay, so both tables count.
    pub(crate) fn growth(&self) -> u64 {
        let length = self.table.len();
        match is_full(self.count as usize + SOON, length) {
            true => (enlarged(length) * size_of::<Entry>()) as u64,
            false => 0,
        }
    }

    /// The row with a number.
    pub(crate) fn get(&self, number: u32) -> &[u64] {
        let (chunk, place) = (
            number as usize / ROWS_IN_CHUNK,
            number as usize % ROWS_IN_CHUNK,
        );
        &self.chunks[chunk][place * self.words..(place + 1) * self.words]
    }

    /// Appends these rows to a vector.
    pub(crate) fn copy(&self, numbers: Range<u32>, rows: &mut Vec<u64>) {
        let (mut first, end) = (numbers.start as usize, numbers.end as usize);
        while first < end {
            let (chunk, place) = (first / ROWS_IN_CHUNK, first % ROWS_IN_CHUNK);
            let count = (ROWS_IN_CHUNK - place).min(end - first);
            let words = place * self.words..(place + count) * self.words;
            rows.extend_from_slice(&self.chunks[chunk][words]);
            first += count;
        }
    }

    /// The number of a row, if it is in the set. `hash` is the hash of the row.
    pub(crate) fn find(&self, row: &[u64], hash: u64) -> Option<u32> {
        if self.count == 0 {
            return None;
        }
        self.look_up(row, hash).ok()
    }

    /// For each of these consecutive rows with these hashes: its number, or [`ABSENT`] if it is not in the set.
    pub(crate) fn find_all(&self, rows: &[u64], hashes: &[u64], found: &mut Vec<u32>) {
        // Three passes per group, to overlap cache misses: read the first entry of each row; compare the rows with
        // those that the entries name; probe further for rows that differ.
        found.clear();
        if self.count == 0 {
            return found.resize(hashes.len(), ABSENT);
        }
        let mut first = [(0, 0); TOGETHER];
        let rows = rows.chunks(self.words * TOGETHER);
        for (hashes, rows) in hashes.chunks(TOGETHER).zip(rows) {
            for (first, hash) in first.iter_mut().zip(hashes) {
                *first = read(self.table[self.place(*hash)]);
            }
            let each = rows.chunks_exact(self.words).zip(hashes).zip(&first);
            let before = found.len();
            found.extend(each.clone().map(|((row, hash), (tag, number))| {
                let same = *tag == *hash as u8 && *number != ABSENT && same(self.get(*number), row);
                if same { *number } else { ABSENT }
            }));
            for (((row, hash), (_, number)), found) in each.zip(&mut found[before..]) {
                if *found == ABSENT && *number != ABSENT {
                    *found = self.look_up(row, *hash).unwrap_or(ABSENT);
                }
            }
        }
    }

    /// Inserts a row. `hash` is its hash. Returns its number, and whether it is new.
    pub(crate) fn insert(&mut self, row: &[u64], hash: u64) -> (u32, bool) {
        if is_full(self.count as usize, self.table.len()) {
            // Inserting a row that is in the set does not enlarge the table.
            if let Some(number) = self.find(row, hash) {
                return (number, false);
            }
            self.make_table(enlarged(self.table.len()));
        }
        match self.look_up(row, hash) {
            Ok(number) => (number, false),
            Err((place, tag)) => {
                let number = self.count;
                self.table[place] = entry(tag, number);
                self.push(row);
                (number, true)
            }
        }
    }

    /// Converts all rows to this many words. `write` must map different rows to different rows.
    pub(crate) fn rewrite(&mut self, words: usize, write: impl Fn(&[u64], &mut [u64]) + Sync) {
        let (old_words, stop) = (self.words, Stop::default());
        let rewrite = |chunks: &mut [Vec<u64>], own: bool| {
            let mut row = vec![0; words];
            for chunk in chunks {
                if stop.is_set(own) {
                    return;
                }
                if words == old_words {
                    for place in chunk.chunks_exact_mut(words) {
                        row.fill(0);
                        write(place, &mut row);
                        place.copy_from_slice(&row);
                    }
                } else {
                    let room = chunk.capacity() / old_words.max(1) * words;
                    let old = std::mem::replace(chunk, Vec::with_capacity(room));
                    for old in old.chunks_exact(old_words) {
                        row.fill(0);
                        write(old, &mut row);
                        chunk.extend_from_slice(&row);
                    }
                }
            }
        };
        let each = self.chunks.len().div_ceil(self.threads_for_all()).max(1);
        let mut pieces = self.chunks.chunks_mut(each);
        let (own, rewrite) = (pieces.next(), &rewrite);
        std::thread::scope(|scope| {
            pieces.for_each(|piece| drop(scope.spawn(move || rewrite(piece, false))));
            own.into_iter().for_each(|piece| rewrite(piece, true));
        });
        stop.unwind();
        self.words = words;
        self.make_table(self.table.len());
    }

    /// The number of threads for work on all rows.
    fn threads_for_all(&self) -> usize {
        match (self.count as usize) < MANY {
            true => 1,
            false => self.threads.max(1),
        }
    }

    /// Removes all rows in order. Releases the memory of a chunk when its rows have been passed to `each`.
    pub(crate) fn drain(&mut self, mut each: impl FnMut(&[u64])) {
        (self.table, self.count) = (Vec::new(), 0);
        for chunk in std::mem::take(&mut self.chunks) {
            chunk.chunks_exact(self.words).for_each(&mut each);
        }
    }

    fn push(&mut self, row: &[u64]) {
        if (self.count as usize).is_multiple_of(ROWS_IN_CHUNK) {
            let room = match self.chunks.is_empty() {
                true => 0, // there may be few rows in all
                false => ROWS_IN_CHUNK * self.words,
            };
            self.chunks.push(Vec::with_capacity(room));
        }
        let chunk = self.chunks.last_mut().expect("there is one");
        chunk.extend_from_slice(row);
        self.count += 1;
    }

    /// The number of a row; if it is absent, the index of the empty entry for it, and the hash bits to store there.
    fn look_up(&self, row: &[u64], hash: u64) -> Result<u32, (usize, u8)> {
        let (mut place, tag) = (self.place(hash), hash as u8);
        loop {
            let (found, number) = read(self.table[place]);
            if number == ABSENT {
                return Err((place, tag));
            }
            if found == tag && same(self.get(number), row) {
                return Ok(number);
            }
            place = if place + 1 == self.table.len() {
                0
            } else {
                place + 1
            };
        }
    }

    /// The index in the table at which probing begins.
    fn place(&self, hash: u64) -> usize {
        place(hash, self.table.len())
    }

    fn make_table(&mut self, length: usize) {
        if length != self.table.len() {
            self.table = Vec::new(); // released before the new one is allocated
            self.table = vec![EMPTY; length];
        }
        let threads = self.threads_for_all();
        let mut table = std::mem::take(&mut self.table);
        let each = length.div_ceil(threads).max(1);
        let rows = &*self;
        let stop = &Stop::default();
        let fill = |(piece, table): (usize, &mut [Entry])| {
            rows.fill(table, piece * each, length, || stop.is_set(piece == 0))
        };
        let mut pieces = table.chunks_mut(each).enumerate();
        let own = pieces.next();
        let left: Vec<Left> = std::thread::scope(|scope| {
            let others: Vec<_> = pieces.map(|one| scope.spawn(move || fill(one))).collect();
            let own = own.map(fill);
            let others = others
                .into_iter()
                .map(|one| one.join().expect("it only counts"));
            own.into_iter().chain(others).flatten().collect()
        });
        stop.unwind();
        for (place, entry) in left {
            put(&mut table, place % length, entry);
        }
        self.table = table;
    }

    /// Fills the section of a table of `length` entries that begins at index `start`. Returns the entries that do not
    /// fit into the section. If `stop` returns `true` the section stays incomplete.
    fn fill(
        &self,
        piece: &mut [Entry],
        start: usize,
        length: usize,
        stop: impl Fn() -> bool,
    ) -> Vec<Left> {
        let mut left = Vec::new();
        // Writing first avoids a second page fault: reading untouched memory would map a zero page.
        piece.fill(EMPTY);
        let mut begin = [(0, EMPTY); TOGETHER];
        let mut wanted = 0;
        let rows = self.chunks.iter().take_while(|_| !stop());
        let rows = rows.flat_map(|chunk| chunk.chunks_exact(self.words.max(1)));
        for (number, row) in (0..).zip(rows) {
            let hash = hash(row);
            let place = place(hash, length).wrapping_sub(start);
            // Without a branch, which would be unpredictable: each entry is written, and counted if it belongs to the
            // section.
            begin[wanted] = (place, entry(hash as u8, number));
            wanted += usize::from(place < piece.len());
            if wanted == TOGETHER {
                put_all(piece, start, &begin, &mut left);
                wanted = 0;
            }
        }
        put_all(piece, start, &begin[..wanted], &mut left);
        left
    }
}

/// Ends the work of several threads on all rows when the search is cancelled. Only the thread of the search reads the
/// cancellation token. All threads have about equal shares, so the thread of the search is still working while the
/// others are.
#[derive(Default)]
struct Stop(AtomicBool);

impl Stop {
    /// Whether a thread stops; `own`: whether it is that of the search.
    fn is_set(&self, own: bool) -> bool {
        if own && cancellation::is_cancelled() {
            self.0.store(true, Ordering::Relaxed);
        }
        self.0.load(Ordering::Relaxed)
    }

    /// Ends the search if the threads have stopped.
    fn unwind(&self) {
        if self.0.load(Ordering::Relaxed) {
            cancellation::poll();
            unreachable!("a cancelled search stays cancelled");
        }
    }
}

/// Whether a table of this length is full with this many rows.
fn is_full(rows: usize, length: usize) -> bool {
    rows * 10 >= length * 7
}

/// The length of the table that follows one of this length.
fn enlarged(length: usize) -> usize {
    length / 5 * 8 + 1024
}

/// Inserts entries into a section of a table. Appends those that do not fit to `left`.
fn put_all(piece: &mut [Entry], start: usize, begin: &[(usize, Entry)], left: &mut Vec<Left>) {
    // Prefetches the entries.
    let seen = begin.iter();
    std::hint::black_box(seen.fold(0, |all, (place, _)| all ^ piece[*place][0]));
    for (place, entry) in begin {
        match piece[*place..].iter().position(|e| *e == EMPTY) {
            Some(behind) => piece[place + behind] = *entry,
            None => left.push((start + piece.len(), *entry)),
        }
    }
}

/// The index at which probing begins in a table of this length.
fn place(hash: u64, length: usize) -> usize {
    ((u128::from(hash) * length as u128) >> 64) as usize
}

/// An entry that does not fit into its section, with the index in the table at which to continue probing.
type Left = (usize, Entry);

/// Inserts an entry at the first empty index from `place` on, cyclically.
fn put(table: &mut [Entry], mut place: usize, entry: Entry) {
    while table[place] != EMPTY {
        place = if place + 1 == table.len() {
            0
        } else {
            place + 1
        };
    }
    table[place] = entry;
}

fn entry(tag: u8, number: u32) -> Entry {
    let [a, b, c, d] = (number + 1).to_le_bytes();
    [tag, a, b, c, d]
}

/// The hash bits and the row number of an entry; the number is [`ABSENT`] if the entry is empty.
fn read([tag, number @ ..]: Entry) -> (u8, u32) {
    (tag, u32::from_le_bytes(number).wrapping_sub(1))
}

/// Whether two rows are equal. A loop, because rows are too short for `memcmp` to pay off.
fn same(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// A hash that is the same in every process, so that searches are reproducible.
pub(crate) fn hash(row: &[u64]) -> u64 {
    let mut hash = 0x243f_6a88_85a3_08d3_u64;
    for word in row {
        let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15;
        hash = (product as u64 ^ (product >> 64) as u64).wrapping_add(0x1319_8a2e_0370_7344);
    }
    hash
}
