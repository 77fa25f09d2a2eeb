//! Translates nodes and variants from the lossless tree to the AST.

use super::{Reader, child, has_word};
use crate::ast::{Block, BlockHead, Constant, NodeItem, NodeKind, Var, Variant};
use crate::lexical::kind::{SyntaxKind, SyntaxNode};

impl Reader<'_> {
    pub(super) fn node(&mut self, node: &SyntaxNode) -> Option<NodeKind> {
        let number = child(node, SyntaxKind::NodeNumber);
        Some(NodeKind {
            name: self.name(node)?,
            number: number.map(|number| self.nth_expression(&number, 0)),
            items: self.parts(node),
            span: self.span(node),
        })
    }

    pub(super) fn variant(&mut self, node: &SyntaxNode) -> Option<Variant> {
        let mut names = self.names(node).into_iter();
        Some(Variant {
            name: names.next()?,
            of: names.next()?,
            items: self.parts(node),
            span: self.span(node),
        })
    }

    fn parts(&mut self, node: &SyntaxNode) -> Vec<NodeItem> {
        let mut parts = Vec::new();
        for part in child(node, SyntaxKind::NodeBody)
            .into_iter()
            .flat_map(|b| b.children())
        {
            if part.kind() == SyntaxKind::Ignore {
                parts.extend(self.names(&part).into_iter().map(NodeItem::Ignore));
            } else {
                parts.extend(self.part(&part));
            }
        }
        parts
    }

    fn part(&mut self, node: &SyntaxNode) -> Option<NodeItem> {
        let span = self.span(node);
        Some(match node.kind() {
            SyntaxKind::Constant => NodeItem::Constant(Constant {
                name: self.name(node)?,
                ty: self.nth_type(node, 0),
            }),
            SyntaxKind::Var => NodeItem::Var(Var {
                name: self.name(node)?,
                ty: self.nth_type(node, 0),
                init: self.nth_expression(node, 0),
                persistent: has_word(node, "persistent"),
                ghost: has_word(node, "ghost"),
                span,
            }),
            SyntaxKind::Timer => NodeItem::Timer(self.name(node)?, self.maybe_type(node, 0)),
            SyntaxKind::Block => NodeItem::Block(self.block(node)?),
            SyntaxKind::Action => NodeItem::Action {
                name: self.name(node)?,
                parameters: self.parameters(node),
                body: self.body(node),
                span,
            },
            SyntaxKind::Without => {
                let head = node.children().next()?;
                NodeItem::Without(self.head(&head, true)?, span)
            }
            _ => return None,
        })
    }

    fn block(&mut self, node: &SyntaxNode) -> Option<Block> {
        let head = node.children().next()?;
        Some(Block {
            head: self.head(&head, false)?,
            body: self.body(node),
            head_span: self.span(&head),
            span: self.span(node),
        })
    }

    /// The head of a block, or the head after `without` (if `without` is true), which has no timing and no guard of
    /// `when`.
    fn head(&mut self, node: &SyntaxNode, without: bool) -> Option<BlockHead> {
        let guard = child(node, SyntaxKind::Guard);
        Some(match node.kind() {
            SyntaxKind::StartHead => BlockHead::Start,
            SyntaxKind::EveryHead if without => BlockHead::Every(None),
            SyntaxKind::EveryHead => BlockHead::Every(Some(self.every(node))),
            SyntaxKind::OnHead => BlockHead::On {
                name: self.name(node)?,
                index: self.name_in(node, SyntaxKind::TimerIndex),
                binding: self.name_in(node, SyntaxKind::Binding),
                from: self.name_in(node, SyntaxKind::From),
                guard: guard.map(|guard| self.nth_expression(&guard, 0)),
            },
            SyntaxKind::WhenHead if without => BlockHead::When(self.name(node)?, None),
            SyntaxKind::WhenHead => {
                let name = self.name(node)?;
                let guard = guard.unwrap_or_else(|| node.clone());
                BlockHead::When(name, Some(self.nth_expression(&guard, 0)))
            }
            SyntaxKind::ActionHead => BlockHead::Action(self.name(node)?),
            _ => return None,
        })
    }
}
