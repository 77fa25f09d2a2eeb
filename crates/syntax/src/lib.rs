//! The text of a model as a lossless tree, and the tree as plain data.

pub mod ast;
mod doubt;
mod foreign;
mod format;
mod grammar;
mod kind;
mod lexer;
mod parser;
mod translate;
mod tree;

pub use doubt::Doubts;
pub use format::format;
pub use kind::{Scrut, SyntaxKind, SyntaxNode, SyntaxToken};

use source::{Diagnostic, FileId, Sources};

/// What was read of a file.
#[derive(Debug)]
pub struct Parsed {
    /// The whole text as a tree, byte for byte.
    pub tree: SyntaxNode,
    /// The tree as plain data; where the text could not be read, `Error` stands in it.
    pub file: ast::File,
    /// What is wrong with the text, in its order. Each problem once.
    pub diagnostics: Vec<Diagnostic>,
    /// Where nothing more should be said.
    pub doubts: Doubts,
}

/// Reads a file. Never fails: what cannot be read is in the diagnostics, the rest in the tree.
pub fn parse(sources: &Sources, file: FileId) -> Parsed {
    let text = sources.text(file);
    let mut parser = parser::Parser::new(text, file);
    grammar::file(&mut parser);
    let (events, mut diagnostics) = parser.finish();
    let built = tree::build(text, events);
    if let Some(at) = built.flattened_at {
        diagnostics.push(parser::too_deep(file, at));
    }
    let file = translate::file(&built.tree, file, &mut diagnostics);
    let doubts = doubt::settle(&built.tree, text, &mut diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    Parsed {
        tree: built.tree,
        file,
        diagnostics,
        doubts,
    }
}
