//! The contents of inboxes at each read, depending on the order of events.
//!
//! An inbox that keeps the latest message of each sender has one slot per sender. An inbox that keeps all messages has
//! one slot per message that can have arrived, or one per sender if all messages of a sender are equal. A message is
//! present at a read if it arrived before the read and the inbox was not cleared in between.

use crate::constraints::atoms::{Activation, Sending};
use crate::constraints::times::Start;
use crate::defects::{Defect, broken};
use crate::unroll::unrolled::{At, Hole, Unrolled};
use bits::{Bits, Evaluator, Slot, Unsupported, equal, free, ite};
use machine::{Expr, Frozen, InboxStart, Instance, LocalId, NodeId};
use sat::Lit;
use std::collections::HashMap;

/// What the encoding assumes about the contents of inboxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// No assumption.
    Perhaps,
    /// Every read finds a message of every node that can send; proved by [`crate::empty_inbox_query`].
    Always,
}

/// The contents of inboxes, created on demand.
pub struct Inboxes {
    filled: Filled,
    /// By receiver and sender: the contents at the start.
    pub first: HashMap<(NodeId, NodeId), Vec<Slot>>,
    /// By receiver, activation and sender: the slot, for inboxes that keep only the latest message.
    latest: HashMap<(NodeId, u32, NodeId), Slot>,
    /// By sender and activation: the message.
    messages: HashMap<Activation, Bits>,
    /// By sender, activation and receiver: the literal that is true if the message is sent to the receiver.
    sent: HashMap<(NodeId, u32, NodeId), Lit>,
    /// By hole: the literal that is true if its inputs encode a value of its type.
    valid: HashMap<Hole, Lit>,
}

impl Inboxes {
    /// Inboxes without any contents created yet.
    pub fn new(filled: Filled) -> Inboxes {
        Inboxes {
            filled,
            first: HashMap::new(),
            latest: HashMap::new(),
            messages: HashMap::new(),
            sent: HashMap::new(),
            valid: HashMap::new(),
        }
    }
}

/// The largest number of different messages of one sender in an inbox at an arbitrary start; with more, the Machine is
/// refused.
const MAX_INITIAL_MESSAGES: u128 = 8;

impl Unrolled<'_, '_> {
    /// Creates the contents of inboxes at the start.
    pub fn begin_inboxes(&mut self, start: Start) -> Result<(), Unsupported> {
        let machine = self.scope.machine;
        for to in machine.nodes() {
            for from in self.scope.senders(to) {
                self.in_order_of_sending(from)?;
                let begins = machine.inbox.start;
                let start = match broken(Defect::InboxesAsAtFirst) {
                    true => Start::Initial,
                    false => start,
                };
                let many = match (begins, start) {
                    (InboxStart::Empty, Start::Initial) => 0,
                    (_, Start::Initial) => 1,
                    (_, Start::Arbitrary) => self.different_messages(from)?,
                };
                let addressed = self.may_address(from, to)?;
                let mut slots = Vec::new();
                for _ in 0..many {
                    let message = self.some_message(from)?;
                    let hears = self.can_receive(to);
                    let able = match begins {
                        InboxStart::Anything if !broken(Defect::LeftoversForgotten) => Lit::TRUE,
                        _ => self.can_send(from),
                    };
                    let there = match (begins, start) {
                        (InboxStart::OneFromEach, Start::Initial) => Lit::TRUE,
                        _ if self.inboxes.filled == Filled::Always => Lit::TRUE,
                        _ => self.aig.input(),
                    };
                    slots.push(Slot {
                        sender: from,
                        present: self.aig.all([hears, able, addressed, there]),
                        message,
                    });
                }
                self.inboxes.first.insert((to, from), slots);
            }
        }
        Ok(())
    }

    /// The literal that the code of `from` may send to the node `to`. It is false only if the receivers of the `send` are
    /// fixed for a run and `to` is not among them. Then the inbox of `to` never holds a message of `from`, at any start.
    fn may_address(&mut self, from: NodeId, to: NodeId) -> Result<Lit, Unsupported> {
        let machine = self.scope.machine;
        let Some(send) = self.scope.sends_of(from).filter(|send| !send.always) else {
            return Ok(Lit::TRUE);
        };
        let scope = &machine.blocks[send.block.index()].scope;
        let frozen = Frozen::default();
        let instance = Instance {
            machine,
            frozen: &frozen,
        };
        if !instance.are_fixed(scope, send.receivers) {
            return Ok(Lit::TRUE);
        }
        let to = Bits::node(to);
        Ok(
            match self.frozen_value(scope, from, send.receivers, None)? {
                Bits::Set(set) => set.contains(&mut self.aig, &to),
                one => equal(&mut self.aig, &one, &to),
            },
        )
    }

    /// Refuses a sender whose messages can overtake each other if inboxes keep only the latest message.
    fn in_order_of_sending(&self, from: NodeId) -> Result<(), Unsupported> {
        let (least, most) = self.times.delay;
        let in_order = self.times.fifo || most - least < self.times.span(from, 1).0;
        match in_order || !self.scope.machine.inbox.latest {
            true => Ok(()),
            false => Err(Unsupported::new("messages that may overtake each other")),
        }
    }

    /// The number of slots for messages of a sender at an arbitrary start; refused if too many messages are possible.
    fn different_messages(&self, from: NodeId) -> Result<u128, Unsupported> {
        let machine = self.scope.machine;
        let Some(send) = self.scope.sends_of(from) else {
            return Ok(0);
        };
        if machine.inbox.latest || send.is_closed() {
            return Ok(1);
        }
        let fields = machine.records[send.record.index()].fields.iter();
        let open = fields.zip(&send.closed).filter(|(_, closed)| !**closed);
        let many = open.fold(1, |all: u128, ((_, ty), _)| {
            all.saturating_mul(machine.cardinality(ty))
        });
        match many <= MAX_INITIAL_MESSAGES {
            true => Ok(many),
            false => Err(Unsupported::new(
                "inboxes that keep all messages, of which there are many",
            )),
        }
    }

    /// A message that the code of a node could send in some state: everything that it reads from the state is
    /// unconstrained.
    pub fn some_message(&mut self, from: NodeId) -> Result<Bits, Unsupported> {
        let machine = self.scope.machine;
        let send = self.scope.sends_of(from).expect("a sender sends");
        let mut scope = machine.blocks[send.block.index()].scope.clone();
        let frozen = Frozen::default();
        let instance = Instance {
            machine,
            frozen: &frozen,
        };
        let mut open: Vec<(Expr, LocalId, Bits)> = Vec::new();
        for (part, ty) in instance.unknowns(&scope, send.message) {
            let (value, valid) = free(&mut self.aig, machine, &ty)?;
            self.conditions.push(valid);
            let local = scope.add("unknown", ty);
            open.push((part, local, value));
        }
        let message = send.message.rebuild(&mut |e| {
            let found = open.iter().find(|(part, ..)| part == e);
            found.map(|(_, local, _)| Expr::Local(*local))
        });
        let at = At {
            machine,
            frozen: &self.frozen,
            vars: &[],
            inbox: None,
        };
        let mut evaluator = Evaluator::new(&mut self.aig, machine, &at, &scope);
        evaluator.bind(LocalId(0), Bits::node(from));
        for (_, local, value) in open {
            evaluator.bind(local, value);
        }
        let value = evaluator.value(&message)?;
        match evaluator.error() {
            Lit::FALSE => Ok(value),
            _ => Err(Unsupported::new("messages that may be errors")),
        }
    }

    /// The contents of the inbox of a node when it reads at an activation.
    pub fn inbox(&mut self, at: Activation) -> Result<Vec<Slot>, Unsupported> {
        let mut slots = Vec::new();
        let mut senders = self.scope.senders(at.0);
        senders.sort();
        for from in senders {
            match self.scope.machine.inbox.latest {
                true => slots.push(self.latest(at, from)?),
                false => slots.extend(self.all(at, from)?),
            }
        }
        Ok(slots)
    }

    /// The slots for messages of one sender, in an inbox that keeps all messages.
    fn all(&mut self, at: Activation, from: NodeId) -> Result<Vec<Slot>, Unsupported> {
        let (to, n) = at;
        if self.inboxes.filled == Filled::Always {
            return Ok(vec![Slot {
                sender: from,
                present: self.can_reach(from, to),
                message: self.message((from, 1))?,
            }]);
        }
        let mut slots = Vec::new();
        let cleared: Vec<Lit> = (1..n).map(|n| self.cleared((to, n))).collect();
        let ever = self.aig.any(cleared.iter().copied());
        for slot in self.inboxes.first[&(to, from)].clone() {
            let present = self.aig.and(slot.present, !ever);
            slots.push(Slot { present, ..slot });
        }
        let hears = self.can_receive(to);
        for sent in self.sendings(from) {
            let arrived = self.has_arrived(sent, at);
            if arrived == Lit::FALSE {
                continue;
            }
            let mut here = vec![
                arrived,
                hears,
                self.sent_lit(sent, to),
                !self.is_lost(sent, to),
            ];
            for earlier in 1..n {
                let gone = self.has_arrived(sent, (to, earlier));
                let gone = self.aig.and(gone, cleared[earlier as usize - 1]);
                here.push(!gone);
            }
            let present = self.aig.all(here);
            if present != Lit::FALSE {
                let message = match sent {
                    Sending::At(from, b) => self.message((from, b))?,
                    Sending::Before(from, n) => self.sent_before((from, n), to).1,
                };
                slots.push(Slot {
                    sender: from,
                    present,
                    message,
                });
            }
        }
        let closed = self
            .scope
            .sends_of(from)
            .is_some_and(|send| send.is_closed());
        if closed && let Some(first) = slots.first().cloned() {
            let present = self.aig.any(slots.iter().map(|slot| slot.present));
            return Ok(vec![Slot { present, ..first }]);
        }
        Ok(slots)
    }

    /// The slot for the latest message of one sender, created as a hole.
    fn latest(&mut self, at: Activation, from: NodeId) -> Result<Slot, Unsupported> {
        let (to, n) = at;
        if let Some(slot) = self.inboxes.latest.get(&(to, n, from)) {
            return Ok(slot.clone());
        }
        let hole = Hole::Latest(to, n, from);
        let (message, open) = self.open_message(hole, from)?;
        let present = match self.inboxes.filled {
            Filled::Always => self.can_reach(from, to),
            Filled::Perhaps => {
                let present = self.aig.input();
                self.hole(hole, [present]);
                present
            }
        };
        self.hole(hole, open);
        let slot = Slot {
            sender: from,
            present,
            message,
        };
        self.inboxes.latest.insert((to, n, from), slot.clone());
        Ok(slot)
    }

    /// The literal that is true if `from` can send and `to` can receive.
    fn can_reach(&mut self, from: NodeId, to: NodeId) -> Lit {
        let (sends, hears) = (self.can_send(from), self.can_receive(to));
        self.aig.and(sends, hears)
    }

    /// The literal that is true if a node reads its inbox at an activation and finds no message of `from`, although
    /// `from` can send and the node can receive.
    pub fn misses(&mut self, at: Activation, from: NodeId) -> Result<Lit, Unsupported> {
        let slots = match self.scope.machine.inbox.latest {
            true => vec![self.latest(at, from)?],
            false => self.all(at, from)?,
        };
        let looked = self.effects[at.0.index()][at.1 as usize - 1].looked;
        let able = self.can_reach(from, at.0);
        let absent = slots.iter().map(|slot| !slot.present);
        let absent: Vec<Lit> = absent.chain([looked, able]).collect();
        Ok(self.aig.all(absent))
    }

    /// A message of a node and its circuit inputs. Fields that are the same in all messages of the node have their
    /// value; the others are inputs.
    fn open_message(&mut self, hole: Hole, from: NodeId) -> Result<(Bits, Vec<Lit>), Unsupported> {
        let machine = self.scope.machine;
        let scope = self.scope;
        let send = scope.sends_of(from).expect("a sender sends");
        let mut open = Vec::new();
        let mut fields = Vec::new();
        let mut all_valid = Vec::new();
        let declared = &machine.records[send.record.index()].fields;
        for (f, (_, ty)) in declared.iter().enumerate() {
            match (send.closed[f], send.message.bare()) {
                (true, Expr::Record(_, parts)) => {
                    let names = &machine.blocks[send.block.index()].scope;
                    fields.push(self.frozen_value(names, from, &parts[f], None)?);
                }
                _ => {
                    let before = self.aig.len() as u32;
                    let (value, valid) = free(&mut self.aig, machine, ty)?;
                    all_valid.push(valid);
                    let made = (before..self.aig.len() as u32).map(Lit::of_gate);
                    open.extend(made);
                    fields.push(value);
                }
            }
        }
        let valid = self.aig.all(all_valid);
        self.inboxes.valid.insert(hole, valid);
        Ok((Bits::record(send.record, fields), open))
    }

    /// The message that a node sends at an activation: a hole, except for fields that are the same in all messages.
    fn message(&mut self, sent: Activation) -> Result<Bits, Unsupported> {
        if let Some(message) = self.inboxes.messages.get(&sent) {
            return Ok(message.clone());
        }
        let hole = Hole::Message(sent.0, sent.1);
        let (message, open) = self.open_message(hole, sent.0)?;
        self.hole(hole, open);
        self.inboxes.messages.insert(sent, message.clone());
        Ok(message)
    }

    /// The literal that is true if a message is sent to a node: a hole, unless the sender sends to all neighbours at
    /// every activation.
    fn sent_lit(&mut self, sent: Sending, to: NodeId) -> Lit {
        let scope = self.scope;
        let (from, b) = match sent {
            Sending::At(from, b) => (from, b),
            Sending::Before(from, n) => return self.sent_before((from, n), to).0,
        };
        if scope.sends_of(from).is_some_and(|send| send.always) {
            return self.can_send(from);
        }
        if let Some(lit) = self.inboxes.sent.get(&(from, b, to)) {
            return *lit;
        }
        let lit = self.aig.input();
        self.hole(Hole::Sent(from, b, to), [lit]);
        self.inboxes.sent.insert((from, b, to), lit);
        lit
    }

    /// The literal that is true if an activation sends its message to a node (`None`: to any node), and the message, as
    /// the code of the activation computes them.
    fn computed(
        &mut self,
        sent: Activation,
        to: Option<NodeId>,
    ) -> Result<(Lit, Option<Bits>), Unsupported> {
        let (when, mut message) = self.message_at_send(sent, to);
        if broken(Defect::ContentsAfterBlock) && message.is_some() {
            message = Some(self.message_after_block(sent)?);
        }
        Ok((when, message))
    }

    /// The message of an activation, evaluated after the block: a seeded defect.
    fn message_after_block(&mut self, (from, b): Activation) -> Result<Bits, Unsupported> {
        let machine = self.scope.machine;
        let send = self.scope.sends_of(from).expect("a sender sends");
        let after = self.after((from, b)).to_vec();
        let at = At {
            machine,
            frozen: &self.frozen,
            vars: &[(from, &after)],
            inbox: None,
        };
        let names = &machine.blocks[send.block.index()].scope;
        let mut evaluator = Evaluator::new(&mut self.aig, machine, &at, names);
        evaluator.bind(LocalId(0), Bits::node(from));
        evaluator.value(send.message)
    }

    fn message_at_send(
        &mut self,
        (from, b): Activation,
        to: Option<NodeId>,
    ) -> (Lit, Option<Bits>) {
        let effects = &self.effects[from.index()][b as usize - 1];
        let sent = effects.sent.iter();
        let own: Vec<_> = sent.filter(|s| to.is_none_or(|to| s.to == to)).collect();
        let when: Vec<Lit> = own.iter().map(|sent| sent.when).collect();
        let message = own.first().map(|sent| sent.message.clone());
        let when = self.aig.any(when);
        let able = self.can_send(from);
        (self.aig.and(when, able), message)
    }

    /// The literal that is true if the message of one activation has arrived before another activation.
    pub fn arrived(&mut self, (from, b): Activation, read: Activation) -> Lit {
        self.has_arrived(Sending::At(from, b), read)
    }

    /// The literal that is true if a message has arrived before an activation. Adds the implications about arrivals to
    /// the conditions.
    fn has_arrived(&mut self, sent: Sending, read: Activation) -> Lit {
        let lit = self.atoms.arrived(&mut self.aig, &self.times, sent, read);
        for (one, other) in self.atoms.take_implied() {
            let stays = self.aig.implies(one, other);
            self.conditions.push(stays);
        }
        lit
    }

    /// The literal that is true if an activation clears the inbox of its node.
    pub fn cleared(&self, (node, n): Activation) -> Lit {
        match broken(Defect::ClearedStays) {
            true => Lit::FALSE,
            false => self.effects[node.index()][n as usize - 1].cleared,
        }
    }

    /// Adds the conditions that define a hole.
    pub fn fill_hole(&mut self, hole: Hole) -> Result<(), Unsupported> {
        self.conditions.extend(self.inboxes.valid.get(&hole));
        match hole {
            Hole::Sent(from, b, to) => {
                let (when, _) = self.computed((from, b), Some(to))?;
                let lit = self.inboxes.sent[&(from, b, to)];
                let same = self.aig.iff(lit, when);
                self.conditions.push(same);
            }
            Hole::Message(from, b) => {
                if let (when, Some(message)) = self.computed((from, b), None)? {
                    let open = self.inboxes.messages[&(from, b)].clone();
                    let same = equal(&mut self.aig, &open, &message);
                    let definition = self.aig.implies(when, same);
                    self.conditions.push(definition);
                }
            }
            Hole::Latest(to, n, from) => {
                let slot = self.inboxes.latest[&(to, n, from)].clone();
                let (present, message) = self.latest_of((to, n), from)?;
                if self.inboxes.filled == Filled::Perhaps {
                    let same = self.aig.iff(slot.present, present);
                    self.conditions.push(same);
                }
                if let Some(message) = message {
                    let same = equal(&mut self.aig, &slot.message, &message);
                    let definition = self.aig.implies(slot.present, same);
                    self.conditions.push(definition);
                }
            }
        }
        Ok(())
    }

    /// The latest message of a sender at a read: the last one that has arrived since the previous activation, or else
    /// the one that was there then, unless the inbox was cleared.
    fn latest_of(
        &mut self,
        at: Activation,
        from: NodeId,
    ) -> Result<(Lit, Option<Bits>), Unsupported> {
        let (to, n) = at;
        if self.inboxes.filled == Filled::Always && self.times.at_once {
            return self.latest_ever(at, from);
        }
        let (mut present, mut message) = match n {
            1 => match self.inboxes.first[&(to, from)].first() {
                Some(slot) => (slot.present, Some(slot.message.clone())),
                None => (Lit::FALSE, None),
            },
            _ => {
                let before = self.latest((to, n - 1), from)?;
                let cleared = self.cleared((to, n - 1));
                let present = self.aig.and(before.present, !cleared);
                (present, Some(before.message))
            }
        };
        let hears = self.can_receive(to);
        for sending in self.sendings(from) {
            let now = self.has_arrived(sending, at);
            let before = match n {
                1 => Lit::FALSE,
                _ => self.has_arrived(sending, (to, n - 1)),
            };
            let since = self.aig.and(now, !before);
            if since == Lit::FALSE {
                continue;
            }
            let lost = self.is_lost(sending, to);
            let (when, sent) = match sending {
                Sending::At(from, b) => self.computed((from, b), Some(to))?,
                Sending::Before(from, n) => {
                    let (when, message) = self.sent_before((from, n), to);
                    (when, Some(message))
                }
            };
            let kept = match broken(Defect::FirstIsLatest) {
                true => present,
                false => Lit::FALSE,
            };
            let new = self.aig.all([since, when, hears, !lost, !kept]);
            if let Some(sent) = sent {
                present = self.aig.or(present, new);
                message = Some(match message {
                    Some(old) => ite(&mut self.aig, new, &sent, &old),
                    None => sent,
                });
            }
        }
        Ok((present, message))
    }

    /// The latest message of a sender if every read finds a message of every node that can send, every sender sends at
    /// every activation, and messages have no delay. Then it is the latest message ever sent, whether or not the inbox
    /// was cleared. Its value at activations that do not read the inbox is irrelevant.
    fn latest_ever(
        &mut self,
        at: Activation,
        from: NodeId,
    ) -> Result<(Lit, Option<Bits>), Unsupported> {
        let first = self.inboxes.first[&(at.0, from)].first();
        let mut message = first.map(|slot| slot.message.clone());
        for b in 1..=self.horizon.after[from.index()] {
            let arrived = self.arrived((from, b), at);
            if arrived == Lit::FALSE {
                continue;
            }
            let (_, sent) = self.computed((from, b), Some(at.0))?;
            message = match (message, sent) {
                (Some(old), Some(sent)) => Some(ite(&mut self.aig, arrived, &sent, &old)),
                (old, sent) => sent.or(old),
            };
        }
        Ok((self.can_reach(from, at.0), message))
    }
}
