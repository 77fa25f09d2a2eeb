//! Suggestions: the known name nearest to an unknown one, and lists of names for messages.

use source::{Code, Diagnostic, Misspelt};
use syntax::ast::Name;

/// The longest name that is compared with others, in bytes: a comparison takes time and memory quadratic in it.
const LONGEST_SUGGESTED: usize = 200;

/// The largest number of known names that are compared.
const MOST_COMPARED: usize = 500;

/// The known name nearest to an unknown one, compared in lower case. `None` if every known name differs in too many
/// letters for its length.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > LONGEST_SUGGESTED {
        return None;
    }
    let length = name.chars().count();
    let mut name = (name, Misspelt::new(name));
    known
        .into_iter()
        .take(MOST_COMPARED)
        .filter(|candidate| *candidate != name.0 && candidate.len() <= LONGEST_SUGGESTED)
        .filter_map(|candidate| {
            cancellation::poll();
            let other = candidate.chars().count();
            let most = most_edits(length.min(other), length.max(other));
            Some((name.1.distance(candidate, most)?, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The largest accepted distance of two names of these lengths.
fn most_edits(short: usize, long: usize) -> usize {
    let few = match () {
        () if short >= 5 => 2,
        () if long >= 3 => 1,
        () => 0,
    };
    few.max(long / 4)
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
