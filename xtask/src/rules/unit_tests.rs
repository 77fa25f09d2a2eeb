//! Rule: the manifest of a library without unit tests disables them, so that cargo does not compile the library a
//! second time.

use crate::tree::{Problem, Tree};

/// The line of a manifest by which cargo compiles no test program for the library.
const NONE: &str = "test = false";

/// Compares the manifest of every library with the attributes `#[test]` in its sources.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (manifest, text) in tree.with_ending("Cargo.toml") {
        let sources = format!("{}src/", manifest.trim_end_matches("Cargo.toml"));
        let Some(library) = section(text, "[lib]") else {
            continue;
        };
        let says_none = library.lines().any(|line| line == NONE);
        let has_tests = tree.with_ending(".rs").any(|(path, text)| {
            path.starts_with(&sources) && text.lines().any(|line| line.trim() == "#[test]")
        });
        let problem = match (has_tests, says_none) {
            (true, true) => "its unit tests are never run: remove `test = false` from `[lib]`",
            (false, false) => "has no unit tests: add `test = false` to `[lib]`",
            _ => continue,
        };
        problems.push(Problem::new(manifest, problem));
    }
    problems
}

/// The lines of a section of a manifest.
fn section<'t>(manifest: &'t str, head: &str) -> Option<&'t str> {
    let (_, after) = manifest.split_once(&format!("{head}\n"))?;
    Some(after.split_once("\n[").map_or(after, |(lines, _)| lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TESTED: &str = "//! Owns a.\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n";

    fn problems(manifest: &str, source: &str) -> usize {
        let found = check(&Tree::of(&[
            ("crates/a/Cargo.toml", manifest),
            ("crates/a/src/lib.rs", source),
            ("crates/a/tests/a/main.rs", TESTED),
        ]));
        found.len()
    }

    #[test]
    fn the_manifest_says_whether_there_are_unit_tests() {
        let plain = "[package]\nname = \"a\"\n\n[lib]\nname = \"a\"\n\n[lints]\nworkspace = true\n";
        let none = plain.replace("[lib]\n", "[lib]\ntest = false\n");
        assert_eq!(problems(plain, TESTED), 0);
        assert_eq!(problems(&none, "//! Owns a.\n"), 0);
        assert_eq!(problems(plain, "//! Owns a.\n"), 1);
        assert_eq!(problems(&none, TESTED), 1);
    }
}
