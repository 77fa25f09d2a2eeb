//! The formatter for model texts.

use source::{Diagnostic, Sources};

/// A text that cannot be formatted because it has syntax errors.
pub struct Unreadable {
    /// The text.
    pub sources: Sources,
    /// The errors.
    pub diagnostics: Vec<Diagnostic>,
}

/// The text of a model in standard format. `name` is its file name in diagnostics.
pub fn format(name: &str, text: &str) -> Result<String, Unreadable> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    syntax::format(&sources, file).map_err(|diagnostics| Unreadable {
        sources,
        diagnostics,
    })
}
