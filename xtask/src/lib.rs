//! Checks of the repository, generated documents, and long test runs.
//!
//! [`tidy`] enforces rules that the compiler does not check; `cargo test` runs it, and so does `cargo xtask tidy`. Each
//! rule is a function from a [`Tree`] to the violations it finds, so that tests can check it on a small made-up tree.

mod long;
pub mod reference;
mod rules;
mod test;
mod tree;

pub use long::long;
pub use rules::tidy;
pub use test::run as test;
pub use tree::{Problem, Tree};
