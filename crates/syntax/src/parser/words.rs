//! Reserved words, and the search for the known word nearest to a misspelt one.

use source::Misspelt;

/// Words that cannot be names, because expressions would become ambiguous.
const RESERVED: &[&str] = &[
    "all",
    "always",
    "and",
    "any",
    "else",
    "eventually",
    "exists",
    "false",
    "fn",
    "for",
    "if",
    "implies",
    "in",
    "intersect",
    "is",
    "let",
    "match",
    "minus",
    "mod",
    "none",
    "not",
    "or",
    "self",
    "subset",
    "then",
    "true",
    "union",
    "until",
    "var",
];

/// Whether a word is reserved and cannot be a name.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// The known word with the least edit distance to `word`. `None` if the distance exceeds 1 for words of 3 to 5
/// letters, 2 for 6 to 40 letters, and 0 for shorter words; always `None` for longer ones.
pub(crate) fn closest<'w>(word: &str, known: &[&'w str]) -> Option<&'w str> {
    let allowed = match word.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=40 => 2,
        // No known word is that long.
        _ => return None,
    };
    let mut word = Misspelt::new(word);
    known
        .iter()
        .filter_map(|candidate| Some((word.distance(candidate, allowed)?, *candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
