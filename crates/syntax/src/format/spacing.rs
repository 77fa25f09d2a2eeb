//! Spacing: one blank or none between two pieces of a line.
//!
//! Two choices of the author are kept: `0..9` or `0 .. 9` (in a range without blanks also `n-1` without blanks), and
//! `{}` or `{ }`.

use super::lines::{Page, Piece};
use crate::lexical::kind::SyntaxKind;
use crate::lexical::kind::SyntaxKind::*;
use crate::lexical::kind::{SyntaxNode, SyntaxToken};
use crate::lexical::lexer;

/// Sets the required number of blanks before each piece that does not begin its line.
pub(super) fn settle(page: &mut Page) {
    for at in 1..page.pieces.len() {
        let (left, right) = (&page.pieces[at - 1], &page.pieces[at]);
        if left.line == right.line {
            page.pieces[at].wanted = usize::from(!touch(page, left, right));
        }
    }
}

/// Whether there must be no blank between two pieces.
fn touch(page: &Page, left: &Piece, right: &Piece) -> bool {
    if left.is_comment() || right.is_comment() {
        return false;
    }
    let added = left.added.1 + right.added.0 > 0;
    let close = closes_up(right, left) || sticks_to_next(left) || by_choice(page, left, right);
    close && (added || stay_apart(left, right))
}

/// Whether there is no blank before `piece`; `before` is the piece before it.
fn closes_up(piece: &Piece, before: &Piece) -> bool {
    match piece.kind() {
        RParen | RBracket | Comma | Colon | Semicolon | Dot => true,
        LParen => piece.parent() != Some(ParenExpr),
        LBracket => !matches!(piece.parent(), Some(ListExpr | ArrayType)),
        Less | Greater => matches!(piece.parent(), Some(OptionType | SetType)),
        Slash => piece.parent() == Some(NumberExpr),
        RBrace => before.kind() == LBrace && piece.gap == 0,
        _ => false,
    }
}

/// Whether there is no blank after a piece.
fn sticks_to_next(piece: &Piece) -> bool {
    match piece.kind() {
        LParen | LBracket | Dot => true,
        Less => matches!(piece.parent(), Some(OptionType | SetType)),
        Minus => matches!(piece.parent(), Some(UnaryExpr | NumberExpr)),
        Slash => piece.parent() == Some(NumberExpr),
        _ => false,
    }
}

/// Whether one of two pieces is an operator in a range that the author wrote without blanks.
fn by_choice(page: &Page, left: &Piece, right: &Piece) -> bool {
    [left, right]
        .iter()
        .any(|piece| is_tight(page, &piece.token))
}

fn is_tight(page: &Page, operator: &SyntaxToken) -> bool {
    let Some(parent) = operator.parent() else {
        return false;
    };
    match operator.kind() {
        DotDot => stands_close(page, operator),
        Plus | Minus | Star | Slash if parent.kind() == BinaryExpr => {
            let close = stands_close(page, operator);
            close && range_around(&parent).is_some_and(|range| stands_close(page, &range))
        }
        _ => false,
    }
}

/// Whether the operator has no blank on either side in the input.
fn stands_close(page: &Page, operator: &SyntaxToken) -> bool {
    page.at(operator.text_range().start()).is_some_and(|at| {
        let next = page.pieces.get(at + 1);
        !page.begins_line(at)
            && page.pieces[at].gap == 0
            && next.is_some_and(|next| next.line == page.pieces[at].line && next.gap == 0)
    })
}

/// The `..` of the range that has the arithmetic expression `sum` as an end; `None` if `sum` is not an end of a
/// range.
fn range_around(sum: &SyntaxNode) -> Option<SyntaxToken> {
    let around = sum
        .ancestors()
        .find(|node| node.kind() != BinaryExpr)
        .filter(|node| matches!(node.kind(), RangeExpr | RangeType))?;
    around
        .children_with_tokens()
        .filter_map(|element| element.into_token())
        .find(|token| token.kind() == DotDot)
}

/// Whether two pieces without a blank between them would still be lexed as two tokens.
fn stay_apart(left: &Piece, right: &Piece) -> bool {
    let together = format!("{}{}", left.text(), right.text());
    let kinds: Vec<SyntaxKind> = lexer::tokens(&together).iter().map(|t| t.kind).collect();
    kinds == [left.kind(), right.kind()]
}
