//! The visited set: states as packed rows of component numbers, in plain, tree-compressed or hash-compacted form.

pub(crate) mod hash_compaction;
pub(crate) mod packed;
pub(crate) mod pairs;
pub(crate) mod pending_inserts;
pub(crate) mod row_set;
pub(crate) mod rows;
pub(crate) mod tree_compression;
pub(crate) mod visited_set;
