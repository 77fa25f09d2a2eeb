//! The loader: reads model files, and parses and resolves their text.

use crate::results::run_file::read_bytes;
use model::Model;
use source::codes;
use source::{Diagnostic, FileId, Label, Severity, Sources};
use std::path::{Path, PathBuf};

/// A model file that has been read, parsed and resolved.
pub struct Loaded {
    /// The text of the file.
    pub sources: Sources,
    /// The identifier of the file in `sources`.
    pub file: FileId,
    /// The resolved model; usable only if `has_errors` is false.
    pub model: Model,
    /// Errors and warnings of the parser and the resolver.
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// Whether there is at least one error. Then no check can be answered.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
    }

    /// The path of the file, as the call names it.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(self.sources.name(self.file))
    }

    /// The path of the model for stored files, which may be moved to another machine: an absolute path becomes a file name.
    pub fn portable_name(&self) -> String {
        let path = self.path();
        let name = path.file_name().filter(|_| path.is_absolute());
        name.map_or(path.display().to_string(), |name| {
            name.to_string_lossy().into_owned()
        })
    }

    /// The name of the file without folders and extension, for output paths.
    pub fn stem(&self) -> String {
        let name = Path::new(self.sources.name(self.file));
        name.file_stem()
            .map_or("model".into(), |s| s.to_string_lossy().into_owned())
    }
}

/// The model files that the arguments name. A folder stands for all `.scrut` files in it and its subfolders, in sorted
/// order.
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

/// Reads, parses and resolves a file. The error says why the file cannot be read.
pub fn load(path: &Path) -> Result<Loaded, String> {
    let text = read_text(path)?;
    Ok(load_text(&path.display().to_string(), &text))
}

/// The largest number of diagnostics of a file.
const MOST_DIAGNOSTICS: usize = 200;

/// The largest number of places of a diagnostic.
const MOST_PLACES: usize = 20;

/// The largest model text, in bytes.
const MOST_TEXT: u64 = 4_000_000;

/// The text of a file; an error if it cannot be read, has more than `MOST_TEXT` bytes or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, String> {
    let bytes = read_bytes(path, MOST_TEXT)?;
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

/// Parses and resolves a text. `name` is its file name in diagnostics.
pub fn load_text(name: &str, text: &str) -> Loaded {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let parsed = syntax::parse(&sources, file);
    let mut diagnostics = parsed.diagnostics;
    let (model, more) = model::resolve(&parsed.file, &sources);
    if diagnostics.is_empty() {
        diagnostics = more;
    } else {
        // After a syntax error, names declared in unread text seem missing, and a statement with a syntax error may
        // have been read differently from what its author meant. Diagnostics of the resolver that may follow from this
        // are dropped.
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

/// The diagnostics to show. The same message at several places becomes one diagnostic. If there are errors, warnings
/// are dropped, because the errors may cause them. At most `MOST_DIAGNOSTICS` are kept; a note of the last one gives
/// the number of the others.
fn without_repetition(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let errors = diagnostics.iter().any(|d| d.severity == Severity::Error);
    let mut kept: Vec<Diagnostic> = Vec::new();
    let mut more = 0;
    for diagnostic in diagnostics {
        cancellation::poll();
        if errors && diagnostic.severity == Severity::Warning {
            continue;
        }
        let full = kept.len() == MOST_DIAGNOSTICS;
        let same = kept.iter_mut().find(|d| {
            (d.code, &d.message, &d.notes)
                == (diagnostic.code, &diagnostic.message, &diagnostic.notes)
                && d.primary.span != diagnostic.primary.span
        });
        match same {
            Some(first) if first.others.len() < MOST_PLACES => first.others.push(Label {
                span: diagnostic.primary.span,
                text: "and here".into(),
            }),
            None if !full => kept.push(diagnostic),
            _ => more += 1,
        }
    }
    if let Some(last) = kept.last_mut().filter(|_| more > 0) {
        last.notes
            .push(format!("{more} more problems or places are not shown"));
    }
    kept
}

/// Whether a diagnostic with this code may be caused by an item elsewhere in the file that the parser could not read.
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
