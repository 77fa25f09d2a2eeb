//! How a model is laid out: the same tokens, lines and comments, with the blanks in order.
//!
//! Lines are the author's: none is broken and none is joined. What is settled here is what stands
//! at the beginning of a line ([`indent`]), between two tokens ([`spacing`]), and which columns of
//! neighbouring lines were meant to be columns ([`columns`]). The only tokens that are ever added
//! are parentheses, where `always` or a quantifier reaches further than a reader may think
//! ([`parentheses`]).
//!
//! Laying out a text that is laid out changes nothing: each rule, given places that it has chosen
//! itself, chooses the same ones again. Where two rules lean on each other this can take a second
//! round; [`format()`] goes on until nothing moves.

mod columns;
mod indent;
mod layout;
mod lines;
mod parentheses;
mod spacing;

use crate::parse;
use source::{Diagnostic, FileId, Severity, Sources};

/// More rounds than this are not needed by any text; it is a bound, not a tuning.
const ROUNDS: usize = 10;

/// The text of a file as it should be laid out, or what is wrong with it: a text with errors
/// cannot be laid out.
pub fn format(sources: &Sources, file: FileId) -> Result<String, Vec<Diagnostic>> {
    let mut text = once(sources, file)?;
    for _ in 0..ROUNDS {
        let mut sources = Sources::default();
        let file = sources.add("formatted", &text);
        match once(&sources, file) {
            Ok(next) if next != text => text = next,
            _ => break,
        }
    }
    Ok(text)
}

fn once(sources: &Sources, file: FileId) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(sources, file);
    let wrong = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    if parsed.diagnostics.iter().any(wrong) {
        return Err(parsed.diagnostics);
    }
    let mut page = lines::Page::of(&parsed.tree);
    parentheses::add(&parsed.tree, &mut page);
    spacing::settle(&mut page);
    let indent = indent::Indent::of(&page, &parsed.tree);
    let columns = columns::Columns::of(&page, &indent);
    Ok(layout::write(&page, &indent, &columns))
}
