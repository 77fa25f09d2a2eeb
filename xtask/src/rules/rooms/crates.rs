//! The crates of the repository and their modules.

use crate::tree::Tree;
use crate::tree::rust::{Kind, pieces};
use std::collections::{BTreeMap, BTreeSet};

/// The path of a module from the root of its crate; the root has the empty path.
pub(super) type ModulePath = Vec<String>;

/// A file that is a module.
pub(super) struct Module {
    /// The path of the file from the source folder of the crate.
    pub(super) file: String,
    /// The text of the file without comments and without the contents of strings.
    pub(super) code: String,
}

/// A crate and its modules.
pub(super) struct Crate {
    /// The folder that contains its manifest.
    pub(super) folder: String,
    /// The paths of all files below its source folder.
    files: Vec<String>,
    /// The modules that are files, by their paths.
    pub(super) modules: BTreeMap<ModulePath, Module>,
}

impl Crate {
    /// All packages of the repository.
    pub(super) fn all(tree: &Tree) -> Vec<Crate> {
        let manifests = tree.with_ending("/Cargo.toml");
        let packages = manifests.filter(|(_, text)| text.lines().any(|line| line == "[package]"));
        packages
            .map(|(path, _)| Crate::read(tree, path.trim_end_matches("/Cargo.toml")))
            .collect()
    }

    fn read(tree: &Tree, folder: &str) -> Crate {
        let src = format!("{folder}/src/");
        let mut files = Vec::new();
        let mut modules = BTreeMap::new();
        for (path, text) in tree.with_ending(".rs") {
            let Some(file) = path.strip_prefix(&src) else {
                continue;
            };
            files.push(file.to_string());
            let module = Module {
                file: file.into(),
                code: code_of(text),
            };
            match module_path(file) {
                // If a package has both a library and a program, the root is the library; the program uses it like
                // another crate.
                path if path.is_empty() && file == "main.rs" => {
                    modules.entry(path).or_insert(module);
                }
                path => drop(modules.insert(path, module)),
            }
        }
        Crate {
            folder: folder.into(),
            files,
            modules,
        }
    }

    /// By source folder: its number of Rust files. The root folder is `.`.
    pub(super) fn files_by_folder(&self) -> BTreeMap<String, usize> {
        let mut files = BTreeMap::new();
        for file in &self.files {
            *files.entry(parent(file)).or_insert(0) += 1;
        }
        files
    }

    /// The folder to which a module belongs; `b.rs` belongs to `b/` if that folder exists. `None` for the root module
    /// and for unknown modules.
    pub(super) fn folder_of(&self, path: &[String]) -> Option<String> {
        let file = &self.modules.get(path)?.file;
        if path.is_empty() {
            return None;
        }
        let folders: BTreeSet<String> = self.files.iter().map(|file| parent(file)).collect();
        let own = file
            .trim_end_matches(".rs")
            .trim_end_matches("/mod")
            .to_string();
        Some(match folders.contains(&own) {
            true => own,
            false => parent(file),
        })
    }
}

fn module_path(file: &str) -> ModulePath {
    let parts = file.trim_end_matches(".rs").split('/');
    let mut path: ModulePath = parts.map(str::to_string).collect();
    let root = path == ["lib"] || path == ["main"];
    if root || path.last().is_some_and(|last| last == "mod") {
        path.pop();
    }
    path
}

fn parent(file: &str) -> String {
    file.rsplit_once('/')
        .map_or(".", |(folder, _)| folder)
        .into()
}

fn code_of(text: &str) -> String {
    let pieces = pieces(text).into_iter();
    let kept = pieces.map(|(kind, piece)| match kind {
        Kind::Code => piece,
        Kind::Comment => " ",
        Kind::Text => "\"\"",
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_found_with_their_modules() {
        let tree = Tree::of(&[
            ("Cargo.toml", "[workspace]\n"),
            ("a/Cargo.toml", "[package]\n"),
            ("a/src/b/mod.rs", "// no\nuse \"no\";"),
            ("a/src/lib.rs", "lib"),
            ("a/src/main.rs", "main"),
            ("a/tests/c.rs", ""),
        ]);
        let all = Crate::all(&tree);
        assert_eq!(all.len(), 1);
        let modules: Vec<(String, &str)> = { all[0].modules.iter() }
            .map(|(path, module)| (path.join("::"), &module.code[..]))
            .collect();
        assert_eq!(modules, [("".into(), "lib"), ("b".into(), " \nuse \"\";")]);
        assert_eq!(all[0].folder_of(&["b".into()]), Some("b".into()));
        assert_eq!(all[0].folder_of(&[]), None);
    }
}
