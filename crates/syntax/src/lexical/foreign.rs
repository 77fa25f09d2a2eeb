//! Operators and words of other languages and of mathematics, and what to write instead.

/// What people write, and our word for it; empty where there is none. Longer ones first.
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

/// The length of the foreign operator that the text begins with.
pub(crate) fn operator_at(text: &str) -> Option<usize> {
    // `!=` is ours although `!` is not.
    if text.starts_with("!=") && !text.starts_with("!==") {
        return None;
    }
    OPERATORS
        .iter()
        .find(|(foreign, _)| text.starts_with(foreign))
        .map(|(foreign, _)| foreign.len())
}

/// Our word for a foreign operator.
pub(crate) fn ours(operator: &str) -> Option<&'static str> {
    OPERATORS
        .iter()
        .find(|(foreign, _)| *foreign == operator)
        .map(|(_, ours)| *ours)
        .filter(|ours| !ours.is_empty())
}

/// Our word for a quantifier as other languages call it.
pub(crate) fn quantifier(word: &str) -> Option<&'static str> {
    match word {
        "forall" | "for_all" | "foreach" | "each" => Some("all"),
        "some" | "forsome" | "exist" => Some("exists"),
        _ => None,
    }
}

/// Our word for what may happen to messages.
pub(crate) fn fault(word: &str) -> Option<&'static str> {
    match word {
        "duplicate" | "dup" | "replay" | "resend" => Some("repeat"),
        "drop" | "loss" | "lossy" => Some("lose"),
        _ => None,
    }
}

/// The operator inside `+=` and its like.
pub(crate) fn updates_by(operator: &str) -> Option<&'static str> {
    matches!(operator, "+=" | "-=" | "*=" | "/=")
        .then(|| ours(operator))
        .flatten()
}
