//! The layout of a model's text.

use source::{Diagnostic, Sources};

/// A text that cannot be laid out, with what is wrong with it.
pub struct Unreadable {
    /// The text.
    pub sources: Sources,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

/// A text as it should be laid out.
pub fn format(name: &str, text: &str) -> Result<String, Unreadable> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    syntax::format(&sources, file).map_err(|diagnostics| Unreadable {
        sources,
        diagnostics,
    })
}
