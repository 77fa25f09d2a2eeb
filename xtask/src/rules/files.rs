//! Rule: every Rust file begins with a sentence about its contents, and is not too long.

use crate::tree::{Problem, Tree};

/// The largest number of lines of a Rust file.
const MOST_LINES: usize = 600;

/// Checks the first line and the length of every Rust file.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.with_ending(".rs") {
        if !text.starts_with("//! ") {
            let text = "begins without `//! …`: one sentence that says what the file owns";
            problems.push(Problem::new(path, text));
        }
        let lines = text.lines().count();
        if lines > MOST_LINES {
            let text = format!("has {lines} lines, and {MOST_LINES} are the most: split it");
            problems.push(Problem::new(path, text));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_an_opening_is_noticed() {
        let problems = check(&Tree::of(&[
            ("a.rs", "//! Owns a.\n"),
            ("b.rs", "use a;\n"),
        ]));
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].path, "b.rs");
    }

    #[test]
    fn a_long_file_is_noticed() {
        let long = "//! Owns a.\n".repeat(MOST_LINES);
        assert_eq!(check(&Tree::of(&[("a.rs", &long)])), []);
        let longer = format!("{long}// one more\n");
        assert_eq!(check(&Tree::of(&[("a.rs", &longer)])).len(), 1);
    }
}
