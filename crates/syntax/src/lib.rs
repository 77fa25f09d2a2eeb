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
    /// The lossless tree: it contains every byte of the text.
    pub tree: SyntaxNode,
    /// The abstract syntax tree; it contains `Error` for text that could not be parsed.
    pub file: ast::File,
    /// All problems, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Regions with a syntax error. Later phases report no problems in them, because such problems may follow from
    /// the error.
    pub unread: UnreadRegions,
}

/// Parses a file. Parsing never fails: syntax errors are in the diagnostics, and the trees cover the rest of the
/// text.
pub fn parse(sources: &Sources, file: FileId) -> Parsed {
    let text = sources.text(file);
    let tokens = lexical::lexer::tokens(text);
    let mut parser = parser::Parser::new(text, &tokens, file);
    grammar::file(&mut parser);
    let (events, mut diagnostics) = parser.finish();
    let built = parser::tree::build(text, tokens, events);
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
