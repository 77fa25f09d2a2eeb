//! The footer of the page: the claim with its false part underlined, and the values that make that part false.

use crate::draw::write::escaped;
use crate::replay::run::ReplayedRun;
use crate::story::lines::digest;
use machine::{Expr, Formula, Origin, PropertyKind};

/// The footer as HTML: the text of the claim, then the end of the story. `property` is the index of the claim in the
/// Machine.
pub(crate) fn claim(replay: &ReplayedRun<'_>, property: Option<usize>) -> String {
    let words = replay.words;
    let mut out = String::new();
    if let Some(property) = property.and_then(|p| words.machine.properties.get(p)) {
        let whole = match &property.kind {
            PropertyKind::Claim(Formula::At(origin, _)) => Some(*origin),
            PropertyKind::Possible(Expr::At(origin, _)) => Some(*origin),
            _ => None,
        };
        let text = whole.and_then(|origin| words.text(origin));
        let part = replay.explanation.and_then(|e| e.why.part);
        let text = text.map_or(String::new(), |text| underlined(replay, text, part));
        let name = match property.kind {
            PropertyKind::Claim(_) => escaped(&property.name),
            PropertyKind::Possible(_) => "possible".into(),
        };
        out += &format!("<p class=\"claim\"><b>{name}</b>: <code>{text}</code></p>\n");
    }
    for line in digest(replay) {
        out += &format!("<p>{}</p>\n", escaped(&line));
    }
    out
}

/// The text of the claim as HTML, with `part` underlined if it occurs in the text.
fn underlined(replay: &ReplayedRun<'_>, text: &str, part: Option<Origin>) -> String {
    let part = part.and_then(|origin| replay.words.part(origin));
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
