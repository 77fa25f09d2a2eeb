//! Diagnostics as text for a terminal.

use crate::args::default_memory;
use crate::console::lines;
use crate::{Exit, complain};
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use checks::Loaded;
use source::{Code, Diagnostic, Severity, Sources, Span};
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use verdict::Spent;

/// The longest word of a message, in bytes; a longer word is shortened in its middle.
const LONGEST_WORD: usize = 80;

/// The longest message or note, in bytes.
const LONGEST_TEXT: usize = 2_000;

/// The largest number of bytes of source lines that are handed to the renderer, and of bytes that are underlined.
const LONGEST_EXCERPT: usize = 20_000;
const LONGEST_UNDERLINE: usize = 2_000;

/// The code of diagnostics that have no page, such as those about files in the format of another tool.
pub(crate) const NO_CODE: Code = Code("");

/// The text of a diagnostic, with the source lines that it is about. Long names, messages and lines are shortened only
/// in this file.
pub(crate) fn render(sources: &Sources, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(shortened(&diagnostic.message));
    let has_code = diagnostic.code != NO_CODE;
    let mut group = Group::with_title(match has_code {
        true => title.id(diagnostic.code.0),
        false => title,
    });
    // A diagnostic about a command-line option has an empty span, and no source lines are shown.
    let place = diagnostic.primary.span;
    if (place.start, place.end) != (0, 0) {
        for element in excerpt(sources, diagnostic) {
            group = group.element(element);
        }
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(shortened(note)));
    }
    if let Some(fix) = &diagnostic.fix {
        let new = shortened(fix.replacement.trim());
        let help = match (&*shortened(sources.slice(fix.span).trim()), &*new) {
            (old, "") => format!("leave out `{old}`"),
            ("", new) => format!("write `{new}` here"),
            (old, new) => format!("write `{new}` instead of `{old}`"),
        };
        group = group.element(Level::HELP.message(help));
    }
    let explain = format!("`scrutineer explain {}` tells more", diagnostic.code);
    if has_code {
        group = group.element(Level::NOTE.message(&explain));
    }
    renderer.render(&[group])
}

/// The source lines that a diagnostic is about, with its labels; if they are too long, only the text around the place.
fn excerpt<'s>(sources: &'s Sources, diagnostic: &'s Diagnostic) -> Vec<Element<'s>> {
    let primary = diagnostic.primary.span;
    let text = sources.text(primary.file);
    let spans = diagnostic.others.iter().map(|other| other.span);
    let spans: Vec<Span> = spans.chain([primary]).collect();
    // Only the lines from the first to the last place are rendered, so that the time does not depend on the rest.
    let first = spans.iter().map(|span| span.start as usize).min();
    let last = spans.iter().map(|span| span.end as usize).max();
    let first = text[..first.unwrap_or(0)]
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let last = last.unwrap_or(text.len());
    let last = text[last..].find('\n').map_or(text.len(), |at| last + at);
    let line = |at: usize| 1 + text[..at].matches('\n').count();
    let name = sources.name(primary.file);
    if last - first > LONGEST_EXCERPT {
        return long_line(sources, diagnostic);
    }
    let range = |span: Span| -> Range<usize> {
        let start = span.start as usize;
        let end = boundary(text, (span.end as usize).min(start + LONGEST_UNDERLINE));
        start - first..end.max(start) - first
    };
    let annotation = AnnotationKind::Primary.span(range(primary));
    let annotation = match &diagnostic.primary.text[..] {
        "" => annotation,
        words => annotation.label(shortened(words)),
    };
    let mut snippet = Snippet::source(&text[first..last])
        .line_start(line(first))
        .path(name)
        .annotation(annotation);
    for other in &diagnostic.others {
        snippet = snippet.annotation(
            AnnotationKind::Context
                .span(range(other.span))
                .label(shortened(&other.text)),
        );
    }
    vec![snippet.into()]
}

/// The place of a diagnostic in lines that are too long to be shown: its line, its column, and the text around it.
fn long_line<'s>(sources: &'s Sources, diagnostic: &'s Diagnostic) -> Vec<Element<'s>> {
    let span = diagnostic.primary.span;
    let text = sources.text(span.file);
    let start = span.start as usize;
    let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let origin = Origin::path(sources.name(span.file))
        .line(1 + text[..begin].matches('\n').count())
        .char_column(1 + text[begin..start].chars().count());
    // The window begins inside the line and ends at its end at the latest.
    let from = boundary(text, start.saturating_sub(LONGEST_WORD).max(begin));
    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let to = boundary(text, end.min(start + LONGEST_WORD));
    let under = boundary(text, (span.end as usize).min(to)).max(start);
    let annotation = AnnotationKind::Primary.span(start - from..under - from);
    let annotation = match &diagnostic.primary.text[..] {
        "" => annotation,
        words => annotation.label(shortened(words)),
    };
    let snippet = Snippet::source(&text[from..to])
        .line_numbering(false)
        .annotation(annotation);
    vec![origin.into(), snippet.into()]
}

/// The greatest boundary of characters at or before a byte.
fn boundary(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

/// A text with its long words shortened in their middle, and its end left out if it is still too long.
fn shortened(text: &str) -> Cow<'_, str> {
    let mut words = text.split_whitespace();
    if text.len() <= LONGEST_WORD
        || text.len() <= LONGEST_TEXT && words.all(|w| w.len() <= LONGEST_WORD)
    {
        return Cow::Borrowed(text);
    }
    let mut short = String::new();
    for piece in text.split_inclusive(char::is_whitespace) {
        if piece.len() > LONGEST_WORD {
            short.push_str(&piece[..boundary(piece, LONGEST_WORD / 2)]);
            short.push('…');
            short.push_str(&piece[boundary(piece, piece.len() - LONGEST_WORD / 4)..]);
        } else {
            short.push_str(piece);
        }
        if short.len() > LONGEST_TEXT {
            short.push('…');
            break;
        }
    }
    Cow::Owned(short)
}

/// Prints that a limit ended the reading of a model.
pub(crate) fn not_read(name: &str, spent: &Spent) -> Exit {
    let text = format!("{name}: {}", why_not_read(spent));
    lines::verdict(lines::Mark::Unknown, &text, "", None);
    Exit::Unknown
}

/// The sentence about a limit that ended the reading of a model.
pub(crate) fn why_not_read(spent: &Spent) -> String {
    format!("not read: {}", report::spent(spent))
}

/// Loads a model within limits of time and memory, and prints its diagnostics. The error is the exit code if the model
/// cannot be used. A signal ends the process, unless a handler is installed.
pub(crate) fn load(path: &Path, time: Option<Duration>) -> Result<Loaded, Exit> {
    let never = AtomicBool::new(false);
    let loaded = checks::load_within(path, time, default_memory(), &never);
    let loaded = loaded.map_err(|spent| not_read(&path.display().to_string(), &spent))?;
    let loaded = loaded.map_err(|error| complain(&error))?;
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

/// Prints the errors of a model and returns the exit code for a wrong model.
pub(crate) fn wrong(loaded: &Loaded, problems: &[Diagnostic]) -> Exit {
    print(&loaded.sources, problems);
    Exit::Wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::codes;

    /// The picture of an error about the first occurrence of `place` in a text.
    fn picture(text: &str, place: &str, message: &str) -> String {
        let mut sources = Sources::default();
        let file = sources.add("m.scrut", text);
        let start = text.find(place).expect("the place") as u32;
        let span = Span::new(file, start, start + place.len() as u32);
        let diagnostic = Diagnostic::error(codes::UNEXPECTED, span, message);
        render(&sources, &diagnostic, &Renderer::plain())
    }

    #[test]
    fn a_message_about_a_long_name_has_a_few_short_lines() {
        let name = "y".repeat(1_000_000);
        let text = format!("let a = 1\nlet ä = x + {name} + z\n");
        let shown = picture(&text, &name, &format!("there is no `{name}` here"));
        assert!(shown.lines().count() < 9, "{shown}");
        assert!(shown.lines().all(|line| line.len() < 400), "{shown}");
        assert!(shown.contains("m.scrut:2:13"), "{shown}");
        assert!(shown.contains("yyy…yyy"), "{shown}");
    }

    #[test]
    fn a_long_list_in_a_message_ends() {
        let message = "`name`, ".repeat(100_000);
        assert!(picture("a b", "b", &message).len() < 3_000);
    }

    #[test]
    fn a_short_text_is_shown_as_it_is() {
        let shown = picture("one\ntwo\nthree\n", "two", "what is it");
        assert!(
            shown.contains("m.scrut:2:1") && shown.contains("2 | two"),
            "{shown}"
        );
    }
}
