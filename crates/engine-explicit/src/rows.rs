//! A set of rows of words, numbered in the order of arrival, and a table to find them in.
//!
//! The table holds the numbers of rows and eight bits of their hashes; it is made anew from the rows when it is full, without a
//! second one beside it.

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

const ROWS_IN_CHUNK: usize = 1 << 14;

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

    /// The number of a row with this hash, and whether it is new.
    pub(crate) fn insert(&mut self, row: &[u64], hash: u64) -> (u32, bool) {
        if self.count as usize * 5 >= self.table.len() * 4 {
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
            let old = std::mem::take(chunk);
            for old in old.chunks_exact(self.words) {
                row.fill(0);
                write(old, &mut row);
                chunk.extend_from_slice(&row);
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
            if number == u32::MAX {
                return Err((place, tag));
            }
            if found == tag && self.get(number) == row {
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
        self.table = Vec::new(); // before there is another one
        self.table = vec![EMPTY; length];
        for number in 0..self.count {
            let hash = hash(self.get(number));
            let mut place = self.place(hash);
            while self.table[place] != EMPTY {
                place = if place + 1 == length { 0 } else { place + 1 };
            }
            self.table[place] = entry(hash as u8, number);
        }
    }
}

fn entry(tag: u8, number: u32) -> Entry {
    let [a, b, c, d] = number.to_le_bytes();
    [tag, a, b, c, d]
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
