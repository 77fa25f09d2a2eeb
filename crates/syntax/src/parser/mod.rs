//! The parser: token access, events for nodes, and at most one diagnostic per token.
//!
//! The grammar writes a flat list of events; [`tree`] builds the lossless tree from it. A newline is a flag of the
//! following token; [`Parser::fresh_line`] tells whether the newline is significant.

mod brackets;
pub(crate) mod cascade;
mod recover;
mod report;
pub(crate) mod tree;
mod words;

use crate::lexical::kind::SyntaxKind;
use crate::lexical::kind::SyntaxKind::*;
use crate::lexical::lexer;
pub(crate) use recover::ITEMS;
pub(crate) use report::too_deep;
use source::{Diagnostic, FileId, Span};
pub(crate) use words::{closest, is_reserved};

/// Maximum nesting depth of expressions, types and blocks; deeper nesting is an error.
const DEEPEST: usize = 128;

/// A token of the grammar (not trivia) with its byte range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: SyntaxKind,
    pub start: usize,
    pub end: usize,
    /// Whether a newline precedes it.
    pub newline: bool,
}

/// An event of the grammar, in the order of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// A node begins. If a later event wraps the node, `parent` is the index of the start event of the outer node.
    Start {
        kind: Option<SyntaxKind>,
        parent: Option<usize>,
    },
    /// The innermost node ends.
    Finish,
    /// The next token belongs to the innermost node.
    Token,
}

/// How the context changes the grammar. All flags are false by default.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mode {
    /// Inside `(`, `[`, and the braces of sets and structs: newlines are not significant.
    pub free: bool,
    /// In the head of a block: `Name {` does not begin a struct.
    pub head: bool,
    /// In a check: `in` ends the expression, because it begins a clause.
    pub without_in: bool,
    /// After `±`: `%` means percent and is not taken for a remainder operator.
    pub deviation: bool,
}

impl Mode {
    /// The mode inside brackets.
    pub const INSIDE: Mode = Mode {
        free: true,
        head: false,
        without_in: false,
        deviation: false,
    };
    /// The mode in the head of a block.
    pub const HEAD: Mode = Mode {
        free: false,
        head: true,
        without_in: false,
        deviation: false,
    };
    /// The mode in a check, in which `in` begins a clause.
    pub const CLAUSE: Mode = Mode {
        free: false,
        head: false,
        without_in: true,
        deviation: false,
    };
}

/// A node that has begun: the index of its start event.
#[must_use]
pub(crate) struct Marker(usize);

/// A node that has ended. It can still be wrapped in another node.
#[derive(Clone, Copy)]
pub(crate) struct Done {
    at: usize,
    pub kind: SyntaxKind,
}

/// The state of parsing one file.
pub(crate) struct Parser<'t> {
    text: &'t str,
    file: FileId,
    tokens: Vec<Token>,
    position: usize,
    events: Vec<Event>,
    diagnostics: Vec<Diagnostic>,
    /// The position of the token before which a newline is not significant, because an operator, a comma or an
    /// opening bracket precedes it. `usize::MAX` if there is none.
    joined: usize,
    /// The position of the token at which a problem has been reported last.
    reported_at: Option<usize>,
    pub mode: Mode,
    nesting: usize,
    pub braces: Braces,
}

/// Evidence that the braces of the current item do not match.
#[derive(Default)]
pub(crate) struct Braces {
    /// The position of the token at which a missing brace has been reported last.
    reported_at: Option<usize>,
    /// Whether a brace is probably missing or superfluous. Problems that may follow from it are not reported.
    pub doubtful: bool,
    /// The positions of opening braces whose closing brace is indented less than their own line.
    misfits: Vec<usize>,
    /// The position of the first brace that, according to the indentation, closes a block too early.
    pub early: Option<usize>,
}

impl<'t> Parser<'t> {
    /// A parser at the first of the tokens of a text.
    pub fn new(text: &'t str, lexed: &[lexer::Token], file: FileId) -> Parser<'t> {
        let mut tokens = Vec::new();
        let mut newline = true;
        let mut start = 0;
        let mut comments = Vec::new();
        for token in lexed {
            let end = start + token.length;
            let place = Token {
                kind: token.kind,
                start,
                end,
                newline,
            };
            match token.kind {
                Newline => newline = true,
                BlockComment => comments.push(place),
                kind if kind.is_trivia() => {}
                _ => {
                    tokens.push(place);
                    newline = false;
                }
            }
            start = end;
        }
        tokens.push(Token {
            kind: EndOfFile,
            start,
            end: start,
            newline: true,
        });
        let mut parser = Parser {
            text,
            file,
            tokens,
            position: 0,
            events: Vec::new(),
            diagnostics: Vec::new(),
            joined: usize::MAX,
            reported_at: None,
            mode: Mode::default(),
            nesting: 0,
            braces: Braces::default(),
        };
        for comment in comments {
            parser.refuse_block_comment(comment);
        }
        parser
    }

    /// The events and the diagnostics.
    pub fn finish(self) -> (Vec<Event>, Vec<Diagnostic>) {
        (self.events, self.diagnostics)
    }

    // Token access.

    /// The kind of the current token.
    pub fn kind(&self) -> SyntaxKind {
        self.token(0).kind
    }

    /// The kind of the token n positions after the current one.
    pub fn nth(&self, n: usize) -> SyntaxKind {
        self.token(n).kind
    }

    /// The text of the current token.
    pub fn word(&self) -> &'t str {
        self.nth_word(0)
    }

    /// The text of the token n positions after the current one.
    pub fn nth_word(&self, n: usize) -> &'t str {
        let token = self.token(n);
        &self.text[token.start..token.end]
    }

    /// Whether the token n positions after the current one is on the same line as its predecessor.
    pub fn same_line(&self, n: usize) -> bool {
        !self.token(n).newline
    }

    /// Whether the current token is of this kind.
    pub fn at(&self, kind: SyntaxKind) -> bool {
        self.kind() == kind
    }

    /// Whether the current token is this word.
    pub fn at_word(&self, word: &str) -> bool {
        self.kind() == Word && self.word() == word
    }

    /// Whether the token n positions after the current one is this word.
    pub fn nth_is(&self, n: usize, word: &str) -> bool {
        self.nth(n) == Word && self.nth_word(n) == word
    }

    /// Whether a significant newline precedes the current token.
    pub fn fresh_line(&self) -> bool {
        self.token(0).newline && !self.mode.free && self.joined != self.position
    }

    /// Whether the statement ends before the current token: at the end of the file, `}`, `;` or a significant
    /// newline.
    pub fn ended(&self) -> bool {
        matches!(self.kind(), EndOfFile | RBrace | Semicolon) || self.fresh_line()
    }

    /// The position of the current token.
    pub fn position(&self) -> usize {
        self.position
    }

    fn token(&self, n: usize) -> Token {
        self.tokens[(self.position + n).min(self.tokens.len() - 1)]
    }

    fn previous(&self) -> Option<Token> {
        self.position.checked_sub(1).map(|at| self.tokens[at])
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.file, token.start as u32, token.end as u32)
    }

    /// The indentation of the token's line, in characters.
    fn indentation(&self, token: Token) -> usize {
        let line = self.text[..token.start].rfind('\n').map_or(0, |at| at + 1);
        self.text[line..]
            .chars()
            .take_while(|c| *c == ' ' || *c == '\t')
            .count()
    }

    // Consuming tokens.

    /// Takes the current token; does nothing at the end of the file.
    pub fn bump(&mut self) {
        cancellation::poll();
        let kind = self.kind();
        if kind == EndOfFile {
            return;
        }
        self.events.push(Event::Token);
        self.position += 1;
        let joins = matches!(kind, Comma | Colon | Eq | Arrow | LParen | LBracket);
        if joins && !(kind == Eq && self.at_next_statement()) {
            self.join();
        }
    }

    /// Declares the newline before the current token not significant.
    pub fn join(&mut self) {
        self.joined = self.position;
    }

    /// Declares the newline before the current token significant again.
    pub fn split(&mut self) {
        self.joined = usize::MAX;
    }

    /// Takes the current token if it is of this kind; returns whether it was taken.
    pub fn eat(&mut self, kind: SyntaxKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Takes the current token if it is this word and no significant newline precedes it; returns whether it was
    /// taken.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word) && !self.fresh_line();
        if found {
            self.bump();
        }
        found
    }

    /// Runs `parse` in another mode.
    pub fn with_mode<T>(&mut self, mode: Mode, parse: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.mode, mode);
        let result = parse(self);
        self.mode = outer;
        result
    }

    /// Runs `parse` one nesting level deeper; reports an error and returns `None` beyond the maximum depth.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.nesting >= DEEPEST {
            self.refuse_depth();
            return None;
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    // Nodes.

    /// Begins a node, whose kind is given when it ends.
    pub fn open(&mut self) -> Marker {
        self.events.push(Event::Start {
            kind: None,
            parent: None,
        });
        Marker(self.events.len() - 1)
    }

    /// Ends the innermost node, which began at `marker`.
    pub fn close(&mut self, marker: Marker, kind: SyntaxKind) -> Done {
        if let Event::Start { kind: slot, .. } = &mut self.events[marker.0] {
            *slot = Some(kind);
        }
        self.events.push(Event::Finish);
        Done { at: marker.0, kind }
    }

    /// Begins a node around a node that has ended.
    pub fn wrap(&mut self, done: Done) -> Marker {
        let outer = self.open();
        if let Event::Start { parent, .. } = &mut self.events[done.at] {
            *parent = Some(outer.0);
        }
        outer
    }

    /// Changes the kind of a node that has ended.
    pub fn become_kind(&mut self, done: Done, kind: SyntaxKind) {
        if let Event::Start { kind: slot, .. } = &mut self.events[done.at] {
            *slot = Some(kind);
        }
    }
}
