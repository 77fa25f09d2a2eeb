//! The formatter: keeps tokens, lines and comments, and normalises white space.
//!
//! The formatter neither breaks nor joins lines. It determines the indentation of a line ([`indent`]), the space
//! between two tokens ([`spacing`]), and the alignment of neighbouring lines ([`columns`]). It adds parentheses only
//! if `always` or a quantifier extends further to the right than a reader may assume ([`parentheses`]).
//!
//! Formatting is idempotent. A single rule applied to its own result changes nothing, but one rule can depend on the
//! result of another. Therefore [`format()`] repeats the pass until the text does not change.

mod columns;
mod indent;
mod layout;
mod lines;
mod parentheses;
mod spacing;

use crate::parse;
use source::{Diagnostic, FileId, Severity, Sources};

/// The largest number of passes after the first one. No known text needs this many.
const ROUNDS: usize = 10;

/// The formatted text of a file; `Err` with all diagnostics if the file has a syntax error.
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
