//! What rows are kept in: as they are, as a tree, or as hashes of states only.

use crate::store::hash_compaction::HashCompaction;
use crate::store::rows::{self, Rows};
use crate::store::tree_compression::CompressedTree;
use crate::store::visited_set::Column;

/// Every row once, numbered in the order of arrival.
pub(crate) enum RowSet {
    /// As they are.
    Plain(Rows),
    /// What they have in common is kept once.
    CompressedTree(CompressedTree),
    /// Only as long as they are needed: not exact.
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

    /// How many words a row has.
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

    /// Puts a row behind what is there, and says what the hash of its state is, if that is kept.
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

    /// The number of a row whose state has this hash, if one is kept; where only hashes are, some number, if it seems to be there.
    pub(crate) fn find(&self, row: &[u64], hash: Option<u64>) -> Option<u32> {
        match self {
            RowSet::Plain(rows) => rows.find(row, rows::hash(row)),
            RowSet::CompressedTree(tree) => tree.find(row),
            RowSet::Hashes(hashes) => hash.filter(|h| hashes.has(*h)).map(|_| 0),
        }
    }

    /// The number of such a row, and whether it is new.
    pub(crate) fn insert(&mut self, row: &[u64], hash: Option<u64>) -> (u32, bool) {
        match self {
            RowSet::Plain(rows) => rows.insert(row, rows::hash(row)),
            RowSet::CompressedTree(tree) => tree.insert(row),
            RowSet::Hashes(hashes) => hashes.insert(row, hash.expect("it is kept")),
        }
    }

    /// Gives all rows other columns and words, as many as is said; they stay different.
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

    /// Makes a tree of rows with these columns.
    pub(crate) fn compress(&mut self, columns: &[Column]) {
        if let RowSet::Plain(rows) = self {
            let mut tree = CompressedTree::new(columns, rows.words());
            rows.drain(|row| {
                tree.insert(row);
            });
            *self = RowSet::CompressedTree(tree);
        }
    }
}
