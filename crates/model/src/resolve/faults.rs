//! Faults: what may be wrong with nodes, and what may happen to messages.

use super::Resolver;
use super::names::suggest;
use crate::{Faults, MessageFault, NodeFault, NodeFaultKind};
use source::{Diagnostic, codes};
use syntax::ast;

/// What the list of an item can name.
const FAULTS: [&str; 6] = ["off", "mute", "deaf", "isolated", "crash", "stop"];

impl Resolver<'_> {
    /// One `faults` item, added to those before it.
    pub(super) fn fault(&mut self, tree: &ast::Faults, all: &mut Faults) {
        match &tree.item {
            ast::FaultItem::None => {}
            ast::FaultItem::Nodes(scope, modes) => {
                let fault = self.node_fault(scope, modes, tree);
                all.nodes.extend(fault);
            }
            ast::FaultItem::Messages(fault) => {
                let at_most = fault.at_most.as_ref().map(|e| self.constant_number(e));
                let of = match &fault.of {
                    Some(name) => match self.message_named(name) {
                        Some(message) => Some(message),
                        None => return,
                    },
                    None => None,
                };
                all.messages.push(MessageFault {
                    repeat: fault.repeat,
                    at_most,
                    of,
                    span: tree.span,
                });
            }
        }
    }

    fn node_fault(
        &mut self,
        scope: &ast::FaultScope,
        modes: &[ast::Mode],
        tree: &ast::Faults,
    ) -> Option<NodeFault> {
        let at_most = scope.at_most.as_ref().map(|e| self.constant_number(e));
        let of = match &scope.kind {
            Some(name) => Some(self.kind_named(name)?),
            None => None,
        };
        // What the last one says holds for those before it that say nothing.
        let mut from_start = None;
        let mut faults = Vec::new();
        let mut refused = false;
        for mode in modes.iter().rev() {
            from_start = mode.from_start.or(from_start);
            match self.fault_kind(mode, from_start) {
                Some(fault) if faults.contains(&fault) => {}
                Some(fault) => faults.insert(0, fault),
                None => refused = true,
            }
        }
        (!refused).then_some(NodeFault {
            at_most,
            of,
            faults,
            span: tree.span,
        })
    }

    fn fault_kind(&mut self, mode: &ast::Mode, from_start: Option<bool>) -> Option<NodeFaultKind> {
        let (name, span) = (mode.name.text.as_str(), mode.name.span);
        let kind = match name {
            "off" => Some(NodeFaultKind::Off),
            "mute" => Some(NodeFaultKind::Mute),
            "deaf" => Some(NodeFaultKind::Deaf),
            "isolated" => Some(NodeFaultKind::Isolated),
            "crash" | "stop" => None,
            _ => {
                let text = format!("there is no fault `{name}`");
                let diagnostic = Diagnostic::error(codes::UNKNOWN_FAULT, span, text)
                    .note("there are `off`, `mute`, `deaf`, `isolated`, `crash` and `stop`");
                self.report(suggest(diagnostic, &mode.name, FAULTS));
                return None;
            }
        };
        match (kind, from_start) {
            (Some(kind), Some(true)) => Some(kind),
            (None, Some(true)) => {
                let text = format!("a node cannot `{name}` before it runs");
                self.report(
                    Diagnostic::error(codes::FAULT_WHEN, span, text)
                        .note("for a node that never does anything write `off from start`"),
                );
                None
            }
            (_, Some(false)) => {
                self.refuse(span, &format!("`{name} any time`"));
                None
            }
            (_, None) => {
                let text = format!("`{name}` does not say when");
                self.report(
                    Diagnostic::error(codes::FAULT_WHEN, span, text)
                        .note("write `from start` or `any time` behind the list"),
                );
                None
            }
        }
    }
}
