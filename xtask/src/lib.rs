//! Checks of the repository itself, generated documents, and long test runs.
//!
//! [`tidy`] enforces rules that the compiler does not know; `cargo test` runs it, and so does `cargo xtask tidy`. Each
//! rule is a function from a [`Tree`] to the problems it finds, so that its tests can break it with a made-up tree.

mod long;
pub mod reference;
mod rules;
mod tree;

pub use long::long;
pub use rules::tidy;
pub use tree::{Problem, Tree};
