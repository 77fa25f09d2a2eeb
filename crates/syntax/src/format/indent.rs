//! Indentation: the column of the first piece of each line.
//!
//! A line that begins a statement is indented four blanks more than the line that opened its block. Any other line
//! continues a statement. If its first piece is in the column of a piece above it in the input, it stays below that
//! piece. Otherwise it is indented like the contents of its bracket, or six blanks more than the statement, or four
//! if the author wrote four.

use super::lines::Page;
use crate::lexical::kind::SyntaxKind;
use crate::lexical::kind::SyntaxKind::*;
use crate::lexical::kind::{SyntaxNode, SyntaxToken};

/// The number of blanks for one level of braces.
pub(super) const LEVEL: usize = 4;
/// The number of blanks before a line that continues a statement.
const CONTINUED: usize = 6;

/// The rule for the column of the first piece of a line. The first number of a variant is the index of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// `Deeper(piece, n)`: n columns to the right of the start of the line that contains the piece.
    Deeper(usize, usize),
    /// `Beyond(piece, n)`: n columns to the right of the piece.
    Beyond(usize, usize),
    /// In the column of the piece.
    Below(usize),
    /// Such that the second piece of the line, after one blank, is in the column of the given piece.
    NextBelow(usize),
    /// In its input column, or in its alignment column if it has one.
    Stays,
    /// At the left margin.
    Margin,
    /// For a comment line: in the column of the piece, which is the first of the next line of code.
    LikeNext(usize),
}

/// The indentation of the lines of a page.
pub(super) struct Indent {
    /// The rule for each line.
    pub starts: Vec<Start>,
    /// Whether each line continues a statement.
    pub continues: Vec<bool>,
}

/// An open bracket.
struct Open {
    /// The piece that is the opening bracket.
    at: usize,
    /// The node of the syntax tree that contains the bracket.
    node: SyntaxNode,
    /// Whether the bracket contains statements or items.
    block: bool,
    /// The first piece inside, if it is on the line of the bracket.
    content: Option<usize>,
    /// The first piece of the construct that the bracket belongs to.
    owner: usize,
}

impl Open {
    /// The column of a line that begins with contents of the bracket.
    fn inside(&self) -> Start {
        match self.content {
            Some(content) => Start::Below(content),
            None => Start::Deeper(self.owner, LEVEL),
        }
    }
}

impl Indent {
    /// Computes the rule for every line of a page.
    pub fn of(page: &Page, tree: &SyntaxNode) -> Indent {
        let mut indent = Indent {
            starts: Vec::new(),
            continues: Vec::new(),
        };
        let mut open: Vec<Open> = Vec::new();
        for line in 0..page.lines.len() {
            let first = page.first(line);
            let (start, continues) = match page.is_comment(line) {
                true => (comment(page, first, &open), false),
                false => code(page, tree, first, &open),
            };
            indent.starts.push(start);
            indent.continues.push(continues);
            for at in page.lines[line].pieces.clone() {
                match page.pieces[at].kind() {
                    LParen | LBracket | LBrace => open.extend(opened(page, at)),
                    RParen | RBracket | RBrace => drop(open.pop()),
                    _ => {}
                }
            }
        }
        indent
    }
}

fn opened(page: &Page, at: usize) -> Option<Open> {
    let node = page.pieces[at].token.parent()?;
    let block = matches!(
        node.kind(),
        Body | NodeBody | WorldBody | NetworkBody | MatchStmt | MatchExpr
    ) && page.pieces[at].kind() == LBrace;
    let owner = match node.kind() {
        Body | NodeBody | WorldBody | NetworkBody | Fields => node.parent(),
        ParenExpr | SetExpr | FilterExpr | ListExpr | ArrayType => None,
        IndexExpr | Arguments | Parameters => None,
        _ => Some(node.clone()),
    };
    let owner = owner.and_then(|owner| page.first_of(&first_of_chain(owner)));
    let content = page
        .next_code(at)
        .filter(|next| page.pieces[*next].line == page.pieces[at].line);
    Some(Open {
        at,
        node,
        block,
        content,
        owner: owner.unwrap_or(at),
    })
}

/// The outermost `if` of a chain of `else if`, for a node of the chain; any other node itself.
fn first_of_chain(node: SyntaxNode) -> SyntaxNode {
    let outer = match node.kind() {
        IfStmt => node.parent().filter(|parent| parent.kind() == ElseBranch),
        ElseBranch => node.parent(),
        _ => None,
    };
    match outer {
        Some(outer) => first_of_chain(outer),
        None => node,
    }
}

/// The rule for a line of code, and whether the line continues a statement.
fn code(page: &Page, tree: &SyntaxNode, first: usize, open: &[Open]) -> (Start, bool) {
    let piece = &page.pieces[first];
    if let (RParen | RBracket | RBrace, Some(innermost)) = (piece.kind(), open.last()) {
        return (closing(page, first, innermost), false);
    }
    let block = open.iter().rev().find(|open| open.block);
    let around = block.map_or(tree, |block| &block.node);
    let Some(statement) = child_with(around, &piece.token) else {
        return (block.map_or(Start::Margin, Open::inside), false);
    };
    let begins = page.first_of(&statement);
    if begins == Some(first) || begins.is_none() {
        return (block.map_or(Start::Margin, Open::inside), false);
    }
    let begins = begins.unwrap_or(first);
    if let Some(head) = head_of(&piece.token) {
        let head = page.first_of(&first_of_chain(head)).unwrap_or(begins);
        let brace = piece.kind() == LBrace;
        return match below(page, first, head, begins).filter(|_| brace) {
            Some(above) => (Start::Below(above), true),
            None => (Start::Below(head), false),
        };
    }
    (continued(page, first, begins, open.last()), true)
}

/// The rule for a line that begins with a closing bracket.
fn closing(page: &Page, at: usize, open: &Open) -> Start {
    let in_line = page.pieces[at].column == page.pieces[open.at].column;
    match open.content {
        Some(_) if in_line => Start::Below(open.at),
        _ => Start::Deeper(open.owner, 0),
    }
}

/// The rule for a line that continues the statement which begins at the piece `begins`.
fn continued(page: &Page, first: usize, begins: usize, innermost: Option<&Open>) -> Start {
    let piece = &page.pieces[first];
    let inner = innermost.filter(|open| !open.block);
    if let Some(open) = inner.filter(|open| open.content.is_none()) {
        let previous = &page.pieces[first - 1];
        if open.at + 1 == first || previous.kind() == Comma || previous.is_comment() {
            return open.inside();
        }
    }
    let further = piece.column.saturating_sub(page.pieces[begins].column);
    if is_expect(piece.token.text(), piece.parent()) && further > CONTINUED {
        return Start::Stays;
    }
    if let Some(above) = below(page, first, begins, begins) {
        return Start::Below(above);
    }
    if let Some(above) = next_below(page, first, begins) {
        return Start::NextBelow(above);
    }
    match inner {
        _ if further == LEVEL || further == CONTINUED => Start::Beyond(begins, further),
        Some(open) if !matches!(open.node.kind(), ParenExpr) => open.inside(),
        _ => Start::Beyond(begins, CONTINUED),
    }
}

/// Whether a word begins the `expect` clause of a check.
pub(super) fn is_expect(word: &str, parent: Option<SyntaxKind>) -> bool {
    word == "expect" && parent == Some(ExpectClause)
}

/// The nearest piece above `first` in the same input column, from the line of `begins` on. `None` if there is none,
/// or if the column is not to the right of `left`.
fn below(page: &Page, first: usize, left: usize, begins: usize) -> Option<usize> {
    let column = page.pieces[first].column;
    (column > page.pieces[left].column)
        .then(|| above(page, first, begins, column))
        .flatten()
}

/// Like [`below`], but for the piece after `first`, if `first` is an operator.
fn next_below(page: &Page, first: usize, begins: usize) -> Option<usize> {
    let next = page.pieces.get(first + 1)?;
    let operator = page.pieces[first].parent().is_some_and(|parent| {
        matches!(
            parent,
            BinaryExpr | UntilExpr | LeadsToExpr | RangeExpr | PlusMinusExpr | IsExpr
        )
    });
    let together = next.line == page.pieces[first].line && next.gap == 1 && next.added.0 == 0;
    let right = page.pieces[first].column > page.pieces[begins].column;
    (operator && together && right && !next.is_comment())
        .then(|| above(page, first, begins, next.column))
        .flatten()
}

fn above(page: &Page, first: usize, begins: usize, column: usize) -> Option<usize> {
    let lines = page.pieces[begins].line..page.pieces[first].line;
    let mut pieces = lines.rev().flat_map(|line| page.lines[line].pieces.clone());
    pieces.find(|at| page.pieces[*at].column == column && !page.pieces[*at].is_comment())
}

/// The rule for a comment line.
fn comment(page: &Page, first: usize, open: &[Open]) -> Start {
    let previous = first.checked_sub(1).map(|at| (at, &page.pieces[at]));
    if let Some((at, previous)) = previous {
        let next_line = previous.line + 1 == page.pieces[first].line;
        let spaced = page.lines[page.pieces[first].line].spaced;
        let trailing = previous.is_comment() && is_below(page, at);
        if next_line && !spaced && trailing && previous.column == page.pieces[first].column {
            return Start::Below(at);
        }
    }
    match page.next_code(first) {
        None => Start::Margin,
        Some(next) => match (page.pieces[next].kind(), open.last()) {
            (RParen | RBracket | RBrace, Some(open)) => open.inside(),
            _ => Start::LikeNext(next),
        },
    }
}

/// Whether a comment is at the end of a line of code, or continues such a comment on the next lines in the same
/// column.
fn is_below(page: &Page, mut at: usize) -> bool {
    while page.begins_line(at) && page.pieces[at].is_comment() {
        let spaced = page.lines[page.pieces[at].line].spaced;
        let same = |before: &usize| {
            let before = &page.pieces[*before];
            before.is_comment() && before.column == page.pieces[at].column && !spaced
        };
        match at.checked_sub(1).filter(same) {
            Some(before) => at = before,
            None => return false,
        }
    }
    true
}

/// The child of `node` that contains a token deeper inside; `None` if no child does.
fn child_with(node: &SyntaxNode, token: &SyntaxToken) -> Option<SyntaxNode> {
    let mut inner = token.parent()?;
    while let Some(parent) = inner.parent() {
        if parent == *node {
            return Some(inner);
        }
        inner = parent;
    }
    None
}

/// For a line that begins with `else` or with the opening brace of a block: the construct that the line continues.
fn head_of(token: &SyntaxToken) -> Option<SyntaxNode> {
    let parent = token.parent()?;
    match (token.kind(), parent.kind()) {
        (Word, ElseBranch) if token.text() == "else" => Some(parent),
        (LBrace, Body | NodeBody | WorldBody | NetworkBody | Fields) => parent.parent(),
        (LBrace, MatchStmt) => Some(parent),
        _ => None,
    }
}
