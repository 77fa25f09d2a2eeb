//! A world whose variables, frozen variables and inboxes are inputs, and the values of these inputs for a given state.

use bits::{Bits, Known, Slot, Unsupported, World, bit_width, free, packed_value, unpacked};
use machine::{
    Fault, FrozenId, Instance, Machine, Mode, NodeId, RecordId, State, Type, Value, VarId,
};
use sat::{Aig, Lit};

/// The number of slots for messages of one sender.
const SLOTS: usize = 2;

/// A world in which all state that code reads is an input. State that only conditions read is constant.
pub struct Open<'a> {
    known: Known<'a>,
    /// By node and variable of its kind: the value.
    vars: Vec<Vec<Bits>>,
    /// By frozen variable and node of its kind: the value.
    frozen_vars: Vec<Vec<Bits>>,
    /// By node: the slots of its inbox.
    inboxes: Vec<Vec<Slot>>,
    /// Whether the inputs encode a state.
    pub valid: Lit,
}

/// The type that contains all messages of the Machine.
pub fn any_message(machine: &Machine) -> Type {
    let records = machine
        .records
        .iter()
        .enumerate()
        .filter(|(_, r)| r.message);
    let records: Vec<RecordId> = records.map(|(r, _)| RecordId(r as u32)).collect();
    Type::one_of(&records)
}

fn senders(machine: &Machine, node: NodeId) -> Vec<NodeId> {
    let edges = machine.edges.iter().filter(|edge| edge.1 == node);
    let mut senders: Vec<NodeId> = edges.map(|edge| edge.0).collect();
    senders.sort_unstable();
    senders
}

impl<'a> Open<'a> {
    pub fn new(aig: &mut Aig, known: Known<'a>) -> Result<Open<'a>, Unsupported> {
        let machine = known.instance.machine;
        let mut valid = Vec::new();
        let mut vars = Vec::new();
        for node in machine.nodes() {
            let mut own = Vec::new();
            for var in machine.vars_of(machine.kind_of(node)) {
                let (bits, fits) = free(aig, machine, &var.ty)?;
                own.push(bits);
                valid.push(fits);
            }
            vars.push(own);
        }
        let mut frozen_vars = Vec::new();
        for frozen in &machine.frozen_vars {
            let mut column = Vec::new();
            for _ in machine.nodes_of(frozen.kind) {
                let (bits, fits) = free(aig, machine, &frozen.ty)?;
                column.push(bits);
                valid.push(fits);
            }
            frozen_vars.push(column);
        }
        let ty = any_message(machine);
        let mut inboxes = Vec::new();
        for node in machine.nodes() {
            let mut slots = Vec::new();
            for sender in senders(machine, node) {
                for _ in 0..SLOTS {
                    let present = aig.input();
                    let lits: Vec<Lit> =
                        (0..bit_width(machine, &ty)?).map(|_| aig.input()).collect();
                    let (message, fits) = unpacked(aig, machine, &ty, &lits)?;
                    valid.push(aig.implies(present, fits));
                    slots.push(Slot {
                        sender,
                        present,
                        message,
                    });
                }
            }
            inboxes.push(slots);
        }
        let valid = aig.all(valid);
        Ok(Open {
            known,
            vars,
            frozen_vars,
            inboxes,
            valid,
        })
    }
}

/// The values of the inputs of [`Open::new`] for a state, in the same order. `None` if an inbox holds more messages of
/// a sender than there are slots.
pub fn inputs(instance: &Instance<'_>, state: &State) -> Result<Option<Vec<bool>>, Unsupported> {
    let machine = instance.machine;
    let mut inputs = Vec::new();
    for node in machine.nodes() {
        let types = machine.vars_of(machine.kind_of(node)).map(|var| &var.ty);
        for (value, ty) in state.nodes[node.index()].vars.iter().zip(types) {
            inputs.extend(packed_value(machine, ty, value)?);
        }
    }
    for (frozen, values) in machine.frozen_vars.iter().zip(&instance.frozen.values) {
        for value in values {
            inputs.extend(packed_value(machine, &frozen.ty, value)?);
        }
    }
    let ty = any_message(machine);
    for node in machine.nodes() {
        let inbox = &state.nodes[node.index()].inbox;
        let mut stored = 0;
        for sender in senders(machine, node) {
            let from = inbox.iter().filter(|(from, _)| *from == sender);
            let mut messages: Vec<Option<&Value>> = from.map(|(_, m)| Some(m)).collect();
            stored += messages.len().min(SLOTS);
            messages.resize(SLOTS, None);
            // A world need not sort its slots, so the test uses the reverse order.
            messages.reverse();
            for message in messages {
                inputs.push(message.is_some());
                match message {
                    Some(message) => inputs.extend(packed_value(machine, &ty, message)?),
                    None => inputs.extend(vec![false; bit_width(machine, &ty)?]),
                }
            }
        }
        if stored != inbox.len() {
            return Ok(None);
        }
    }
    Ok(Some(inputs))
}

impl World for Open<'_> {
    fn var(&self, _: &mut Aig, var: VarId, node: NodeId) -> Result<Bits, Unsupported> {
        let place = self.known.instance.machine.place_of_var(var);
        Ok(self.vars[node.index()][place].clone())
    }

    fn frozen(&self, _: &mut Aig, frozen: FrozenId, node: NodeId) -> Result<Bits, Unsupported> {
        let place = self.known.instance.machine.place_in_kind(node);
        Ok(self.frozen_vars[frozen.index()][place].clone())
    }

    fn mode(&self, aig: &mut Aig, node: NodeId, mode: Mode) -> Result<Lit, Unsupported> {
        self.known.mode(aig, node, mode)
    }

    fn fault(&self, aig: &mut Aig, node: NodeId, fault: Fault) -> Result<Lit, Unsupported> {
        self.known.fault(aig, node, fault)
    }

    fn faultless(&self, aig: &mut Aig, node: NodeId) -> Result<Lit, Unsupported> {
        self.known.faultless(aig, node)
    }

    fn inbox(&self, _: &mut Aig, node: NodeId) -> Result<Vec<Slot>, Unsupported> {
        Ok(self.inboxes[node.index()].clone())
    }

    fn in_flight(
        &self,
        aig: &mut Aig,
        record: RecordId,
        from: NodeId,
        to: NodeId,
    ) -> Result<Bits, Unsupported> {
        self.known.in_flight(aig, record, from, to)
    }
}
