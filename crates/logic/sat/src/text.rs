//! Reads lines of numbers, for the text forms of clauses and proofs.

use std::fmt;

/// A syntax error in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The line, from 1.
    pub line: usize,
    /// The error in words.
    pub message: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Malformed {}

/// Reads the numbers of one line.
pub(crate) struct Numbers<'a> {
    line: usize,
    words: std::str::SplitAsciiWhitespace<'a>,
}

impl<'a> Numbers<'a> {
    /// A reader of the line `text`; `line` is its number, from 1, for errors.
    pub(crate) fn new(line: usize, text: &'a str) -> Numbers<'a> {
        Numbers {
            line,
            words: text.split_ascii_whitespace(),
        }
    }

    /// The next number; an error if the line ends or the word is no number.
    pub(crate) fn next<T: std::str::FromStr>(&mut self) -> Result<T, Malformed> {
        match self.words.next() {
            None => Err(self.wrong("the line ends too early")),
            Some(word) => match word.parse() {
                Ok(number) => Ok(number),
                Err(_) => Err(self.wrong(format!("`{word}` is no number that can stand here"))),
            },
        }
    }

    /// Appends the numbers before the next 0 to `into`, and skips the 0.
    pub(crate) fn until_zero<T>(&mut self, into: &mut Vec<T>) -> Result<(), Malformed>
    where
        T: std::str::FromStr + Default + PartialEq,
    {
        loop {
            let number: T = self.next()?;
            if number == T::default() {
                return Ok(());
            }
            into.push(number);
        }
    }

    /// An error unless the line ends here.
    pub(crate) fn end(&mut self) -> Result<(), Malformed> {
        match self.words.next() {
            None => Ok(()),
            Some(word) => Err(self.wrong(format!("`{word}` comes after the end"))),
        }
    }

    /// An error in this line.
    pub(crate) fn wrong(&self, message: impl Into<String>) -> Malformed {
        Malformed {
            line: self.line,
            message: message.into(),
        }
    }
}
