//! The effects of events on a symbolic state: execution of code, and sending, delivering, storing and dropping
//! messages.

use crate::activations::runs;
use crate::shape::{Holds, Shape};
use crate::state::{Fixed, Outgoing, Place, State, of_type, out_edges};
use crate::view::StateView;
use bits::{Bits, Effects, Number, Unsupported, equal, ite, run};
use machine::{BlockId, Channel, EdgeId, Fault, Machine, NodeId, RecordId, Trigger};
use sat::{Aig, Lit};

/// The Machine, its layout and its frozen values, which all events of an encoding share.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) shape: &'a Shape,
    pub(crate) fixed: &'a Fixed,
}

impl<'a> Setting<'a> {
    pub(crate) fn view(self, state: &'a State) -> StateView<'a> {
        StateView {
            machine: self.machine,
            fixed: self.fixed,
            state,
            quiescent: None,
        }
    }

    /// The blocks of a node, with their triggers.
    pub(crate) fn blocks(self, node: NodeId) -> impl Iterator<Item = (BlockId, &'a Trigger)> {
        let kind = self.machine.kind_of(node);
        let blocks = self.machine.blocks.iter().enumerate();
        blocks
            .filter(move |(_, block)| block.kind == kind)
            .map(|(b, block)| (BlockId(b as u32), &block.trigger))
    }
}

/// The successor state of an event, built step by step.
#[derive(Clone)]
pub(crate) struct Successor {
    pub(crate) state: State,
    /// Whether the event ends in an error.
    pub(crate) error: Lit,
    /// Whether the event needs a slot for a message and none is free.
    pub(crate) overflow: Lit,
    /// Conditions whose conjunction says that the inputs of picks are valid.
    pub(crate) valid: Vec<Lit>,
    /// The picked values, each with the literal that is true if the pick is made.
    pub(crate) picks: Vec<(Lit, Bits)>,
}

/// What happens to a message that reaches a node. The literals are mutually exclusive unless `dropped` is true;
/// `dropped` has priority.
pub(crate) struct Handling {
    /// The message is ignored, because of its type or because the node is inactive or deaf.
    pub(crate) dropped: Lit,
    /// Handlers for the message exist, and none of their guards holds now.
    pub(crate) waits: Lit,
    /// The message enters the inbox.
    pub(crate) stored: Lit,
    /// No handler for the message exists, and it does not enter the inbox: an error.
    pub(crate) unhandled: Lit,
    /// The effects of each handler, with the literal that is true if this handler takes the message.
    pub(crate) code: Vec<(Lit, Effects)>,
}

impl Successor {
    /// The successor of an event that changes nothing.
    pub(crate) fn new(state: State) -> Successor {
        Successor {
            state,
            error: Lit::FALSE,
            overflow: Lit::FALSE,
            valid: Vec::new(),
            picks: Vec::new(),
        }
    }

    /// Applies the effects of code at a node under a condition, and sends its messages.
    pub(crate) fn run(
        &mut self,
        aig: &mut Aig,
        setting: Setting<'_>,
        when: Lit,
        node: NodeId,
        effects: &Effects,
    ) -> Result<(), Unsupported> {
        self.change(aig, when, node, effects);
        let mute = setting.fixed.has(aig, node, |fault| !fault.can_send());
        for sent in &effects.sent {
            let when = aig.all([when, sent.when, !mute]);
            let edge = setting.machine.edge(node, sent.to);
            let Some(edge) = edge.filter(|_| when != Lit::FALSE) else {
                continue;
            };
            match setting.machine.channel {
                Channel::Instant => self.take_at_once(aig, setting, when, edge, &sent.message)?,
                _ => self.send(aig, setting, when, edge, &sent.message),
            }
        }
        Ok(())
    }

    /// Applies the effects of code except for the messages that it sends.
    fn change(&mut self, aig: &mut Aig, when: Lit, node: NodeId, effects: &Effects) {
        let at = &mut self.state.nodes[node.index()];
        for (var, new) in at.vars.iter_mut().zip(&effects.vars) {
            *var = ite(aig, when, new, var);
        }
        let halted = aig.and(when, effects.halted);
        at.halted = aig.or(at.halted, halted);
        let cleared = aig.and(when, effects.cleared);
        for slot in &mut at.inbox {
            slot.present = aig.and(slot.present, !cleared);
        }
        let error = aig.and(when, effects.error);
        self.error = aig.or(self.error, error);
        self.valid.push(aig.implies(when, effects.valid));
        for pick in &effects.picks {
            let when = aig.and(when, pick.when);
            self.picks.push((when, pick.value.clone()));
        }
    }

    /// Delivers a message as part of the event that sends it.
    fn take_at_once(
        &mut self,
        aig: &mut Aig,
        setting: Setting<'_>,
        when: Lit,
        edge: EdgeId,
        message: &Bits,
    ) -> Result<(), Unsupported> {
        let before = self.state.clone();
        let handling = handling(aig, setting, &before, edge, message)?;
        let (from, to) = setting.machine.edges[edge.index()];
        let waiting = before.nodes[to.index()].waiting;
        let when = aig.all([when, !waiting, !handling.dropped]);
        for (takes, effects) in &handling.code {
            let when = aig.and(when, *takes);
            self.change(aig, when, to, effects);
        }
        let stored = aig.and(when, handling.stored);
        self.store(aig, setting, stored, from, to, message);
        let unhandled = aig.and(when, handling.unhandled);
        self.error = aig.or(self.error, unhandled);
        Ok(())
    }

    /// Puts a message onto its edge, or into the outbox if the edge is full or the outbox is not empty.
    fn send(
        &mut self,
        aig: &mut Aig,
        setting: Setting<'_>,
        when: Lit,
        edge: EdgeId,
        message: &Bits,
    ) {
        let (from, _) = setting.machine.edges[edge.index()];
        if !matches!(setting.machine.channel, Channel::Fifo(Some(_))) {
            self.put(aig, setting, when, edge, message);
            return;
        }
        let waits = match self.state.nodes[from.index()].outbox.first() {
            Some(first) => first.present(aig),
            None => Lit::FALSE,
        };
        let room = self.room(edge);
        let goes = aig.all([when, !waits, room]);
        self.put(aig, setting, goes, edge, message);
        let stays = aig.and(when, !goes);
        let outbox = &mut self.state.nodes[from.index()].outbox;
        let mut full = stays;
        for place in outbox.iter_mut() {
            let present = place.present(aig);
            let here = aig.and(full, !present);
            fill(aig, here, edge, message, place);
            full = aig.and(full, present);
        }
        self.overflow = aig.or(self.overflow, full);
    }

    /// Whether an edge has a free slot.
    pub(crate) fn room(&self, edge: EdgeId) -> Lit {
        let last = self.state.edges[edge.index()].last();
        last.map_or(Lit::FALSE, |last| !last.present)
    }

    /// Appends a message to an edge; an overflow if there is no free slot.
    pub(crate) fn put(
        &mut self,
        aig: &mut Aig,
        setting: Setting<'_>,
        when: Lit,
        edge: EdgeId,
        message: &Bits,
    ) {
        let mut full = when;
        for place in self.state.edges[edge.index()].iter_mut() {
            let present = place.present;
            let here = aig.and(full, !present);
            let filled = Place {
                present: Lit::TRUE,
                message: message.clone(),
                age: setting.shape.clocks.new_age(),
            };
            if here != Lit::FALSE {
                *place = Place::either(aig, here, &filled, place);
            }
            full = aig.and(full, present);
        }
        self.overflow = aig.or(self.overflow, full);
    }

    /// Removes a message from an edge; the messages after it move up.
    pub(crate) fn take(&mut self, edge: EdgeId, place: usize) {
        let places = &mut self.state.edges[edge.index()];
        let removed = places.remove(place);
        places.push(Place {
            present: Lit::FALSE,
            ..removed
        });
    }

    /// Moves the first message of an outbox onto its edge.
    pub(crate) fn transmit(&mut self, aig: &mut Aig, setting: Setting<'_>, node: NodeId) {
        let outbox = &mut self.state.nodes[node.index()].outbox;
        let head = outbox.remove(0);
        outbox.push(Outgoing {
            edge: head
                .edge
                .iter()
                .map(|(edge, _)| (*edge, Lit::FALSE))
                .collect(),
            message: head.message.clone(),
        });
        for edge in out_edges(setting.machine, node) {
            let goes = head.edge.iter().find(|(e, _)| *e == edge);
            let goes = goes.map_or(Lit::FALSE, |(_, lit)| *lit);
            self.put(aig, setting, goes, edge, &head.message);
        }
    }

    /// Puts a message into an inbox; an overflow if a slot is needed and none is free.
    pub(crate) fn store(
        &mut self,
        aig: &mut Aig,
        setting: Setting<'_>,
        when: Lit,
        from: NodeId,
        to: NodeId,
        message: &Bits,
    ) {
        if when == Lit::FALSE {
            return;
        }
        let places = &setting.shape.inbox[to.index()];
        let inbox = &mut self.state.nodes[to.index()].inbox;
        let mut full = when;
        let own = places.iter().zip(inbox);
        for (place, slot) in own.filter(|(place, _)| place.sender == from) {
            let (record, several) = match &place.holds {
                Holds::This(value) => (value.record(), false),
                Holds::LastOf(record) => (*record, false),
                Holds::OneOf(records) => (records[0], true),
            };
            if several {
                let present = slot.present;
                let here = aig.and(full, !present);
                slot.message = ite(aig, here, message, &slot.message);
                slot.present = aig.or(slot.present, here);
                full = aig.and(full, present);
                continue;
            }
            let Some((is, fields)) = of_type(message, record) else {
                continue;
            };
            let mut here = aig.and(when, is);
            if let Holds::This(_) = &place.holds {
                let same = equal(aig, &fields, &slot.message);
                here = aig.and(here, same);
            } else {
                slot.message = ite(aig, here, &fields, &slot.message);
            }
            slot.present = aig.or(slot.present, here);
        }
        let copies = places
            .iter()
            .any(|place| matches!(place.holds, Holds::OneOf(_)));
        if copies {
            self.overflow = aig.or(self.overflow, full);
        }
    }

    /// Updates counters and clocks for the activated node, if any, and resets those of inactive nodes.
    pub(crate) fn settle(
        &mut self,
        aig: &mut Aig,
        setting: Setting<'_>,
        activated: Option<NodeId>,
    ) {
        let activations = &setting.shape.activations;
        if let Some(node) = activated {
            activations.activated(aig, &mut self.state.activation_counts, node);
        }
        let runs = runs(aig, setting, &self.state);
        activations.settle(aig, &mut self.state.activation_counts, &runs);
        let clocks = &setting.shape.clocks;
        clocks.settle(aig, &mut self.state.activation_clocks, activated, &runs);
        self.settle_rounds(aig, setting, activated, &runs);
    }

    /// Updates the leads of nodes that run in rounds: their activation counts minus the least one of an active node.
    fn settle_rounds(
        &mut self,
        aig: &mut Aig,
        setting: Setting<'_>,
        activated: Option<NodeId>,
        runs: &[Lit],
    ) {
        if self.state.leads.iter().all(Option::is_none) {
            return;
        }
        if let Some(node) = activated
            && let Some(lead) = &mut self.state.leads[node.index()]
        {
            *lead = lead.add(aig, &Number::constant(1));
        }
        let most = i128::from(setting.shape.greatest_lead());
        let mut least = Number::constant(most + 1);
        for (lead, runs) in self.state.leads.iter().zip(runs) {
            if let Some(lead) = lead {
                let smaller = lead.less(aig, &least);
                let smaller = aig.and(smaller, *runs);
                least = Number::ite(aig, smaller, lead, &least);
            }
        }
        for (lead, runs) in self.state.leads.iter_mut().zip(runs) {
            if let Some(lead) = lead {
                let rest = lead.subtract(aig, &least);
                // Only an inactive node can have a lead below the least.
                let rest = within(aig, &rest, most);
                *lead = Number::ite(aig, *runs, &rest, &Number::constant(0));
            }
        }
    }
}

/// The number with bounds 0 and `most`. Its value is within them whenever the result is used.
fn within(aig: &mut Aig, number: &Number, most: i128) -> Number {
    let choices: Vec<(Lit, i128)> = (0..=most).map(|v| (number.is(aig, v), v)).collect();
    Number::one_of(aig, &choices)
}

fn fill(aig: &mut Aig, here: Lit, edge: EdgeId, message: &Bits, place: &mut Outgoing) {
    if here == Lit::FALSE {
        return;
    }
    for (e, lit) in &mut place.edge {
        if *e == edge {
            *lit = aig.or(*lit, here);
        }
    }
    place.message = ite(aig, here, message, &place.message);
}

/// What happens to a message at the end of an edge. The result does not say whether the receiver has started.
pub(crate) fn handling(
    aig: &mut Aig,
    setting: Setting<'_>,
    state: &State,
    edge: EdgeId,
    message: &Bits,
) -> Result<Handling, Unsupported> {
    let machine = setting.machine;
    let (from, to) = machine.edges[edge.index()];
    let kind = machine.kind_of(to);
    let view = setting.view(state);
    let gone = view.is_gone(aig, to);
    let deaf = setting
        .fixed
        .has(aig, to, |fault: Fault| !fault.can_receive());
    let mut dropped = vec![gone, deaf];
    let (mut waits, mut stored, mut unhandled) = (Vec::new(), Vec::new(), Vec::new());
    let mut code = Vec::new();
    let records = &setting.shape.sends[machine.kind_of(from).index()];
    for record in records {
        let Some((is, fields)) = of_type(message, *record) else {
            continue;
        };
        if machine.kinds[kind.index()].ignores.contains(record) {
            dropped.push(is);
            continue;
        }
        let handlers: Vec<BlockId> = handlers(setting, to, *record);
        let mut free = is;
        for block in &handlers {
            let started_by = Some((fields.clone(), from));
            let effects = run(aig, machine, &view, *block, to, started_by)?;
            let takes = aig.and(free, effects.guard);
            free = aig.and(free, !effects.guard);
            code.push((takes, effects));
        }
        match handlers.is_empty() {
            false => waits.push(free),
            true if machine.enters_inbox(kind, *record) => stored.push(is),
            true => unhandled.push(is),
        }
    }
    Ok(Handling {
        dropped: aig.any(dropped),
        waits: aig.any(waits),
        stored: aig.any(stored),
        unhandled: aig.any(unhandled),
        code,
    })
}

fn handlers(setting: Setting<'_>, node: NodeId, record: RecordId) -> Vec<BlockId> {
    let blocks = setting.blocks(node);
    blocks
        .filter(|(_, trigger)| matches!(trigger, Trigger::On(wanted, _) if *wanted == record))
        .map(|(block, _)| block)
        .collect()
}
