//! Rule: every error code has a page and a test.

use crate::tree::{Problem, Tree};

const LIST: &str = "crates/source/src/codes.rs";
const PAGES: &str = "crates/source/codes/";

/// Checks that the list of codes, the pages and the tests agree.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    let codes = listed(tree.text(LIST).unwrap_or_default());
    if codes.is_empty() {
        problems.push(Problem::new(LIST, "no codes are found in it"));
    }
    for code in &codes {
        let page = format!("{PAGES}{code}.md");
        match tree.text(&page).and_then(|text| text.lines().next()) {
            None => problems.push(Problem::new(&page, "the page of this code is not there")),
            Some(first) if !first.starts_with(&format!("# {code}: ")) => {
                let text = format!("its first line is not `# {code}: …`");
                problems.push(Problem::new(&page, text));
            }
            Some(_) => {}
        }
        let tested = tree
            .files()
            .any(|(path, text)| is_test(path) && text.contains(code));
        if !tested {
            let text = format!("no test mentions {code}");
            problems.push(Problem::new(LIST, text));
        }
    }
    for (path, _) in tree.files() {
        let Some(name) = path.strip_prefix(PAGES) else {
            continue;
        };
        if !codes
            .iter()
            .any(|code| *code == name.trim_end_matches(".md"))
        {
            problems.push(Problem::new(
                path,
                "a page of a code that is not in the list",
            ));
        }
    }
    problems
}

/// The codes in lines of the form `UNEXPECTED = "E0101";`.
fn listed(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|line| line.trim().strip_suffix("\";")?.split_once(" = \""))
        .map(|(_, code)| code)
        .filter(|code| code.len() == 5 && code.starts_with('E'))
        .collect()
}

/// Whether a file is a test, or data of one.
fn is_test(path: &str) -> bool {
    path.starts_with("tests/") || path.contains("/tests/")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODES: &str = "codes! {\n    UNEXPECTED = \"E0101\";\n}\n";

    fn texts(page: &str, test: &str) -> Vec<String> {
        let tree = Tree::of(&[
            (LIST, CODES),
            ("crates/source/codes/E0101.md", page),
            ("crates/syntax/tests/a.rs", test),
        ]);
        check(&tree).into_iter().map(|p| p.text).collect()
    }

    #[test]
    fn a_code_with_page_and_test_is_fine() {
        assert!(texts("# E0101: what\n", "E0101").is_empty());
    }

    #[test]
    fn another_title_is_noticed() {
        assert_eq!(
            texts("# E0102: what\n", "E0101"),
            ["its first line is not `# E0101: …`"]
        );
    }

    #[test]
    fn an_untested_code_is_noticed() {
        assert_eq!(
            texts("# E0101: what\n", "E0102"),
            ["no test mentions E0101"]
        );
    }

    #[test]
    fn a_missing_page_is_noticed() {
        let tree = Tree::of(&[(LIST, CODES), ("tests/a.txt", "E0101")]);
        assert_eq!(check(&tree)[0].text, "the page of this code is not there");
    }

    #[test]
    fn an_orphan_page_is_noticed() {
        let tree = Tree::of(&[
            (LIST, CODES),
            ("crates/source/codes/E0101.md", "# E0101: what"),
            ("crates/source/codes/E0999.md", "# E0999: what"),
            ("tests/a.txt", "E0101"),
        ]);
        let problems = check(&tree);
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].path, "crates/source/codes/E0999.md");
    }

    #[test]
    fn no_list_is_noticed() {
        assert_eq!(check(&Tree::default()).len(), 1);
    }
}
