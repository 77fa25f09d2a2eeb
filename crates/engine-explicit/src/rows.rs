//! A set of rows of words, numbered in the order of arrival, and a table to find them in.
//!
//! The table holds the numbers of rows and eight bits of their hashes; it is made anew from the rows when it is full, without a
//! second one beside it. Who looks for many rows asks for all of them at once ([`Rows::find_all`]): then memory is waited for
//! once, and not once for each.

/// Every row once.
#[derive(Default)]
pub(crate) struct Rows {
    /// Words of a row.
    words: usize,
    /// Rows, so many to a chunk.
    chunks: Vec<Vec<u64>>,
    count: u32,
    table: Vec<Entry>,
}

/// Eight bits of a hash, and the number of a row.
type Entry = [u8; 5];

const EMPTY: Entry = [0, 0xff, 0xff, 0xff, 0xff];

/// No row has this number.
pub(crate) const NOBODY: u32 = u32::MAX;

const ROWS_IN_CHUNK: usize = 1 << 14;

/// So many rows are looked for together.
const TOGETHER: usize = 64;

impl Rows {
    pub(crate) fn len(&self) -> u32 {
        self.count
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
            return found.resize(hashes.len(), NOBODY);
        }
        let mut first = [(0, 0); TOGETHER];
        let rows = rows.chunks(self.words * TOGETHER);
        for (hashes, rows) in hashes.chunks(TOGETHER).zip(rows) {
            for (first, hash) in first.iter_mut().zip(hashes) {
                let [tag, number @ ..] = self.table[self.place(*hash)];
                *first = (tag, u32::from_le_bytes(number));
            }
            let each = rows.chunks_exact(self.words).zip(hashes).zip(&first);
            let before = found.len();
            found.extend(each.clone().map(|((row, hash), (tag, number))| {
                let same = *tag == *hash as u8 && *number != NOBODY && same(self.get(*number), row);
                if same { *number } else { NOBODY }
            }));
            for (((row, hash), (_, number)), found) in each.zip(&mut found[before..]) {
                if *found == NOBODY && *number != NOBODY {
                    *found = self.look_up(row, *hash).unwrap_or(NOBODY);
                }
            }
        }
    }

    /// The number of a row with this hash, and whether it is new.
    pub(crate) fn insert(&mut self, row: &[u64], hash: u64) -> (u32, bool) {
        if self.count as usize * 10 >= self.table.len() * 7 {
            self.make_table(self.table.len() / 2 * 3 + 1024);
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
    pub(crate) fn rewrite(&mut self, words: usize, write: impl Fn(&[u64], &mut [u64])) {
        let mut row = vec![0; words];
        for chunk in &mut self.chunks {
            if words == self.words {
                for place in chunk.chunks_exact_mut(words) {
                    row.fill(0);
                    write(place, &mut row);
                    place.copy_from_slice(&row);
                }
            } else {
                let room = chunk.capacity() / self.words.max(1) * words;
                let old = std::mem::replace(chunk, Vec::with_capacity(room));
                for old in old.chunks_exact(self.words) {
                    row.fill(0);
                    write(old, &mut row);
                    chunk.extend_from_slice(&row);
                }
            }
        }
        self.words = words;
        self.make_table(self.table.len());
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
            let [found, number @ ..] = self.table[place];
            let number = u32::from_le_bytes(number);
            if number == NOBODY {
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
        ((u128::from(hash) * self.table.len() as u128) >> 64) as usize
    }

    fn make_table(&mut self, length: usize) {
        if length == self.table.len() {
            self.table.fill(EMPTY);
        } else {
            self.table = Vec::new(); // before there is another one
            self.table = vec![EMPTY; length];
        }
        let mut places = [(0, 0); TOGETHER];
        for first in (0..self.count).step_by(TOGETHER) {
            let numbers = first..self.count.min(first + TOGETHER as u32);
            let mut seen = 0;
            for (number, place) in numbers.clone().zip(&mut places) {
                let hash = hash(self.get(number));
                *place = (self.place(hash), hash as u8);
                seen ^= self.table[place.0][0];
            }
            std::hint::black_box(seen); // what is looked at now need not be waited for later
            for (number, (place, tag)) in numbers.zip(places) {
                let mut place = place;
                while self.table[place] != EMPTY {
                    place = if place + 1 == length { 0 } else { place + 1 };
                }
                self.table[place] = entry(tag, number);
            }
        }
    }
}

fn entry(tag: u8, number: u32) -> Entry {
    let [a, b, c, d] = number.to_le_bytes();
    [tag, a, b, c, d]
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
