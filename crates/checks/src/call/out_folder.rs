//! The folder for the stored files of a model. Two models with the same file name in different folders have different
//! output folders.
//!
//! A folder has a mark: a file with the path of the model, relative to the folder. The path is not absolute, so that a
//! project can be moved together with its outputs.

use crate::call::load::Loaded;
use crate::results::run_file::write_whole;
use std::path::{Component, Path, PathBuf};

/// The name of the mark.
const MARK: &str = "model.txt";

/// The folder below `out` for the files of a model: named after the model, with a number if a folder of that name belongs
/// to another model that still exists.
pub fn out_folder(out: &Path, loaded: &Loaded) -> PathBuf {
    let stem = loaded.stem();
    let numbered = (2..).map(|number| format!("{stem}-{number}"));
    let names = std::iter::once(stem.clone()).chain(numbered);
    let mut folders = names.map(|name| out.join(name));
    let model = loaded.path();
    let free = folders.find(|folder| !belongs_to_another(folder, &model));
    free.unwrap_or_else(|| out.join(stem))
}

/// Marks a folder from [`out_folder`] as the folder of the model. Errors are ignored: a folder without a mark may be
/// used for any model.
pub fn mark_folder(folder: &Path, model: &Path) {
    if std::fs::create_dir_all(folder).is_ok()
        && let Some(path) = from_folder(folder, model)
    {
        let mark = folder.join(MARK);
        let text = format!("{}\n", path.display());
        if std::fs::read_to_string(&mark).ok().as_ref() != Some(&text) {
            let _ = write_whole(&mark, &text);
        }
    }
}

/// Whether the mark of a folder names another model that exists.
fn belongs_to_another(folder: &Path, model: &Path) -> bool {
    let Ok(mark) = std::fs::read_to_string(folder.join(MARK)) else {
        return false;
    };
    let marked = folder.join(mark.trim_end());
    match (marked.canonicalize(), model.canonicalize()) {
        (Ok(marked), Ok(model)) => marked != model,
        _ => false,
    }
}

/// The path of a model, relative to a folder; `None` if one of them does not exist.
fn from_folder(folder: &Path, model: &Path) -> Option<PathBuf> {
    let (folder, model) = (folder.canonicalize().ok()?, model.canonicalize().ok()?);
    let shared = { folder.components() }
        .zip(model.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = folder
        .components()
        .skip(shared)
        .map(|_| Component::ParentDir);
    let down = model.components().skip(shared);
    Some(up.chain(down).collect())
}
