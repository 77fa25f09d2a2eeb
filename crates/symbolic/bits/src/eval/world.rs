//! What code can read: the state of a Machine over bits, as far as somebody has it.

use crate::Unsupported;
use crate::values::value::{Bits, constant};
use machine::{
    BinaryOp, Fault, FrozenId, Instance, Mode, NodeId, RecordId, ResponseId, State, TimerId, Type,
    VarId,
};
use rational::Rational;
use sat::{Aig, Lit};

/// A place for one message in an inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Who has sent what is there.
    pub sender: NodeId,
    /// Whether something is there.
    pub present: Lit,
    /// What is there.
    pub message: Bits,
}

/// What code and conditions read. What somebody cannot answer he refuses by name.
pub trait World {
    /// A variable of a node of its kind.
    fn var(&self, aig: &mut Aig, var: VarId, node: NodeId) -> Result<Bits, Unsupported>;

    /// A frozen variable of a node of its kind.
    fn frozen(&self, aig: &mut Aig, frozen: FrozenId, node: NodeId) -> Result<Bits, Unsupported>;

    /// Whether a node is in a mode.
    fn mode(&self, _: &mut Aig, _: NodeId, _: Mode) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("modes of nodes"))
    }

    /// Whether that is wrong with a node.
    fn fault(&self, _: &mut Aig, _: NodeId, _: Fault) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("faults of nodes"))
    }

    /// Whether nothing is wrong with a node and nothing has faulted it so far.
    fn faultless(&self, _: &mut Aig, _: NodeId) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("`faultless`"))
    }

    /// What a node has received. At any time the same message of the same sender is there only as often as it is part
    /// of the state. Where slots are in the order of senders, and those of one sender in that of record types, loops
    /// over them are short.
    fn inbox(&self, _: &mut Aig, _: NodeId) -> Result<Vec<Slot>, Unsupported> {
        Err(Unsupported::new("inboxes"))
    }

    /// How many messages of a type are on the way from one node to another, between which there is an edge.
    fn in_flight(
        &self,
        _: &mut Aig,
        _: RecordId,
        _: NodeId,
        _: NodeId,
    ) -> Result<Bits, Unsupported> {
        Err(Unsupported::new("`in_flight`"))
    }

    /// Whether nothing can happen any more.
    fn quiescent(&self, _: &mut Aig) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("`quiescent`"))
    }

    /// Whether a timer of a node, perhaps that for a second node, is set.
    fn timer_set(
        &self,
        _: &mut Aig,
        _: TimerId,
        _: NodeId,
        _: Option<NodeId>,
    ) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("timers"))
    }

    /// How the time since the start compares.
    fn now(&self, _: &mut Aig, _: BinaryOp, _: &Rational) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("`now`"))
    }

    /// Whether something that must follow within a time has not, and the time is over.
    fn overdue(&self, _: &mut Aig, _: ResponseId) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("deadlines"))
    }
}

/// A state that is known: everything in it is constant.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// What never changes.
    pub instance: Instance<'a>,
    /// The rest.
    pub state: &'a State,
}

impl World for Known<'_> {
    fn var(&self, _: &mut Aig, var: VarId, node: NodeId) -> Result<Bits, Unsupported> {
        let machine = self.instance.machine;
        let value = &self.state.nodes[node.index()].vars[machine.place_of_var(var)];
        Ok(constant(machine, value, &machine.vars[var.index()].ty))
    }

    fn frozen(&self, _: &mut Aig, frozen: FrozenId, node: NodeId) -> Result<Bits, Unsupported> {
        let machine = self.instance.machine;
        let values = &self.instance.frozen.values[frozen.index()];
        let value = &values[machine.place_in_kind(node)];
        Ok(constant(
            machine,
            value,
            &machine.frozen_vars[frozen.index()].ty,
        ))
    }

    fn mode(&self, _: &mut Aig, node: NodeId, mode: Mode) -> Result<Lit, Unsupported> {
        Ok(Lit::constant(self.state.nodes[node.index()].mode == mode))
    }

    fn fault(&self, _: &mut Aig, node: NodeId, fault: Fault) -> Result<Lit, Unsupported> {
        Ok(Lit::constant(
            self.instance.frozen.fault(node) == Some(fault),
        ))
    }

    fn faultless(&self, _: &mut Aig, node: NodeId) -> Result<Lit, Unsupported> {
        let faulted = self.state.nodes[node.index()].faulted.contains(&true);
        let well = self.instance.frozen.fault(node).is_none();
        Ok(Lit::constant(well && !faulted))
    }

    fn inbox(&self, _: &mut Aig, node: NodeId) -> Result<Vec<Slot>, Unsupported> {
        let machine = self.instance.machine;
        let inbox = self.state.nodes[node.index()].inbox.iter();
        let slots = inbox.map(|(sender, message)| Slot {
            sender: *sender,
            present: Lit::TRUE,
            message: constant(machine, message, &Type::Record(message.record())),
        });
        Ok(slots.collect())
    }

    fn in_flight(
        &self,
        _: &mut Aig,
        record: RecordId,
        from: NodeId,
        to: NodeId,
    ) -> Result<Bits, Unsupported> {
        let edge = self.instance.machine.edge(from, to);
        let messages = edge.map(|edge| &self.state.edges[edge.index()]);
        let wanted = messages.into_iter().flatten();
        let count = wanted.filter(|message| message.record() == record).count();
        Ok(Bits::int(count as i64))
    }

    fn timer_set(
        &self,
        _: &mut Aig,
        timer: TimerId,
        node: NodeId,
        other: Option<NodeId>,
    ) -> Result<Lit, Unsupported> {
        let place = self.instance.machine.timer_place(timer, other);
        Ok(Lit::constant(self.state.nodes[node.index()].timers[place]))
    }
}
