//! The text of a model as a lossless tree, and the tree as plain data.

pub mod ast;
