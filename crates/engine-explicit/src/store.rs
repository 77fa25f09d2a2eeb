//! The set of visited states: rows of numbers, each in as many bits as its column needs.
//!
//! A column is as wide as its numbers so far need; when a greater one comes all rows are written anew. That is seldom: columns
//! that are alike become wider together, and by one bit more than is needed. No number is divided between two words.

#[cfg(doc)]
use crate::rows;
use crate::rows::{Rows, hash};
use serde::{Deserialize, Serialize};

/// Every state once, numbered in the order of arrival.
#[derive(Default)]
pub(crate) struct Store {
    sizes: Vec<Size>,
    columns: Vec<Column>,
    /// Those that have bits, with their parts.
    used: Vec<(u32, Column)>,
    rows: Rows,
    /// How often columns have changed.
    widened: u32,
    /// Room for a row.
    row: Vec<u64>,
}

/// Where the numbers of a part are in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Column {
    word: u32,
    shift: u32,
    bits: u32,
}

/// How wide a column must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Bits(u32),
    /// As others of the same group, unless it has only one number so far.
    Group(usize),
}

/// A part of a state, and its number.
pub(crate) type Change = (u32, u32);

impl Column {
    pub(crate) fn get(self, row: &[u64]) -> u32 {
        (row[self.word as usize] >> self.shift & ((1 << self.bits) - 1)) as u32
    }

    fn set(self, row: &mut [u64], number: u32) {
        if self.bits > 0 {
            let word = &mut row[self.word as usize];
            let mask = ((1 << self.bits) - 1) << self.shift;
            *word = *word & !mask | u64::from(number) << self.shift;
        }
    }

    fn has_room_for(self, number: u32) -> bool {
        u64::from(number) >> self.bits == 0
    }

    /// Whether it is inside a row of so many words.
    pub(crate) fn is_within(self, words: usize) -> bool {
        let inside = self.bits <= u32::BITS && self.shift < u64::BITS;
        inside && self.shift + self.bits <= u64::BITS && (self.word as usize) < words
    }
}

impl Store {
    /// For states with parts of these sizes.
    pub(crate) fn new(sizes: Vec<Size>) -> Store {
        Store {
            columns: vec![Column::default(); sizes.len()],
            sizes,
            ..Store::default()
        }
    }

    /// The number of a state, and whether it is new.
    pub(crate) fn insert(&mut self, state: &[u32]) -> (u32, bool) {
        self.make_room(state);
        self.write(state);
        self.insert_row()
    }

    /// The same for a state that differs from another in these parts only.
    pub(crate) fn insert_beside(
        &mut self,
        other: u32,
        state: &[u32],
        differs: &[u32],
    ) -> (u32, bool) {
        for part in differs {
            if !self.columns[*part as usize].has_room_for(state[*part as usize]) {
                self.make_room(state);
                break;
            }
        }
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        row.extend_from_slice(self.rows.get(other));
        for part in differs {
            self.columns[*part as usize].set(&mut row, state[*part as usize]);
        }
        self.row = row;
        self.insert_row()
    }

    /// The same for a state that differs from another in this.
    pub(crate) fn insert_changed(&mut self, other: u32, changes: &[Change]) -> (u32, bool) {
        let room = |(part, number): &Change| self.columns[*part as usize].has_room_for(*number);
        if !changes.iter().all(room) {
            let mut state = Vec::new();
            self.read(other, &mut state);
            for (part, number) in changes {
                state[*part as usize] = *number;
            }
            return self.insert(&state);
        }
        let mut row = std::mem::take(&mut self.row);
        self.write_changed(other, changes, &mut row);
        self.row = row;
        self.insert_row()
    }

    /// Of which states these rows are, one behind the other; [`rows::NOBODY`] if of none.
    pub(crate) fn find_all(&self, rows: &[u64], hashes: &mut Vec<u64>, found: &mut Vec<u32>) {
        hashes.clear();
        hashes.extend(rows.chunks_exact(self.rows.words()).map(hash));
        self.rows.find_all(rows, hashes, found);
    }

    /// The number of a state by its row as columns are now, and whether it is new.
    pub(crate) fn insert_packed(&mut self, row: &[u64], hash: u64) -> (u32, bool) {
        self.rows.insert(row, hash)
    }

    /// Makes the row of a state with these parts that of one that differs in this, if columns are wide enough.
    pub(crate) fn change(&self, row: &mut [u64], parts: &[u32], changes: &[Change]) -> bool {
        let mut room = true;
        for (part, number) in changes {
            let column = self.columns[*part as usize];
            let differs = u64::from(parts[*part as usize] ^ *number);
            room &= differs >> column.bits == 0;
            row[column.word as usize] ^= differs << column.shift;
        }
        room
    }

    fn write_changed(&self, other: u32, changes: &[Change], row: &mut Vec<u64>) {
        row.clear();
        row.extend_from_slice(self.rows.get(other));
        for (part, number) in changes {
            self.columns[*part as usize].set(row, *number);
        }
    }

    /// The number of a state, if it is there.
    pub(crate) fn find(&self, state: &[u32]) -> Option<u32> {
        let pairs = self.columns.iter().zip(state);
        if self.rows.len() == 0 || !pairs.clone().all(|(c, number)| c.has_room_for(*number)) {
            return None;
        }
        let mut row = vec![0; self.rows.words()];
        pairs.for_each(|(column, number)| column.set(&mut row, *number));
        self.rows.find(&row, hash(&row))
    }

    /// The parts of a state.
    pub(crate) fn read(&self, number: u32, state: &mut Vec<u32>) {
        let row = self.rows.get(number);
        state.clear();
        state.resize(self.columns.len(), 0);
        for (part, column) in &self.used {
            state[*part as usize] = column.get(row);
        }
    }

    /// How often columns have changed: rows from before have other columns.
    pub(crate) fn widened(&self) -> u32 {
        self.widened
    }

    pub(crate) fn len(&self) -> u32 {
        self.rows.len()
    }

    /// How wide columns must be.
    pub(crate) fn sizes(&self) -> &[Size] {
        &self.sizes
    }

    /// Where the numbers of parts are in rows at present, and how many words a row has.
    pub(crate) fn columns(&self) -> (&[Column], usize) {
        (&self.columns, self.rows.words())
    }

    /// A state as it is kept at present.
    pub(crate) fn packed(&self, number: u32) -> &[u64] {
        self.rows.get(number)
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        self.rows.memory()
    }

    /// Writes a state for which there is room into [`Store::row`].
    fn write(&mut self, state: &[u32]) {
        self.row.clear();
        self.row.resize(self.rows.words(), 0);
        for (column, number) in self.columns.iter().zip(state) {
            column.set(&mut self.row, *number);
        }
    }

    /// Inserts what is in [`Store::row`].
    fn insert_row(&mut self) -> (u32, bool) {
        self.rows.insert(&self.row, hash(&self.row))
    }

    /// Makes all columns wide enough, and writes all rows anew.
    fn make_room(&mut self, state: &[u32]) {
        let pairs = self.columns.iter().zip(state);
        if self.rows.words() > 0 && pairs.clone().all(|(column, n)| column.has_room_for(*n)) {
            return;
        }
        let needs = |number: u32| match number {
            0 => 0,
            _ => (u32::BITS - number.leading_zeros() + 1).min(u32::BITS),
        };
        let mut groups = vec![0; self.columns.len()];
        for ((column, number), size) in pairs.clone().zip(&self.sizes) {
            if let Size::Group(group) = size {
                let bits = match column.has_room_for(*number) {
                    true => column.bits,
                    false => needs(*number),
                };
                groups[*group] = bits.max(groups[*group]);
            }
        }
        let mut columns = Vec::with_capacity(self.columns.len());
        let (mut word, mut used) = (0, 0);
        for ((column, number), size) in pairs.zip(&self.sizes) {
            let bits = match size {
                Size::Bits(bits) => *bits,
                Size::Group(_) if column.bits == 0 && *number == 0 => 0,
                Size::Group(group) => groups[*group],
            };
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            let shift = used % u64::BITS;
            columns.push(Column { word, shift, bits });
            used += bits;
        }
        let words = word as usize + 1;
        let moves = Move::all(&self.columns, &columns);
        self.rows.rewrite(words, |from, to| {
            for piece in &moves {
                piece.apply(from, to);
            }
        });
        let used = (0..).zip(&columns).filter(|(_, column)| column.bits > 0);
        self.used = used.map(|(part, column)| (part, *column)).collect();
        self.columns = columns;
        self.widened += 1;
    }
}

/// Neighbouring columns that stay neighbours when all become wider, as one piece of a word.
struct Move {
    from: u32,
    mask: u64,
    to: u32,
    rotate: u32,
}

impl Move {
    /// What becomes of the old columns.
    fn all(old: &[Column], new: &[Column]) -> Vec<Move> {
        let mut moves: Vec<Move> = Vec::new();
        for (old, new) in old.iter().zip(new).filter(|(old, _)| old.bits > 0) {
            let mask = ((1 << old.bits) - 1) << old.shift;
            let rotate = (new.shift + u64::BITS - old.shift) % u64::BITS;
            match moves.last_mut() {
                Some(last) if (last.from, last.to, last.rotate) == (old.word, new.word, rotate) => {
                    last.mask |= mask;
                }
                _ => moves.push(Move {
                    from: old.word,
                    mask,
                    to: new.word,
                    rotate,
                }),
            }
        }
        moves
    }

    fn apply(&self, from: &[u64], to: &mut [u64]) {
        to[self.to as usize] |= (from[self.from as usize] & self.mask).rotate_left(self.rotate);
    }
}

/// The parts of a state in a row with these columns.
pub(crate) fn read(columns: &[Column], row: &[u64], state: &mut Vec<u32>) {
    state.clear();
    state.extend(columns.iter().map(|column| column.get(row)));
}
