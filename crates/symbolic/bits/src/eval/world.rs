//! The interface through which code reads a symbolic state. An implementation refuses the parts of the state that it
//! does not represent.

use crate::Unsupported;
use crate::eval::names::View;
use crate::values::value::{Bits, constant};
use machine::{
    BinaryOp, Fault, FrozenId, Instance, Mode, NodeId, RecordId, ResponseId, State, TimerId, Type,
    VarId,
};
use rational::Rational;
use sat::{Aig, Lit};

/// A slot for one message in an inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The sender of the message.
    pub sender: NodeId,
    /// Whether the slot holds a message.
    pub present: Lit,
    /// The message.
    pub message: Bits,
}

/// The state that code and conditions read. A method returns [`Unsupported`], with the name of the construct, if the
/// implementation does not represent that part of the state. `var` and `frozen` are called only for nodes of the kind
/// that has the variable.
pub trait World {
    /// The names of an open world; `None` in a closed world, in which the nodes of the Machine are all nodes.
    fn open(&self) -> Option<View<'_>> {
        None
    }

    /// In an open world in which [`World::inbox`] has only one message of each named sender: for each of these senders,
    /// any of its messages in the inbox of the node whose code runs. Each call returns other slots, or none if no slots
    /// are left. `None` if `inbox` has all messages of the named senders.
    fn more_messages(&self) -> Option<Vec<Slot>> {
        None
    }

    /// The value of a variable of a node.
    fn var(&self, aig: &mut Aig, var: VarId, node: NodeId) -> Result<Bits, Unsupported>;

    /// The value of a frozen variable of a node.
    fn frozen(&self, aig: &mut Aig, frozen: FrozenId, node: NodeId) -> Result<Bits, Unsupported>;

    /// Whether a node is in a mode.
    fn mode(&self, _: &mut Aig, _: NodeId, _: Mode) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("modes of nodes"))
    }

    /// Whether a node has a fault from the start.
    fn fault(&self, _: &mut Aig, _: NodeId, _: Fault) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("faults of nodes"))
    }

    /// Whether a node has no fault from the start and no runtime fault has occurred at it so far.
    fn faultless(&self, _: &mut Aig, _: NodeId) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("`faultless`"))
    }

    /// The messages in the inbox of a node: one slot per copy of a message. Loops are cheaper if the slots are sorted
    /// by sender, and those of one sender by record type.
    fn inbox(&self, _: &mut Aig, _: NodeId) -> Result<Vec<Slot>, Unsupported> {
        Err(Unsupported::new("inboxes"))
    }

    /// The number of messages of a type in flight along an edge from one node to another.
    fn in_flight(
        &self,
        _: &mut Aig,
        _: RecordId,
        _: NodeId,
        _: NodeId,
    ) -> Result<Bits, Unsupported> {
        Err(Unsupported::new("`in_flight`"))
    }

    /// Whether the state is quiescent: from now on, no event is enabled except faults and the passing of time.
    fn quiescent(&self, _: &mut Aig) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("`quiescent`"))
    }

    /// Whether a timer of a node is set. The last argument is the node that a timer per node is about.
    fn timer_set(
        &self,
        _: &mut Aig,
        _: TimerId,
        _: NodeId,
        _: Option<NodeId>,
    ) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("timers"))
    }

    /// The result of comparing the time since the start with a constant.
    fn now(&self, _: &mut Aig, _: BinaryOp, _: &Rational) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("`now`"))
    }

    /// Whether a deadline has passed without the response that it requires.
    fn overdue(&self, _: &mut Aig, _: ResponseId) -> Result<Lit, Unsupported> {
        Err(Unsupported::new("deadlines"))
    }
}

/// A concrete state as a world; all its values are constants.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The instance, with its frozen values.
    pub instance: Instance<'a>,
    /// The state.
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
