//! The tidy rules: conventions of the repository that the compiler does not check.

mod codes;
mod files;
mod layers;
mod links;
mod map;
mod rooms;
mod semantics;
mod structs;
mod unit_tests;
mod vocabulary;
mod words;

use crate::tree::{Problem, Tree};
use std::path::Path;

/// All violations of the rules in the repository with this root folder, sorted by path.
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
    problems.extend(rooms::check(&tree));
    problems.extend(codes::check(&tree));
    problems.extend(structs::check(&tree));
    problems.extend(unit_tests::check(&tree));
    problems.extend(words::check(&tree));
    problems.extend(vocabulary::check(&tree));
    problems.extend(links::check(&tree));
    problems.extend(semantics::check(&tree));
    problems.sort();
    problems
}
