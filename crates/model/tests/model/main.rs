//! Tests of name resolution: for each rule a text that breaks it, and the diagnostic.

mod calls;
mod checks;
mod code;
mod data;
mod moments;
mod names;
mod refused;
mod times;
mod types;
mod worlds;

use expect_test::Expect;
use source::{Diagnostic, Sources};

/// Compares the diagnostics of a text, one line each with the notes below it, with `expected`.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let mut sources = Sources::default();
    let file = sources.add("test.scrut", text);
    let parsed = syntax::parse(&sources, file);
    let shown: Vec<String> = parsed
        .diagnostics
        .iter()
        .map(|d| show(d, &sources))
        .collect();
    assert!(
        shown.is_empty(),
        "the text cannot be read:\n{}",
        shown.concat()
    );
    let (_, diagnostics) = model::resolve(&parsed.file, &sources);
    let shown: Vec<String> = diagnostics.iter().map(|d| show(d, &sources)).collect();
    expected.assert_eq(&shown.concat());
}

/// Checks that a text has no diagnostics.
#[track_caller]
fn fine(text: &str) {
    check(text, expect_test::expect![[""]]);
}

/// A small model with a node that contains these items.
fn in_node(items: &str) -> String {
    format!(
        "param n: 1..9 = 3\n\
         enum Role {{ Follower, Candidate, Leader }}\n\
         message Election {{ candidate: Id }}\n\
         message Ping\n\
         network ring {{ channel fifo }}\n\
         node Member[n] {{\n\
         id: Id\n\
         var role: Role = Follower\n\
         var turn: 0..3 = 0\n\
         var leader: Option<Id> = none\n\
         on Election as m from s {{ }}\n\
         on Ping {{ }}\n\
         {items}\n}}\n"
    )
}

/// The same model with these statements in the `start` block of the node.
fn in_block(statements: &str) -> String {
    in_node(&format!("start {{ {statements} }}"))
}

fn show(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let span = diagnostic.primary.span;
    let before = &sources.text(span.file)[..span.start as usize];
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    let mut text = format!(
        "{} {}:{column} `{}` {}",
        diagnostic.code,
        sources.line(span),
        sources.slice(span).replace('\n', "⏎"),
        diagnostic.message
    );
    if !diagnostic.primary.text.is_empty() {
        text.push_str(&format!(" ({})", diagnostic.primary.text));
    }
    text.push('\n');
    for other in &diagnostic.others {
        text.push_str(&format!("  {}: {}\n", sources.line(other.span), other.text));
    }
    for note in &diagnostic.notes {
        text.push_str(&format!("  = {note}\n"));
    }
    text
}
