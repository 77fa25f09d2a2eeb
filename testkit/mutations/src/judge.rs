//! Judges a mutant: whether a diagnostic of the front end leads to the mutation.

use crate::Mutant;
use source::{Diagnostic, Severity, Sources, Span};
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The maximum distance of a diagnostic from the mutation, in lines.
const NEAR: usize = 2;

/// The maximum time to parse and lower a mutant.
pub const LONG: Duration = Duration::from_secs(1);

/// The judgement of a mutant.
#[derive(Debug)]
pub struct Judgement {
    /// Which diagnostics the mutant has.
    pub outcome: Outcome,
    /// Defects of the front end: a panic, or formatting that changes the meaning or is not idempotent.
    pub defects: Vec<String>,
    /// The time to parse and lower the mutant.
    pub took: Duration,
}

/// The diagnostics of a mutant, classified.
#[derive(Debug)]
pub enum Outcome {
    /// The original text is refused as well, so the diagnostics are not judged.
    OfRefused,
    /// The mutant has no errors.
    Accepted,
    /// The mutant has errors.
    Rejected {
        /// The errors, in the order in which they are displayed.
        errors: Vec<Diagnostic>,
        /// Whether some error is near the mutation.
        near: bool,
        /// Whether the first error is near the mutation.
        first_near: bool,
        /// Whether some error names the token that was removed.
        named: bool,
    },
}

/// Runs a mutant through the front end like `check` and `fmt`.
pub fn judge(mutant: &Mutant) -> Judgement {
    let read = || catch_unwind(AssertUnwindSafe(|| errors(&mutant.text)));
    let begun = Instant::now();
    let result = read();
    let mut took = begun.elapsed();
    // On a busy machine a single measurement may take too long, so the shortest of three counts.
    for _ in 0..2 {
        if took > LONG {
            let begun = Instant::now();
            let _ = read();
            took = took.min(begun.elapsed());
        }
    }
    let mut defects = Vec::new();
    let errors = result.unwrap_or_else(|_| {
        defects.push("reading it panics".to_owned());
        Vec::new()
    });
    let stable = catch_unwind(|| unstable(&mutant.text));
    defects.extend(stable.unwrap_or_else(|_| Some("laying it out panics".to_owned())));
    Judgement {
        outcome: outcome(mutant, errors),
        defects,
        took,
    }
}

fn outcome(mutant: &Mutant, errors: Vec<Diagnostic>) -> Outcome {
    if mutant.of.refused {
        return Outcome::OfRefused;
    }
    if errors.is_empty() {
        return Outcome::Accepted;
    }
    let (start, end) = mutant.place;
    let damaged = lines_of(&mutant.text, start, end);
    let near = |error: &Diagnostic| {
        let place = error.primary.span;
        let lines = lines_of(&mutant.text, place.start as usize, place.end as usize);
        *lines.start() <= damaged.end() + NEAR && *damaged.start() <= lines.end() + NEAR
    };
    Outcome::Rejected {
        near: errors.iter().any(near),
        first_near: errors.first().is_some_and(near),
        named: mutant
            .removed
            .is_some_and(|token| errors.iter().any(|error| names(error, token))),
        errors,
    }
}

/// The first and last line of a range of bytes, counted from 1.
pub fn lines_of(text: &str, start: usize, end: usize) -> RangeInclusive<usize> {
    let line = |at: usize| 1 + text[..at].matches('\n').count();
    line(start)..=line(end)
}

/// Whether an error quotes a token in its texts, or inserts it as a fix.
fn names(error: &Diagnostic, token: &str) -> bool {
    let quoted = format!("`{token}`");
    let labels = error.others.iter().map(|label| &label.text);
    let texts = [&error.message, &error.primary.text].into_iter();
    let mut texts = texts.chain(labels).chain(&error.notes);
    let fixed = |fix: &source::Fix| fix.replacement.trim() == token;
    texts.any(|text| text.contains(&quoted)) || error.fix.as_ref().is_some_and(fixed)
}

/// All errors of a text, including those of lowering the first request of each check.
///
/// # Panics
/// If a Machine does not pass the verifier.
pub fn errors(text: &str) -> Vec<Diagnostic> {
    let loaded = checks::load_text("mutant.scrut", text);
    if loaded.has_errors() {
        let mut errors = loaded.diagnostics;
        errors.retain(|d| d.severity == Severity::Error);
        return errors;
    }
    let mut errors = Vec::new();
    for number in 0..loaded.model.checks.len() {
        match lower::instances(&loaded.model, number, &[]) {
            Ok(requests) => {
                let Some(request) = requests.first() else {
                    continue;
                };
                match lower::lower(&loaded.model, &loaded.sources, request) {
                    // `lower` verifies the Machine only in debug builds.
                    Ok(lowered) => assert_eq!(machine::verify(&lowered.machine), Ok(())),
                    Err(problems) => errors.extend(problems),
                }
            }
            Err(problems) => errors.extend(problems),
        }
    }
    errors
}

/// How formatting changes a text wrongly: its meaning or its tokens change, or formatting again changes it further.
/// `None` if formatting is correct, or if the text cannot be formatted.
fn unstable(text: &str) -> Option<String> {
    let laid_out = layout(text)?;
    let Some(again) = layout(&laid_out) else {
        return Some(format!("laid out, it cannot be read:\n{laid_out}"));
    };
    if again != laid_out {
        return Some(format!("laying it out twice changes it:\n{laid_out}"));
    }
    if tokens(text) != tokens(&laid_out) {
        return Some(format!("laying it out changes its tokens:\n{laid_out}"));
    }
    let before = checks::load_text("mutant.scrut", text);
    if before.has_errors() {
        return None;
    }
    let after = checks::load_text("mutant.scrut", &laid_out);
    let meaning = |loaded: &checks::Loaded| without_places(&format!("{:?}", loaded.model));
    (meaning(&before) != meaning(&after))
        .then(|| format!("laying it out changes its meaning:\n{laid_out}"))
}

fn layout(text: &str) -> Option<String> {
    let mut sources = Sources::default();
    let file = sources.add("mutant.scrut", text);
    syntax::format(&sources, file).ok()
}

/// The tokens of a text without parentheses, because the formatter may add parentheses.
fn tokens(text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let file = sources.add("mutant.scrut", text);
    let tree = syntax::parse(&sources, file).tree;
    let tokens = tree
        .descendants_with_tokens()
        .filter_map(|e| e.into_token());
    tokens
        .filter(|token| !token.kind().is_trivia() && !matches!(token.text(), "(" | ")"))
        .map(|token| token.text().to_owned())
        .collect()
}

/// The debug output of a Model without its source spans.
fn without_places(model: &str) -> String {
    let place = std::any::type_name::<Span>();
    let name = place.rsplit("::").next().unwrap_or(place);
    let begin = format!("{name} {{");
    let mut parts = model.split(&begin);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += part.split_once('}').map_or("", |(_, behind)| behind);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_without_places_has_all_the_rest() {
        let model = "Let { span: Span { file: FileId(0), start: 3, end: 5 }, name: \"x\" }";
        assert_eq!(without_places(model), "Let { span: , name: \"x\" }");
    }

    /// The outcome for a text of which the last line was mutated and whose only error is at byte `at`.
    fn outcome_of(message: &str, at: u32) -> Outcome {
        let text = "let a = 1\n\n\n\nlet b = 2\n";
        let texts = crate::texts();
        let mutant = Mutant {
            of: texts.iter().find(|t| !t.refused).expect("a text"),
            operator: crate::Operator::Delete,
            text: text.to_owned(),
            place: (text.len() - 1, text.len() - 1),
            removed: Some("and"),
        };
        let mut sources = Sources::default();
        let file = sources.add("mutant.scrut", text);
        let place = Span::new(file, at, at + 1);
        let error = Diagnostic::error(source::codes::UNEXPECTED, place, message);
        outcome(&mutant, vec![error])
    }

    #[test]
    fn a_message_leads_to_the_damage_by_its_place_or_its_words() {
        let leads = |outcome| match outcome {
            Outcome::Rejected { near, named, .. } => (near, named),
            other => panic!("{other:?}"),
        };
        assert_eq!(leads(outcome_of("expected something", 0)), (false, false));
        assert_eq!(leads(outcome_of("expected an and", 0)), (false, false));
        assert_eq!(leads(outcome_of("expected `and`", 0)), (false, true));
        assert_eq!(leads(outcome_of("expected something", 11)), (true, false));
    }

    #[test]
    fn lines_begin_with_one() {
        assert_eq!(lines_of("a\nb\nc", 0, 1), 1..=1);
        assert_eq!(lines_of("a\nb\nc", 2, 5), 2..=3);
    }
}
