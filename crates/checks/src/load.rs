//! From files to Models.

use model::Model;
use source::codes;
use source::{Diagnostic, FileId, Label, Severity, Sources};
use std::path::{Path, PathBuf};

/// A file that was read.
pub struct Loaded {
    /// Its text.
    pub sources: Sources,
    /// The file in it.
    pub file: FileId,
    /// What it means; of use only if there are no errors.
    pub model: Model,
    /// Everything that is wrong or odd.
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// Whether something is wrong, so that nothing can be checked.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
    }

    /// The file's name without folders and ending, for output paths.
    pub fn stem(&self) -> String {
        let name = Path::new(self.sources.name(self.file));
        name.file_stem()
            .map_or("model".into(), |s| s.to_string_lossy().into_owned())
    }
}

/// The model files that the arguments name; folders give all `.scrut` files in them, sorted.
pub fn find_models(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for argument in arguments {
        if !argument.is_dir() {
            found.push(argument.clone());
            continue;
        }
        let before = found.len();
        models_in(argument, &mut found)
            .map_err(|e| format!("cannot read the folder {}: {e}", argument.display()))?;
        if found.len() == before {
            return Err(format!("there is no .scrut file in {}", argument.display()));
        }
    }
    Ok(found)
}

fn models_in(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            models_in(&entry, found)?;
        } else if entry.extension().is_some_and(|e| e == "scrut") {
            found.push(entry);
        }
    }
    Ok(())
}

/// Reads a file.
pub fn load(path: &Path) -> Result<Loaded, String> {
    let text = read_text(path)?;
    Ok(load_text(&path.display().to_string(), &text))
}

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    String::from_utf8(bytes).map_err(|e| {
        let line = 1 + e.as_bytes()[..e.utf8_error().valid_up_to()]
            .iter()
            .filter(|b| **b == b'\n')
            .count();
        format!(
            "{} is not a text file: line {line} is not UTF-8",
            path.display()
        )
    })
}

/// Reads a text.
pub fn load_text(name: &str, text: &str) -> Loaded {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let parsed = syntax::parse(&sources, file);
    let mut diagnostics = parsed.diagnostics;
    let (model, more) = model::resolve(&parsed.file, &sources);
    if diagnostics.is_empty() {
        diagnostics = more;
    } else {
        // What the parser could not read may have declared the names that are missed now; and what
        // it read of a statement with a mistake may not be what was meant.
        diagnostics.extend(more.into_iter().filter(|d| {
            !depends_on_other_items(d.code) && !parsed.unread.cover(&parsed.tree, d.primary.span)
        }));
        diagnostics.sort_by_key(|d| d.primary.span);
    }
    let diagnostics = without_repetition(diagnostics);
    Loaded {
        sources,
        file,
        model,
        diagnostics,
    }
}

/// What a person should read: the same words at several places once, with all the places; and no
/// warnings beside errors, for they may come from what could not be understood.
fn without_repetition(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let errors = diagnostics.iter().any(|d| d.severity == Severity::Error);
    let mut told: Vec<Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        if errors && diagnostic.severity == Severity::Warning {
            continue;
        }
        let same = told.iter_mut().find(|d| {
            (d.code, &d.message, &d.notes)
                == (diagnostic.code, &diagnostic.message, &diagnostic.notes)
                && d.primary.span != diagnostic.primary.span
        });
        match same {
            Some(first) => first.others.push(Label {
                span: diagnostic.primary.span,
                text: "and here".into(),
            }),
            None => told.push(diagnostic),
        }
    }
    told
}

/// Whether a problem may come from another item of the file that could not be read.
fn depends_on_other_items(code: source::Code) -> bool {
    let absent = [
        codes::NO_NETWORK,
        codes::NO_NODES,
        codes::NO_NEXT,
        codes::UNHANDLED_MESSAGE,
        codes::MESSAGE_FIELDS,
    ];
    code.0.starts_with("E02") || code.0.starts_with("E05") || absent.contains(&code)
}
