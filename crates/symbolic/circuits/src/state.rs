//! The symbolic state of a Machine: [`machine::State`] with values over bits.
//!
//! All bits of an empty slot are 0. So equal states have equal bits, with two exceptions: bags, and inboxes that keep
//! copies. These are lists in the order of arrival.

use crate::activations::ActivationCounts;
use crate::clock::ActivationClock;
use crate::shape::{Holds, Shape, starts};
use crate::shared::Shared;
use bits::{Bits, Number, Slot, Sort, Unsupported, bit_width, constant, ite, packed, unpacked};
use machine::{EdgeId, Fault, KindId, Machine, NodeId, Order, RecordId, RuntimeFaultId, Type};
use sat::{Aig, Lit};

/// The part of the state that never changes: frozen variables and faults from the start.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    /// By frozen variable and node of its kind: the value.
    pub(crate) values: Vec<Vec<Bits>>,
    /// By node: its possible faults from the start, each with the index of the fault declaration and the literal that
    /// the node has it.
    pub(crate) faults: Vec<Vec<(usize, Fault, Lit)>>,
}

/// The part of the state that changes.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) nodes: Vec<Shared<Node>>,
    /// By edge: its slots; a queue with the first message first, or a bag.
    pub(crate) edges: Vec<Shared<Vec<Place>>>,
    /// By message fault: how many times it may still occur; `None` without a limit.
    pub(crate) budgets: Vec<Option<Number>>,
    /// By node: its activations minus those of the slowest node; `None` if it does not run in rounds.
    pub(crate) leads: Vec<Option<Number>>,
    /// The values of the activation counters of order rules.
    pub(crate) activation_counts: ActivationCounts,
    /// By node: its clock; `None` if it is not periodic or time is not digitised.
    pub(crate) activation_clocks: Vec<Option<ActivationClock>>,
}

/// The state of a node.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) waiting: Lit,
    pub(crate) halted: Lit,
    pub(crate) crashed: Lit,
    pub(crate) stopped: Lit,
    pub(crate) vars: Vec<Bits>,
    /// The slots of the outbox, with the first message first.
    pub(crate) outbox: Vec<Outgoing>,
    pub(crate) inbox: Vec<Slot>,
    pub(crate) faulted: Vec<Lit>,
}

/// A slot for a message on an edge.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) present: Lit,
    pub(crate) message: Bits,
    /// The number of time units since it was sent; `None` without digitised delays.
    pub(crate) age: Option<Number>,
}

/// A slot for a message in an outbox.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    /// By edge: whether the message goes to this edge; all false for an empty slot.
    pub(crate) edge: Vec<(EdgeId, Lit)>,
    pub(crate) message: Bits,
}

impl Outgoing {
    pub(crate) fn present(&self, aig: &mut Aig) -> Lit {
        aig.any(self.edge.iter().map(|(_, lit)| *lit))
    }
}

/// Creates fresh literals for a state, and collects the conditions under which they encode a state.
pub(crate) struct Source<'a> {
    pub(crate) aig: &'a mut Aig,
    pub(crate) machine: &'a Machine,
    pub(crate) shape: &'a Shape,
    pub(crate) lits: Vec<Lit>,
    pub(crate) valid: Vec<Lit>,
}

impl<'a> Source<'a> {
    /// A source that has created no literals yet.
    pub(crate) fn new(aig: &'a mut Aig, machine: &'a Machine, shape: &'a Shape) -> Source<'a> {
        Source {
            aig,
            machine,
            shape,
            lits: Vec::new(),
            valid: Vec::new(),
        }
    }

    pub(crate) fn lit(&mut self) -> Lit {
        let lit = self.aig.input();
        self.lits.push(lit);
        lit
    }

    fn lit_if(&mut self, needed: bool) -> Lit {
        if needed { self.lit() } else { Lit::FALSE }
    }

    fn value(&mut self, ty: &Type) -> Result<Bits, Unsupported> {
        let width = bit_width(self.machine, ty)?;
        let lits: Vec<Lit> = (0..width).map(|_| self.lit()).collect();
        let (bits, valid) = unpacked(self.aig, self.machine, ty, &lits)?;
        self.valid.push(valid);
        Ok(bits)
    }

    /// A value over fresh literals. It is required to be valid if `present` is true, and all 0 otherwise.
    pub(crate) fn value_if(&mut self, present: Lit, ty: &Type) -> Result<Bits, Unsupported> {
        let (lits, valids) = (self.lits.len(), self.valid.len());
        let bits = self.value(ty)?;
        let inside: Vec<Lit> = self.valid.drain(valids..).collect();
        let inside = self.aig.all(inside);
        let blank: Vec<Lit> = self.lits[lits..].iter().map(|lit| !*lit).collect();
        let blank = self.aig.all(blank);
        let valid = self.aig.ite(present, inside, blank);
        self.valid.push(valid);
        Ok(bits)
    }

    /// A number from 0 to `most` over fresh literals.
    pub(crate) fn number(&mut self, most: i64) -> Result<Number, Unsupported> {
        Ok(self.value(&Type::Int(0, most))?.number().clone())
    }
}

impl Fixed {
    /// Frozen values over fresh literals; the conditions in `source` say which are valid.
    pub(crate) fn new(source: &mut Source<'_>) -> Result<Fixed, Unsupported> {
        let machine = source.machine;
        let mut values = Vec::new();
        for frozen in &machine.frozen_vars {
            let mut column = Vec::new();
            for place in 0..machine.kinds[frozen.kind.index()].count as usize {
                column.push(match &frozen.order {
                    Order::Given(given) => constant(machine, &given[place], &frozen.ty),
                    Order::Every | Order::Arrangement => source.value(&frozen.ty)?,
                });
            }
            values.push(column);
        }
        let mut faults = Vec::new();
        for node in machine.nodes() {
            let mut own = Vec::new();
            for (item, fault) in &source.shape.faults[node.index()] {
                own.push((*item, *fault, source.lit()));
            }
            faults.push(own);
        }
        Ok(Fixed { values, faults })
    }

    /// Whether a node has a fault for which `wanted` is true.
    pub(crate) fn has(&self, aig: &mut Aig, node: NodeId, wanted: impl Fn(Fault) -> bool) -> Lit {
        let faults = self.faults[node.index()].iter();
        aig.any(
            faults
                .filter(|(_, f, _)| wanted(*f))
                .map(|(_, _, lit)| *lit),
        )
    }
}

impl State {
    /// A state over fresh literals; the conditions in `source` say which are valid.
    pub(crate) fn new(source: &mut Source<'_>) -> Result<State, Unsupported> {
        let (machine, shape) = (source.machine, source.shape);
        let mut nodes = Vec::new();
        for node in machine.nodes() {
            nodes.push(Node::new(source, node)?.into());
        }
        let mut edges = Vec::new();
        for (e, capacity) in shape.capacity.iter().enumerate() {
            let ty = shape.message_type(machine, EdgeId(e as u32));
            let mut places: Vec<Place> = Vec::new();
            for i in 0..*capacity {
                let present = source.lit();
                if i > 0 {
                    let dense = source.aig.implies(present, places[i - 1].present);
                    source.valid.push(dense);
                }
                let message = source.value_if(present, &ty)?;
                let age = shape.clocks.free_age(source, present)?;
                places.push(Place {
                    present,
                    message,
                    age,
                });
            }
            edges.push(places.into());
        }
        let mut budgets = Vec::new();
        for fault in &machine.faults {
            let limit = fault.limit.map(|limit| source.number(i64::from(limit)));
            budgets.push(limit.transpose()?);
        }
        let mut leads = Vec::new();
        for round in &shape.rounds {
            let lead = round.map(|_| source.number(shape.greatest_lead()));
            leads.push(lead.transpose()?);
        }
        let activation_counts = shape.activations.free(source)?;
        let activation_clocks = shape.clocks.free(source)?;
        Ok(State {
            nodes,
            edges,
            budgets,
            leads,
            activation_counts,
            activation_clocks,
        })
    }

    /// The literals of the state, in the order of [`State::new`].
    pub(crate) fn packed(
        &self,
        aig: &mut Aig,
        machine: &Machine,
        shape: &Shape,
    ) -> Result<Vec<Lit>, Unsupported> {
        let mut lits = Vec::new();
        for (node, at) in machine.nodes().zip(&self.nodes) {
            at.pack(aig, machine, shape, node, &mut lits)?;
        }
        for (e, places) in self.edges.iter().enumerate() {
            let ty = shape.message_type(machine, EdgeId(e as u32));
            for place in places.iter() {
                lits.push(place.present);
                pack_if(aig, machine, place.present, &ty, &place.message, &mut lits)?;
                shape.clocks.pack_age(aig, machine, place, &mut lits)?;
            }
        }
        let mut number = |number: &Number, most: i64| -> Result<(), Unsupported> {
            let bits = Bits::Number(Sort::Int, number.clone());
            lits.extend(packed(aig, machine, &Type::Int(0, most), &bits)?);
            Ok(())
        };
        for (budget, fault) in self.budgets.iter().zip(&machine.faults) {
            if let (Some(budget), Some(limit)) = (budget, fault.limit) {
                number(budget, i64::from(limit))?;
            }
        }
        for lead in self.leads.iter().flatten() {
            number(lead, shape.greatest_lead())?;
        }
        let activations = &shape.activations;
        activations.pack(aig, machine, &self.activation_counts, &mut lits)?;
        shape
            .clocks
            .pack(aig, machine, &self.activation_clocks, &mut lits)?;
        Ok(lits)
    }
}

impl Node {
    fn new(source: &mut Source<'_>, node: NodeId) -> Result<Node, Unsupported> {
        let (machine, shape) = (source.machine, source.shape);
        let kind = machine.kind_of(node);
        let [waits, halts, crashes, stops] = modes(machine, shape, kind);
        let waiting = source.lit_if(waits);
        let halted = source.lit_if(halts);
        let crashed = source.lit_if(crashes);
        let stopped = source.lit_if(stops);
        let modes = [waiting, halted, crashed, stopped];
        at_most_one(source, &modes);
        let mut vars = Vec::new();
        for var in machine.vars_of(kind) {
            vars.push(source.value(&var.ty)?);
        }
        let mut outbox: Vec<Outgoing> = Vec::new();
        let sent = Type::one_of(&shape.sends[kind.index()]);
        for i in 0..shape.outbox[kind.index()] {
            let edges = out_edges(machine, node);
            let edge: Vec<(EdgeId, Lit)> = edges.map(|edge| (edge, source.lit())).collect();
            let lits: Vec<Lit> = edge.iter().map(|(_, lit)| *lit).collect();
            at_most_one(source, &lits);
            let present = source.aig.any(lits);
            if i > 0 {
                let before = outbox[i - 1].present(source.aig);
                let dense = source.aig.implies(present, before);
                source.valid.push(dense);
            }
            let message = source.value_if(present, &sent)?;
            outbox.push(Outgoing { edge, message });
        }
        let mut inbox: Vec<Slot> = Vec::new();
        for place in &shape.inbox[node.index()] {
            let present = source.lit();
            if let (Holds::OneOf(_), Some(before)) = (&place.holds, inbox.last())
                && before.sender == place.sender
            {
                let dense = source.aig.implies(present, before.present);
                source.valid.push(dense);
            }
            let message = match &place.holds {
                Holds::This(value) => constant(machine, value, &Type::Record(value.record())),
                Holds::LastOf(record) => source.value_if(present, &Type::Record(*record))?,
                Holds::OneOf(records) => source.value_if(present, &Type::one_of(records))?,
            };
            inbox.push(Slot {
                sender: place.sender,
                present,
                message,
            });
        }
        let runtime_faults = (0..machine.runtime_faults.len() as u32).map(RuntimeFaultId);
        let faulted = runtime_faults.map(|s| source.lit_if(Shape::remembers(machine, s, node)));
        Ok(Node {
            waiting,
            halted,
            crashed,
            stopped,
            vars,
            outbox,
            inbox,
            faulted: faulted.collect(),
        })
    }

    fn pack(
        &self,
        aig: &mut Aig,
        machine: &Machine,
        shape: &Shape,
        node: NodeId,
        lits: &mut Vec<Lit>,
    ) -> Result<(), Unsupported> {
        let kind = machine.kind_of(node);
        let modes_needed = modes(machine, shape, kind);
        let modes = [self.waiting, self.halted, self.crashed, self.stopped];
        let needed = modes.into_iter().zip(modes_needed);
        lits.extend(needed.filter(|(_, needed)| *needed).map(|(lit, _)| lit));
        for (var, bits) in machine.vars_of(kind).zip(&self.vars) {
            lits.extend(packed(aig, machine, &var.ty, bits)?);
        }
        let sent = Type::one_of(&shape.sends[kind.index()]);
        for outgoing in &self.outbox {
            lits.extend(outgoing.edge.iter().map(|(_, lit)| *lit));
            let present = outgoing.present(aig);
            pack_if(aig, machine, present, &sent, &outgoing.message, lits)?;
        }
        for (place, slot) in shape.inbox[node.index()].iter().zip(&self.inbox) {
            lits.push(slot.present);
            let ty = match &place.holds {
                Holds::This(_) => continue,
                Holds::LastOf(record) => Type::Record(*record),
                Holds::OneOf(records) => Type::one_of(records),
            };
            pack_if(aig, machine, slot.present, &ty, &slot.message, lits)?;
        }
        for (s, lit) in self.faulted.iter().enumerate() {
            if Shape::remembers(machine, RuntimeFaultId(s as u32), node) {
                lits.push(*lit);
            }
        }
        Ok(())
    }
}

impl Place {
    pub(crate) fn either(aig: &mut Aig, condition: Lit, a: &Place, b: &Place) -> Place {
        Place {
            present: aig.ite(condition, a.present, b.present),
            message: ite(aig, condition, &a.message, &b.message),
            age: match (&a.age, &b.age) {
                (Some(a), Some(b)) => Some(Number::ite(aig, condition, a, b)),
                _ => None,
            },
        }
    }
}

/// Which modes other than running the nodes of a kind can be in: waiting, halted, crashed, stopped.
fn modes(machine: &Machine, shape: &Shape, kind: KindId) -> [bool; 4] {
    let (crashes, stops) = Shape::runtime_faults(machine, kind);
    [
        starts(machine, kind),
        shape.halts[kind.index()],
        crashes,
        stops,
    ]
}

fn at_most_one(source: &mut Source<'_>, lits: &[Lit]) {
    for (i, a) in lits.iter().enumerate() {
        for b in &lits[i + 1..] {
            let both = source.aig.and(*a, *b);
            source.valid.push(!both);
        }
    }
}

/// Appends the bits of a value if `present` is true; otherwise zeros.
fn pack_if(
    aig: &mut Aig,
    machine: &Machine,
    present: Lit,
    ty: &Type,
    value: &Bits,
    lits: &mut Vec<Lit>,
) -> Result<(), Unsupported> {
    for lit in packed(aig, machine, ty, value)? {
        lits.push(aig.and(present, lit));
    }
    Ok(())
}

/// The edges that leave a node.
pub(crate) fn out_edges(machine: &Machine, node: NodeId) -> impl Iterator<Item = EdgeId> + '_ {
    let edges = machine.edges.iter().enumerate();
    edges
        .filter(move |(_, (from, _))| *from == node)
        .map(|(e, _)| EdgeId(e as u32))
}

/// The literal that is true if a message is of a type, and the message as a record of this type. `None` if it can never
/// be of the type.
pub(crate) fn of_type(message: &Bits, record: RecordId) -> Option<(Lit, Bits)> {
    let Bits::Record(alternatives) = message else {
        return None;
    };
    let found = alternatives.iter().find(|a| a.record == record)?;
    Some((found.when, Bits::record(record, found.fields.clone())))
}
