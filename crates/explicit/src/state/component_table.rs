//! Component tables (COLLAPSE compression): a state is a row of component numbers.
//!
//! A state has one component for the mode and variables of each node, one for each number that belongs to no node, and
//! one for each outbox, inbox and channel. The distinct values of a component are numbered in the order of arrival. So
//! a state is a row of small numbers, of which an event changes few. A value that occurs in several states is stored
//! once, and values are compared by number. A number that belongs to no node is used as component number directly,
//! unless it needs more than 31 bits.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;
use std::sync::Arc;

/// Assigns numbers to the values of components.
pub(crate) trait Numbering {
    /// The number of a value of component `part`, given as bytes; a new value gets the next number.
    fn number(&mut self, part: usize, value: &[u8]) -> u32;
    /// The value of component `part` with this number.
    fn value(&self, part: usize, number: u32) -> &[u8];
    /// Whether the number is in the shared tables (true), or only valid in this overlay (false).
    fn is_settled(&self, part: usize, number: u32) -> bool;
}

/// The values of all components.
#[derive(Clone, Default)]
pub(crate) struct ComponentTables {
    tables: Vec<Table>,
}

/// The values of one component, by number.
#[derive(Default)]
struct Table {
    bytes: Vec<u8>,
    ends: Vec<u64>,
    numbers: HashTable<u32>,
}

impl ComponentTables {
    pub(crate) fn new(parts: usize) -> ComponentTables {
        ComponentTables {
            tables: (0..parts).map(|_| Table::default()).collect(),
        }
    }

    /// The number of values of a component.
    pub(crate) fn count(&self, part: usize) -> u32 {
        self.tables[part].ends.len() as u32
    }

    /// The number of a value, if it is in the table.
    pub(crate) fn find(&self, part: usize, value: &[u8]) -> Option<u32> {
        self.tables[part].find(hash(value), value)
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        let each = self.tables.iter().map(|table| {
            table.bytes.capacity() + table.ends.capacity() * 8 + table.numbers.allocation_size()
        });
        each.sum::<usize>() as u64
    }
}

impl Numbering for ComponentTables {
    fn number(&mut self, part: usize, value: &[u8]) -> u32 {
        self.tables[part].number(value)
    }

    fn value(&self, part: usize, number: u32) -> &[u8] {
        self.tables[part].value(number)
    }

    fn is_settled(&self, _: usize, _: u32) -> bool {
        true
    }
}

/// Tables behind a shared pointer: a new value copies the tables if they are shared, so that other owners see no
/// change.
impl Numbering for Arc<ComponentTables> {
    fn number(&mut self, part: usize, value: &[u8]) -> u32 {
        match self.find(part, value) {
            Some(number) => number,
            None => Arc::make_mut(self).number(part, value),
        }
    }

    fn value(&self, part: usize, number: u32) -> &[u8] {
        (**self).value(part, number)
    }

    fn is_settled(&self, _: usize, _: u32) -> bool {
        true
    }
}

/// Values of components that are not in the shared tables yet.
#[derive(Default)]
pub(crate) struct NewComponents {
    /// Component, number of its values in the shared tables, and its new values, numbered from there on.
    tables: Vec<(usize, u32, Table)>,
}

impl NewComponents {
    pub(crate) fn clear(&mut self) {
        self.tables.clear();
    }

    /// The value with a number beyond the shared tables; `None` if the number is in them.
    pub(crate) fn value(&self, part: usize, number: u32) -> Option<&[u8]> {
        let (_, before, table) = self.tables.iter().find(|(p, ..)| *p == part)?;
        Some(table.value(number.checked_sub(*before)?))
    }
}

/// Shared tables, which do not change, and new values beside them.
pub(crate) struct Overlay<'t> {
    pub(crate) base: &'t ComponentTables,
    pub(crate) fresh: NewComponents,
}

impl Numbering for Overlay<'_> {
    fn number(&mut self, part: usize, value: &[u8]) -> u32 {
        if let Some(number) = self.base.find(part, value) {
            return number;
        }
        let before = self.base.count(part);
        let tables = &mut self.fresh.tables;
        let at = tables.iter().position(|(p, ..)| *p == part);
        let at = at.unwrap_or_else(|| {
            tables.push((part, before, Table::default()));
            tables.len() - 1
        });
        before + tables[at].2.number(value)
    }

    fn value(&self, part: usize, number: u32) -> &[u8] {
        match number < self.base.count(part) {
            true => self.base.value(part, number),
            false => self.fresh.value(part, number).expect("it was met"),
        }
    }

    fn is_settled(&self, part: usize, number: u32) -> bool {
        number < self.base.count(part)
    }
}

impl Clone for Table {
    /// Preserves capacities, so that the reported memory does not depend on how often the table was copied.
    fn clone(&self) -> Table {
        let mut bytes = Vec::with_capacity(self.bytes.capacity());
        bytes.extend_from_slice(&self.bytes);
        let mut ends = Vec::with_capacity(self.ends.capacity());
        ends.extend_from_slice(&self.ends);
        Table {
            bytes,
            ends,
            numbers: self.numbers.clone(),
        }
    }
}

impl Table {
    fn find(&self, hash: u64, value: &[u8]) -> Option<u32> {
        let same = |number: &u32| self.value(*number) == value;
        self.numbers.find(hash, same).copied()
    }

    fn number(&mut self, value: &[u8]) -> u32 {
        let hash_of = hash(value);
        if let Some(number) = self.find(hash_of, value) {
            return number;
        }
        let number = self.ends.len() as u32;
        self.bytes.extend_from_slice(value);
        self.ends.push(self.bytes.len() as u64);
        let (bytes, ends) = (&self.bytes, &self.ends);
        self.numbers
            .insert_unique(hash_of, number, |n| hash(slice(bytes, ends, *n)));
        number
    }

    fn value(&self, number: u32) -> &[u8] {
        slice(&self.bytes, &self.ends, number)
    }
}

fn slice<'b>(bytes: &'b [u8], ends: &[u64], number: u32) -> &'b [u8] {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &bytes[start as usize..ends[number] as usize]
}

fn hash(value: &[u8]) -> u64 {
    FixedState::default().hash_one(value)
}

/// A little-endian number of at most eight bytes.
pub(crate) fn read(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}
