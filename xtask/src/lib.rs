//! Checks of the tree itself, and long runs.
//!
//! [`tidy`] holds rules that no compiler knows; `cargo test` runs it, and so does `cargo xtask tidy`. Each
//! rule is a function from a [`Tree`] to the problems it finds, so that a made-up tree can break it.

mod codes;
mod files;
mod layers;
mod links;
mod long;
mod map;
pub mod reference;
mod semantics;
mod tree;
mod words;

pub use long::long;
pub use tree::{Problem, Tree};

use std::path::Path;

/// Everything that is untidy in the repository with this root folder, in the order of files.
pub fn tidy(root: &Path) -> Vec<Problem> {
    let tree = match Tree::read(root) {
        Ok(tree) => tree,
        Err(error) => return vec![Problem::new(".", format!("cannot be read: {error}"))],
    };
    let mut problems = match layers::metadata(root) {
        Ok(metadata) => layers::check(&metadata),
        Err(why) => vec![Problem::new("Cargo.toml", why)],
    };
    problems.extend(map::check(&tree));
    problems.extend(files::check(&tree));
    problems.extend(codes::check(&tree));
    problems.extend(words::check(&tree));
    problems.extend(links::check(&tree));
    problems.extend(semantics::check(&tree));
    problems.sort();
    problems
}
