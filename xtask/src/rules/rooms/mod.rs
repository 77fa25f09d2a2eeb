//! Rule: the folders of a crate are small, and the imports between them form an acyclic graph.

mod crates;
mod imports;

use crate::tree::{Problem, Tree};
use crates::Crate;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of Rust files in a source folder.
const MOST_FILES: usize = 15;

/// The largest number of imports that a violation lists for a pair of folders.
const MOST_SHOWN: usize = 4;

/// For each pair of folders (importing, imported): the importing files with the imported paths.
type Imports = BTreeMap<(String, String), BTreeSet<String>>;

/// Checks the size and the imports of the source folders of every crate.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let crates = Crate::all(tree).into_iter();
    crates.flat_map(|found| check_crate(&found)).collect()
}

fn check_crate(found: &Crate) -> Vec<Problem> {
    let src = format!("{}/src", found.folder);
    let mut problems = Vec::new();
    for (folder, files) in found.files_by_folder() {
        if files > MOST_FILES {
            let text = format!("has {files} Rust files, and {MOST_FILES} are the most: split it");
            let path = format!("{src}/{folder}");
            problems.push(Problem::new(path.trim_end_matches("/."), text));
        }
    }
    let imports = imports::between_folders(found);
    for cycle in cycles(&imports) {
        problems.push(Problem::new(&src, describe(&cycle, &imports)));
    }
    problems
}

/// The sets of folders that import each other, directly or indirectly.
fn cycles(imports: &Imports) -> Vec<BTreeSet<&str>> {
    let mut reached: BTreeSet<(&str, &str)> =
        imports.keys().map(|(a, b)| (&a[..], &b[..])).collect();
    loop {
        let mut longer = Vec::new();
        for (a, b) in &reached {
            let next = imports.keys().filter(|(from, _)| from == b);
            longer.extend(next.map(|(_, c)| (*a, &c[..])));
        }
        let before = reached.len();
        reached.extend(longer);
        if reached.len() == before {
            break;
        }
    }
    let mut cycles: Vec<BTreeSet<&str>> = Vec::new();
    for (a, b) in reached.iter().filter(|(a, b)| reached.contains(&(*b, *a))) {
        match cycles.iter_mut().find(|cycle| cycle.contains(a)) {
            Some(cycle) => drop(cycle.insert(b)),
            None => cycles.push([*a, *b].into()),
        }
    }
    cycles
}

fn describe(cycle: &BTreeSet<&str>, imports: &Imports) -> String {
    let names: Vec<String> = cycle.iter().map(|folder| format!("`{folder}`")).collect();
    let mut text = format!("the folders {} import each other", names.join(", "));
    for ((from, to), uses) in imports {
        if cycle.contains(&from[..]) && cycle.contains(&to[..]) {
            let shown: Vec<&str> = uses.iter().take(MOST_SHOWN).map(String::as_str).collect();
            let more = if uses.len() > MOST_SHOWN { ", …" } else { "" };
            text.push_str(&format!("\n    {from} -> {to}: {}{more}", shown.join(", ")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: (&str, &str) = ("a/Cargo.toml", "[package]\nname = \"a\"\n");

    fn texts(files: &[(&str, &str)]) -> Vec<String> {
        let all: Vec<(&str, &str)> = [MANIFEST].iter().chain(files).copied().collect();
        let problems = check(&Tree::of(&all));
        problems.into_iter().map(|p| p.to_string()).collect()
    }

    #[test]
    fn a_large_folder_is_noticed() {
        let files: Vec<(String, &str)> = (0..=MOST_FILES)
            .map(|n| (format!("a/src/b/f{n}.rs"), "//! A file.\n"))
            .collect();
        let mut files: Vec<(&str, &str)> = files.iter().map(|(p, t)| (&p[..], *t)).collect();
        assert_eq!(
            texts(&files),
            ["a/src/b: has 16 Rust files, and 15 are the most: split it"]
        );
        files.pop();
        assert!(texts(&files).is_empty());
    }

    #[test]
    fn one_way_is_fine() {
        let files = [
            ("a/src/lib.rs", "mod b;\nmod c;\npub use b::one::One;"),
            ("a/src/b/mod.rs", "pub(crate) mod one;"),
            ("a/src/b/one.rs", "pub struct One;"),
            (
                "a/src/c/mod.rs",
                "use crate::One;\nuse crate::b::one::One as Two;",
            ),
        ];
        assert!(texts(&files).is_empty());
    }

    #[test]
    fn a_cycle_is_noticed() {
        let files = [
            ("a/src/lib.rs", "mod b;\nmod c;"),
            ("a/src/b/mod.rs", "pub(crate) mod one;"),
            ("a/src/b/one.rs", "use crate::{c::Two};"),
            ("a/src/c/mod.rs", "pub struct Two(crate::b::one::One);"),
        ];
        assert_eq!(
            texts(&files),
            [
                "a/src: the folders `b`, `c` import each other\n    b -> c: b/one.rs uses crate::c::Two\n    \
              c -> b: c/mod.rs uses crate::b::one::One"
            ]
        );
    }

    #[test]
    fn a_cycle_through_re_exports_and_three_folders_is_noticed() {
        let files = [
            (
                "a/src/lib.rs",
                "mod b; mod c; mod d; pub use crate::b::one::One;",
            ),
            ("a/src/b/mod.rs", "pub(crate) mod one;"),
            ("a/src/b/one.rs", "use super::super::c::Two;"),
            ("a/src/c/mod.rs", "mod two; pub(crate) use two::Two;"),
            ("a/src/c/two.rs", "use crate::d;"),
            ("a/src/d/mod.rs", "fn f(one: crate::One) {}"),
        ];
        let found = texts(&files);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("`b`, `c`, `d`"), "{found:?}");
    }

    #[test]
    fn a_folder_and_its_root_file_are_one() {
        let files = [
            ("a/src/lib.rs", "mod b; mod c;"),
            ("a/src/b.rs", "pub(crate) mod one; pub(crate) struct B;"),
            ("a/src/b/one.rs", "use crate::b::B; use super::B as C;"),
            ("a/src/c.rs", "use crate::b::one::One;"),
        ];
        assert!(texts(&files).is_empty());
    }

    #[test]
    fn comments_strings_and_tests_inside_import_nothing() {
        let files = [
            ("a/src/lib.rs", "mod b; mod c;"),
            (
                "a/src/b/mod.rs",
                "//! See `crate::c::d`.\nconst X: &str = \"crate::c::d\";",
            ),
            ("a/src/c/mod.rs", "mod d; use crate::b::X; use self::d::Y;"),
            (
                "a/src/c/d/mod.rs",
                "mod tests { use super::*; use super::super::d::Z; }",
            ),
        ];
        assert!(texts(&files).is_empty(), "{:?}", texts(&files));
    }
}
