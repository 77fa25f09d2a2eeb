//! Texts for tests, and the form in which tests compare diagnostics.

pub mod compact;

use expect_test::Expect;
use source::{Diagnostic, Sources};
use std::fmt::Write;

/// A shipped model and the models of the test data, with their paths.
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

/// Parses a text.
pub fn parse(text: &str) -> syntax::Parsed {
    let mut sources = Sources::default();
    let file = sources.add("test.scrut", text);
    syntax::parse(&sources, file)
}

/// Diagnostics as text: code, place and message on one line, the other parts indented below.
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

/// Compares the diagnostics of each text with `expected`.
pub fn messages_of(models: &[&str], expected: Expect) {
    show(models, |model| model.to_owned(), expected);
}

/// Like [`messages_of`], but each text is the body of a block.
pub fn in_block(bodies: &[&str], expected: Expect) {
    let wrap = |body: &str| {
        let body = body.replace('\n', "\n        ");
        format!("node N {{\n    start {{\n        {body}\n    }}\n}}\n")
    };
    show(bodies, wrap, expected);
}

fn show(texts: &[&str], wrap: impl Fn(&str) -> String, expected: Expect) {
    let mut shown = String::new();
    for text in texts {
        let model = wrap(text);
        let parsed = parse(&model);
        assert_eq!(parsed.tree.text().to_string(), model);
        let quoted = text.trim_end().replace('\n', "\n> ");
        shown += &format!("> {quoted}\n{}\n", messages(&model, &parsed.diagnostics));
    }
    expected.assert_eq(&shown);
}
