//! Alignment columns. Pieces of neighbouring lines that begin in the same column of the input stay aligned if at
//! least one of them has more than one blank before it.
//!
//! Two lines are neighbours if only comment lines and continuation lines are between them, and no empty line. An
//! `expect` or a trailing comment after more than one blank keeps its column even without a neighbour, so that such a
//! column can extend over the whole file.

use super::indent::{Indent, Start, is_expect};
use super::lines::{Page, Piece};
use crate::lexical::kind::SyntaxKind;

/// Pieces that are aligned with each other.
pub(super) struct Column {
    /// The pieces, in the order of lines.
    pub pieces: Vec<usize>,
    /// The least input gap before a piece that does not begin its line; at least 1.
    pub gap: usize,
    /// The input column, for comments and `expect`: the pieces stay in it as long as the text before them fits.
    pub kept: Option<usize>,
}

/// The alignment columns of a page.
pub(super) struct Columns {
    pub all: Vec<Column>,
    /// For each piece, the index of its column in `all`; `None` if it is in no column.
    pub of: Vec<Option<usize>>,
}

impl Columns {
    /// Finds the alignment columns of a page.
    pub fn of(page: &Page, indent: &Indent) -> Columns {
        let mut found = Search {
            page,
            indent,
            group: (0..page.pieces.len()).collect(),
        };
        for line in 0..page.lines.len() {
            found.neighbours_of(line);
        }
        found.columns()
    }
}

struct Search<'p> {
    page: &'p Page,
    indent: &'p Indent,
    /// Union-find over pieces: the parent of each piece. The root of a column is its first piece.
    group: Vec<usize>,
}

impl Search<'_> {
    /// Joins the pieces of a line with the pieces in the same columns of its neighbours below.
    fn neighbours_of(&mut self, line: usize) {
        for next in line + 1..self.page.lines.len() {
            if self.page.lines[next].spaced {
                return;
            }
            if !self.page.is_comment(next) {
                self.join(line, next);
                if !self.indent.continues[next] {
                    return;
                }
            }
        }
    }

    /// Joins the pieces of two lines that begin in the same column and are [`alike`].
    fn join(&mut self, above: usize, below: usize) {
        let page = self.page;
        for a in page.lines[above].pieces.clone() {
            let column = page.pieces[a].column;
            let same = page.lines[below].pieces.clone();
            let same = same.into_iter().find(|b| page.pieces[*b].column == column);
            if let Some(b) = same
                && self.is_cell(a)
                && self.is_cell(b)
                && alike(page, a, b)
            {
                let (a, b) = (self.root(a), self.root(b));
                self.group[a.max(b)] = a.min(b);
            }
        }
    }

    /// Whether a piece can be in an alignment column. The first piece of a line can if the line keeps its column; any
    /// other piece can if one blank is required before it.
    fn is_cell(&self, at: usize) -> bool {
        let piece = &self.page.pieces[at];
        match self.page.begins_line(at) {
            true => self.indent.starts[piece.line] == Start::Stays,
            false => piece.wanted == 1,
        }
    }

    fn root(&self, mut at: usize) -> usize {
        while self.group[at] != at {
            at = self.group[at];
        }
        at
    }

    fn columns(&self) -> Columns {
        let page = self.page;
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); page.pieces.len()];
        for at in (0..page.pieces.len()).filter(|at| self.is_cell(*at)) {
            members[self.root(at)].push(at);
        }
        let mut columns = Columns {
            all: Vec::new(),
            of: vec![None; page.pieces.len()],
        };
        for pieces in members {
            let wide = |at: &usize| page.pieces[*at].gap > 1;
            let Some(keeps) = pieces.iter().copied().find(wide) else {
                continue;
            };
            let kept = keeps_column(&page.pieces[keeps]).then_some(page.pieces[keeps].column);
            if pieces.len() == 1 && kept.is_none() {
                continue;
            }
            let gaps = pieces.iter().filter(|at| !page.begins_line(**at));
            let gap = gaps.map(|at| page.pieces[*at].gap).min().unwrap_or(1);
            for at in &pieces {
                columns.of[*at] = Some(columns.all.len());
            }
            columns.all.push(Column {
                pieces,
                gap: gap.max(1),
                kept,
            });
        }
        columns
    }
}

/// Whether a piece keeps its input column even without a neighbour.
fn keeps_column(piece: &Piece) -> bool {
    piece.is_comment() || is_expect(piece.token.text(), piece.parent())
}

/// Whether two pieces, or the pieces before them on their lines, are the same: equal words, tokens of the same kind,
/// or comments.
fn alike(page: &Page, a: usize, b: usize) -> bool {
    let next = same(&page.pieces[a], &page.pieces[b]);
    let first = page.begins_line(a) || page.begins_line(b);
    next || !first && same(&page.pieces[a - 1], &page.pieces[b - 1])
}

fn same(a: &Piece, b: &Piece) -> bool {
    match (a.kind(), b.kind()) {
        (SyntaxKind::Word, SyntaxKind::Word) => a.text() == b.text(),
        _ if a.is_comment() => b.is_comment(),
        (a, b) => a == b,
    }
}
