//! Added parentheses: `always`, `eventually` and quantifiers extend as far to the right as possible. If an operator
//! follows that seems to end them, the formatter adds parentheses:
//!
//! - The operand of `always` or `eventually` that is a bare `and`, `or`, `until`, `implies` or `leads to`: `always p
//!   implies q` becomes `always (p implies q)`.
//! - The body of a quantifier that is itself the right operand of an operator, if the operator in the body binds less
//!   strongly: `p and all k in S: q implies r` becomes `p and all k in S: (q implies r)`.

use super::lines::Page;
use crate::grammar::level_of;
use crate::lexical::kind::{SyntaxKind, SyntaxNode};
use SyntaxKind::*;

/// Marks the pieces before and after which parentheses are added.
pub(super) fn add(tree: &SyntaxNode, page: &mut Page) {
    for node in tree.descendants() {
        let Some(level) = level(&node) else { continue };
        let Some(parent) = node.parent() else {
            continue;
        };
        let unclear = match parent.kind() {
            TemporalExpr => Some(level) <= level_of("and"),
            QuantifierExpr | ExtremumExpr => {
                is_last(&node, &parent) && outer_level(&parent).is_some_and(|outer| level < outer)
            }
            _ => false,
        };
        if unclear {
            enclose(&node, page);
        }
    }
}

/// The precedence of the binary operator of a node; `None` if the node is not a binary operation.
fn level(node: &SyntaxNode) -> Option<u8> {
    let operator = node
        .children_with_tokens()
        .filter_map(|element| element.into_token())
        .find(|token| !token.kind().is_trivia())?;
    match node.kind() {
        BinaryExpr | UntilExpr | LeadsToExpr => level_of(operator.text()),
        _ => None,
    }
}

fn is_last(node: &SyntaxNode, parent: &SyntaxNode) -> bool {
    node.text_range().end() == parent.text_range().end()
}

/// The precedence of the binary operation whose right operand is this node. Between the two there may be unary and
/// temporal operators and quantifiers. `None` if there is no such operation.
fn outer_level(node: &SyntaxNode) -> Option<u8> {
    let parent = node.parent().filter(|parent| is_last(node, parent))?;
    match parent.kind() {
        UnaryExpr | QuantifierExpr | ExtremumExpr | TemporalExpr => outer_level(&parent),
        _ => level(&parent),
    }
}

fn enclose(node: &SyntaxNode, page: &mut Page) {
    let last = node.last_token().map(|token| token.text_range().start());
    let (first, last) = (page.first_of(node), last.and_then(|last| page.at(last)));
    if let (Some(first), Some(last)) = (first, last) {
        page.pieces[first].added.0 += 1;
        page.pieces[last].added.1 += 1;
    }
}
