//! The visited set: states as rows of component numbers, each component in a column of bits.
//!
//! A column is wide enough for its greatest number so far. A wider number causes a rewrite of all rows. This is rare:
//! the columns of a group grow together, and by one bit more than needed. No column spans two words.

use crate::store::hash_compaction::{HashCompaction, share};
use crate::store::row_set::RowSet;
use crate::store::rows;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;
use verdict::Storage;

/// The least growth of a hash table, in bytes, that [`VisitedSet::growth`] reports.
const LARGE: u64 = 4_000_000;

/// A set of states, numbered in the order of arrival.
#[derive(Default)]
pub(crate) struct VisitedSet {
    format: Arc<RowFormat>,
    rows: RowSet,
    /// Buffer for a row.
    row: Vec<u64>,
}

/// The format of rows: the position of each component.
#[derive(Clone, Default)]
pub(crate) struct RowFormat {
    sizes: Vec<Size>,
    columns: Vec<Column>,
    /// The components in the order of their columns in a row.
    order: Vec<u32>,
    /// The columns of at least one bit.
    used: Vec<Used>,
}

/// A column of at least one bit, in a form for fast reading.
#[derive(Clone, Copy)]
struct Used {
    part: u32,
    word: u32,
    shift: u32,
    mask: u32,
}

/// The position of a component number in a row: word, shift within the word, width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Column {
    word: u32,
    shift: u32,
    bits: u32,
}

/// How the width of a column is determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Bits(u32),
    /// All columns of a group have the same width; except that a column in which all numbers are 0 has width 0.
    Group(usize),
}

/// A component of a state, and its new component number.
pub(crate) type Change = (u32, u32);

impl Column {
    pub(crate) fn get(self, row: &[u64]) -> u32 {
        (row[self.word as usize] >> self.shift & ((1 << self.bits) - 1)) as u32
    }

    fn set(self, row: &mut [u64], number: u32) {
        if self.bits > 0 {
            let word = &mut row[self.word as usize];
            *word = *word & !self.mask() | u64::from(number) << self.shift;
        }
    }

    fn has_room_for(self, number: u32) -> bool {
        u64::from(number) >> self.bits == 0
    }

    pub(crate) fn word(self) -> usize {
        self.word as usize
    }

    /// The width in bits.
    pub(crate) fn width(self) -> u32 {
        self.bits
    }

    /// The bits of the word that belong to the column.
    pub(crate) fn mask(self) -> u64 {
        ((1 << self.bits) - 1) << self.shift
    }

    /// Whether the column lies within a row of this many words.
    pub(crate) fn is_within(self, words: usize) -> bool {
        let inside = self.bits <= u32::BITS && self.shift < u64::BITS;
        inside && self.shift + self.bits <= u64::BITS && (self.word as usize) < words
    }
}

impl RowFormat {
    /// How the width of each column is determined.
    pub(crate) fn sizes(&self) -> &[Size] {
        &self.sizes
    }

    /// Replaces the content of `state` by the components in this row.
    pub(crate) fn unpack(&self, row: &[u64], state: &mut Vec<u32>) {
        state.clear();
        state.resize(self.columns.len(), 0);
        for used in &self.used {
            let bits = row[used.word as usize] >> used.shift;
            state[used.part as usize] = bits as u32 & used.mask;
        }
    }

    /// Applies changes to `row`, the row of a state with components `parts`. `kept` is the stored hash of that state,
    /// if there is one. Returns the hash with which to look up the new row; `None` if a column is too narrow for a
    /// change.
    pub(crate) fn change(
        &self,
        (row, kept): (&mut [u64], Option<u64>),
        parts: &[u32],
        changes: &[Change],
    ) -> Option<u64> {
        let mut room = true;
        for (part, number) in changes {
            let column = self.columns[*part as usize];
            let differs = u64::from(parts[*part as usize] ^ *number);
            room &= differs >> column.bits == 0;
            row[column.word as usize] ^= differs << column.shift;
        }
        let share_of = |(part, number): &Change| {
            share(*part, *number).wrapping_sub(share(*part, parts[*part as usize]))
        };
        room.then(|| match kept {
            None => rows::hash(row),
            Some(hash) => changes.iter().map(share_of).fold(hash, u64::wrapping_add),
        })
    }

    /// These columns, in the order in which they stand in a row.
    fn in_order(&self, columns: &[Column]) -> Vec<Column> {
        self.order.iter().map(|p| columns[*p as usize]).collect()
    }
}

impl VisitedSet {
    /// An empty set of states with components of these sizes.
    pub(crate) fn new(sizes: Vec<Size>) -> VisitedSet {
        let format = RowFormat {
            columns: vec![Column::default(); sizes.len()],
            order: (0..sizes.len() as u32).collect(),
            sizes,
            used: Vec::new(),
        };
        VisitedSet {
            format: Arc::new(format),
            ..VisitedSet::default()
        }
    }

    /// Chooses the form of the set and the order of components in a row, before the first state is inserted.
    pub(crate) fn keep_by(&mut self, storage: Storage, order: Vec<u32>) {
        Arc::make_mut(&mut self.format).order = order;
        match storage {
            Storage::Plain | Storage::AsNeeded(_) => {}
            Storage::Compressed => self
                .rows
                .compress(&self.format.in_order(&self.format.columns)),
            Storage::Hashes(bits) => self.rows = RowSet::Hashes(HashCompaction::new(bits)),
        }
    }

    /// Whether the set is non-empty and in plain form, so that it can be compressed.
    pub(crate) fn can_compress(&self) -> bool {
        matches!(self.rows, RowSet::Plain(_)) && self.len() > 0
    }

    /// Switches from plain form to tree compression. Returns whether it did.
    pub(crate) fn compress(&mut self) -> bool {
        let can = self.can_compress();
        if can {
            self.rows
                .compress(&self.format.in_order(&self.format.columns));
        }
        can
    }

    /// The hash compaction, if that is the form of the set.
    pub(crate) fn hashes(&mut self) -> Option<&mut HashCompaction> {
        match &mut self.rows {
            RowSet::Hashes(hashes) => Some(hashes),
            RowSet::Plain(_) | RowSet::CompressedTree(_) => None,
        }
    }

    /// Whether the rows of visited states are dropped (hash compaction).
    pub(crate) fn drops_visited(&self) -> bool {
        matches!(self.rows, RowSet::Hashes(_))
    }

    /// The hash of a state under hash compaction.
    pub(crate) fn hash(state: &[u32]) -> u64 {
        let shares = (0..).zip(state).map(|(part, number)| share(part, *number));
        shares.fold(0, u64::wrapping_add)
    }

    /// Inserts a state. Returns its number, and whether it is new.
    pub(crate) fn insert(&mut self, state: &[u32]) -> (u32, bool) {
        self.make_room(state);
        self.write(state);
        self.rows.insert(&self.row, self.hash_of(state))
    }

    /// Inserts `state`, which differs from the state number `other` only in the components `differs`.
    pub(crate) fn insert_beside(
        &mut self,
        other: u32,
        state: &[u32],
        differs: &[u32],
    ) -> (u32, bool) {
        for part in differs {
            if !self.format.columns[*part as usize].has_room_for(state[*part as usize]) {
                self.make_room(state);
                break;
            }
        }
        let mut row = std::mem::take(&mut self.row);
        let changes = differs.iter().map(|part| (*part, state[*part as usize]));
        let hash = self.write_changed(other, changes, &mut row);
        self.row = row;
        self.rows.insert(&self.row, hash)
    }

    /// Inserts a state, given by its changes to the state number `other`.
    pub(crate) fn insert_changed(&mut self, other: u32, changes: &[Change]) -> (u32, bool) {
        let room =
            |(part, number): &Change| self.format.columns[*part as usize].has_room_for(*number);
        if !changes.iter().all(room) {
            let mut state = Vec::new();
            self.read(other, &mut state);
            for (part, number) in changes {
                state[*part as usize] = *number;
            }
            return self.insert(&state);
        }
        let mut row = std::mem::take(&mut self.row);
        let hash = self.write_changed(other, changes.iter().copied(), &mut row);
        self.row = row;
        self.rows.insert(&self.row, hash)
    }

    /// For each state with these consecutive rows and hashes: its number, or [`rows::ABSENT`] if it is not in the set.
    pub(crate) fn find_all(&self, rows: &[u64], hashes: &[u64], found: &mut Vec<u32>) {
        match &self.rows {
            RowSet::Plain(plain) => plain.find_all(rows, hashes, found),
            set => {
                let rows = rows.chunks_exact(set.words()).zip(hashes);
                let number = rows.map(|(row, hash)| set.find(row, Some(*hash)));
                found.clear();
                found.extend(number.map(|number| number.unwrap_or(rows::ABSENT)));
            }
        }
    }

    /// Prefetches the table entries of rows with these hashes; only in plain form.
    pub(crate) fn prefetch(&self, hashes: impl Iterator<Item = u64>) {
        if let RowSet::Plain(rows) = &self.rows {
            rows.prefetch(hashes);
        }
    }

    /// Inserts a state by its row in the current format, with its hash. Returns its number, and whether it is new.
    pub(crate) fn insert_packed(&mut self, row: &[u64], hash: u64) -> (u32, bool) {
        match &mut self.rows {
            RowSet::Plain(rows) => rows.insert(row, hash),
            set => set.insert(row, Some(hash)),
        }
    }

    /// Sets the number of threads that may rebuild the hash table.
    pub(crate) fn set_threads(&mut self, threads: usize) {
        if let RowSet::Plain(rows) = &mut self.rows {
            rows.set_threads(threads);
        }
    }

    /// Writes into `row` the state number `other` with these changes, which fit into the columns. Returns the hash of
    /// the new state if the set stores hashes.
    fn write_changed(
        &self,
        other: u32,
        changes: impl Iterator<Item = Change>,
        row: &mut Vec<u64>,
    ) -> Option<u64> {
        row.clear();
        let mut hash = self.rows.read(other, row);
        for (part, number) in changes {
            let column = self.format.columns[part as usize];
            if let Some(hash) = &mut hash {
                let before = share(part, column.get(row));
                *hash = hash.wrapping_sub(before).wrapping_add(share(part, number));
            }
            column.set(row, number);
        }
        hash
    }

    /// The number of a state, if it is in the set. Under hash compaction only presence is meaningful.
    pub(crate) fn find(&self, state: &[u32]) -> Option<u32> {
        let pairs = self.format.columns.iter().zip(state);
        if self.rows.len() == 0 || !pairs.clone().all(|(c, number)| c.has_room_for(*number)) {
            return None;
        }
        let mut row = vec![0; self.rows.words()];
        pairs.for_each(|(column, number)| column.set(&mut row, *number));
        self.rows.find(&row, self.hash_of(state))
    }

    /// Reads the components of a state into `state`.
    pub(crate) fn read(&self, number: u32, state: &mut Vec<u32>) {
        match &self.rows {
            RowSet::Plain(rows) => self.format.unpack(rows.get(number), state),
            RowSet::CompressedTree(tree) => {
                let mut row = Vec::with_capacity(tree.words());
                tree.read(number, &mut row);
                self.format.unpack(&row, state);
            }
            RowSet::Hashes(hashes) => match hashes.get(number) {
                Some((row, _)) => self.format.unpack(row, state),
                None => hashes.reconstructed(number).clone_into(state),
            },
        }
    }

    pub(crate) fn len(&self) -> u32 {
        self.rows.len()
    }

    /// The current format of rows.
    pub(crate) fn format(&self) -> Arc<RowFormat> {
        self.format.clone()
    }

    /// Whether `format` is still the current format.
    pub(crate) fn has_format(&self, format: &Arc<RowFormat>) -> bool {
        Arc::ptr_eq(&self.format, format)
    }

    /// How the width of each column is determined.
    pub(crate) fn sizes(&self) -> &[Size] {
        &self.format.sizes
    }

    /// By component: its column in the current format.
    pub(crate) fn columns(&self) -> &[Column] {
        &self.format.columns
    }

    /// Words per row.
    pub(crate) fn words(&self) -> usize {
        self.rows.words()
    }

    /// Appends the rows of these states, and their hashes if the set stores hashes.
    pub(crate) fn read_rows(&self, states: Range<u32>, rows: &mut Vec<u64>, hashes: &mut Vec<u64>) {
        match &self.rows {
            RowSet::Plain(plain) => plain.copy(states, rows),
            set => hashes.extend(states.flat_map(|state| set.read(state, rows))),
        }
    }

    /// Appends the row of a state. Returns its hash if the set stores hashes.
    pub(crate) fn read_row(&self, number: u32, rows: &mut Vec<u64>) -> Option<u64> {
        self.rows.read(number, rows)
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        self.rows.memory()
    }

    /// Bytes that are added soon if hash tables are almost full. The search counts them as used, so that it reaches its
    /// memory limit before it enlarges a large table.
    pub(crate) fn growth(&self) -> u64 {
        let growth = self.rows.growth();
        if growth >= LARGE { growth } else { 0 }
    }

    /// Writes a state into [`VisitedSet::row`]. All columns must be wide enough.
    fn write(&mut self, state: &[u32]) {
        self.row.clear();
        self.row.resize(self.rows.words(), 0);
        for (column, number) in self.format.columns.iter().zip(state) {
            column.set(&mut self.row, *number);
        }
    }

    /// The hash of a state if the set stores hashes.
    fn hash_of(&self, state: &[u32]) -> Option<u64> {
        self.drops_visited().then(|| VisitedSet::hash(state))
    }

    /// If a column is too narrow for a state: widens columns, and rewrites all rows.
    fn make_room(&mut self, state: &[u32]) {
        let pairs = self.format.columns.iter().zip(state);
        if self.rows.words() > 0 && pairs.clone().all(|(column, n)| column.has_room_for(*n)) {
            return;
        }
        let needs = |number: u32| match number {
            0 => 0,
            _ => (u32::BITS - number.leading_zeros() + 1).min(u32::BITS),
        };
        let mut groups = vec![0; self.format.columns.len()];
        for ((column, number), size) in pairs.zip(&self.format.sizes) {
            if let Size::Group(group) = size {
                let bits = match column.has_room_for(*number) {
                    true => column.bits,
                    false => needs(*number),
                };
                groups[*group] = bits.max(groups[*group]);
            }
        }
        let mut columns = self.format.columns.clone();
        let (mut word, mut used) = (0, 0);
        for part in self.format.order.iter().map(|part| *part as usize) {
            let bits = match self.format.sizes[part] {
                Size::Bits(bits) => bits,
                Size::Group(_) if self.format.columns[part].bits == 0 && state[part] == 0 => 0,
                Size::Group(group) => groups[group],
            };
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            let shift = used % u64::BITS;
            columns[part] = Column { word, shift, bits };
            used += bits;
        }
        let words = word as usize + 1;
        let in_order = self.format.in_order(&columns);
        let moves = Move::all(&self.format.in_order(&self.format.columns), &in_order);
        self.rows.rewrite(&in_order, words, |from, to| {
            for piece in &moves {
                piece.apply(from, to);
            }
        });
        let used = (0..).zip(&columns).filter(|(_, column)| column.bits > 0);
        let used = used.map(|(part, column)| Used {
            part,
            word: column.word,
            shift: column.shift,
            mask: (column.mask() >> column.shift) as u32,
        });
        let used = used.collect();
        let format = Arc::make_mut(&mut self.format);
        (format.used, format.columns) = (used, columns);
    }
}

/// A group of columns that move together from one word to one word when rows are rewritten, because their relative
/// positions stay the same.
struct Move {
    from: u32,
    mask: u64,
    to: u32,
    rotate: u32,
}

impl Move {
    /// The moves that convert rows with the columns `old` to rows with the columns `new`.
    fn all(old: &[Column], new: &[Column]) -> Vec<Move> {
        let mut moves: Vec<Move> = Vec::new();
        for (old, new) in old.iter().zip(new).filter(|(old, _)| old.bits > 0) {
            let mask = old.mask();
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

/// Reads the components of a state from a row with these columns.
pub(crate) fn read(columns: &[Column], row: &[u64], state: &mut Vec<u32>) {
    state.clear();
    state.extend(columns.iter().map(|column| column.get(row)));
}
