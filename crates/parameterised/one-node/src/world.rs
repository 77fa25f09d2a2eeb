//! The state of one node as a world of expressions: its variables, the frozen values of all names, and its inbox.

use crate::unrolled::Network;
use bits::{Bits, Slot, Unsupported, View, World, free};
use machine::{Fault, FrozenId, Mode, NodeId, VarId};
use sat::{Aig, Lit};
use std::cell::RefCell;

/// One node of the named network at one moment.
pub(crate) struct NodeWorld<'w, 'q> {
    pub(crate) network: &'w Network<'q>,
    pub(crate) node: NodeId,
    /// Its variables.
    pub(crate) vars: &'w [Bits],
    /// Its inbox; `None` if nothing is known about it.
    pub(crate) inbox: Option<Inbox>,
    /// Whether quantifiers get witnesses.
    pub(crate) granted: bool,
}

/// What is known about an inbox at a read.
#[derive(Default)]
pub(crate) struct Inbox {
    /// For each named sender, its latest message.
    pub(crate) latest: Vec<Slot>,
    /// If inboxes hold all messages: lists with any message of each named sender.
    pub(crate) more: Option<RefCell<Vec<Vec<Slot>>>>,
}

impl World for NodeWorld<'_, '_> {
    fn open(&self) -> Option<View<'_>> {
        Some(View {
            names: &self.network.names,
            granted: self.granted,
            blind: self.inbox.is_none(),
            independent_steps: true,
        })
    }

    fn more_messages(&self) -> Option<Vec<Slot>> {
        let more = self.inbox.as_ref()?.more.as_ref()?;
        Some(more.borrow_mut().pop().unwrap_or_default())
    }

    fn var(&self, aig: &mut Aig, var: VarId, node: NodeId) -> Result<Bits, Unsupported> {
        let machine = self.network.machine;
        if node == self.node {
            return Ok(self.vars[machine.place_of_var(var)].clone());
        }
        // The count of another node is arbitrary (see *Counts* in `queries.rs`).
        if self.network.rule.protocol.counts.contains(&var) {
            let (value, valid) = free(aig, machine, &machine.vars[var.index()].ty)?;
            self.network.names.require(valid);
            return Ok(value);
        }
        Err(Unsupported::new("variables of several nodes at once"))
    }

    fn frozen(&self, _: &mut Aig, frozen: FrozenId, node: NodeId) -> Result<Bits, Unsupported> {
        let network = self.network;
        Ok(network.frozen.value(network.machine, frozen, node).clone())
    }

    fn mode(&self, _: &mut Aig, node: NodeId, mode: Mode) -> Result<Lit, Unsupported> {
        let off = self.network.frozen.fault(node, Fault::Off);
        Ok(match mode {
            Mode::Off => off,
            Mode::Running => !off,
            Mode::Waiting | Mode::Halted | Mode::Crashed | Mode::Stopped => Lit::FALSE,
        })
    }

    fn fault(&self, _: &mut Aig, node: NodeId, fault: Fault) -> Result<Lit, Unsupported> {
        Ok(self.network.frozen.fault(node, fault))
    }

    fn faultless(&self, aig: &mut Aig, node: NodeId) -> Result<Lit, Unsupported> {
        Ok(!self.network.frozen.some_fault(aig, node, |_| true))
    }

    fn inbox(&self, _: &mut Aig, _: NodeId) -> Result<Vec<Slot>, Unsupported> {
        let inbox = self.inbox.as_ref();
        Ok(inbox.map_or_else(Vec::new, |inbox| inbox.latest.clone()))
    }
}
