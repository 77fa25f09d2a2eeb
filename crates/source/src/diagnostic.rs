//! Diagnostics as data. Other crates render them.

use crate::{Code, Span};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used, but its meaning is probably not the intended one.
    Warning,
}

/// A place with a short text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The text at the place; may be empty.
    pub text: String,
}

/// A change of the text that removes the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The text that is replaced.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// One problem: the message, its place, and advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code, which names the page that `explain` shows.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// One sentence that is complete by itself, in the terms of the model.
    pub message: String,
    /// The place that the message is about.
    pub primary: Label,
    /// Other places that matter.
    pub others: Vec<Label>,
    /// Further sentences: what was expected, what to write instead.
    pub notes: Vec<String>,
    /// A change that removes the problem.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary: Label {
                span,
                text: String::new(),
            },
            others: Vec::new(),
            notes: Vec::new(),
            fix: None,
        }
    }

    /// A warning at a place.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, span, message)
        }
    }

    /// Sets the text at the primary place.
    pub fn at(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Adds another place.
    pub fn other(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.others.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Adds a note.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Proposes a change.
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Diagnostic {
        self.fix = Some(Fix {
            span,
            replacement: replacement.into(),
        });
        self
    }
}
