//! A source location, with its text.

use serde::{Deserialize, Serialize};

/// A source location, with its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The source text, on one line.
    pub text: String,
    /// The file name, as shown in messages.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}
