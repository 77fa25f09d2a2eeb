//! The language reference: a book that is generated from the semantics suite, so that its examples are tested.
//!
//! Each file of `tests/semantics/*.md` is a chapter: title, introduction, and sentences with prose, models and
//! expectations. `docs/reference/` contains the same text in a didactic order, with answers instead of `expect` blocks.
//! To add a chapter, add its file name to `PARTS`.

mod answers;
mod chapter;

use crate::tree::Tree;
use crate::tree::markdown::anchor;
use chapter::Chapter;
use std::path::Path;

/// The parts of the book, each with the files of the suite that are its chapters.
const PARTS: &[(&str, &[&str])] = &[
    (
        "Nodes",
        &[
            "start-and-halt",
            "choices-and-values",
            "code",
            "data",
            "counters",
        ],
    ),
    (
        "Messages",
        &[
            "sending",
            "handing-over",
            "inboxes",
            "mixed-inboxes",
            "instant-delivery",
            "networks",
        ],
    ),
    (
        "Questions",
        &[
            "claims",
            "fairness",
            "instances",
            "variants-and-worlds",
            "sought-values",
        ],
    ),
    (
        "What may go wrong",
        &["faults", "faulty-nodes", "faults-in-the-run"],
    ),
    ("Time", &["rounds", "time", "delays", "timers", "deadlines"]),
    (
        "Two studies in time",
        &["drifting-apart", "periodic-election"],
    ),
    ("Limits", &["refused"]),
];

/// The folder of the generated book.
const BOOK: &str = "docs/reference/";

/// The folder of the semantics suite.
const SUITE: &str = "tests/semantics/";

/// The preface, which is written by hand, and the page before the first chapter, which is not generated.
const PREFACE: &str = "xtask/src/reference/preface.txt";
const BY_HAND: &str = "overview.md";

/// The generated pages with their paths, or the mistakes in the suite.
pub fn pages(tree: &Tree) -> Result<Vec<(String, String)>, Vec<String>> {
    let mut wrong = not_listed(tree);
    let mut read = Vec::new();
    for (part, files) in PARTS {
        let mut chapters = Vec::new();
        for file in *files {
            match tree.text(&format!("{SUITE}{file}.md")) {
                None => wrong.push(format!(
                    "{SUITE}{file}.md is a chapter of the reference and not there"
                )),
                Some(text) => match Chapter::read(file, text) {
                    Ok(chapter) => chapters.push(chapter),
                    Err(why) => wrong.push(format!("{SUITE}{file}.md: {why}")),
                },
            }
        }
        read.push((*part, chapters));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let chapters: Vec<&Chapter> = read.iter().flat_map(|(_, chapters)| chapters).collect();
    let mut pages = vec![(format!("{BOOK}README.md"), index(tree, &read))];
    for (i, chapter) in chapters.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| chapters[i]);
        let text = chapter.page(tree, before, chapters.get(i + 1).copied());
        pages.push((format!("{BOOK}{}.md", chapter.file), text));
    }
    Ok(pages)
}

/// The mistakes of the book: mistakes in the suite, and pages that are missing, outdated or superfluous.
pub fn outdated(tree: &Tree) -> Vec<String> {
    let pages = match pages(tree) {
        Ok(pages) => pages,
        Err(wrong) => return wrong,
    };
    let mut problems = Vec::new();
    for (path, text) in &pages {
        match tree.text(path) {
            Some(written) if written == text => {}
            Some(_) => problems.push(format!("{path} is not what the semantics suite says")),
            None => problems.push(format!("{path} is not there")),
        }
    }
    for (path, _) in tree.files().filter(|(path, _)| path.starts_with(BOOK)) {
        let by_hand = path.strip_prefix(BOOK) == Some(BY_HAND);
        if !by_hand && !pages.iter().any(|(page, _)| page == path) {
            problems.push(format!("{path} is made from nothing: remove it"));
        }
    }
    problems
}

/// Writes the book. Returns the paths of the pages that changed.
pub fn write(root: &Path) -> Result<Vec<String>, String> {
    let tree = Tree::read(root).map_err(|e| e.to_string())?;
    let pages = pages(&tree).map_err(|wrong| wrong.join("\n"))?;
    let mut changed = Vec::new();
    for (path, text) in pages {
        if tree.text(&path) != Some(&text) {
            let file = root.join(&path);
            let folder = file.parent().expect("a page is in a folder");
            std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
            std::fs::write(&file, text).map_err(|e| format!("{path}: {e}"))?;
            changed.push(path);
        }
    }
    Ok(changed)
}

/// Complaints about files of the suite that `PARTS` does not list.
fn not_listed(tree: &Tree) -> Vec<String> {
    let listed = |name: &str| PARTS.iter().any(|(_, files)| files.contains(&name));
    let names = tree.files().filter_map(|(path, _)| {
        let name = path.strip_prefix(SUITE)?.strip_suffix(".md")?;
        (name != "README" && !listed(name)).then_some(path)
    });
    names
        .map(|path| format!("{path} is in no part of the reference: add it to PARTS in xtask"))
        .collect()
}

/// The first page: the preface, the list of chapters, and the list of all sentences.
fn index(tree: &Tree, parts: &[(&str, Vec<Chapter>)]) -> String {
    let mut text =
        format!("<!-- Made from {SUITE} and {PREFACE} by `cargo xtask reference`. -->\n");
    text.push_str(tree.text(PREFACE).unwrap_or_default());
    text.push_str("\n## Chapters\n\nFirst: [types and operators](overview.md).\n");
    for (part, chapters) in parts {
        text.push_str(&format!("\n**{part}**\n\n"));
        for chapter in chapters {
            let Chapter { title, file, .. } = chapter;
            text.push_str(&format!("- [{title}]({file}.md): {}\n", chapter.summary()));
        }
    }
    text.push_str("\n## Every sentence\n");
    for (_, chapters) in parts {
        for chapter in chapters {
            let Chapter { title, file, .. } = chapter;
            text.push_str(&format!("\n### {title}\n\n"));
            for sentence in &chapter.sentences {
                text.push_str(&format!("- [{sentence}]({file}.md#{})\n", anchor(sentence)));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_no_part_names_is_noticed() {
        let tree = Tree::of(&[("tests/semantics/moods.md", "# Moods\n")]);
        let said = outdated(&tree);
        assert!(
            said.iter().any(|s| s.contains("moods.md is in no part")),
            "{said:?}"
        );
        assert!(said.iter().any(|s| s.contains("sending.md is a chapter")));
    }
}
