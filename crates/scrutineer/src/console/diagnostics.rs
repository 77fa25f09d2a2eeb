//! Diagnostics on a terminal.

use crate::{Exit, complain};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use checks::Loaded;
use source::{Diagnostic, Severity, Sources};
use std::ops::Range;
use std::path::Path;

/// The text of a diagnostic.
pub(crate) fn render(sources: &Sources, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let file = diagnostic.primary.span.file;
    let text = sources.text(file);
    let range = |span: source::Span| -> Range<usize> { span.start as usize..span.end as usize };
    let primary = AnnotationKind::Primary.span(range(diagnostic.primary.span));
    let primary = match &diagnostic.primary.text[..] {
        "" => primary,
        words => primary.label(words),
    };
    let mut snippet = Snippet::source(text)
        .path(sources.name(file))
        .annotation(primary);
    for other in &diagnostic.others {
        snippet = snippet.annotation(
            AnnotationKind::Context
                .span(range(other.span))
                .label(&other.text[..]),
        );
    }
    let title = level
        .primary_title(&diagnostic.message)
        .id(diagnostic.code.0);
    let mut group = Group::with_title(title);
    // An option of the command line has no place in the text.
    if range(diagnostic.primary.span) != (0..0) {
        group = group.element(snippet);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note));
    }
    let help;
    if let Some(fix) = &diagnostic.fix {
        let new = fix.replacement.trim();
        help = match (sources.slice(fix.span).trim(), new) {
            (old, "") => format!("leave out `{old}`"),
            ("", new) => format!("write `{new}` here"),
            (old, new) => format!("write `{new}` instead of `{old}`"),
        };
        group = group.element(Level::HELP.message(&help));
    }
    let explain = format!("`scrutineer explain {}` tells more", diagnostic.code);
    let group = group.element(Level::NOTE.message(&explain));
    renderer.render(&[group])
}

/// Loads a model and prints its diagnostics; an error if the model cannot be used.
pub(crate) fn load(path: &Path) -> Result<Loaded, Exit> {
    let loaded = checks::load(path).map_err(|error| complain(&error))?;
    print(&loaded.sources, &loaded.diagnostics);
    if loaded.has_errors() {
        Err(Exit::Wrong)
    } else {
        Ok(loaded)
    }
}

/// Prints diagnostics to standard error.
pub(crate) fn print(sources: &Sources, diagnostics: &[Diagnostic]) {
    let renderer = Renderer::styled();
    for diagnostic in diagnostics {
        anstream::eprintln!("{}\n", render(sources, diagnostic, &renderer));
    }
}

/// Prints the errors of a model, which end the call.
pub(crate) fn wrong(loaded: &Loaded, problems: &[Diagnostic]) -> Exit {
    print(&loaded.sources, problems);
    Exit::Wrong
}
