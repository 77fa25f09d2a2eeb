//! Suggestions: the known name nearest to an unknown one, and lists of names for messages.

use source::{Code, Diagnostic};
use syntax::ast::Name;

/// The longest name that is compared with others, in bytes: a comparison takes time and memory quadratic in it.
const LONGEST_SUGGESTED: usize = 200;

/// The largest number of known names that are compared.
const MOST_COMPARED: usize = 1_000;

/// The known name nearest to an unknown one, compared in lower case. `None` if every known name differs in too many
/// letters for its length.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > LONGEST_SUGGESTED {
        return None;
    }
    let lower = name.to_lowercase();
    let length = name.chars().count();
    known
        .into_iter()
        .take(MOST_COMPARED)
        .filter(|candidate| *candidate != name && candidate.len() <= LONGEST_SUGGESTED)
        // The distance is at least the difference of the lengths, and more than these differences are not accepted.
        .filter(|candidate| {
            cancellation::poll();
            let other = candidate.chars().count();
            length.abs_diff(other) <= 2.max(length.max(other) / 4)
        })
        .map(|candidate| (distance(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(d, candidate)| {
            let other = candidate.chars().count();
            let (short, long) = (length.min(other), length.max(other));
            *d == 0 || (*d <= 1 && long >= 3) || (*d <= 2 && short >= 5) || *d <= long / 4
        })
        .min_by_key(|(d, _)| *d)
        .map(|(_, candidate)| candidate)
}

/// The edit distance. Swapping two neighbouring letters counts as one edit.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substitute = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitute.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// The error "there is no message `Electon`", with the nearest known name or the list of known names.
pub(crate) fn unknown(code: Code, what: &str, name: &Name, known: &[String]) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        code,
        name.span,
        format!("there is no {what} `{}`", name.text),
    );
    suggest_or_list(diagnostic, what, name, known)
}

/// Adds "did you mean" if a known name is near; otherwise lists the known names if there are at most 8.
pub(crate) fn suggest_or_list(
    diagnostic: Diagnostic,
    what: &str,
    name: &Name,
    known: &[String],
) -> Diagnostic {
    if nearest(&name.text, known.iter().map(String::as_str)).is_some() {
        return suggest(diagnostic, name, known.iter().map(String::as_str));
    }
    let quoted: Vec<String> = known.iter().map(|k| format!("`{k}`")).collect();
    match &quoted[..] {
        [] => diagnostic,
        [one] => diagnostic.note(format!("the only {what} is {one}")),
        [before @ .., last] if before.len() < 8 => {
            diagnostic.note(format!("there are {} and {last}", before.join(", ")))
        }
        _ => diagnostic,
    }
}

/// Adds "did you mean" if a known name is near.
pub(crate) fn suggest<'n>(
    diagnostic: Diagnostic,
    name: &Name,
    known: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    match nearest(&name.text, known) {
        Some(near) => diagnostic
            .at(format!("did you mean `{near}`?"))
            .fix(name.span, near),
        None => diagnostic,
    }
}

/// The parts as a list: "a, b and c", where `word` is "and".
pub(crate) fn listed(parts: &[String], word: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} {word} {last}", most.join(", ")),
    }
}
