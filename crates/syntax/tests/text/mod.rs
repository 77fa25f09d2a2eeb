//! Texts for tests, and how answers of the parser are shown.

#[allow(dead_code, reason = "not every test compares readings")]
pub mod compact;

use source::{Diagnostic, Sources};
use std::fmt::Write;

#[allow(dead_code, reason = "not every test reads models")]
/// The shipped model and those of the design, with their names.
pub fn models() -> Vec<(String, String)> {
    let here = env!("CARGO_MANIFEST_DIR");
    let mut paths = vec![format!("{here}/../../models/chang-roberts.scrut")];
    for name in [
        "agreement",
        "ftsp",
        "membership",
        "polling",
        "thales-election",
        "variants",
    ] {
        paths.push(format!("{here}/tests/data/{name}.scrut"));
    }
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a model that is there");
            (path, text)
        })
        .collect()
}

/// Parses one text.
pub fn parse(text: &str) -> syntax::Parsed {
    let mut sources = Sources::default();
    let file = sources.add("test.scrut", text);
    syntax::parse(&sources, file)
}

/// Diagnostics as text: code, place, message, and the rest indented.
#[allow(dead_code, reason = "not every test shows messages")]
pub fn messages(text: &str, diagnostics: &[Diagnostic]) -> String {
    let place = |span: source::Span| {
        let before = &text[..span.start as usize];
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.chars().rev().take_while(|c| *c != '\n').count();
        format!(
            "{line}:{column} `{}`",
            &text[span.start as usize..span.end as usize]
        )
    };
    let mut shown = String::new();
    for d in diagnostics {
        writeln!(shown, "{} {}: {}", d.code, place(d.primary.span), d.message).unwrap();
        if !d.primary.text.is_empty() {
            writeln!(shown, "  ^ {}", d.primary.text).unwrap();
        }
        for other in &d.others {
            writeln!(shown, "  - {}: {}", place(other.span), other.text).unwrap();
        }
        for note in &d.notes {
            writeln!(shown, "  = {note}").unwrap();
        }
        if let Some(fix) = &d.fix {
            writeln!(shown, "  fix {} -> `{}`", place(fix.span), fix.replacement).unwrap();
        }
    }
    shown
}
