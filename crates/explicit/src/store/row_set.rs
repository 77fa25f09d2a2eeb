//! What rows are kept in: as they are, as a tree, or as hashes of states only.

use crate::store::hash_compaction::Hashes;
use crate::store::rows::{self, Rows};
use crate::store::tree_compression::Tree;
use crate::store::visited_set::Column;

/// Every row once, numbered in the order of arrival.
pub(crate) enum Set {
    /// As they are.
    Plain(Rows),
    /// What they have in common is kept once.
    Tree(Tree),
    /// Only as long as they are needed: not exact.
    Hashes(Hashes),
}

impl Default for Set {
    fn default() -> Set {
        Set::Plain(Rows::default())
    }
}

impl Set {
    pub(crate) fn len(&self) -> u32 {
        match self {
            Set::Plain(rows) => rows.len(),
            Set::Tree(tree) => tree.len(),
            Set::Hashes(hashes) => hashes.len(),
        }
    }

    /// How many words a row has.
    pub(crate) fn words(&self) -> usize {
        match self {
            Set::Plain(rows) => rows.words(),
            Set::Tree(tree) => tree.words(),
            Set::Hashes(hashes) => hashes.words(),
        }
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        match self {
            Set::Plain(rows) => rows.memory(),
            Set::Tree(tree) => tree.memory(),
            Set::Hashes(hashes) => hashes.memory(),
        }
    }

    /// Puts a row behind what is there, and says what the hash of its state is, if that is kept.
    pub(crate) fn read(&self, number: u32, row: &mut Vec<u64>) -> Option<u64> {
        match self {
            Set::Plain(rows) => {
                row.extend_from_slice(rows.get(number));
                None
            }
            Set::Tree(tree) => {
                tree.read(number, row);
                None
            }
            Set::Hashes(hashes) => {
                let (found, hash) = hashes.get(number).expect("it is still to be visited");
                row.extend_from_slice(found);
                Some(hash)
            }
        }
    }

    /// The number of a row whose state has this hash, if one is kept; where only hashes are, some number, if it seems to be there.
    pub(crate) fn find(&self, row: &[u64], hash: Option<u64>) -> Option<u32> {
        match self {
            Set::Plain(rows) => rows.find(row, rows::hash(row)),
            Set::Tree(tree) => tree.find(row),
            Set::Hashes(hashes) => hash.filter(|h| hashes.has(*h)).map(|_| 0),
        }
    }

    /// The number of such a row, and whether it is new.
    pub(crate) fn insert(&mut self, row: &[u64], hash: Option<u64>) -> (u32, bool) {
        match self {
            Set::Plain(rows) => rows.insert(row, rows::hash(row)),
            Set::Tree(tree) => tree.insert(row),
            Set::Hashes(hashes) => hashes.insert(row, hash.expect("it is kept")),
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
            Set::Plain(rows) => rows.rewrite(words, write),
            Set::Tree(tree) => tree.rewrite(columns, words, write),
            Set::Hashes(hashes) => hashes.rewrite(words, write),
        }
    }

    /// Makes a tree of rows with these columns.
    pub(crate) fn compress(&mut self, columns: &[Column]) {
        if let Set::Plain(rows) = self {
            let mut tree = Tree::new(columns, rows.words());
            rows.drain(|row| {
                tree.insert(row);
            });
            *self = Set::Tree(tree);
        }
    }
}
