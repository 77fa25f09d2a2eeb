//! Unbalanced brackets: which bracket is reported, and how parsing continues.

use super::Parser;
use crate::lexical::kind::SyntaxKind;
use crate::lexical::kind::SyntaxKind::*;
use source::{Diagnostic, codes};

/// Maximum lookahead for a matching bracket, in tokens.
const FAR: usize = 2000;

impl Parser<'_> {
    /// Takes the `closing` bracket of the bracket at position `opened`. Reports and skips other tokens before it. If
    /// there is no such bracket, reports that and takes nothing.
    pub fn close_bracket(&mut self, opened: usize, closing: SyntaxKind) {
        if self.eat(closing) {
            return;
        }
        let partner = self.partner_ahead(closing);
        let (left, right) = match closing {
            RParen => ("(", ")"),
            RBracket => ("[", "]"),
            _ => ("{", "}"),
        };
        if !self.reported() && !self.refuse_token() {
            if partner.is_some() {
                self.expected(&format!("`{right}`"));
            } else {
                let found = self.found();
                let diagnostic = Diagnostic::error(
                    codes::UNCLOSED,
                    self.span_at(opened),
                    format!("this `{left}` is not closed: expected `{right}`, found {found}"),
                )
                .other(self.before_here(), format!("expected `{right}` here"));
                self.report(diagnostic);
                self.braces.doubtful |= closing == RBrace;
            }
        }
        if let Some(partner) = partner {
            let error = self.open();
            while self.position < partner {
                self.bump();
            }
            self.close(error, Error);
            self.bump();
        }
    }

    /// Takes the brace that opens a block, and returns its position. Reports a missing brace; `what` describes the
    /// contents of the block. If the indentation shows that the closing brace exists, returns the position of the
    /// token before the missing brace; otherwise `None`.
    pub fn open_brace(&mut self, what: &str) -> Option<usize> {
        let head = self.position.saturating_sub(1);
        if self.at(LBrace) {
            self.bump();
            return Some(head + 1);
        }
        self.expected(&format!("`{{` and {what}"));
        self.braces.doubtful = true;
        self.closes_block_of(head).then_some(head)
    }

    /// Takes the brace that closes the block whose brace is at position `opened`. If the closing brace is missing,
    /// reports the opening brace that has no partner according to the indentation.
    pub fn close_brace(&mut self, opened: usize) {
        if self.at(RBrace) {
            let closing = self.token(0);
            if closing.newline && self.indentation(closing) < self.indentation(self.tokens[opened])
            {
                self.braces.misfits.push(opened);
            }
            if self.closes_early(opened) {
                self.braces.early.get_or_insert(self.position);
            }
            self.bump();
            return;
        }
        let unmatched = (self.braces.misfits.iter().copied())
            .find(|misfit| *misfit > opened)
            .unwrap_or(opened);
        self.braces.misfits.retain(|misfit| *misfit < opened);
        let noticed = match self.kind() {
            EndOfFile => "the file ends before it".to_owned(),
            _ => format!("noticed at `{}`", self.word()),
        };
        let diagnostic = Diagnostic::error(
            codes::UNCLOSED,
            self.span_at(unmatched),
            "this `{` is not closed: a `}` is missing",
        )
        .at("opened here")
        .other(self.span(), noticed);
        // One missing brace leaves all enclosing blocks open; only one of them is reported. If the braces were doubtful
        // before, the missing brace is part of a problem that has been reported.
        if self.braces.reported_at != Some(self.position) && !self.braces.doubtful {
            self.reported_at = None;
            self.report(diagnostic);
        }
        self.braces.reported_at = Some(self.position);
        self.braces.doubtful = true;
    }

    /// Whether the `}` at the current token ends a block of several lines, and either does not begin its line or is
    /// indented more than the first line of the block.
    fn closes_early(&self, opened: usize) -> bool {
        let (opening, closing) = (self.tokens[opened], self.token(0));
        let lines = self.text[opening.start..closing.start].contains('\n');
        lines && (!closing.newline || self.indentation(closing) > self.indentation(opening))
    }

    /// If the indentation shows that a closing brace of the last item is superfluous, reports this brace and returns
    /// true: the current token probably belongs inside the block that the brace closes.
    pub fn refuse_early_brace(&mut self) -> bool {
        let Some(early) = self.braces.early else {
            return false;
        };
        let found = self.found_here();
        let diagnostic = Diagnostic::error(
            codes::STRAY_BRACKET,
            self.span_at(early),
            "this `}` seems to be one too many: it ends a block early",
        )
        .other(self.span(), format!("so {found} stands outside"));
        if !self.braces.doubtful {
            self.report(diagnostic);
        }
        true
    }

    /// Whether the `{` at the current token, in the head of a block, opens the block and not a set: the token after
    /// its partner cannot continue the head.
    pub fn brace_begins_block(&self) -> bool {
        let mut depth = 0usize;
        for (at, token) in self.ahead() {
            match token.kind {
                LBrace => depth += 1,
                RBrace if depth == 1 => {
                    let next = self.tokens[(at + 1).min(self.tokens.len() - 1)];
                    let word = &self.text[next.start..next.end];
                    return matches!(next.kind, RBrace | Semicolon | EndOfFile)
                        || word == "else"
                        || next.newline && next.kind == Word && !super::is_reserved(word);
                }
                RBrace => depth -= 1,
                _ => {}
            }
        }
        false
    }

    /// The position of the `closing` bracket of the innermost open bracket. `None` if an item, a `;` or another
    /// unmatched bracket comes first, or if it is a brace on a later line.
    fn partner_ahead(&self, closing: SyntaxKind) -> Option<usize> {
        let mut depth = 0usize;
        // In `send M { a: 1 to next }` the next brace closes the block, not the struct.
        if closing == RBrace && self.at_word("to") {
            return None;
        }
        for (at, token) in self.ahead() {
            if token.newline && closing == RBrace {
                return None;
            }
            match token.kind {
                kind if kind == closing && depth == 0 => return Some(at),
                LParen | LBracket | LBrace => depth += 1,
                RParen | RBracket | RBrace if depth > 0 => depth -= 1,
                RParen | RBracket | RBrace | Semicolon => return None,
                Word if token.newline && super::ITEMS.contains(&self.text_of(at)) => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether the next unmatched closing brace belongs to the block whose head ends at position `head`: the brace is
    /// on the current line, or begins a line and is indented like the head.
    fn closes_block_of(&self, head: usize) -> bool {
        let mut depth = 0usize;
        let mut crossed_line = false;
        for (_, token) in self.ahead() {
            crossed_line |= token.newline;
            match token.kind {
                LBrace => depth += 1,
                RBrace if depth == 0 => {
                    let indented = self.indentation(token) == self.indentation(self.tokens[head]);
                    return !crossed_line || token.newline && indented;
                }
                RBrace => depth -= 1,
                EndOfFile => return false,
                _ => {}
            }
        }
        false
    }

    /// The tokens from the current one on, with their positions, up to the maximum lookahead.
    fn ahead(&self) -> impl Iterator<Item = (usize, super::Token)> {
        let tokens = self.tokens.iter().copied().enumerate();
        tokens.skip(self.position).take(FAR)
    }

    fn text_of(&self, position: usize) -> &str {
        let token = self.tokens[position];
        &self.text[token.start..token.end]
    }
}
