//! The three forms of the visited set: plain rows, tree compression, hash compaction.

use crate::store::hash_compaction::HashCompaction;
use crate::store::rows::{self, Rows};
use crate::store::tree_compression::CompressedTree;
use crate::store::visited_set::Column;

/// A set of rows, numbered in the order of arrival.
pub(crate) enum RowSet {
    /// Uncompressed rows.
    Plain(Rows),
    /// Tree compression: equal parts of rows are stored once.
    CompressedTree(CompressedTree),
    /// Hash compaction, which may confuse states. Rows are dropped after their states have been visited.
    Hashes(HashCompaction),
}

impl Default for RowSet {
    fn default() -> RowSet {
        RowSet::Plain(Rows::default())
    }
}

impl RowSet {
    pub(crate) fn len(&self) -> u32 {
        match self {
            RowSet::Plain(rows) => rows.len(),
            RowSet::CompressedTree(tree) => tree.len(),
            RowSet::Hashes(hashes) => hashes.len(),
        }
    }

    /// Words per row.
    pub(crate) fn words(&self) -> usize {
        match self {
            RowSet::Plain(rows) => rows.words(),
            RowSet::CompressedTree(tree) => tree.words(),
            RowSet::Hashes(hashes) => hashes.words(),
        }
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        match self {
            RowSet::Plain(rows) => rows.memory(),
            RowSet::CompressedTree(tree) => tree.memory(),
            RowSet::Hashes(hashes) => hashes.memory(),
        }
    }

    /// Bytes that are added soon if hash tables are almost full. The table of hash compaction counts as 0: its old
    /// chunks are released while it is copied.
    pub(crate) fn growth(&self) -> u64 {
        match self {
            RowSet::Plain(rows) => rows.growth(),
            RowSet::CompressedTree(tree) => tree.growth(),
            RowSet::Hashes(_) => 0,
        }
    }

    /// Appends the row with this number to `row`. Returns the stored hash of its state under hash compaction, otherwise
    /// `None`.
    pub(crate) fn read(&self, number: u32, row: &mut Vec<u64>) -> Option<u64> {
        match self {
            RowSet::Plain(rows) => {
                row.extend_from_slice(rows.get(number));
                None
            }
            RowSet::CompressedTree(tree) => {
                tree.read(number, row);
                None
            }
            RowSet::Hashes(hashes) => {
                let (found, hash) = hashes.get(number).expect("it is still to be visited");
                row.extend_from_slice(found);
                Some(hash)
            }
        }
    }

    /// The number of a row, if it is in the set. Under hash compaction: `Some(0)` if a state with this hash is in the
    /// set.
    pub(crate) fn find(&self, row: &[u64], hash: Option<u64>) -> Option<u32> {
        match self {
            RowSet::Plain(rows) => rows.find(row, rows::hash(row)),
            RowSet::CompressedTree(tree) => tree.find(row),
            RowSet::Hashes(hashes) => hash.filter(|h| hashes.has(*h)).map(|_| 0),
        }
    }

    /// Inserts a row, with the hash of its state under hash compaction. Returns its number, and whether it is new.
    pub(crate) fn insert(&mut self, row: &[u64], hash: Option<u64>) -> (u32, bool) {
        match self {
            RowSet::Plain(rows) => rows.insert(row, rows::hash(row)),
            RowSet::CompressedTree(tree) => tree.insert(row),
            RowSet::Hashes(hashes) => hashes.insert(row, hash.expect("it is kept")),
        }
    }

    /// Converts all rows to a format with these columns and this many words. `write` must map different rows to
    /// different rows.
    pub(crate) fn rewrite(
        &mut self,
        columns: &[Column],
        words: usize,
        write: impl Fn(&[u64], &mut [u64]) + Sync,
    ) {
        match self {
            RowSet::Plain(rows) => rows.rewrite(words, write),
            RowSet::CompressedTree(tree) => tree.rewrite(columns, words, write),
            RowSet::Hashes(hashes) => hashes.rewrite(words, write),
        }
    }

    /// Converts plain rows with these columns to a compressed tree; does nothing if the set has another form.
    pub(crate) fn compress(&mut self, columns: &[Column]) {
        if let RowSet::Plain(rows) = self {
            let mut tree = CompressedTree::new(columns, rows.words());
            rows.drain(|row| {
                cancellation::poll();
                tree.insert(row);
            });
            *self = RowSet::CompressedTree(tree);
        }
    }
}
