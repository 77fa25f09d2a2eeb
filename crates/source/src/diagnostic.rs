//! Diagnostics as data. This crate does not render them.

use crate::{Code, Span};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used, but its meaning is probably not the intended one.
    Warning,
}

/// A span with a short text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The span.
    pub span: Span,
    /// The text that is shown at the span; may be empty.
    pub text: String,
}

/// A replacement of source text that removes the problem.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fix {
    /// The span that is replaced.
    pub span: Span,
    /// The text that replaces it.
    pub replacement: String,
}

/// One problem: a message, a span, and advice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// The code; `scrutineer explain CODE` shows its page.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// One sentence that can be understood without the other fields, in the terms of the model.
    pub message: String,
    /// The span that the message is about.
    pub primary: Label,
    /// Further spans that the message refers to.
    pub others: Vec<Label>,
    /// Further sentences, such as what was expected or what to write instead.
    pub notes: Vec<String>,
    /// A replacement that removes the problem, if one is known.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// An error at a span, without labels, notes or a fix.
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

    /// A warning at a span, without labels, notes or a fix.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, span, message)
        }
    }

    /// Sets the text at the primary span.
    pub fn at(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Adds a further span with a text.
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

    /// Proposes to replace the text at a span.
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Diagnostic {
        self.fix = Some(Fix {
            span,
            replacement: replacement.into(),
        });
        self
    }
}
