//! Reserved words, and the nearest known word to a misspelt one.

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

/// Whether a word cannot be a name.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// The nearest known word, if one is close.
pub(crate) fn closest<'w>(word: &str, known: &[&'w str]) -> Option<&'w str> {
    let allowed = match word.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=40 => 2,
        _ => 0,
    };
    known
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Edit distance; swapping two neighbouring letters counts once.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let mut least = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            least = least.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
