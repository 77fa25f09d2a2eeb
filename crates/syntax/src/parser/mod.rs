//! The parser: token access, events for nodes, and diagnostics that are reported once.
//!
//! The grammar writes a flat list of events; [`tree`] builds the lossless tree from it. A newline is a flag of the
//! following token; [`Parser::fresh_line`] tells whether it is significant.

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

/// Maximum nesting depth; deeper nesting is refused.
const DEEPEST: usize = 128;

/// A token of the grammar, with its place.
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
    /// A node begins. If the node was wrapped later, `parent` is the event of the outer node.
    Start {
        kind: Option<SyntaxKind>,
        parent: Option<usize>,
    },
    /// The innermost node ends.
    Finish,
    /// The next token of the grammar belongs here.
    Token,
}

/// How the context changes the grammar.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mode {
    /// Newlines are not significant: inside `(`, `[` and the braces of sets and structs.
    pub free: bool,
    /// In the head of a block, `Name {` does not begin a struct.
    pub head: bool,
    /// A bare `in` ends the expression: it begins a clause of a check.
    pub without_in: bool,
    /// After `±`, `%` is not an operator.
    pub deviation: bool,
}

impl Mode {
    /// Inside brackets.
    pub const INSIDE: Mode = Mode {
        free: true,
        head: false,
        without_in: false,
        deviation: false,
    };
    /// In the head of a block.
    pub const HEAD: Mode = Mode {
        free: false,
        head: true,
        without_in: false,
        deviation: false,
    };
    /// In a check, where `in` is a clause.
    pub const CLAUSE: Mode = Mode {
        free: false,
        head: false,
        without_in: true,
        deviation: false,
    };
}

/// A node that has begun.
#[must_use]
pub(crate) struct Marker(usize);

/// A node that has ended, and may still be wrapped.
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
    /// The newline before this token is not significant, because an operator precedes it.
    joined: usize,
    /// The token at which a problem has been reported.
    reported_at: Option<usize>,
    pub mode: Mode,
    nesting: usize,
    pub braces: Braces,
}

/// Evidence that braces of the current item do not match.
#[derive(Default)]
pub(crate) struct Braces {
    /// The token at which a missing brace has been reported.
    reported_at: Option<usize>,
    /// A brace is missing or too many: problems that follow from it are not reported again.
    pub doubtful: bool,
    /// Opening braces whose closing brace is indented too little to match them.
    misfits: Vec<usize>,
    /// The first brace that, by the indentation, closes a block too early.
    pub early: Option<usize>,
}

impl<'t> Parser<'t> {
    /// A parser at the first token.
    pub fn new(text: &'t str, file: FileId) -> Parser<'t> {
        let mut tokens = Vec::new();
        let mut newline = true;
        let mut start = 0;
        let mut comments = Vec::new();
        for token in lexer::tokens(text) {
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

    /// The kind of the n-th token after the current one.
    pub fn nth(&self, n: usize) -> SyntaxKind {
        self.token(n).kind
    }

    /// The text of the current token.
    pub fn word(&self) -> &'t str {
        self.nth_word(0)
    }

    /// The text of the n-th token after the current one.
    pub fn nth_word(&self, n: usize) -> &'t str {
        let token = self.token(n);
        &self.text[token.start..token.end]
    }

    /// Whether the n-th token after the current one is on the same line as its predecessor.
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

    /// Whether the n-th token after the current one is this word.
    pub fn nth_is(&self, n: usize, word: &str) -> bool {
        self.nth(n) == Word && self.nth_word(n) == word
    }

    /// Whether the current token begins a line and does not continue the line before.
    pub fn fresh_line(&self) -> bool {
        self.token(0).newline && !self.mode.free && self.joined != self.position
    }

    /// Whether the statement ends before the current token.
    pub fn ended(&self) -> bool {
        matches!(self.kind(), EndOfFile | RBrace | Semicolon) || self.fresh_line()
    }

    /// The index of the current token.
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

    /// Takes the current token.
    pub fn bump(&mut self) {
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

    /// Marks a newline before the current token as not significant.
    pub fn join(&mut self) {
        self.joined = self.position;
    }

    /// Marks a newline before the current token as significant again.
    pub fn split(&mut self) {
        self.joined = usize::MAX;
    }

    /// Takes a token of this kind, if it is the current one.
    pub fn eat(&mut self, kind: SyntaxKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Takes this word, if it is the current token and on the same line.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word) && !self.fresh_line();
        if found {
            self.bump();
        }
        found
    }

    /// Parses in another mode.
    pub fn with_mode<T>(&mut self, mode: Mode, parse: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.mode, mode);
        let result = parse(self);
        self.mode = outer;
        result
    }

    /// Parses one level deeper; refuses excessive nesting, once.
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

    /// Begins a node.
    pub fn open(&mut self) -> Marker {
        self.events.push(Event::Start {
            kind: None,
            parent: None,
        });
        Marker(self.events.len() - 1)
    }

    /// Ends a node.
    pub fn close(&mut self, marker: Marker, kind: SyntaxKind) -> Done {
        if let Event::Start { kind: slot, .. } = &mut self.events[marker.0] {
            *slot = Some(kind);
        }
        self.events.push(Event::Finish);
        Done { at: marker.0, kind }
    }

    /// Begins a node around one that has ended.
    pub fn wrap(&mut self, done: Done) -> Marker {
        let outer = self.open();
        if let Event::Start { parent, .. } = &mut self.events[done.at] {
            *parent = Some(outer.0);
        }
        outer
    }

    /// Changes the kind of an ended node.
    pub fn become_kind(&mut self, done: Done, kind: SyntaxKind) {
        if let Event::Start { kind: slot, .. } = &mut self.events[done.at] {
            *slot = Some(kind);
        }
    }
}
