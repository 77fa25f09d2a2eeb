//! S-expressions with line numbers: reader and writer.
//!
//! An S-expression is an atom, a list in parentheses, or a source location such as `@12` before another S-expression.
//! An atom is a bare word or a quoted text. An optional suffix `.2`, `.3`, … distinguishes names with the same
//! spelling. A comment begins with `;` and extends to the end of the line.

use std::fmt::Write;

/// Maximum nesting depth. Deeper text is rejected, so that the recursive reader cannot exhaust the stack.
pub(crate) const MAX_DEPTH: usize = 400;

/// Line width of the writer, in characters.
const WIDTH: usize = 100;

/// An S-expression with the number of its first line; the line is 0 if it was not read from a text.
#[derive(Clone, Debug)]
pub(crate) struct Sexpr {
    pub(crate) line: u32,
    pub(crate) shape: Shape,
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Atom(Atom),
    List(Vec<Sexpr>),
    Mark(u32, Box<Sexpr>),
}

/// A word or name, possibly quoted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Atom {
    pub(crate) text: String,
    /// The number in the suffix, such as 2 for `.2`; 1 without a suffix.
    pub(crate) copy: u32,
    pub(crate) quoted: bool,
}

/// A syntax error in the text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line at which the error was found, from 1.
    pub line: u32,
    /// What was expected there.
    pub expected: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected)
    }
}

impl std::error::Error for ParseError {}

pub(crate) fn expected<T>(line: u32, what: impl Into<String>) -> Result<T, ParseError> {
    Err(ParseError {
        line,
        expected: what.into(),
    })
}

impl Atom {
    /// A keyword.
    pub(crate) fn word(text: impl Into<String>) -> Atom {
        Atom {
            text: text.into(),
            copy: 1,
            quoted: false,
        }
    }

    /// A name; quoted if it would not be read back as a bare name.
    pub(crate) fn name(text: &str, copy: u32) -> Atom {
        let mut chars = text.chars();
        let plain = chars
            .next()
            .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
        let reserved = matches!(text, "true" | "false" | "none" | "quiescent" | "locals");
        Atom {
            text: text.to_string(),
            copy,
            quoted: !plain || reserved,
        }
    }

    /// Whether two atoms are the same name, ignoring quotes.
    pub(crate) fn same(&self, other: &Atom) -> bool {
        self.text == other.text && self.copy == other.copy
    }
}

impl std::fmt::Display for Atom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.quoted {
            f.write_char('"')?;
            for c in self.text.chars() {
                match c {
                    '"' | '\\' => write!(f, "\\{c}")?,
                    '\n' => f.write_str("\\n")?,
                    c => f.write_char(c)?,
                }
            }
            f.write_char('"')?;
        } else {
            f.write_str(&self.text)?;
        }
        if self.copy == 1 {
            Ok(())
        } else {
            write!(f, ".{}", self.copy)
        }
    }
}

impl Sexpr {
    pub(crate) fn atom(atom: Atom) -> Sexpr {
        Sexpr {
            line: 0,
            shape: Shape::Atom(atom),
        }
    }

    pub(crate) fn word(text: impl Into<String>) -> Sexpr {
        Sexpr::atom(Atom::word(text))
    }

    pub(crate) fn list(items: Vec<Sexpr>) -> Sexpr {
        Sexpr {
            line: 0,
            shape: Shape::List(items),
        }
    }

    /// A list that begins with a word.
    pub(crate) fn form(head: &str, rest: impl IntoIterator<Item = Sexpr>) -> Sexpr {
        Sexpr::list(std::iter::once(Sexpr::word(head)).chain(rest).collect())
    }

    pub(crate) fn marked(self, mark: u32) -> Sexpr {
        Sexpr {
            line: 0,
            shape: Shape::Mark(mark, Box::new(self)),
        }
    }
}

impl std::fmt::Display for Sexpr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.shape {
            Shape::Atom(atom) => atom.fmt(f),
            Shape::Mark(mark, inner) => write!(f, "@{mark} {inner}"),
            Shape::List(items) => {
                f.write_char('(')?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_char(' ')?;
                    }
                    item.fmt(f)?;
                }
                f.write_char(')')
            }
        }
    }
}

/// Appends an S-expression to `out`, on one line if it fits. `indent` is the indentation of further lines.
pub(crate) fn write(out: &mut String, sexpr: &Sexpr, indent: usize) {
    let flat = sexpr.to_string();
    let column = out.len() - out.rfind('\n').map_or(0, |at| at + 1);
    if column + flat.chars().count() <= WIDTH {
        out.push_str(&flat);
        return;
    }
    match &sexpr.shape {
        Shape::Atom(_) => out.push_str(&flat),
        Shape::Mark(mark, inner) => {
            let _ = write!(out, "@{mark} ");
            write(out, inner, indent);
        }
        Shape::List(items) => {
            // Atoms at the beginning stay on the first line; from the first list on, each item is on a line of its own.
            out.push('(');
            let mut first = true;
            let mut below = false;
            for item in items {
                below |= !matches!(item.shape, Shape::Atom(_)) && !first;
                if below {
                    out.push('\n');
                    out.extend(std::iter::repeat_n(' ', indent + 2));
                } else if !first {
                    out.push(' ');
                }
                write(out, item, indent + 2);
                first = false;
            }
            out.push(')');
        }
    }
}

/// Reads all S-expressions of a text.
pub(crate) fn read(text: &str) -> Result<Vec<Sexpr>, ParseError> {
    let mut reader = Reader {
        chars: text.chars().peekable(),
        line: 1,
    };
    let mut items = Vec::new();
    while reader.skip().is_some() {
        items.push(reader.shape(0)?);
    }
    Ok(items)
}

struct Reader<'t> {
    chars: std::iter::Peekable<std::str::Chars<'t>>,
    line: u32,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.chars.next();
        if c == Some('\n') {
            self.line += 1;
        }
        c
    }

    /// Skips white space and comments; returns the next character without consuming it, `None` at the end.
    fn skip(&mut self) -> Option<char> {
        while let Some(&c) = self.chars.peek() {
            if c == ';' {
                while self.chars.peek().is_some_and(|c| *c != '\n') {
                    self.next();
                }
            } else if c.is_whitespace() {
                self.next();
            } else {
                return Some(c);
            }
        }
        None
    }

    fn shape(&mut self, depth: usize) -> Result<Sexpr, ParseError> {
        if depth > MAX_DEPTH {
            return expected(self.line, format!("at most {MAX_DEPTH} levels of nesting"));
        }
        let start = self.skip();
        let line = self.line;
        let shape = match start {
            None => return expected(line, "more text"),
            Some(')') => return expected(line, "something before `)`"),
            Some('(') => {
                self.next();
                let mut items = Vec::new();
                loop {
                    match self.skip() {
                        None => {
                            return expected(self.line, format!("`)` for the `(` of line {line}"));
                        }
                        Some(')') => break,
                        Some(_) => items.push(self.shape(depth + 1)?),
                    }
                }
                self.next();
                Shape::List(items)
            }
            Some('"') => Shape::Atom(self.quoted()?),
            Some(_) => {
                let word = self.bare();
                match word.strip_prefix('@') {
                    Some(mark) => match mark.parse() {
                        Ok(mark) => Shape::Mark(mark, Box::new(self.shape(depth + 1)?)),
                        Err(_) => return expected(line, "a number after `@`"),
                    },
                    None => Shape::Atom(split_copy(word)),
                }
            }
        };
        Ok(Sexpr { line, shape })
    }

    fn bare(&mut self) -> String {
        let mut word = String::new();
        while let Some(&c) = self.chars.peek() {
            if c.is_whitespace() || matches!(c, '(' | ')' | '"' | ';') {
                break;
            }
            word.push(c);
            self.next();
        }
        word
    }

    fn quoted(&mut self) -> Result<Atom, ParseError> {
        let line = self.line;
        self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                None => return expected(self.line, format!("`\"` for that of line {line}")),
                Some('"') => break,
                Some('\\') => match self.next() {
                    Some('n') => text.push('\n'),
                    Some(c @ ('"' | '\\')) => text.push(c),
                    _ => return expected(self.line, "`\\n`, `\\\"` or `\\\\`"),
                },
                Some(c) => text.push(c),
            }
        }
        let mut atom = Atom {
            text,
            copy: 1,
            quoted: true,
        };
        let ending = self.bare();
        if !ending.is_empty() {
            match ending.strip_prefix('.').map(str::parse) {
                Some(Ok(copy)) => atom.copy = copy,
                _ => return expected(self.line, "a space behind the quoted name"),
            }
        }
        Ok(atom)
    }
}

/// Splits a suffix such as `.2` off a bare name.
fn split_copy(word: String) -> Atom {
    if let Some((name, copy)) = word.rsplit_once('.')
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && let Ok(copy) = copy.parse()
    {
        return Atom {
            text: name.to_string(),
            copy,
            quoted: false,
        };
    }
    Atom::word(word)
}
