//! Splits Rust source into code, comments and literals, without parsing it.

/// The kind of a piece of source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Code, including character literals and lifetimes.
    Code,
    /// A line comment without its line break, or a block comment. Doc comments are comments, too.
    Comment,
    /// A string literal of any form, with its prefix and quotes.
    Text,
}

/// The pieces of a source text in order. Their concatenation is the text.
pub(crate) fn pieces(text: &str) -> Vec<(Kind, &str)> {
    let mut found = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let piece = if rest.starts_with("//") {
            Some((Kind::Comment, rest.find('\n').unwrap_or(rest.len())))
        } else if rest.starts_with("/*") {
            Some((Kind::Comment, block_comment(rest)))
        } else if starts_word(text, at) {
            string(rest).map(|length| (Kind::Text, length))
        } else {
            None
        };
        match piece {
            Some((kind, length)) => {
                if at > start {
                    found.push((Kind::Code, &text[start..at]));
                }
                found.push((kind, &text[at..at + length]));
                at += length;
                start = at;
            }
            None if c == '\'' => at += character(rest),
            None => at += c.len_utf8(),
        }
    }
    if start < text.len() {
        found.push((Kind::Code, &text[start..]));
    }
    found
}

/// Whether a literal can begin at a position: it is a quote, or the character before is not part of an identifier.
fn starts_word(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let quote = text[at..].starts_with('"');
    quote || !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// The length of the block comment at the beginning of a text, including nested comments.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of the string literal at the beginning of a text: plain, byte or C string, raw or not. `None` if there is
/// none.
fn string(text: &str) -> Option<usize> {
    let unprefixed = text.trim_start_matches(['b', 'c']);
    if text.len() - unprefixed.len() > 1 {
        return None;
    }
    let (raw, rest) = match unprefixed.strip_prefix('r') {
        Some(rest) => (true, rest),
        None => (false, unprefixed),
    };
    let inside = rest.trim_start_matches('#');
    let hashes = rest.len() - inside.len();
    let inside = inside.strip_prefix('"')?;
    let opening = text.len() - inside.len();
    if raw {
        let end = format!("\"{}", "#".repeat(hashes));
        let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
        return Some(opening + length);
    }
    if hashes > 0 {
        return None;
    }
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(opening + at + 1),
            _ => {}
        }
    }
    Some(text.len())
}

/// The length of the character literal at the beginning of a text; 1 for the quote of a lifetime.
fn character(text: &str) -> usize {
    let inside = &text[1..];
    let length = match inside.strip_prefix('\\') {
        Some(escape) if escape.starts_with("u{") => escape.find('}').map(|at| at + 2),
        Some(escape) if escape.starts_with('x') => Some(4),
        Some(_) => Some(2),
        None => inside.chars().next().map(char::len_utf8),
    };
    match length {
        Some(length) if inside.get(length..).is_some_and(|r| r.starts_with('\'')) => length + 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: Kind, text: &str) -> Vec<&str> {
        let pieces = pieces(text);
        let joined: String = pieces.iter().map(|(_, piece)| *piece).collect();
        assert_eq!(joined, text);
        let wanted = pieces.into_iter().filter(|(k, _)| *k == kind);
        wanted.map(|(_, piece)| piece).collect()
    }

    #[test]
    fn comments_of_every_form() {
        let text = "//! a\nuse b; // c\n/* d /* e */ f */ fn g() {}\n/// h";
        assert_eq!(
            of(Kind::Comment, text),
            ["//! a", "// c", "/* d /* e */ f */", "/// h"]
        );
        assert_eq!(of(Kind::Comment, "a /* open"), ["/* open"]);
    }

    #[test]
    fn strings_hide_comments() {
        let text = r###"let a = "// no \" /* no"; let b = r#"// " no"#; let c = b"//"; let d = br"/*"; // yes"###;
        assert_eq!(of(Kind::Comment, text), ["// yes"]);
        assert_eq!(of(Kind::Text, text).len(), 4);
        assert_eq!(of(Kind::Text, "let a = \"b\nc\";"), ["\"b\nc\""]);
    }

    #[test]
    fn characters_and_lifetimes_are_code() {
        let text =
            "let a: &'static str = f('\"', '\\'', '\\\\', '\\u{22}', '\\x22', b'\"', 'ü'); // yes";
        assert_eq!(of(Kind::Comment, text), ["// yes"]);
        assert!(of(Kind::Text, text).is_empty());
    }

    #[test]
    fn raw_identifiers_are_code() {
        assert!(of(Kind::Text, "let r#type = br + number;").is_empty());
        assert_eq!(of(Kind::Text, "format!(r\"a\")"), ["r\"a\""]);
    }

    #[test]
    fn comments_hide_strings() {
        assert!(of(Kind::Text, "// it's \"quoted\"\n/* 'a \" */").is_empty());
    }
}
