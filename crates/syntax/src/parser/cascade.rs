//! Suppression of cascading errors: after an error in a statement or declaration, further problems in it may follow
//! from that error.
//!
//! The text is divided into [units](is_unit): statements, heads of blocks, declarations. The first problem of each unit
//! is reported. A further problem of the unit is reported only if the parser is sure about the intended text, such as
//! `==` for `=`, in this problem and in all earlier problems of the unit. An unclosed bracket counts as sure here. Of
//! the problems whose intended text is a guess, only the first on each line is reported.

use crate::lexical::kind::SyntaxKind;
use crate::lexical::kind::SyntaxKind::*;
use crate::lexical::kind::{SyntaxNode, SyntaxToken};
use rowan::{NodeOrToken, TextRange, TextSize};
use source::{Code, Diagnostic, Span, codes};
use std::collections::{BTreeMap, HashSet};

/// The units and lines with an error whose intended text is a guess.
#[derive(Debug, Default)]
pub struct UnreadRegions {
    units: HashSet<(SyntaxKind, TextRange)>,
    /// The start and the end of each line.
    lines: BTreeMap<TextSize, TextSize>,
}

impl UnreadRegions {
    /// Whether a problem at `place` may follow from a syntax error: its unit or line contains an error whose intended
    /// text is a guess.
    pub fn cover(&self, tree: &SyntaxNode, place: Span) -> bool {
        let unit = || self.units.contains(&unit_at(tree, place));
        !self.lines.is_empty() && (self.in_line(place) || unit())
    }

    fn in_line(&self, place: Span) -> bool {
        let at = TextSize::from(place.start);
        let before = self.lines.range(..=at).next_back();
        before.is_some_and(|(_, end)| at <= *end)
    }
}

/// Removes diagnostics that may follow from an earlier one about the same unit or line. The diagnostics must be in
/// the order of parsing.
pub(crate) fn suppress(
    tree: &SyntaxNode,
    text: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> UnreadRegions {
    let mut reported = HashSet::new();
    let mut unread = UnreadRegions::default();
    diagnostics.retain(|diagnostic| {
        cancellation::poll();
        let unit = unit_at(tree, diagnostic.primary.span);
        // Problems directly in a body, outside of the units in it, are independent of each other.
        let alone = is_body(unit.0);
        let (first, doubtful) = (!reported.contains(&unit), unread.units.contains(&unit));
        let sure = is_sure(diagnostic);
        let kept = if alone || first {
            sure || !unread.in_line(diagnostic.primary.span)
        } else {
            !doubtful && (sure || diagnostic.code == codes::UNCLOSED)
        };
        reported.insert(unit);
        if !sure {
            let line = line_at(text, diagnostic.primary.span);
            unread.lines.insert(line.start(), line.end());
            if !alone {
                unread.units.insert(unit);
            }
        }
        kept
    });
    unread
}

/// Whether the parser is sure about the intended text.
fn is_sure(diagnostic: &Diagnostic) -> bool {
    const SURE: &[Code] = &[
        codes::ASSIGN_OR_COMPARE,
        codes::FOREIGN_OPERATOR,
        codes::LARGE_NUMBER,
    ];
    // For a missing or unexpected token the intended text is a guess, even if a fix is proposed.
    let proposed = diagnostic.fix.is_some() && diagnostic.code != codes::UNEXPECTED;
    proposed || SURE.contains(&diagnostic.code)
}

/// The line in which a span begins.
fn line_at(text: &str, place: Span) -> TextRange {
    let at = place.start as usize;
    let start = text[..at].rfind('\n').map_or(0, |before| before + 1);
    let end = text[at..].find('\n').map_or(text.len(), |more| at + more);
    TextRange::new(TextSize::from(start as u32), TextSize::from(end as u32))
}

/// The innermost unit at a span. Text that was skipped after a unit on the same line belongs to that unit.
fn unit_at(tree: &SyntaxNode, place: Span) -> (SyntaxKind, TextRange) {
    let whole = (tree.kind(), tree.text_range());
    let Some(token) = token_at(tree, TextSize::from(place.start)) else {
        return whole;
    };
    let mut skipped = None;
    for node in token.parent_ancestors() {
        if is_unit(node.kind()) {
            return match skipped {
                Some(skipped) if is_body(node.kind()) => of_skipped(&skipped),
                _ => (node.kind(), node.text_range()),
            };
        }
        skipped = (node.kind() == Error).then_some(node);
    }
    skipped.map_or(whole, |node| of_skipped(&node))
}

/// The token at an offset, or the last token. Unlike `token_at_offset`, this is a binary search among the children of a node.
fn token_at(tree: &SyntaxNode, at: TextSize) -> Option<SyntaxToken> {
    let last = tree.text_range().end().checked_sub(TextSize::from(1))?;
    let place = TextRange::at(at.min(last), TextSize::from(1));
    let mut node = tree.clone();
    loop {
        match node.child_or_token_at_range(place)? {
            NodeOrToken::Node(child) => node = child,
            NodeOrToken::Token(token) => return Some(token),
        }
    }
}

/// The unit to which a skipped text belongs: the node before it on the same line, or the skipped text itself.
fn of_skipped(error: &SyntaxNode) -> (SyntaxKind, TextRange) {
    let mut before = error.prev_sibling_or_token();
    while let Some(element) = before {
        match element {
            NodeOrToken::Token(token) if token.kind() != Newline => {
                before = token.prev_sibling_or_token();
            }
            NodeOrToken::Node(node) if node.kind() != Error => {
                return (node.kind(), node.text_range());
            }
            _ => break,
        }
    }
    (Error, error.text_range())
}

/// Whether a node consists of further units.
fn is_body(kind: SyntaxKind) -> bool {
    matches!(kind, File | Body | NodeBody | WorldBody | NetworkBody)
}

/// Whether nodes of this kind are units. An error in a unit does not affect other units.
fn is_unit(kind: SyntaxKind) -> bool {
    let item = (Param..=Check).contains(&kind)
        && !matches!(kind, Parameters | Parameter | Fields | Field | NodeNumber);
    let part = (Constant..=ActionHead).contains(&kind);
    let statement = (AssignStmt..=CallStmt).contains(&kind) && kind != ElseBranch;
    let network = matches!(kind, Channel | Delivery | ToSelf | Inbox);
    is_body(kind) || item || part || statement || network
}
