//! The text files of the repository, and the parts of Markdown and Rust that the rules need.

pub(crate) mod markdown;
pub(crate) mod rust;

use std::fmt;
use std::path::{Path, PathBuf};

/// A violation of a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The path of the file from the root of the repository.
    pub path: String,
    /// What is wrong, and what to do about it.
    pub text: String,
}

impl Problem {
    /// A violation in a file.
    pub fn new(path: &str, text: impl Into<String>) -> Problem {
        Problem {
            path: path.into(),
            text: text.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.text)
    }
}

/// The text files of the repository, sorted by path.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    files: Vec<(String, String)>,
}

impl Tree {
    /// Reads all text files below a folder, except build and output folders.
    pub fn read(root: &Path) -> std::io::Result<Tree> {
        let mut paths = Vec::new();
        collect(root, &mut paths)?;
        let mut files = Vec::new();
        for path in paths {
            // Files that are not valid UTF-8 are skipped.
            if let Ok(text) = std::fs::read_to_string(&path) {
                let short = path.strip_prefix(root).unwrap_or(&path);
                files.push((short.to_string_lossy().replace('\\', "/"), text));
            }
        }
        files.sort();
        Ok(Tree { files })
    }

    /// A tree with the given paths and texts.
    pub fn of(files: &[(&str, &str)]) -> Tree {
        let owned = files.iter().map(|(p, t)| (p.to_string(), t.to_string()));
        Tree {
            files: owned.collect(),
        }
    }

    /// All paths with their texts.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(p, t)| (&p[..], &t[..]))
    }

    /// The files whose paths end with `ending`.
    pub fn with_ending(&self, ending: &str) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(move |(path, _)| path.ends_with(ending))
    }

    /// The text of a file; `None` if there is none at this path.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files().find(|(p, _)| *p == path).map(|(_, text)| text)
    }

    /// Whether a file or folder exists.
    pub fn has(&self, path: &str) -> bool {
        let folder = format!("{}/", path.trim_end_matches('/'));
        self.files()
            .any(|(p, _)| p == path || p.starts_with(&folder))
    }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let left_out = name == ".git"
            || name == "target"
            || name.starts_with("target-")
            || name == "scrutineer-out";
        if left_out {
            continue;
        }
        if path.is_dir() {
            collect(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_there_too() {
        let tree = Tree::of(&[("docs/a.md", "")]);
        assert!(tree.has("docs") && tree.has("docs/") && tree.has("docs/a.md"));
        assert!(!tree.has("doc"));
    }
}
