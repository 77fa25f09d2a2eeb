//! Suggestions: the known name nearest to an unknown one, and lists of names for messages.

use source::{Code, Diagnostic};
use syntax::ast::Name;

/// The known name nearest to an unknown one: few letters differ, or only the case.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let lower = name.to_lowercase();
    known
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (distance(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(d, candidate)| {
            let length = name.chars().count().max(candidate.chars().count());
            *d == 0 || (*d <= 1 && length >= 3) || (*d <= 2 && length >= 5) || *d <= length / 4
        })
        .min_by_key(|(d, _)| *d)
        .map(|(_, candidate)| candidate)
}

/// Edit distance; swapping two neighbouring letters counts once.
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

/// "there is no message `Electon`", with the nearest known name.
pub(crate) fn unknown(code: Code, what: &str, name: &Name, known: &[String]) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        code,
        name.span,
        format!("there is no {what} `{}`", name.text),
    );
    suggest_or_list(diagnostic, what, name, known)
}

/// Adds "did you mean" if a known name is near; otherwise lists the known names if they are few.
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

/// "a, b and c".
pub(crate) fn listed(parts: &[String], word: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} {word} {last}", most.join(", ")),
    }
}
