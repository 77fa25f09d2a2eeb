//! Builds the lossless tree from the events of the parser. The tree contains every byte of the text, including blanks
//! and comments.

use crate::lexical::kind::{Scrut, SyntaxKind, SyntaxNode};
use crate::lexical::lexer;
use crate::parser::Event;
use rowan::{GreenNodeBuilder, Language};

/// Maximum depth of the tree, because functions that walk the tree may recurse. A deeper part becomes one error node
/// without inner nodes.
const DEEPEST: usize = 400;

/// The tree, and the byte offset of the first part that was too deep, if any.
pub(crate) struct Built {
    pub tree: SyntaxNode,
    pub flattened_at: Option<usize>,
}

/// Builds the tree of a text from its tokens and the events of the parser.
pub(crate) fn build(text: &str, tokens: Vec<lexer::Token>, mut events: Vec<Event>) -> Built {
    let mut builder = Builder {
        green: GreenNodeBuilder::new(),
        text,
        tokens,
        next: 0,
        offset: 0,
        depth: 0,
        flattened_at: None,
    };
    builder.open(SyntaxKind::File);
    let mut outer = Vec::new();
    for at in 0..events.len() {
        match std::mem::replace(
            &mut events[at],
            Event::Start {
                kind: None,
                parent: None,
            },
        ) {
            Event::Start { kind, parent } => {
                // Nodes that wrap this node begin here as well. The outermost node begins first.
                outer.extend(kind);
                let mut next = parent;
                while let Some(at) = next {
                    let event = Event::Start {
                        kind: None,
                        parent: None,
                    };
                    match std::mem::replace(&mut events[at], event) {
                        Event::Start { kind, parent } => {
                            outer.extend(kind);
                            next = parent;
                        }
                        _ => break,
                    }
                }
                while let Some(kind) = outer.pop() {
                    builder.trivia();
                    builder.open(kind);
                }
            }
            Event::Finish => builder.close(),
            Event::Token => {
                builder.trivia();
                builder.token();
            }
        }
    }
    while builder.next < builder.tokens.len() {
        builder.token();
    }
    builder.close();
    Built {
        tree: SyntaxNode::new_root(builder.green.finish()),
        flattened_at: builder.flattened_at,
    }
}

struct Builder<'t> {
    green: GreenNodeBuilder<'static>,
    text: &'t str,
    tokens: Vec<lexer::Token>,
    next: usize,
    offset: usize,
    depth: usize,
    flattened_at: Option<usize>,
}

impl Builder<'_> {
    fn open(&mut self, kind: SyntaxKind) {
        self.depth += 1;
        match self.depth.cmp(&DEEPEST) {
            std::cmp::Ordering::Less => self.green.start_node(Scrut::kind_to_raw(kind)),
            std::cmp::Ordering::Equal => {
                self.flattened_at.get_or_insert(self.offset);
                self.green.start_node(Scrut::kind_to_raw(SyntaxKind::Error));
            }
            std::cmp::Ordering::Greater => {}
        }
    }

    fn close(&mut self) {
        if self.depth <= DEEPEST {
            self.green.finish_node();
        }
        self.depth -= 1;
    }

    fn trivia(&mut self) {
        while self
            .tokens
            .get(self.next)
            .is_some_and(|t| t.kind.is_trivia())
        {
            self.token();
        }
    }

    fn token(&mut self) {
        if let Some(token) = self.tokens.get(self.next) {
            let end = self.offset + token.length;
            let text = &self.text[self.offset..end];
            self.green.token(Scrut::kind_to_raw(token.kind), text);
            self.offset = end;
            self.next += 1;
        }
    }
}
