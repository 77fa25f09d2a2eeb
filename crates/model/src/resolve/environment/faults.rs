//! Faults of nodes and of messages.

use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::suggest::suggest;
use crate::{Crash, Faults, MessageFault, NodeFault, NodeFaultKind, Restart, RuntimeFault};
use source::{Diagnostic, codes};
use syntax::ast;

/// The names of the faults of nodes.
const FAULTS: [&str; 6] = ["off", "mute", "deaf", "isolated", "crash", "stop"];

/// One fault in the list of an item of `faults`.
enum Fault {
    FromStart(NodeFaultKind),
    Crash(Crash),
    Stop(Restart),
}

impl Resolver<'_> {
    /// Resolves one item of `faults` and adds it to `all`.
    pub(crate) fn fault(&mut self, tree: &ast::Faults, all: &mut Faults) {
        match &tree.item {
            ast::FaultItem::None => {}
            ast::FaultItem::Nodes(scope, modes) => {
                self.node_faults(scope, modes, tree, all);
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

    fn node_faults(
        &mut self,
        scope: &ast::FaultScope,
        modes: &[ast::Mode],
        tree: &ast::Faults,
        all: &mut Faults,
    ) -> Option<()> {
        let at_most = scope.at_most.as_ref().map(|e| self.constant_number(e));
        let of = match &scope.kind {
            Some(name) => Some(self.kind_named(name)?),
            None => None,
        };
        // `from start` or `any time` after a fault also applies to the faults before it that have neither.
        let mut from_start = None;
        let mut found = Vec::new();
        let mut refused = false;
        for mode in modes.iter().rev() {
            from_start = mode.from_start.or(from_start);
            let fault = self.node_fault(mode, from_start);
            refused |= fault.is_none();
            found.extend(fault.map(|fault| (fault, mode)));
        }
        found.reverse();
        let mut faults: Vec<NodeFaultKind> = Vec::new();
        let mut faulted: Option<&ast::Mode> = None;
        let (mut crash, mut stop) = (None, None);
        for (fault, mode) in found {
            let twice = match fault {
                Fault::FromStart(kind) => {
                    if !faults.contains(&kind) {
                        faults.push(kind);
                    }
                    continue;
                }
                Fault::Crash(new) => crash.replace(new).is_some(),
                Fault::Stop(new) => stop.replace(new).is_some(),
            };
            faulted = Some(mode);
            if twice {
                let text = format!("`{}` stands twice in this list", mode.name.text);
                self.error(codes::FAULT_WORDS, mode.name.span, text);
                refused = true;
            }
        }
        if let Some(mode) = faulted.filter(|_| !faults.is_empty()) {
            let text = "a list of faults is `from start` or `any time`, not both";
            self.report(
                Diagnostic::error(codes::FAULT_WHEN, mode.name.span, text)
                    .note("write two `faults` lines: they add up"),
            );
            return None;
        }
        if refused {
            return None;
        }
        let span = tree.span;
        match faulted {
            None => all.nodes.push(NodeFault {
                at_most,
                of,
                faults,
                span,
            }),
            Some(_) => all.runtime_faults.push(RuntimeFault {
                at_most,
                of,
                crash,
                stop,
                span,
            }),
        }
        Some(())
    }

    fn node_fault(&mut self, mode: &ast::Mode, from_start: Option<bool>) -> Option<Fault> {
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
            (Some(kind), Some(true)) => self.fitting_words(mode).then_some(Fault::FromStart(kind)),
            (None, Some(true)) => {
                let text = format!("a node cannot `{name}` before it runs");
                self.report(
                    Diagnostic::error(codes::FAULT_WHEN, span, text)
                        .note("for a node that never does anything write `off from start`"),
                );
                None
            }
            (Some(NodeFaultKind::Off), Some(false)) => {
                self.report(
                    Diagnostic::error(
                        codes::FAULT_WHEN,
                        span,
                        "a node is `off` from the start or not at all",
                    )
                    .note("for a node that ends in the run write `crash any time`"),
                );
                None
            }
            (Some(_), Some(false)) => {
                self.refuse(span, &format!("`{name} any time`"));
                None
            }
            (None, Some(false)) => {
                if !self.fitting_words(mode) {
                    return None;
                }
                match name {
                    "crash" => Some(Fault::Crash(Crash {
                        during_broadcast: mode.during_broadcast,
                    })),
                    _ => self.restart(mode).map(Fault::Stop),
                }
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

    /// Whether `during broadcast` and `restart` are allowed after this fault; reports them if they are not.
    fn fitting_words(&mut self, mode: &ast::Mode) -> bool {
        let (name, span) = (mode.name.text.as_str(), mode.name.span);
        let problem = if mode.restart.is_some() && name != "stop" {
            let note = match name {
                "crash" => {
                    "a node that crashes is gone for good; for one that comes back write `stop any time, restart …`"
                }
                _ => "for a node that ends and comes back write `stop any time, restart …`",
            };
            Some(("restart", "stop", note))
        } else if mode.during_broadcast && name != "crash" {
            let note = match name {
                "stop" => {
                    "write it behind `crash`: `crash any time, during broadcast`; a node that stops does so between events"
                }
                _ => {
                    "for a node that ends in the middle of an event write `crash any time, during broadcast`"
                }
            };
            Some(("during broadcast", "crash", note))
        } else {
            None
        };
        if let Some((word, owner, note)) = problem {
            let text = format!("`{word}` belongs to `{owner}`, not to `{name}`");
            self.report(Diagnostic::error(codes::FAULT_WORDS, span, text).note(note));
        }
        problem.is_none()
    }

    fn restart(&mut self, mode: &ast::Mode) -> Option<Restart> {
        let Some(tree) = &mode.restart else {
            self.report(
                Diagnostic::error(
                    codes::FAULT_WORDS,
                    mode.name.span,
                    "a node that stops comes back, and nothing says how",
                )
                .note("write `stop any time, restart fresh`, with first values, or `restart keeping state`")
                .note("for a node that never comes back write `crash any time`"),
            );
            return None;
        };
        let within = match &tree.within {
            None => None,
            Some(interval) => {
                let what = "the node would be stopped";
                let holder = "how long a node is stopped is";
                Some(self.span_of_time(interval, holder, what, None)?)
            }
        };
        Some(Restart {
            fresh: tree.fresh,
            within,
        })
    }
}
