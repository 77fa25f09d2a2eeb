//! The tokens of expressions and statements.

use crate::format::declarations::Name;
use crate::format::error::Mistake;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Number(i64),
    /// A name that is no keyword.
    Name(String),
    Keyword(&'static str),
    Symbol(&'static str),
    End,
}

const KEYWORDS: &[&str] = &["if", "then", "else", "end", "while", "do", "local", "nop"];

/// The symbols. A symbol precedes its prefixes.
const SYMBOLS: &[&str] = &[
    "&&", "==", "!=", "<=", ">=", "<", ">", "=", "!", "+", "-", "*", "/", "%", "(", ")", "[", "]",
    ";",
];

/// The tokens of the text of an attribute with their offsets in the file. The last token is [`Token::End`].
pub(crate) fn tokens(value: &Name) -> Result<Vec<(Token, usize)>, Mistake> {
    let mut tokens = Vec::new();
    let mut rest = &value.text[..];
    loop {
        rest = rest.trim_start();
        let at = value.at + (value.text.len() - rest.len());
        let Some(first) = rest.chars().next() else {
            tokens.push((Token::End, at));
            return Ok(tokens);
        };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        let (token, length) = if first.is_ascii_digit() {
            let length = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let number: Result<i32, _> = rest[..length].parse();
            let Ok(number) = number else {
                return Err(Mistake::new(at, "the number has more than 32 bits"));
            };
            (Token::Number(number.into()), length)
        } else if !word.is_empty() {
            let keyword = KEYWORDS.iter().find(|keyword| **keyword == word);
            let token = keyword.map_or_else(|| Token::Name(word.into()), |k| Token::Keyword(k));
            (token, word.len())
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            (Token::Symbol(symbol), symbol.len())
        } else {
            let message = match rest.starts_with("||") {
                true => "there is no `||`: write several edges".to_string(),
                false => format!("`{first}` is no symbol of expressions"),
            };
            return Err(Mistake::new(at, message));
        };
        tokens.push((token, at));
        rest = &rest[length..];
    }
}
