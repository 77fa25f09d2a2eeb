//! The lexer. It never fails and loses no byte. A character that begins no token of the language becomes an `Unknown`
//! token.

use crate::lexical::foreign;
use crate::lexical::kind::SyntaxKind;
use crate::lexical::kind::SyntaxKind::*;

/// A token: its kind and its length in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The kind.
    pub kind: SyntaxKind,
    /// The length in bytes.
    pub length: usize,
}

/// All tokens of a text, blanks and comments included. Their lengths add up to the length of the text.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut rest = text;
    let mut tokens = Vec::new();
    while !rest.is_empty() {
        cancellation::poll();
        let token = next(rest);
        rest = &rest[token.length..];
        tokens.push(token);
    }
    tokens
}

/// The first token of a text, which must not be empty.
fn next(text: &str) -> Token {
    let first = text.chars().next().unwrap_or(' ');
    let token = |kind, length| Token { kind, length };
    if first == '\n' {
        return token(Newline, 1);
    }
    if is_blank(first) {
        return token(Whitespace, prefix(text, is_blank));
    }
    if text.starts_with("//") {
        return token(comment_kind(text), prefix(text, |c| c != '\n'));
    }
    if let Some(inside) = text.strip_prefix("/*") {
        let end = inside.find("*/").map_or(text.len(), |at| at + 4);
        return token(BlockComment, end);
    }
    if first.is_ascii_digit() {
        return token(Number, number(text));
    }
    if is_word_start(first) {
        return token(Word, prefix(text, |c| is_word_start(c) || c.is_numeric()));
    }
    if first == '"' {
        let inside = prefix(&text[1..], |c| c != '"' && c != '\n');
        let closed = usize::from(text[1 + inside..].starts_with('"'));
        return token(Text, 1 + inside + closed);
    }
    if let Some(length) = foreign::operator_at(text) {
        return token(Foreign, length);
    }
    for (sign, kind) in SIGNS {
        if text.starts_with(sign) {
            return token(*kind, sign.len());
        }
    }
    token(Unknown, first.len_utf8())
}

/// The operators and brackets of the language. An operator comes before its prefixes.
const SIGNS: &[(&str, SyntaxKind)] = &[
    ("..", DotDot),
    ("==", EqEq),
    ("!=", NotEq),
    ("<=", LessEq),
    (">=", GreaterEq),
    ("=>", Arrow),
    ("(", LParen),
    (")", RParen),
    ("[", LBracket),
    ("]", RBracket),
    ("{", LBrace),
    ("}", RBrace),
    (",", Comma),
    (":", Colon),
    (";", Semicolon),
    (".", Dot),
    ("=", Eq),
    ("<", Less),
    (">", Greater),
    ("+", Plus),
    ("-", Minus),
    ("*", Star),
    ("/", Slash),
    ("±", PlusMinus),
    ("%", Percent),
];

fn is_blank(c: char) -> bool {
    c != '\n' && (c.is_whitespace() || c == '\u{feff}')
}

fn is_word_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// The length in bytes of the longest prefix whose characters all satisfy `passes`.
fn prefix(text: &str, mut passes: impl FnMut(char) -> bool) -> usize {
    text.find(|c| !passes(c)).unwrap_or(text.len())
}

fn comment_kind(text: &str) -> SyntaxKind {
    if text.starts_with("//!") {
        FileDoc
    } else if text.starts_with("///") && !text.starts_with("////") {
        DocComment
    } else {
        Comment
    }
}

/// The length in bytes of the number at the beginning of a text. A dot belongs to it only if a digit follows: `1..6`
/// is three tokens.
fn number(text: &str) -> usize {
    let whole = prefix(text, |c| c.is_ascii_digit());
    match text[whole..].strip_prefix('.') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => {
            whole + 1 + prefix(rest, |c| c.is_ascii_digit())
        }
        _ => whole,
    }
}
