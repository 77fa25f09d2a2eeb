//! Layout: computes the output column of every piece and writes the text.

use super::columns::{Column, Columns};
use super::indent::{Indent, Start};
use super::lines::Page;

/// The formatted text of a page.
pub(super) fn write(page: &Page, indent: &Indent, columns: &Columns) -> String {
    let mut layout = Layout {
        page,
        indent,
        columns,
        // Alignment columns begin at the left margin and move right until all pieces before them fit.
        reached: vec![0; columns.all.len()],
        places: vec![0; page.pieces.len()],
    };
    // Alignment columns only move right, and a column moves again only after a column to its left has moved. A line
    // has few columns, so few iterations are needed.
    for _ in 0..=columns.all.len().min(100) {
        layout.place();
        if !layout.widen() {
            break;
        }
    }
    layout.text()
}

struct Layout<'p> {
    page: &'p Page,
    indent: &'p Indent,
    columns: &'p Columns,
    /// The output column of each alignment column so far.
    reached: Vec<usize>,
    /// The output column of the text of each piece, to the right of parentheses added before it.
    places: Vec<usize>,
}

impl Layout<'_> {
    /// Computes the output column of every piece. Code comes first, because a comment may be aligned with code below
    /// it.
    fn place(&mut self) {
        for comments in [false, true] {
            for line in 0..self.page.lines.len() {
                if self.page.is_comment(line) == comments {
                    self.line(line);
                }
            }
        }
    }

    fn line(&mut self, line: usize) {
        let pieces = self.page.lines[line].pieces.clone();
        self.places[pieces.start] = self.first(line) + self.page.pieces[pieces.start].added.0;
        for at in pieces.skip(1) {
            let piece = &self.page.pieces[at];
            let close = self.end(at - 1) + piece.wanted;
            let column = self.columns.of[at].map_or(0, |column| self.reached[column]);
            self.places[at] = close.max(column) + piece.added.0;
        }
    }

    /// The output column of the first piece of a line, or of the parentheses added before it.
    fn first(&self, line: usize) -> usize {
        let at = self.page.first(line);
        match self.indent.starts[line] {
            Start::Margin => 0,
            Start::Stays => self.columns.of[at]
                .map_or(self.page.pieces[at].column, |column| self.reached[column]),
            Start::Deeper(piece, more) => {
                let first = self.page.first(self.page.pieces[piece].line);
                self.start(first) + more
            }
            Start::Beyond(piece, more) => self.start(piece) + more,
            Start::Below(piece) => self.below(piece, at),
            Start::NextBelow(piece) => {
                let width = self.page.pieces[at].width();
                self.places[piece].saturating_sub(width + 1)
            }
            Start::LikeNext(piece) => self.start(piece),
        }
    }

    /// The column of `lower`, the first piece of a line, which is aligned with `piece`. If parentheses are added
    /// before `lower`, they are aligned with those before `piece`; otherwise the texts of the two pieces are aligned.
    fn below(&self, piece: usize, lower: usize) -> usize {
        match self.page.pieces[lower].added.0 {
            0 => self.places[piece],
            _ => self.start(piece),
        }
    }

    /// The first column of a piece, including the parentheses added before it.
    fn start(&self, at: usize) -> usize {
        self.places[at] - self.page.pieces[at].added.0
    }

    /// The column after a piece, including the parentheses added after it.
    fn end(&self, at: usize) -> usize {
        let piece = &self.page.pieces[at];
        self.places[at] + piece.width() + piece.added.1
    }

    /// Moves alignment columns to the right until all pieces before them fit; returns whether one moved.
    fn widen(&mut self) -> bool {
        let mut moved = false;
        for (at, column) in self.columns.all.iter().enumerate() {
            let needed = self.needed(column);
            moved |= needed > self.reached[at];
            self.reached[at] = self.reached[at].max(needed);
        }
        moved
    }

    fn needed(&self, column: &Column) -> usize {
        let gap = column.kept.map_or(column.gap, |_| 1);
        let ends = column
            .pieces
            .iter()
            .filter(|at| !self.page.begins_line(**at))
            .map(|at| self.end(at - 1) + gap);
        ends.chain(column.kept).max().unwrap_or(0)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.page.lines {
            if line.spaced {
                text.push('\n');
            }
            let mut reached = 0;
            for at in line.pieces.clone() {
                let piece = &self.page.pieces[at];
                let blanks = self.start(at).saturating_sub(reached);
                text.extend(std::iter::repeat_n(' ', blanks));
                text.extend(std::iter::repeat_n('(', piece.added.0));
                text.push_str(piece.text());
                text.extend(std::iter::repeat_n(')', piece.added.1));
                reached = self.end(at);
            }
            text.push('\n');
        }
        text
    }
}
