//! The texts that are mutated: all shipped models, and all models in the semantics suite.

use source::Sources;
use std::path::{Path, PathBuf};
use syntax::SyntaxKind;

/// A model.
pub struct Text {
    /// The file name, with a number for models in a document.
    pub name: String,
    /// The text of the model.
    pub text: String,
    /// Whether the model is shipped (true) or part of the semantics suite (false).
    pub shipped: bool,
    /// Whether the front end refuses the model without a mutation, so that errors cannot be attributed to the mutation.
    pub refused: bool,
    /// The tokens, without blanks and comments.
    pub tokens: Vec<Token>,
}

/// A token of a text.
#[derive(Clone, Copy)]
pub struct Token {
    /// The index of the first byte of the token.
    pub start: usize,
    /// The index of the byte after the token.
    pub end: usize,
    /// Whether the token is a bracket.
    pub bracket: bool,
}

impl Text {
    fn new(name: String, text: &str, shipped: bool, refused: bool) -> Text {
        let mut sources = Sources::default();
        let file = sources.add(&name, text);
        let tree = syntax::parse(&sources, file).tree;
        let tokens = tree
            .descendants_with_tokens()
            .filter_map(|e| e.into_token());
        let tokens = tokens
            .filter(|token| !token.kind().is_trivia())
            .map(|token| {
                let parent = token.parent().map(|node| node.kind());
                Token {
                    start: token.text_range().start().into(),
                    end: token.text_range().end().into(),
                    bracket: is_bracket(token.kind(), parent),
                }
            });
        Text {
            refused,
            tokens: tokens.collect(),
            name,
            text: text.to_owned(),
            shipped,
        }
    }

    /// The text of a token.
    pub fn of(&self, token: Token) -> &str {
        &self.text[token.start..token.end]
    }
}

/// Whether a token is a bracket; `<` and `>` are brackets only in types.
fn is_bracket(kind: SyntaxKind, parent: Option<SyntaxKind>) -> bool {
    use SyntaxKind::*;
    match kind {
        LParen | RParen | LBracket | RBracket | LBrace | RBrace => true,
        Less | Greater => matches!(parent, Some(OptionType | SetType)),
        _ => false,
    }
}

/// All texts, in the order of their names.
pub fn texts() -> Vec<Text> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    for path in files(&root.join("models"), "scrut") {
        texts.push(Text::new(name(&path), &read(&path), true, false));
    }
    for path in files(&root.join("tests/semantics"), "md") {
        for (number, (model, refused)) in models_in(&read(&path)).into_iter().enumerate() {
            let name = format!("{} {}", name(&path), number + 1);
            texts.push(Text::new(name, &model, false, refused));
        }
    }
    texts
}

/// The models in a document: blocks marked `scrut` or `scrut-error`, each preceded by the blocks marked `scrut-common`
/// so far. The flag says whether the document expects the model to be refused.
fn models_in(document: &str) -> Vec<(String, bool)> {
    let mut common = String::new();
    let mut models = Vec::new();
    for block in document.split("\n```scrut").skip(1) {
        let (mark, block) = block.split_once('\n').expect("a block of several lines");
        let (model, _) = block.split_once("```").expect("a block that ends");
        match mark {
            "-common" => common.push_str(model),
            _ => models.push((format!("{common}{model}"), mark == "-error")),
        }
    }
    models
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of models");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == ending));
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    let name = path.file_name().expect("a file");
    name.to_string_lossy().into_owned()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a text")
}
