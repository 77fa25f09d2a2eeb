//! Rule: texts are about the project, neither about the organisation of the work nor about a particular machine.

use crate::tree::{Problem, Tree};

/// The forbidden patterns, written in two parts so that this file does not contain them.
const PATTERNS: &[&str] = &[
    concat!("ses", "sion"),
    concat!("sub", "agent"),
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
];

/// Finds the patterns in Markdown and Rust files.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.with_ending(".md").chain(tree.with_ending(".rs")) {
        for (number, line) in text.lines().enumerate() {
            let small = line.to_lowercase();
            for pattern in PATTERNS.iter().filter(|p| small.contains(**p)) {
                let text = format!("line {}: `{pattern}` has no place here", number + 1);
                problems.push(Problem::new(path, text));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_noticed() {
        for pattern in PATTERNS {
            let text = format!("fine\nIn {} it\n", pattern.to_uppercase());
            let problems = check(&Tree::of(&[("a.md", &text)]));
            assert_eq!(problems.len(), 1, "{pattern}");
            assert!(problems[0].text.starts_with("line 2: "));
        }
    }

    #[test]
    fn other_files_are_not_looked_at() {
        let text = format!("message {}", PATTERNS[0]);
        assert_eq!(check(&Tree::of(&[("a.scrut", &text)])), []);
    }
}
