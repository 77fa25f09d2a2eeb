//! The error type of the library.

use crate::library::diagnostic::{Diagnostic, Severity};

/// Why there is no model or no report. Reaching a limit is no error: the result is then
/// [`Verdict::Unknown`](crate::Verdict::Unknown).
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read, with a message.
    Read(String),
    /// The model has errors, or cannot be checked with these parameter values.
    Model(Vec<Diagnostic>),
    /// The options do not fit the model: for example, they set a parameter that the model does not have. With a
    /// message.
    Options(String),
    /// The Machine is not well-formed, or has no initial state. With a message.
    Machine(String),
    /// Two methods contradict each other, which is a bug of Scrutineer. With a message.
    Contradiction(String),
}

impl Error {
    /// The diagnostics of [`Error::Model`]; empty for other errors.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Error::Model(diagnostics) => diagnostics,
            _ => &[],
        }
    }
}

impl std::fmt::Display for Error {
    /// One line: the message, or the first error of a model with the number of further errors.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Model(diagnostics) => {
                let mut errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
                match errors.next() {
                    Some(first) => write!(f, "{first}")?,
                    None => f.write_str("the model cannot be checked")?,
                }
                match errors.count() {
                    0 => Ok(()),
                    1 => f.write_str(" (and 1 more error)"),
                    more => write!(f, " (and {more} more errors)"),
                }
            }
            Error::Read(why)
            | Error::Options(why)
            | Error::Machine(why)
            | Error::Contradiction(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}
