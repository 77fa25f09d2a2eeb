//! Operators and words of other languages and of mathematics, with their equivalents in this language.

/// Foreign operators with their equivalents; the equivalent is empty if there is none. An operator comes before its prefixes.
const OPERATORS: &[(&str, &str)] = &[
    ("===", "=="),
    ("!==", "!="),
    ("...", ".."),
    ("..=", ".."),
    ("==>", "implies"),
    ("<=>", "=="),
    ("&&", "and"),
    ("||", "or"),
    ("++", ""),
    ("+=", "+"),
    ("-=", "-"),
    ("*=", "*"),
    ("/=", "/"),
    (":=", "="),
    ("->", "=>"),
    ("**", ""),
    ("\\intersect", "intersect"),
    ("\\subseteq", "subset"),
    ("\\union", "union"),
    ("\\cup", "union"),
    ("\\cap", "intersect"),
    ("\\in", "in"),
    ("\\A", "all"),
    ("\\E", "exists"),
    ("<>", "eventually"),
    ("/\\", "and"),
    ("\\/", "or"),
    ("&", "and"),
    ("|", "or"),
    ("!", "not"),
    ("~", "not"),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("∧", "and"),
    ("∨", "or"),
    ("¬", "not"),
    ("⇒", "implies"),
    ("→", "implies"),
    ("∀", "all"),
    ("∃", "exists"),
    ("∈", "in"),
    ("⊆", "subset"),
    ("∪", "union"),
    ("∩", "intersect"),
    ("∖", "minus"),
    ("∅", "{}"),
    ("×", "*"),
    ("·", "*"),
    ("−", "-"),
    ("–", "-"),
    ("…", ".."),
    ("□", "always"),
    ("◇", "eventually"),
];

/// The length in bytes of the foreign operator at the beginning of a text; `None` if there is none.
pub(crate) fn operator_at(text: &str) -> Option<usize> {
    // These signs begin no foreign operator.
    if text.starts_with(['(', ')', '[', ']', '{', '}', ',', ';', '"', '%']) {
        return None;
    }
    // `!=` is an operator of this language, but `!` is not.
    if text.starts_with("!=") && !text.starts_with("!==") {
        return None;
    }
    OPERATORS
        .iter()
        .find(|(foreign, _)| text.starts_with(foreign))
        .map(|(foreign, _)| foreign.len())
}

/// The equivalent of a foreign operator; `None` if it has none or is not foreign.
pub(crate) fn ours(operator: &str) -> Option<&'static str> {
    OPERATORS
        .iter()
        .find(|(foreign, _)| *foreign == operator)
        .map(|(_, ours)| *ours)
        .filter(|ours| !ours.is_empty())
}

/// The equivalent of a foreign quantifier; `None` for other words.
pub(crate) fn quantifier(word: &str) -> Option<&'static str> {
    match word {
        "forall" | "for_all" | "foreach" | "each" => Some("all"),
        "some" | "forsome" | "exist" => Some("exists"),
        "no" => Some("not exists"),
        _ => None,
    }
}

/// The equivalent of a foreign word for a fault of messages; `None` for other words.
pub(crate) fn fault(word: &str) -> Option<&'static str> {
    match word {
        "duplicate" | "dup" | "replay" | "resend" => Some("repeat"),
        "drop" | "loss" | "lossy" => Some("lose"),
        _ => None,
    }
}

/// The operator in `+=`, `-=`, `*=` or `/=`; `None` for other tokens.
pub(crate) fn updates_by(operator: &str) -> Option<&'static str> {
    matches!(operator, "+=" | "-=" | "*=" | "/=")
        .then(|| ours(operator))
        .flatten()
}
