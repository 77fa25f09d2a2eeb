//! The claim with its false part underlined, and what makes it false.

use crate::Telling;
use crate::chart::escaped;
use crate::story::untimed::digest;
use machine::{Expr, Formula, Origin, PropertyKind};

/// The claim, then the end of the story.
pub(crate) fn claim(telling: &Telling<'_>, property: Option<usize>) -> String {
    let words = telling.words;
    let mut out = String::new();
    if let Some(property) = property.and_then(|p| words.machine.properties.get(p)) {
        let whole = match &property.kind {
            PropertyKind::Claim(Formula::At(origin, _)) => Some(*origin),
            PropertyKind::Possible(Expr::At(origin, _)) => Some(*origin),
            _ => None,
        };
        let text = whole.and_then(|origin| words.text(origin));
        let part = telling.explanation.and_then(|e| e.why.part);
        let text = text.map_or(String::new(), |text| underlined(telling, text, part));
        let name = match property.kind {
            PropertyKind::Claim(_) => escaped(&property.name),
            PropertyKind::Possible(_) => "possible".into(),
        };
        out += &format!("<p class=\"claim\"><b>{name}</b>: <code>{text}</code></p>\n");
    }
    for line in digest(telling) {
        out += &format!("<p>{}</p>\n", escaped(&line));
    }
    out
}

/// The text with the part of it underlined.
fn underlined(telling: &Telling<'_>, text: &str, part: Option<Origin>) -> String {
    let part = part.and_then(|origin| telling.words.part(origin));
    let place = part.and_then(|part| Some((text.find(part)?, part.len())));
    match place {
        Some((at, length)) => format!(
            "{}<u title=\"this part is false\">{}</u>{}",
            escaped(&text[..at]),
            escaped(&text[at..at + length]),
            escaped(&text[at + length..])
        ),
        None => escaped(text),
    }
}
