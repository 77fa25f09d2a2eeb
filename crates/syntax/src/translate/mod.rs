//! Translates the lossless tree to the AST. The translation never fails: a part that could not be parsed becomes
//! `Error` without a second report, and a declaration without a name is left out.

mod check;
mod expression;
mod item;
mod network;
mod node;
mod number;
mod statement;

use crate::ast;
use crate::lexical::kind::{SyntaxKind, SyntaxNode, SyntaxToken};
use source::{Diagnostic, FileId, Span};

/// The AST of a file.
pub(crate) fn file(
    tree: &SyntaxNode,
    file: FileId,
    diagnostics: &mut Vec<Diagnostic>,
) -> ast::File {
    let mut reader = Reader {
        file,
        diagnostics,
        units: Vec::new(),
    };
    ast::File {
        docs: docs(tree),
        items: reader.items(tree),
        span: reader.span(tree),
        units: reader.units,
    }
}

/// The text of the `//!` lines, joined.
fn docs(tree: &SyntaxNode) -> String {
    let lines: Vec<String> = tree
        .descendants_with_tokens()
        .filter_map(|element| element.into_token())
        .filter(|token| token.kind() == SyntaxKind::FileDoc)
        .map(|token| {
            let line = token.text().trim_start_matches("//!");
            line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
        })
        .collect();
    lines.join("\n")
}

struct Reader<'d> {
    file: FileId,
    diagnostics: &'d mut Vec<Diagnostic>,
    units: Vec<ast::Unit>,
}

impl Reader<'_> {
    fn span(&self, node: &SyntaxNode) -> Span {
        let range = node.text_range();
        Span::new(self.file, range.start().into(), range.end().into())
    }

    fn token_span(&self, token: &SyntaxToken) -> Span {
        let range = token.text_range();
        Span::new(self.file, range.start().into(), range.end().into())
    }

    fn token_name(&self, token: &SyntaxToken) -> ast::Name {
        ast::Name {
            text: token.text().to_owned(),
            span: self.token_span(token),
        }
    }

    /// The names among the children of a node.
    fn names(&self, node: &SyntaxNode) -> Vec<ast::Name> {
        node.children()
            .filter(|child| child.kind() == SyntaxKind::Name)
            .filter_map(|child| word(&child).map(|token| self.token_name(&token)))
            .collect()
    }

    /// The first name among the children of a node.
    fn name(&self, node: &SyntaxNode) -> Option<ast::Name> {
        self.names(node).into_iter().next()
    }

    /// The name in the first child of this kind.
    fn name_in(&self, node: &SyntaxNode, kind: SyntaxKind) -> Option<ast::Name> {
        child(node, kind).and_then(|part| self.name(&part))
    }
}

fn child(node: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxNode> {
    node.children().find(|child| child.kind() == kind)
}

/// The tokens among the children of a node, without blanks and comments.
fn tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    node.children_with_tokens()
        .filter_map(|element| element.into_token())
        .filter(|token| !token.kind().is_trivia())
}

/// The first word among the children of a node.
fn word(node: &SyntaxNode) -> Option<SyntaxToken> {
    tokens(node).find(|token| token.kind() == SyntaxKind::Word)
}

/// Whether a token with this text is among the children of a node.
fn has_word(node: &SyntaxNode, wanted: &str) -> bool {
    tokens(node).any(|token| token.text() == wanted)
}

/// The expressions among the children of a node.
fn expressions(node: &SyntaxNode) -> impl Iterator<Item = SyntaxNode> {
    node.children().filter(|child| child.kind().is_expression())
}
