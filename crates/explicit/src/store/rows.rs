//! A set of rows of words, numbered in the order of arrival, and a table to find them in.
//!
//! The table holds the numbers of rows and eight bits of their hashes; it is made anew from the rows when it is full, without a
//! second one beside it. Who looks for many rows asks for all of them at once ([`Rows::find_all`]): then memory is waited for
//! once, and not once for each.

use std::ops::Range;

/// Every row once.
#[derive(Default)]
pub(crate) struct Rows {
    /// Words of a row.
    words: usize,
    /// Rows, so many to a chunk.
    chunks: Vec<Vec<u64>>,
    count: u32,
    table: Vec<Entry>,
    /// How many may work on the table when it is made anew.
    threads: usize,
}

/// Eight bits of a hash, and the number of a row plus one.
type Entry = [u8; 5];

/// Memory that nobody has written to yet.
const EMPTY: Entry = [0; 5];

/// No row has this number.
pub(crate) const ABSENT: u32 = u32::MAX;

const ROWS_IN_CHUNK: usize = 1 << 14;

/// A table of so many rows is made by several threads.
const MANY: usize = 100_000;

/// So many rows are looked for together.
const TOGETHER: usize = 64;

impl Rows {
    pub(crate) fn len(&self) -> u32 {
        self.count
    }

    /// So many may work on it at the same time.
    pub(crate) fn share_among(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// Looks where rows with these hashes would be, so that nobody need wait for that soon.
    pub(crate) fn touch(&self, hashes: impl Iterator<Item = u64>) {
        if !self.table.is_empty() {
            let seen = hashes.fold(0, |all, hash| all ^ self.table[self.place(hash)][0]);
            std::hint::black_box(seen);
        }
    }

    /// How many words a row has.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        let rows: usize = self.chunks.iter().map(|chunk| chunk.capacity() * 8).sum();
        (rows + self.table.capacity() * size_of::<Entry>()) as u64
    }

    /// A row.
    pub(crate) fn get(&self, number: u32) -> &[u64] {
        let (chunk, place) = (
            number as usize / ROWS_IN_CHUNK,
            number as usize % ROWS_IN_CHUNK,
        );
        &self.chunks[chunk][place * self.words..(place + 1) * self.words]
    }

    /// Puts some rows behind what is there.
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

    /// The number of a row with this hash, if it is there.
    pub(crate) fn find(&self, row: &[u64], hash: u64) -> Option<u32> {
        if self.count == 0 {
            return None;
        }
        self.look_up(row, hash).ok()
    }

    /// The numbers of these rows, one behind the other, with their hashes; [`NOBODY`] for those that are not there.
    pub(crate) fn find_all(&self, rows: &[u64], hashes: &[u64], found: &mut Vec<u32>) {
        // First what the table says at first sight, of all of them; then the rows that it names; and then whoever was not there.
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

    /// The number of a row with this hash, and whether it is new.
    pub(crate) fn insert(&mut self, row: &[u64], hash: u64) -> (u32, bool) {
        if self.count as usize * 10 >= self.table.len() * 7 {
            // Who looks for a row that is there changes nothing.
            if let Some(number) = self.find(row, hash) {
                return (number, false);
            }
            self.make_table(self.table.len() / 5 * 8 + 1024);
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

    /// Gives all rows other words, as many as is said; they stay different.
    pub(crate) fn rewrite(&mut self, words: usize, write: impl Fn(&[u64], &mut [u64]) + Sync) {
        let old_words = self.words;
        let rewrite = |chunks: &mut [Vec<u64>]| {
            let mut row = vec![0; words];
            for chunk in chunks {
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
            pieces.for_each(|piece| drop(scope.spawn(move || rewrite(piece))));
            own.into_iter().for_each(rewrite);
        });
        self.words = words;
        self.make_table(self.table.len());
    }

    /// How many threads are worth their while for all rows.
    fn threads_for_all(&self) -> usize {
        match (self.count as usize) < MANY {
            true => 1,
            false => self.threads.max(1),
        }
    }

    /// Takes all rows out, in order, and gives back their memory on the way.
    pub(crate) fn drain(&mut self, mut each: impl FnMut(&[u64])) {
        (self.table, self.count) = (Vec::new(), 0);
        for chunk in std::mem::take(&mut self.chunks) {
            chunk.chunks_exact(self.words).for_each(&mut each);
        }
    }

    fn push(&mut self, row: &[u64]) {
        if (self.count as usize).is_multiple_of(ROWS_IN_CHUNK) {
            let room = match self.chunks.is_empty() {
                true => 0, // there may be few
                false => ROWS_IN_CHUNK * self.words,
            };
            self.chunks.push(Vec::with_capacity(room));
        }
        let chunk = self.chunks.last_mut().expect("there is one");
        chunk.extend_from_slice(row);
        self.count += 1;
    }

    /// The number of a row; or where in the table it would be, and its tag.
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

    /// Where to begin in the table.
    fn place(&self, hash: u64) -> usize {
        place(hash, self.table.len())
    }

    fn make_table(&mut self, length: usize) {
        if length != self.table.len() {
            self.table = Vec::new(); // before there is another one
            self.table = vec![EMPTY; length];
        }
        let threads = self.threads_for_all();
        let mut table = std::mem::take(&mut self.table);
        let each = length.div_ceil(threads).max(1);
        let rows = &*self;
        let fill = |(piece, table): (usize, &mut [Entry])| rows.fill(table, piece * each, length);
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
        for (place, entry) in left {
            put(&mut table, place % length, entry);
        }
        self.table = table;
    }

    /// Puts the entries into a piece of a table of that length that begin in it; those that would end behind it are left.
    fn fill(&self, piece: &mut [Entry], start: usize, length: usize) -> Vec<Left> {
        let mut left = Vec::new();
        // Who reads memory that nobody has written to, and writes to it then, asks the system twice for it.
        piece.fill(EMPTY);
        let mut begin = [(0, EMPTY); TOGETHER];
        let mut wanted = 0;
        let rows = self.chunks.iter();
        let rows = rows.flat_map(|chunk| chunk.chunks_exact(self.words.max(1)));
        for (number, row) in (0..).zip(rows) {
            let hash = hash(row);
            let place = place(hash, length).wrapping_sub(start);
            // Nobody can foresee whether it is: so that is not asked.
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

/// Puts entries into a piece of a table, from their places in it on; those for which there is no room are left.
fn put_all(piece: &mut [Entry], start: usize, begin: &[(usize, Entry)], left: &mut Vec<Left>) {
    // What is looked at now need not be waited for later.
    let seen = begin.iter();
    std::hint::black_box(seen.fold(0, |all, (place, _)| all ^ piece[*place][0]));
    for (place, entry) in begin {
        match piece[*place..].iter().position(|e| *e == EMPTY) {
            Some(behind) => piece[place + behind] = *entry,
            None => left.push((start + piece.len(), *entry)),
        }
    }
}

/// Where to begin in a table of that length.
fn place(hash: u64, length: usize) -> usize {
    ((u128::from(hash) * length as u128) >> 64) as usize
}

/// An entry for which there was no room in its piece, and where it could be.
type Left = (usize, Entry);

/// Puts an entry where there is room, from a place on.
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

/// The bits of a hash, and the number; [`NOBODY`] if there is none.
fn read([tag, number @ ..]: Entry) -> (u8, u32) {
    (tag, u32::from_le_bytes(number).wrapping_sub(1))
}

/// Whether two rows are the same; they are short.
fn same(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// A hash that is the same in every process.
pub(crate) fn hash(row: &[u64]) -> u64 {
    let mut hash = 0x243f_6a88_85a3_08d3_u64;
    for word in row {
        let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15;
        hash = (product as u64 ^ (product >> 64) as u64).wrapping_add(0x1319_8a2e_0370_7344);
    }
    hash
}
