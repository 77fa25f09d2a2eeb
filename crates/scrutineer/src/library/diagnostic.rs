//! Diagnostics about a model as data, with lines and columns.

use serde::Serialize;
use source::Sources;

/// An error in a model, or a warning about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The code, such as `E0201`. `scrutineer explain CODE` explains it.
    pub code: &'static str,
    /// Whether the diagnostic is an error or a warning.
    pub severity: Severity,
    /// The message.
    pub message: String,
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// The start of the text that the diagnostic is about.
    pub from: Place,
    /// The end of this text: the place after its last character.
    pub to: Place,
    /// A short message about this text; may be empty.
    pub at: String,
    /// Further explanations, one sentence each.
    pub notes: Vec<String>,
    /// The text that should replace the text between `from` and `to`, if a fix is known.
    pub replace_by: Option<String>,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1, in characters.
    pub column: usize,
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used, but probably does not mean what was intended.
    Warning,
}

impl Diagnostic {
    /// All diagnostics about a text.
    pub(crate) fn all(sources: &Sources, found: &[source::Diagnostic]) -> Vec<Diagnostic> {
        found
            .iter()
            .map(|one| Diagnostic::of(sources, one))
            .collect()
    }

    fn of(sources: &Sources, found: &source::Diagnostic) -> Diagnostic {
        let span = found.primary.span;
        let text = sources.text(span.file);
        // A fix at another place than the message cannot be represented, and is left out.
        let fix = found.fix.as_ref().filter(|fix| fix.span == span);
        Diagnostic {
            code: found.code.0,
            severity: match found.severity {
                source::Severity::Error => Severity::Error,
                source::Severity::Warning => Severity::Warning,
            },
            message: found.message.clone(),
            file: sources.name(span.file).into(),
            from: Place::of(text, span.start),
            to: Place::of(text, span.end),
            at: found.primary.text.clone(),
            notes: found.notes.clone(),
            replace_by: fix.map(|fix| fix.replacement.clone()),
        }
    }
}

impl Place {
    /// The line and column of a byte offset in a text.
    pub(crate) fn of(text: &str, byte: u32) -> Place {
        let before = &text[..byte as usize];
        let last = before.rsplit('\n').next().unwrap_or_default();
        Place {
            line: before.matches('\n').count() + 1,
            column: last.chars().count() + 1,
        }
    }
}

impl std::fmt::Display for Diagnostic {
    /// One line, such as `lock.scrut:3:5: E0201: message`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Place { line, column } = self.from;
        write!(
            f,
            "{}:{line}:{column}: {}: {}",
            self.file, self.code, self.message
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let place = |byte| {
            let Place { line, column } = Place::of("é b\nÄ d", byte);
            (line, column)
        };
        assert_eq!(
            [place(0), place(3), place(5), place(8)],
            [(1, 1), (1, 3), (2, 1), (2, 3)]
        );
    }
}
