//! Messages with delays or losses: messages in transit at the start, and the choice of lost messages.

use crate::constraints::atoms::{Activation, Sending};
use crate::constraints::times::Start;
use crate::defects::{Defect, broken};
use crate::unroll::frozen::at_most;
use crate::unroll::unrolled::Unrolled;
use bits::{Bits, Unsupported};
use machine::{Effect, FaultId, NodeId};
use sat::Lit;
use std::collections::HashMap;

/// The message of an activation before the start.
struct Earlier {
    message: Bits,
    /// By receiver: the literal that is true if the message was sent to it and had not arrived at the start.
    to: HashMap<NodeId, Lit>,
}

/// The messages in transit at the start, and which messages are lost.
#[derive(Default)]
pub struct InTransit {
    /// By sender and number of the activation before the start.
    earlier: HashMap<Activation, Earlier>,
    /// By sending event and receiver: the faults that may lose the message, with their literals.
    lost: HashMap<(Sending, NodeId), Vec<(FaultId, Lit)>>,
}

impl Unrolled<'_, '_> {
    /// Creates the messages in transit at the start: each activation before the start sent any message that its code
    /// could send, to any set of receivers.
    pub fn begin_in_transit(&mut self) -> Result<(), Unsupported> {
        let machine = self.scope.machine;
        for from in machine.nodes() {
            for n in 1..=self.horizon.before[from.index()] {
                let message = self.some_message(from)?;
                let able = self.can_send(from);
                let mut to = HashMap::new();
                for receiver in machine.nodes() {
                    if self.scope.senders(receiver).contains(&from) {
                        let there = self.aig.input();
                        to.insert(receiver, self.aig.and(able, there));
                    }
                }
                let earlier = Earlier { message, to };
                self.in_transit.earlier.insert((from, n), earlier);
            }
        }
        Ok(())
    }

    /// Creates a literal per possible loss and limits their number as declared. From an arbitrary start the whole limit
    /// applies, because possibly no message was lost before.
    pub fn begin_losses(&mut self, start: Start) {
        let machine = self.scope.machine;
        for (f, fault) in machine.faults.iter().enumerate() {
            if fault.effect != Effect::Lose {
                continue;
            }
            let mut all = Vec::new();
            for to in machine.nodes() {
                for from in self.scope.senders(to) {
                    let send = self.scope.sends_of(from).expect("a sender sends");
                    if fault.of.is_some_and(|of| of != send.record) {
                        continue;
                    }
                    for sent in self.sendings(from) {
                        let lit = self.aig.input();
                        all.push(lit);
                        let own = self.in_transit.lost.entry((sent, to)).or_default();
                        own.push((FaultId(f as u32), lit));
                    }
                }
            }
            if let Some(limit) = fault.limit {
                let used_up = start == Start::Arbitrary && broken(Defect::LossesUsedUp);
                let limit = if used_up { 0 } else { limit as usize };
                let few = at_most(&mut self.aig, &all, limit);
                self.conditions.push(few);
            }
        }
    }

    /// The sending activations of a node in the order of time, including those before the start.
    pub fn sendings(&self, from: NodeId) -> Vec<Sending> {
        let before = (1..=self.horizon.before[from.index()]).rev();
        let before = before.map(|n| Sending::Before(from, n));
        let after = (1..=self.horizon.after[from.index()]).map(|n| Sending::At(from, n));
        before.chain(after).collect()
    }

    /// The literal that is true if the message of an activation before the start is in transit to a node, and the
    /// message.
    pub fn sent_before(&self, sent: Activation, to: NodeId) -> (Lit, Bits) {
        let earlier = &self.in_transit.earlier[&sent];
        (earlier.to[&to], earlier.message.clone())
    }

    /// The literal that is true if a message to a node is lost.
    pub fn is_lost(&mut self, sent: Sending, to: NodeId) -> Lit {
        if broken(Defect::LostArrives) {
            return Lit::FALSE;
        }
        let lits: Vec<Lit> = self.losses(sent, to).map(|(_, lit)| lit).collect();
        self.aig.any(lits)
    }

    /// The faults that may lose a message to a node, each with the literal that is true if it does.
    pub fn losses(&self, sent: Sending, to: NodeId) -> impl Iterator<Item = (FaultId, Lit)> {
        let own = self.in_transit.lost.get(&(sent, to));
        own.into_iter().flatten().copied()
    }
}
