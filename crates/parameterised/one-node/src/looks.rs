//! What a node finds in its inbox when it reads at time t, as far as senders with names are concerned.
//!
//! Let D be the longest delay (0 if messages arrive at once), and k a named sender.
//!
//! *Which message.* Messages of k arrive in the order of sending (`protocol.rs`), and k sends at every activation. So
//! the latest message that has arrived from k before t was sent at an activation s of k, and the message of the next
//! activation s' has not arrived; so s' + D >= t. From s to s', k keeps the variables that it has after s. If a part is
//! right from T on and t - D > T, these variables satisfy it, because s' > T. The message is what k's block sends at its
//! `send`: the block is run from some earlier state, with an unknown inbox, and the state after the block is that of k
//! after s. Before s, k's variables satisfy every part that is right from a T with t - D - (longest gap) > T, because
//! s >= s' - (longest gap).
//!
//! *Sent in the run or not.* At the start of a run an inbox may hold messages that no block sent. At t > (latest first
//! activation) + D a message that k sent since the cut has arrived, so the latest one was sent by its block; likewise
//! if the inbox was cleared since the cut, or if inboxes begin empty. Otherwise the message is a *leftover*: any value
//! of the message expression, where variables and locals have any values and constants are those of k.
//!
//! *Inboxes that hold all messages.* Besides the latest message of k there may be older ones, which arrived since the
//! last clear at time c. They were sent at c - D or later, so k's variables before and after the sending activation
//! satisfy the parts that are right from a T with c - D > T.
//!
//! *Presence.* Let *arrived(l)* say that a message of k arrived between the activations l - 1 and l of the node (or
//! between the cut and the first one). Such a message is in the inbox at a read unless an activation from l on cleared
//! it. If k can send and the node can receive, some message arrives between two activations that are so many gaps apart
//! that they last longer than the longest silence (`Durations::is_certain`), and between the cut and an activation that
//! is later than the longest silence; so arrived(l) holds for one of the l between. If every read is proved to find a
//! message of every sender (`Rule::filled`), a message of k is present; otherwise it may be present or not. The inbox
//! holds no message of a node that cannot send, except a leftover if inboxes begin with anything.

use crate::defects::{Defect, broken};
use crate::queries::Right;
use crate::unrolled::{Network, SUBJECT};
use crate::world::{Inbox, NodeWorld};
use bits::{Bits, Evaluator, Slot, Unsupported, ite};
use machine::{Expr, Frozen, InboxStart, Instance, LocalId, NodeId};
use rational::Rational;
use sat::{Aig, Lit};
use std::cell::RefCell;

/// The number of quantifiers over one inbox that find witnesses, where inboxes hold all messages.
const WITNESSES: usize = 3;

/// The moments that matter to a read.
struct Read {
    /// The number of the activation.
    activation: u32,
    /// By earlier activation, from 1: whether it cleared the inbox.
    clears: Vec<Lit>,
    /// By earlier activation, from 1: whether it was the last one that cleared the inbox.
    last_clear: Vec<Lit>,
    /// Whether the inbox was cleared since the cut.
    cleared: Lit,
}

impl Network<'_> {
    /// The inbox at an activation.
    pub(crate) fn look(
        &mut self,
        aig: &mut Aig,
        activation: u32,
        cleared: &[Lit],
    ) -> Result<Inbox, Unsupported> {
        let mut last_clear = Vec::new();
        let mut later = Lit::FALSE;
        for clear in cleared.iter().rev() {
            last_clear.push(aig.and(*clear, !later));
            later = aig.or(later, *clear);
        }
        last_clear.reverse();
        let read = Read {
            activation,
            clears: cleared.to_vec(),
            last_clear,
            cleared: later,
        };
        let latest_only = self.machine.inbox.latest || broken(Defect::AllIsLatest);
        let mut inbox = Inbox::default();
        let senders = self.senders();
        for from in &senders {
            inbox.latest.push(self.latest(aig, &read, *from)?);
        }
        if !latest_only {
            let mut more = Vec::new();
            for _ in 0..WITNESSES {
                let mut list = Vec::new();
                for from in &senders {
                    list.push(self.older(aig, &read, *from)?);
                }
                more.push(list);
            }
            inbox.more = Some(RefCell::new(more));
        }
        Ok(inbox)
    }

    fn senders(&self) -> Vec<NodeId> {
        let names = (0..self.names.count() as u32).map(NodeId);
        let to_self = self.rule.protocol.to_self;
        names.filter(|name| to_self || *name != SUBJECT).collect()
    }

    /// The latest message of a sender.
    fn latest(&mut self, aig: &mut Aig, read: &Read, from: NodeId) -> Result<Slot, Unsupported> {
        let durations = self.moments.durations.clone();
        let silence = self
            .moments
            .past(aig, read.activation, &durations.silence());
        let begins = self.machine.inbox.start;
        let sends = self.can_send(aig, from);
        let receives = self.can_receive(aig, SUBJECT);
        let able = self.may_hold(aig, read, sends);
        let filled = self.rule.filled || broken(Defect::FilledThoughNot);
        let arrived = self.arrived_since_clear(aig, read, from, (sends, receives, silence));
        let surely = aig.or(arrived, Lit::constant(filled));
        // Leftovers of nodes that cannot send may be there or not.
        let surely = aig.and(sends, surely);
        let there = aig.input();
        let there = aig.or(there, surely);
        let present = aig.all([receives, able, there]);
        let empty = Lit::constant(begins == InboxStart::Empty);
        let sent = aig.any([silence, read.cleared, empty]);
        let sent = aig.and(sends, sent);
        let after: Vec<Lit> = self.right(aig, read.activation, &durations.delay.1);
        let gap = &durations.delay.1 + &durations.gap.1;
        let before: Vec<Lit> = self.right(aig, read.activation, &gap);
        let message = self.message(aig, from, sent, (&before, &after))?;
        Ok(Slot {
            sender: from,
            present,
            message,
        })
    }

    /// Whether a message of a sender arrived that no activation cleared.
    fn arrived_since_clear(
        &mut self,
        aig: &mut Aig,
        read: &Read,
        from: NodeId,
        (sends, receives, silence): (Lit, Lit, Lit),
    ) -> Lit {
        let last = read.activation;
        let mut arrived = Vec::new();
        for l in 1..=last {
            let known = self.arrived.get(&(from, l)).copied();
            let lit = known.unwrap_or_else(|| aig.input());
            self.arrived.insert((from, l), lit);
            arrived.push(lit);
        }
        let travels = aig.and(sends, receives);
        let ever = aig.any(arrived.iter().copied());
        let since_cut = aig.and(travels, silence);
        self.conditions.push(aig.implies(since_cut, ever));
        let enough = (1..last).find(|gaps| self.moments.is_certain(*gaps));
        if let Some(gaps) = enough {
            let between = arrived[(last - gaps) as usize..].iter().copied();
            let some = aig.any(between.collect::<Vec<_>>());
            self.conditions.push(aig.implies(travels, some));
        }
        let mut uncleared = Lit::TRUE;
        let mut there = Vec::new();
        for l in (1..=last).rev() {
            there.push(aig.and(arrived[l as usize - 1], uncleared));
            if l > 1 {
                uncleared = aig.and(uncleared, !read.clears[l as usize - 2]);
            }
        }
        aig.any(there)
    }

    /// Any message of a sender, in an inbox that holds all messages.
    fn older(&mut self, aig: &mut Aig, read: &Read, from: NodeId) -> Result<Slot, Unsupported> {
        let delay = self.moments.durations.delay.1.clone();
        let sends = self.can_send(aig, from);
        let receives = self.can_receive(aig, SUBJECT);
        let able = self.may_hold(aig, read, sends);
        let there = aig.input();
        let present = aig.all([receives, able, there]);
        let empty = Lit::constant(self.machine.inbox.start == InboxStart::Empty);
        let sent = aig.or(read.cleared, empty);
        let sent = aig.and(sends, sent);
        let mut right = vec![Vec::new(); self.rule.facts.len()];
        for (earlier, last) in read.last_clear.iter().enumerate() {
            let since = self.right(aig, earlier as u32 + 1, &delay);
            for (here, since) in right.iter_mut().zip(since) {
                here.push(aig.and(*last, since));
            }
        }
        let mut all = Vec::new();
        for (here, fact) in right.into_iter().zip(&self.rule.facts) {
            all.push(match fact.right {
                Right::Always => Lit::TRUE,
                Right::From(_) => aig.any(here),
            });
        }
        let message = self.message(aig, from, sent, (&all, &all))?;
        Ok(Slot {
            sender: from,
            present,
            message,
        })
    }

    /// Whether the inbox may hold a message of a sender: it can send, or it is a leftover of a node that cannot.
    fn may_hold(&self, aig: &mut Aig, read: &Read, sends: Lit) -> Lit {
        let any = self.machine.inbox.start == InboxStart::Anything;
        match any && !broken(Defect::LeftoversOfSilentForgotten) {
            true => aig.or(sends, !read.cleared),
            false => sends,
        }
    }

    /// By fact: whether it is right at a moment that precedes an activation by a duration.
    fn right(&mut self, aig: &mut Aig, activation: u32, before: &Rational) -> Vec<Lit> {
        let rule = self.rule;
        let before = match broken(Defect::RightAtOnce) {
            true => &(before - &self.moments.durations.gap.0),
            false => before,
        };
        let facts = rule.facts.iter();
        facts
            .map(|fact| match &fact.right {
                Right::Always => Lit::TRUE,
                Right::From(time) => self.moments.past(aig, activation, &(time + before)),
            })
            .collect()
    }

    /// A message of a sender: what its block sends if `sent` is true, otherwise a leftover. The literals say which
    /// facts hold of its variables before and after the block.
    fn message(
        &mut self,
        aig: &mut Aig,
        from: NodeId,
        sent: Lit,
        (before, after): (&[Lit], &[Lit]),
    ) -> Result<Bits, Unsupported> {
        let sent_or_right = match broken(Defect::LeftoversAreRight) {
            true => self.can_send(aig, from),
            false => sent,
        };
        let leftover = self.leftover(aig, from)?;
        if sent_or_right == Lit::FALSE || from.index() == self.names.generic() {
            return Ok(leftover);
        }
        let sent = sent_or_right;
        let earlier = self.any_state(aig)?;
        let effects = self.activation(aig, &earlier, from, None, false)?;
        let to_subject = effects.sent.iter().find(|sent| sent.to == SUBJECT);
        let Some(message) = to_subject.map(|sent| sent.message.clone()) else {
            return Ok(leftover);
        };
        let rule = self.rule;
        for (fact, (before, after)) in rule.facts.iter().zip(before.iter().zip(after)) {
            let then = aig.and(sent, *after);
            self.assume_fact(aig, fact, from, &effects.vars, then)?;
            let before = match broken(Defect::ContentsAfterBlock) {
                true => *after,
                false => *before,
            };
            let then = aig.and(sent, before);
            self.assume_fact(aig, fact, from, &earlier, then)?;
        }
        Ok(ite(aig, sent, &message, &leftover))
    }

    /// A message that the code of a node could send in some state: everything that it reads from the state is
    /// arbitrary.
    fn leftover(&mut self, aig: &mut Aig, from: NodeId) -> Result<Bits, Unsupported> {
        let (rule, machine) = (self.rule, self.machine);
        let mut scope = machine.blocks[rule.protocol.block.index()].scope.clone();
        let frozen = Frozen::default();
        let instance = Instance {
            machine,
            frozen: &frozen,
        };
        let mut open: Vec<(Expr, LocalId, Bits)> = Vec::new();
        for (part, ty) in instance.unknowns(&scope, &rule.protocol.message) {
            if ty == machine::Type::Node {
                return Err(Unsupported::new(
                    "messages that name a node other than the sender",
                ));
            }
            let value = self.free(aig, &ty)?;
            let local = scope.add("unknown", ty);
            open.push((part, local, value));
        }
        let message = rule.protocol.message.rebuild(&mut |e| {
            let found = open.iter().find(|(part, ..)| part == e);
            found.map(|(_, local, _)| Expr::Local(*local))
        });
        let world = NodeWorld {
            network: self,
            node: from,
            vars: &[],
            inbox: None,
            granted: false,
        };
        let mut evaluator = Evaluator::new(aig, machine, &world, &scope);
        evaluator.bind(LocalId(0), Bits::node(from));
        for (_, local, value) in open {
            evaluator.bind(local, value);
        }
        evaluator.value(&message)
    }
}
