//! Rule: every file of the semantics suite has a heading, and no model comes before the first one.

use crate::tree::markdown::prose;
use crate::tree::{Problem, Tree};

/// Checks the headings of `tests/semantics/*.md`.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.with_ending(".md") {
        if !path.starts_with("tests/semantics/") {
            continue;
        }
        let first = prose(text).find(|(_, line)| line.starts_with('#'));
        let model = text.lines().position(|line| line.starts_with("```"));
        match (first, model) {
            (None, _) => {
                let text = "has no heading: each sentence that is tested is one";
                problems.push(Problem::new(path, text));
            }
            (Some((heading, _)), Some(model)) if model < heading => {
                let text = format!("line {}: a model before the first heading", model + 1);
                problems.push(Problem::new(path, text));
            }
            _ => {}
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_wanted_there_and_only_there() {
        let tree = Tree::of(&[
            ("README.md", "plain"),
            ("tests/semantics/a.md", "# A\n```\n```\n"),
            ("tests/semantics/b.md", "plain\n"),
            ("tests/semantics/c.md", "```\n```\n# C\n"),
        ]);
        let paths: Vec<String> = check(&tree).into_iter().map(|p| p.path).collect();
        assert_eq!(paths, ["tests/semantics/b.md", "tests/semantics/c.md"]);
    }
}
