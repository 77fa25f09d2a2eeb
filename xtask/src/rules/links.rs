//! Rule: links between Markdown files have targets.

use crate::tree::markdown::{anchor, prose};
use crate::tree::{Problem, Tree};

/// Checks all links to files and headings of the repository.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.with_ending(".md") {
        for (number, line) in prose(text) {
            for target in targets(line) {
                if let Some(why) = broken(tree, path, target) {
                    let text = format!("line {number}: the link to `{target}` {why}");
                    problems.push(Problem::new(path, text));
                }
            }
        }
    }
    problems
}

/// The targets of the links in a line: the texts between `](` and `)`, outside of code.
fn targets(line: &str) -> Vec<&str> {
    let pieces = line.split('`');
    let plain = pieces
        .step_by(2)
        .flat_map(|piece| piece.split("](").skip(1));
    // Code in the text of a link splits the line: `[`a`](b)` leaves `](b)`, which still contains the target.
    plain
        .filter_map(|rest| rest.split_once(')'))
        .map(|(t, _)| t)
        .collect()
}

fn broken(tree: &Tree, from: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = match target.split_once('#') {
        Some((file, heading)) => (file, Some(heading)),
        None => (target, None),
    };
    let path = match file {
        "" => from.to_string(),
        _ => match resolved(from, file) {
            Some(path) => path,
            None => return Some("leaves the repository".into()),
        },
    };
    if !tree.has(&path) {
        return Some("leads nowhere".into());
    }
    let heading = heading?;
    let text = tree.text(&path).unwrap_or_default();
    let found = prose(text)
        .filter(|(_, line)| line.starts_with('#'))
        .any(|(_, line)| anchor(line.trim_start_matches('#')) == heading);
    (!found).then(|| format!("names a heading that {path} does not have"))
}

/// The target of a link as a path from the root; `from` is the file that contains the link. `None` if the target is
/// outside of the repository.
fn resolved(from: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(markdown: &str) -> Vec<String> {
        let tree = Tree::of(&[
            ("docs/a.md", markdown),
            ("docs/b.md", "# One `thing`, two\n"),
            ("README.md", ""),
        ]);
        check(&tree).into_iter().map(|p| p.text).collect()
    }

    #[test]
    fn links_that_lead_somewhere() {
        assert!(
            texts("[b](b.md), [up](../README.md), [`here`](./b.md), [all](../docs/)").is_empty()
        );
        assert!(texts("# Own\n[b](b.md#one-thing-two) [own](#own)").is_empty());
        assert!(
            texts("[far](https://example.org/x) `[no](link)`\n```\n[no](link)\n```").is_empty()
        );
    }

    #[test]
    fn links_that_do_not() {
        assert_eq!(
            texts("\n[c](c.md)"),
            ["line 2: the link to `c.md` leads nowhere"]
        );
        assert_eq!(texts("[`c`](c.md)").len(), 1);
        assert_eq!(texts("[c](../../c.md)").len(), 1);
        let heading = texts("[b](b.md#three)");
        assert!(heading[0].ends_with("names a heading that docs/b.md does not have"));
    }
}
