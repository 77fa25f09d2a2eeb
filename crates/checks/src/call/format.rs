//! The formatter for model texts.

use source::{Diagnostic, Sources};

/// A text that cannot be formatted, with its errors.
pub struct Unreadable {
    /// The text.
    pub sources: Sources,
    /// The errors.
    pub diagnostics: Vec<Diagnostic>,
}

/// The formatted text.
pub fn format(name: &str, text: &str) -> Result<String, Unreadable> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    syntax::format(&sources, file).map_err(|diagnostics| Unreadable {
        sources,
        diagnostics,
    })
}
