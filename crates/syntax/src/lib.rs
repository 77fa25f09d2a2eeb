//! The syntax of models: lexer, lossless tree, parser with error recovery, abstract syntax tree and formatter.

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

/// The result of parsing a file.
#[derive(Debug)]
pub struct Parsed {
    /// The whole text as a tree, byte for byte.
    pub tree: SyntaxNode,
    /// The abstract syntax tree, with `Error` where the text could not be read.
    pub file: ast::File,
    /// The problems of the text, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Regions in which further problems are not reported, because they follow from an error.
    pub unread: UnreadRegions,
}

/// Parses a file. Never fails: problems are in the diagnostics, everything else is in the tree.
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
