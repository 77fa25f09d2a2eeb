//! The text of a model as a lossless tree, and the tree as plain data.

pub mod ast;
mod format;
mod grammar;
mod lexical;
mod parser;
mod translate;

pub use format::format;
pub use lexical::kind::{Scrut, SyntaxKind, SyntaxNode, SyntaxToken};
pub use parser::cascade::UnreadRegions;

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
    /// Where nothing more should be reported.
    pub unread: UnreadRegions,
}

/// Reads a file. Never fails: what cannot be read is in the diagnostics, the rest in the tree.
pub fn parse(sources: &Sources, file: FileId) -> Parsed {
    let text = sources.text(file);
    let mut parser = parser::Parser::new(text, file);
    grammar::file(&mut parser);
    let (events, mut diagnostics) = parser.finish();
    let built = parser::tree::build(text, events);
    if let Some(at) = built.flattened_at {
        diagnostics.push(parser::too_deep(file, at));
    }
    let file = translate::file(&built.tree, file, &mut diagnostics);
    let unread = parser::cascade::suppress(&built.tree, text, &mut diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    Parsed {
        tree: built.tree,
        file,
        diagnostics,
        unread,
    }
}
