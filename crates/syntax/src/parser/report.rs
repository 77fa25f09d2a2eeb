//! Diagnostics of the parser: one per problem, with the expected and the found text.

use super::{Parser, Token};
use crate::lexical::foreign;
use crate::lexical::kind::SyntaxKind::*;
use source::{Code, Diagnostic, FileId, Span, codes};

/// The diagnostic for excessive nesting.
pub(crate) fn too_deep(file: FileId, at: usize) -> Diagnostic {
    let span = Span::new(file, at as u32, at as u32);
    Diagnostic::error(
        codes::TOO_DEEP,
        span,
        "this is nested too deeply to be read",
    )
    .note("give parts of it names with `let` or `fn`")
}

impl Parser<'_> {
    /// Reports a diagnostic, unless a problem has been reported at the current token.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.reported_at != Some(self.position) {
            self.diagnostics.push(diagnostic);
        }
        self.mark_reported();
    }

    /// Suppresses further diagnostics at the current token.
    pub fn mark_reported(&mut self) {
        self.reported_at = Some(self.position);
    }

    /// The number of problems found so far.
    pub fn problems(&self) -> usize {
        self.diagnostics.len()
    }

    /// Allows diagnostics at the current token again.
    pub fn clear_reported(&mut self) {
        self.reported_at = None;
    }

    /// Whether a problem has been reported at the current token.
    pub fn reported(&self) -> bool {
        self.reported_at == Some(self.position)
    }

    /// The span of the current token.
    pub fn span(&self) -> Span {
        self.span_of(self.token(0))
    }

    /// The span of the token at a position.
    pub fn span_at(&self, position: usize) -> Span {
        self.span_of(self.tokens[position])
    }

    /// The span from the token at `position` to the token before the current one.
    pub fn span_since(&self, position: usize) -> Span {
        let last = self.position.saturating_sub(1).max(position);
        self.span_at(position).to(self.span_at(last))
    }

    /// The text from the token at `position` to the token before the current one.
    pub fn text_since(&self, position: usize) -> String {
        let span = self.span_since(position);
        self.text[span.start as usize..span.end as usize].to_owned()
    }

    /// The empty span after the previous token.
    pub fn span_behind(&self) -> Span {
        let end = self.previous().map_or(0, |token| token.end) as u32;
        Span::new(self.file, end, end)
    }

    /// The span of the previous token, if it is a closing brace.
    pub fn last_brace(&self) -> Option<Span> {
        self.previous()
            .filter(|token| token.kind == RBrace)
            .map(|token| self.span_of(token))
    }

    /// The span of the current token, or of the previous token if a significant newline is between them or the file
    /// ends.
    pub fn here(&self) -> Span {
        match self.previous() {
            Some(previous) if self.at(EndOfFile) || self.fresh_line() => self.span_of(previous),
            _ => self.span(),
        }
    }

    /// The span of the current token, or of the previous token if any newline is between them.
    pub fn before_here(&self) -> Span {
        match self.previous() {
            Some(previous) if self.token(0).newline => self.span_of(previous),
            _ => self.span(),
        }
    }

    /// A description of the current token, or of the end of the line if a significant newline precedes the token.
    pub fn found(&self) -> String {
        match self.kind() {
            EndOfFile => "the end of the file".to_owned(),
            _ if self.fresh_line() => "the end of the line".to_owned(),
            _ => format!("`{}`", self.word()),
        }
    }

    /// A description of the current token, regardless of newlines.
    pub fn found_here(&self) -> String {
        match self.kind() {
            EndOfFile => "the end of the file".to_owned(),
            _ => format!("`{}`", self.word()),
        }
    }

    /// The text ` after …` with the previous token; empty at the beginning of the file.
    fn after(&self) -> String {
        match self.previous() {
            Some(token) => format!(" after `{}`", &self.text[token.start..token.end]),
            None => String::new(),
        }
    }

    /// An error at the current token (see [`Parser::here`]).
    pub fn problem(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, self.here(), message)
    }

    /// Reports that `what` is expected at the current token.
    pub fn expected(&mut self, what: &str) {
        if self.refuse_token() {
            return;
        }
        let message = format!("expected {what}{}, found {}", self.after(), self.found());
        let diagnostic = self
            .problem(codes::UNEXPECTED, message)
            .at(format!("expected {what}"));
        self.report(diagnostic);
    }

    /// If the current token does not belong to the language, reports it and returns true.
    pub fn refuse_token(&mut self) -> bool {
        if self.fresh_line() {
            return false;
        }
        let word = self.word();
        let diagnostic = match self.kind() {
            Text => self
                .problem(codes::UNKNOWN_CHARACTER, "there are no texts in quotes in this language")
                .note("where a name is meant, write it without quotes; values with names are an `enum`"),
            Unknown => {
                let message = format!("the character `{word}` has no meaning here");
                let diagnostic = self.problem(codes::UNKNOWN_CHARACTER, message);
                match word {
                    "?" => diagnostic.note("a value is chosen by `if c then a else b`"),
                    "#" => diagnostic.note("comments begin with `//`"),
                    "'" if self.behind_a_word() => diagnostic.note("a variable is given its next value by `x = e`: names have no primes"),
                    _ => diagnostic,
                }
            }
            Foreign => self.foreign_problem(),
            _ => return false,
        };
        self.report(diagnostic);
        true
    }

    /// Whether the current token follows a word without a blank between them.
    fn behind_a_word(&self) -> bool {
        let start = self.token(0).start;
        self.previous()
            .is_some_and(|token| token.kind == Word && token.end == start)
    }

    /// The error for a foreign operator at the current token, with its equivalent as a fix.
    pub fn foreign_problem(&self) -> Diagnostic {
        let word = self.word();
        match foreign::ours(word) {
            Some(ours) => {
                // If the equivalent is a word, it needs a blank on each side where another token is adjacent: `!x`,
                // `a&&b`.
                let is_word = ours.starts_with(char::is_alphabetic);
                let before = is_word
                    && self
                        .previous()
                        .is_some_and(|p| p.end == self.token(0).start);
                let behind = is_word && self.token(1).start == self.token(0).end;
                let pad = |wanted: bool| if wanted { " " } else { "" };
                self.problem(
                    codes::FOREIGN_OPERATOR,
                    format!("`{word}` is not an operator of this language: write `{ours}`"),
                )
                .at(format!("write `{ours}`"))
                .fix(self.span(), format!("{}{ours}{}", pad(before), pad(behind)))
            }
            None => self.problem(
                codes::FOREIGN_OPERATOR,
                format!("`{word}` is not an operator of this language"),
            ),
        }
    }

    /// Reports a block comment: comments are `//` and extend to the end of the line.
    pub(super) fn refuse_block_comment(&mut self, comment: Token) {
        let text = &self.text[comment.start..comment.end];
        let message = if text.len() >= 4 && text.ends_with("*/") {
            "comments begin with `//` and go to the end of the line; there is no `/* … */`"
        } else {
            "this `/*` is never closed; comments begin with `//` and go to the end of the line"
        };
        let span = Span::new(self.file, comment.start as u32, comment.start as u32 + 2);
        self.diagnostics
            .push(Diagnostic::error(codes::UNKNOWN_CHARACTER, span, message));
    }

    /// Reports excessive nesting and skips to the next item.
    pub(super) fn refuse_depth(&mut self) {
        let diagnostic = too_deep(self.file, self.token(0).start);
        self.report(diagnostic);
        self.skip_to_item();
        self.braces.reported_at = Some(self.position);
    }
}
