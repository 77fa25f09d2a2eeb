//! Reserved words, and the search for the known word nearest to a misspelt one.

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
        // No known word is that long, and the table of distances would be too large.
        _ => return None,
    };
    known
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The edit distance of `a`, in lower case, and `b`. Swapping two neighbouring letters counts as one edit.
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
