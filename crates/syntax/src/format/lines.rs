//! The text as lines of pieces. A piece is a token or a comment with its original column.

use crate::lexical::kind::{SyntaxKind, SyntaxNode, SyntaxToken};
use rowan::TextSize;
use std::ops::Range;

/// The distance of tab stops, in columns.
const TAB: usize = 4;

/// A token or a comment.
pub(super) struct Piece {
    /// The token in the tree.
    pub token: SyntaxToken,
    /// The index of its line.
    pub line: usize,
    /// Its input column, in characters.
    pub column: usize,
    /// Characters between the previous piece and this one; for the first piece of a line, its indentation.
    pub gap: usize,
    /// The required number of blanks before it, 0 or 1, if it does not begin its line.
    pub wanted: usize,
    /// The numbers of parentheses that the formatter adds before and after it.
    pub added: (usize, usize),
}

impl Piece {
    /// The kind of the token.
    pub fn kind(&self) -> SyntaxKind {
        self.token.kind()
    }

    /// The kind of the node that contains the token.
    pub fn parent(&self) -> Option<SyntaxKind> {
        self.token.parent().map(|parent| parent.kind())
    }

    /// The text without trailing blanks.
    pub fn text(&self) -> &str {
        self.token.text().trim_end()
    }

    /// Whether it is a comment.
    pub fn is_comment(&self) -> bool {
        self.kind().is_trivia()
    }

    /// The width in characters, without added parentheses.
    pub fn width(&self) -> usize {
        self.text().chars().count()
    }
}

/// A line that is not empty.
pub(super) struct Line {
    /// The indices of its pieces.
    pub pieces: Range<usize>,
    /// Whether an empty line precedes it.
    pub spaced: bool,
}

/// The pieces and lines of a text.
pub(super) struct Page {
    pub pieces: Vec<Piece>,
    pub lines: Vec<Line>,
}

impl Page {
    /// The pieces of a tree, line by line.
    pub fn of(tree: &SyntaxNode) -> Page {
        let mut page = Page {
            pieces: Vec::new(),
            lines: Vec::new(),
        };
        let (mut column, mut gap, mut newlines) = (0, 0, 1);
        let tokens = tree.descendants_with_tokens();
        for token in tokens.filter_map(|element| element.into_token()) {
            match token.kind() {
                SyntaxKind::Newline => {
                    newlines += 1;
                    (column, gap) = (0, 0);
                }
                SyntaxKind::Whitespace => {
                    let after = token.text().chars().fold(column, beyond);
                    gap += after - column;
                    column = after;
                }
                _ => {
                    let at = page.pieces.len();
                    if newlines > 0 {
                        let spaced = newlines > 1 && at > 0;
                        let pieces = at..at;
                        page.lines.push(Line { pieces, spaced });
                    }
                    let line = page.lines.len() - 1;
                    page.lines[line].pieces.end = at + 1;
                    let piece = Piece {
                        token,
                        line,
                        column,
                        gap,
                        wanted: 1,
                        added: (0, 0),
                    };
                    column += piece.width();
                    page.pieces.push(piece);
                    (gap, newlines) = (0, 0);
                }
            }
        }
        page
    }

    /// The first piece of a line.
    pub fn first(&self, line: usize) -> usize {
        self.lines[line].pieces.start
    }

    /// Whether a piece is the first of its line.
    pub fn begins_line(&self, piece: usize) -> bool {
        self.first(self.pieces[piece].line) == piece
    }

    /// Whether a line consists of a comment only.
    pub fn is_comment(&self, line: usize) -> bool {
        self.pieces[self.first(line)].is_comment()
    }

    /// The piece of the token that begins at a byte offset; `None` if no piece begins there.
    pub fn at(&self, place: TextSize) -> Option<usize> {
        self.pieces
            .binary_search_by_key(&place, |piece| piece.token.text_range().start())
            .ok()
    }

    /// The first piece of a node.
    pub fn first_of(&self, node: &SyntaxNode) -> Option<usize> {
        self.at(node.text_range().start())
    }

    /// The first piece after `piece` that is not a comment.
    pub fn next_code(&self, piece: usize) -> Option<usize> {
        (piece + 1..self.pieces.len()).find(|at| !self.pieces[*at].is_comment())
    }
}

/// The column after a blank character that is in the given column.
fn beyond(column: usize, blank: char) -> usize {
    match blank {
        '\t' => (column / TAB + 1) * TAB,
        '\r' | '\u{feff}' => column,
        _ => column + 1,
    }
}
