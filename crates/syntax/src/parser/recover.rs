//! Error recovery: recognises where statements, parts of nodes and items begin and end.

use super::{Done, Marker, Parser, is_reserved};
use crate::lexical::kind::SyntaxKind::*;
use source::codes;

/// Words that begin an item.
pub(crate) const ITEMS: &[&str] = &[
    "param",
    "let",
    "fn",
    "enum",
    "struct",
    "message",
    "timing",
    "node",
    "network",
    "faults",
    "initially",
    "claim",
    "world",
    "variant",
    "check",
];

impl Parser<'_> {
    /// Whether an item begins at the current token, at the beginning of a line. `let`, which also begins statements,
    /// must be at the left margin.
    pub fn at_item(&self) -> bool {
        let token = self.token(0);
        if token.kind != Word || !token.newline || !ITEMS.contains(&self.word()) {
            return false;
        }
        match self.word() {
            "let" => self.indentation(token) == 0 && self.nth(1) == Word,
            "initially" => !matches!(self.nth(1), Eq | Dot | Colon | LBracket),
            "faults" => self.word_follows() || matches!(self.nth_word(1), "any" | "none"),
            _ => self.word_follows(),
        }
    }

    /// Whether a part of a node begins at the current token, at the beginning of a line.
    pub fn at_node_part(&self) -> bool {
        if !self.at(Word) || !self.token(0).newline {
            return false;
        }
        match self.word() {
            "on" | "timer" | "action" | "ignore" | "without" => self.word_follows(),
            "var" => self.nth(1) == Word && self.same_line(1),
            "persistent" | "ghost" => self.word_follows() || self.nth_is(1, "var"),
            "when" => self.word_follows() && self.nth(2) == Colon,
            "start" => self.nth(1) == LBrace,
            "every" => self.word_follows() || self.nth(1) == Number || self.nth_is(1, "any"),
            _ => false,
        }
    }

    /// Whether the current token begins a statement that cannot be an expression (`send …`, `x = …`), on a new line
    /// that is indented no more than the line before.
    pub fn at_next_statement(&self) -> bool {
        let token = self.token(0);
        let previous = match self.previous() {
            Some(previous) if token.newline && token.kind == Word => previous,
            _ => return false,
        };
        let statement = match self.word() {
            "send" | "broadcast" | "clear" | "choose" | "cancel" => self.word_follows(),
            word => self.nth(1) == Eq && self.same_line(1) && !is_reserved(word),
        };
        statement && self.indentation(token) <= self.indentation(previous)
    }

    /// Whether a word that is not reserved follows on the same line. Then the current word is a keyword, not an
    /// operand.
    fn word_follows(&self) -> bool {
        self.nth(1) == Word && self.same_line(1) && !is_reserved(self.nth_word(1))
    }

    /// Whether the current token is not indented more than the line of the opening brace at position `brace`. Then it
    /// is probably outside of the block.
    pub fn outside_of(&self, brace: usize) -> bool {
        self.indentation(self.token(0)) <= self.indentation(self.tokens[brace])
    }

    /// Whether the current token begins an item or a part of a node, and its indentation shows that it is outside of
    /// the block whose brace is at position `brace`.
    pub fn leaves_block(&self, brace: usize) -> bool {
        if !self.at_item() && !self.at_node_part() {
            return false;
        }
        match self.word() {
            "let" => self.indentation(self.token(0)) < self.indentation(self.tokens[brace]),
            _ => self.outside_of(brace),
        }
    }

    /// Skips the rest of the statement, including braces and their contents.
    pub fn skip_statement(&mut self) {
        if self.ended() && !self.brace_is_inside() {
            return;
        }
        let error = self.open();
        let first = self.position;
        let (mut braces, mut others) = (0usize, 0usize);
        loop {
            match self.kind() {
                EndOfFile => break,
                RBrace if braces == 0 && self.brace_is_inside() => self.braces.doubtful = true,
                RBrace if braces == 0 => break,
                Semicolon if braces == 0 && others == 0 => break,
                _ if braces == 0 && self.fresh_line() => break,
                _ if self.position > first && self.at_item() => break,
                LBrace => braces += 1,
                RBrace => braces -= 1,
                LParen | LBracket => others += 1,
                RParen | RBracket => others = others.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
        self.close(error, Error);
        if self.at_item() {
            self.split();
        }
        // It is unclear which brace this `}` closes.
        self.braces.doubtful |= self.at(RBrace) && self.same_line(0);
        self.mark_reported();
    }

    /// Whether the `}` at the current token cannot end a block, because its line continues in a way that no block
    /// allows: `send M a: 1 } to next`.
    fn brace_is_inside(&self) -> bool {
        self.at(RBrace)
            && self.same_line(0)
            && self.same_line(1)
            && !matches!(self.nth(1), RBrace | Semicolon | EndOfFile)
            && self.nth_word(1) != "else"
    }

    /// Skips the rest of the head of a block, up to the opening brace of the block or the end of the statement.
    pub fn skip_to_brace(&mut self) {
        if self.ended() || self.at(LBrace) && self.brace_begins_block() {
            return;
        }
        let error = self.open();
        let mut inside = 0usize;
        while inside > 0 || !self.ended() {
            match self.kind() {
                EndOfFile => break,
                // Any other brace in the head begins a set; the block comes after it.
                LBrace if inside == 0 && self.brace_begins_block() => break,
                LBrace => inside += 1,
                RBrace => inside -= 1,
                _ => {}
            }
            self.bump();
        }
        self.close(error, Error);
        self.mark_reported();
    }

    /// Skips to the next item, in braces or not, or to the next line outside of braces that begins with a word at the
    /// left margin.
    pub fn skip_to_margin(&mut self) {
        let error = self.open();
        let mut depth = 0usize;
        while !self.at(EndOfFile) && !self.at_item() {
            match self.kind() {
                LBrace => depth += 1,
                RBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
            let next = self.token(0);
            let margin = next.kind == Word && next.newline && self.indentation(next) == 0;
            if margin && depth == 0 {
                break;
            }
        }
        self.close(error, Error);
        self.split();
        self.mark_reported();
    }

    /// After an item with an error, skips the indented lines that follow, because they belong to the item.
    pub fn skip_continuation(&mut self) {
        let token = self.token(0);
        if token.newline && self.indentation(token) > 0 && !self.at_item() {
            self.skip_to_margin();
        }
    }

    /// Skips to the next item.
    pub fn skip_to_item(&mut self) {
        let error = self.open();
        while !self.at(EndOfFile) && !self.at_item() {
            self.bump();
        }
        self.close(error, Error);
        self.split();
        self.mark_reported();
    }

    /// Takes the current token as an error node; its problem has been reported.
    pub fn bump_error(&mut self) {
        let error = self.open();
        self.bump();
        self.close(error, Error);
        self.mark_reported();
    }

    /// Begins a statement, part or item: the newline before it is not significant. Returns its position.
    pub fn begin(&mut self) -> usize {
        self.join();
        self.position
    }

    /// Ends a statement, part or item. If tokens are left before its end, reports and skips them.
    pub fn end_of_statement(&mut self) {
        if !self.ended() || self.reported() && self.brace_is_inside() {
            self.refuse_leftover();
            self.skip_statement();
        }
        // From here on, problems at the current token are no longer suppressed, unless the token can only continue the
        // wrong construct.
        let begins = match self.word() {
            "if" | "for" | "let" | "match" | "var" | "fn" => true,
            word => self.at(Semicolon) || self.at(Word) && !is_reserved(word),
        };
        if begins {
            self.reported_at = None;
        }
    }

    fn refuse_leftover(&mut self) {
        // The wrong brace has been reported; an `else` without `if` is its consequence.
        let dangling_else = self.braces.doubtful && self.at_word("else");
        if self.reported() || dangling_else || self.refuse_token() {
            return;
        }
        let found = self.found();
        let diagnostic = match self.kind() {
            RParen | RBracket => {
                self.problem(codes::STRAY_BRACKET, format!("this {found} closes nothing"))
            }
            _ => self
                .problem(
                    codes::LEFTOVER,
                    format!("expected the end of the line, found {found}"),
                )
                .note(match self.word() {
                    "within" => "`within` stands behind `leads to` only: `true leads to e within t` for `eventually e` in time",
                    _ => "statements are separated by the end of the line or by `;`",
                }),
        };
        self.report(diagnostic);
    }

    /// Ends a node as an error node.
    pub fn close_error(&mut self, marker: Marker) -> Done {
        self.close(marker, Error)
    }
}
