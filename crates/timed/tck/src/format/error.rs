//! Errors in a file, with their position.

use std::fmt;

/// An error in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The offset in the text of the file, in bytes.
    pub offset: usize,
    /// The line, beginning with 1.
    pub line: usize,
    /// The column in characters, beginning with 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Error {}

/// An error at an offset in the text of the file, in bytes.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub(crate) at: usize,
    pub(crate) message: String,
}

impl Mistake {
    pub(crate) fn new(at: usize, message: impl Into<String>) -> Mistake {
        let message = message.into();
        Mistake { at, message }
    }

    /// The error with the line and the column of the offset.
    pub(crate) fn locate(self, text: &str) -> Error {
        let before = text.get(..self.at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Error {
            offset: self.at,
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: self.message,
        }
    }
}
