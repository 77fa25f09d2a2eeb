//! Translates networks and faults from the lossless tree to the AST.

use super::{Reader, child, expressions, has_word};
use crate::ast::{
    Delivery, FaultItem, FaultScope, Faults, Inbox, InboxStart, MessageFault, Mode, Name, Network,
    NetworkItem, Restart, Topology, TopologyEdge,
};
use crate::lexical::kind::{SyntaxKind, SyntaxNode};

impl Reader<'_> {
    pub(super) fn network(&mut self, node: &SyntaxNode) -> Option<Network> {
        let topology = child(node, SyntaxKind::Topology)?;
        let items = child(node, SyntaxKind::NetworkBody)
            .into_iter()
            .flat_map(|body| body.children())
            .filter_map(|item| self.network_item(&item))
            .collect();
        Some(Network {
            topology: self.topology(&topology)?,
            items,
            span: self.span(node),
        })
    }

    pub(super) fn topology(&mut self, node: &SyntaxNode) -> Option<Topology> {
        let condition = child(node, SyntaxKind::Where);
        let arguments = child(node, SyntaxKind::Arguments);
        let edges = arguments.iter().flat_map(|list| list.children());
        let edges = edges.filter(|edge| edge.kind() == SyntaxKind::Edge);
        let edges = edges.map(|edge| TopologyEdge {
            from: self.nth_expression(&edge, 0),
            to: self.maybe_expression(&edge, 1),
            span: self.span(&edge),
        });
        let edges = edges.collect();
        Some(Topology {
            name: self.name(node)?,
            arguments: arguments.map_or(Vec::new(), |list| self.all_expressions(&list)),
            edges,
            condition: condition.map(|condition| self.nth_expression(&condition, 0)),
            span: self.span(node),
        })
    }

    fn network_item(&mut self, node: &SyntaxNode) -> Option<NetworkItem> {
        let span = self.span(node);
        Some(match node.kind() {
            SyntaxKind::Channel if has_word(node, "fifo") => {
                let capacity = self.maybe_expression(node, 0);
                NetworkItem::Delivery(Delivery::Fifo(capacity), span)
            }
            SyntaxKind::Channel if has_word(node, "unordered") => {
                NetworkItem::Delivery(Delivery::Unordered, span)
            }
            SyntaxKind::Delivery => NetworkItem::Delivery(self.delivery(node)?, span),
            SyntaxKind::ToSelf => NetworkItem::ToSelf(span),
            SyntaxKind::Inbox => {
                let start = if has_word(node, "one") {
                    InboxStart::OneFromEachSender
                } else if has_word(node, "anything") {
                    InboxStart::Anything
                } else {
                    InboxStart::Empty
                };
                let inbox = Inbox {
                    latest_per_sender: has_word(node, "latest"),
                    start,
                };
                NetworkItem::Inbox(inbox, span)
            }
            _ => return None,
        })
    }

    fn delivery(&mut self, node: &SyntaxNode) -> Option<Delivery> {
        let fifo = match (has_word(node, "fifo"), has_word(node, "unordered")) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        Some(if has_word(node, "instant") {
            Delivery::Instant
        } else if has_word(node, "within") {
            Delivery::Within(self.nth_expression(node, 0), fifo)
        } else if has_word(node, "before") {
            Delivery::BeforeNextActivation(fifo)
        } else {
            return None;
        })
    }

    pub(super) fn faults(&mut self, node: &SyntaxNode) -> Option<Faults> {
        let what = node.children().next()?;
        let item = match what.kind() {
            SyntaxKind::NoFaults => FaultItem::None,
            SyntaxKind::MessageFaults => FaultItem::Messages(MessageFault {
                repeat: has_word(&what, "repeat"),
                at_most: self.maybe_expression(&what, 0),
                of: self.name(&what),
            }),
            SyntaxKind::NodeFaults => FaultItem::Nodes(self.scope(&what), self.modes(&what)),
            _ => return None,
        };
        Some(Faults {
            item,
            span: self.span(node),
        })
    }

    fn scope(&mut self, node: &SyntaxNode) -> FaultScope {
        let kind: Option<Name> = self.name(node);
        FaultScope {
            at_most: self.maybe_expression(node, 0),
            kind,
        }
    }

    fn modes(&mut self, node: &SyntaxNode) -> Vec<Mode> {
        node.children()
            .filter(|child| child.kind() == SyntaxKind::Mode)
            .filter_map(|mode| self.mode(&mode))
            .collect()
    }

    fn mode(&mut self, node: &SyntaxNode) -> Option<Mode> {
        let restart = child(node, SyntaxKind::Restart).map(|restart| Restart {
            fresh: has_word(&restart, "fresh"),
            within: expressions(&restart)
                .next()
                .map(|within| self.expression(&within)),
        });
        Some(Mode {
            name: self.name(node)?,
            from_start: match (has_word(node, "from"), has_word(node, "time")) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            },
            during_broadcast: has_word(node, "during"),
            restart,
        })
    }
}
