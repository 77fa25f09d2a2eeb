//! Order atoms: Boolean variables for orders of events that the declared times do not determine. Each value of an atom
//! implies a difference constraint.

use crate::constraints::difference::Constraint;
use crate::constraints::times::Times;
use crate::defects::{Defect, broken};
use machine::NodeId;
use sat::{Aig, Lit};
use std::collections::HashMap;
use verdict::Choice;

/// A node and the number n of its n-th activation after the start, from 1. Where a comment says "before the start", n
/// counts backwards instead: 1 is the last activation before the start.
pub type Activation = (NodeId, u32);

/// The activation at which a message is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sending {
    /// The n-th activation before the start, counted backwards: 1 is the last one.
    Before(NodeId, u32),
    /// The n-th activation after the start, from 1.
    At(NodeId, u32),
}

impl Sending {
    /// The sending node.
    pub fn node(self) -> NodeId {
        match self {
            Sending::Before(node, _) | Sending::At(node, _) => node,
        }
    }

    /// The position of the activation in the sequence of all activations: 1 is the first after the start, 0 the last
    /// before it, -1 the one before that.
    pub fn number(self) -> i64 {
        match self {
            Sending::Before(_, n) => 1 - i64::from(n),
            Sending::At(_, n) => i64::from(n),
        }
    }
}

/// A Boolean variable about the order of two events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// Whether the message sent at the first activation has arrived before the second activation.
    Arrived(Activation, Activation),
    /// Like `Arrived`, for a message sent before the start: the number of the first activation counts backwards from 1.
    Reached(Activation, Activation),
    /// Whether the activation precedes the cut.
    Passed(Activation),
}

impl Atom {
    /// The order that the atom describes if it has this value, for use in a certificate.
    pub fn choice(self, value: bool) -> Choice {
        let signed = |(node, n): Activation| (node, i32::try_from(n).expect("few activations"));
        let before = |(node, n): Activation| (node, 1 - signed((node, n)).1);
        match (self, value) {
            (Atom::Reached(sent, read), true) => Choice::Reaches(before(sent), signed(read)),
            (Atom::Reached(sent, read), false) => Choice::Misses(before(sent), signed(read)),
            (Atom::Arrived(sent, read), true) => Choice::Reaches(signed(sent), signed(read)),
            (Atom::Arrived(sent, read), false) => Choice::Misses(signed(sent), signed(read)),
            (Atom::Passed(activation), true) => Choice::Passed(signed(activation)),
            (Atom::Passed(activation), false) => Choice::Ahead(signed(activation)),
        }
    }
}

/// All order atoms, created on demand.
pub struct Atoms {
    /// By node: the number of the moment of its first activation.
    firsts: Vec<usize>,
    /// By node: the number of the moment of its last activation before the start. The following numbers belong to its
    /// earlier activations.
    lasts: Vec<usize>,
    moments: usize,
    known: HashMap<(Sending, Activation), Lit>,
    /// By sender and receiver: the atoms about messages with delays.
    arrivals: HashMap<(NodeId, NodeId), Vec<Arrival>>,
    /// Implications (premise, conclusion) between atoms of the same sender and receiver.
    implied: Vec<(Lit, Lit)>,
    /// All atoms with their circuit inputs, in the order of creation.
    made: Vec<(Lit, Atom)>,
    /// By node and activation, from 1: the literal of [`Atom::Passed`].
    passed: Vec<Vec<Lit>>,
}

/// The literal of the atom that the message sent at activation `sent` has arrived before activation `read`.
struct Arrival {
    sent: i64,
    read: u32,
    lit: Lit,
}

impl Atoms {
    /// Creates the atoms about the cut; atoms about messages are created on demand. By node, `most` is the number of
    /// activations after the start, and `before` the number of activations before it whose messages may still be in
    /// transit.
    pub fn new(aig: &mut Aig, most: &[u32], before: &[u32]) -> Atoms {
        let mut firsts = Vec::new();
        let mut moments = 1;
        let mut made = Vec::new();
        let mut passed = Vec::new();
        for (node, most) in most.iter().enumerate() {
            firsts.push(moments);
            moments += *most as usize;
            let lits: Vec<Lit> = (1..=*most).map(|_| aig.input()).collect();
            let atoms = lits.iter().zip(1..);
            made.extend(atoms.map(|(lit, n)| (*lit, Atom::Passed((NodeId(node as u32), n)))));
            passed.push(lits);
        }
        let mut lasts = Vec::new();
        for before in before {
            lasts.push(moments);
            moments += *before as usize;
        }
        Atoms {
            firsts,
            lasts,
            moments: moments + 1,
            known: HashMap::new(),
            arrivals: HashMap::new(),
            implied: Vec::new(),
            made,
            passed,
        }
    }

    /// The number of moments: the start (moment 0), all activations, and the cut (the last moment).
    pub fn moments(&self) -> usize {
        self.moments
    }

    /// The number of the moment of an activation after the start.
    pub fn moment(&self, (node, n): Activation) -> usize {
        self.firsts[node.index()] + n as usize - 1
    }

    /// The number of the moment of the n-th activation of a node before the start.
    pub fn moment_before(&self, (node, n): Activation) -> usize {
        self.lasts[node.index()] + n as usize - 1
    }

    /// The number of the moment of the cut.
    pub fn cut(&self) -> usize {
        self.moments - 1
    }

    /// The literal that is true if an activation precedes the cut; false for an activation that is not unrolled.
    pub fn passed(&self, (node, n): Activation) -> Lit {
        match self.passed[node.index()].get(n as usize - 1) {
            Some(lit) => *lit,
            None => Lit::FALSE,
        }
    }

    /// All atoms with their literals, in the order of creation.
    pub fn all(&self) -> &[(Lit, Atom)] {
        &self.made
    }

    /// The literal that is true if a message has arrived before an activation; a constant if the declared times decide
    /// it.
    pub fn arrived(
        &mut self,
        aig: &mut Aig,
        times: &Times,
        sent: Sending,
        read: Activation,
    ) -> Lit {
        if let Some(known) = decided(times, sent, read) {
            return Lit::constant(known);
        }
        if let Some(lit) = self.known.get(&(sent, read)) {
            return *lit;
        }
        // With instantaneous delivery, "the message of a has arrived before b" is the negation of "the message of b has
        // arrived before a", so both share one variable.
        if let Sending::At(node, n) = sent
            && times.at_once
            && let Some(lit) = self.known.get(&(Sending::At(read.0, read.1), (node, n)))
        {
            return !*lit;
        }
        let lit = aig.input();
        self.known.insert((sent, read), lit);
        self.made.push(match sent {
            Sending::At(node, n) => (lit, Atom::Arrived((node, n), read)),
            Sending::Before(node, n) => (lit, Atom::Reached((node, n), read)),
        });
        if !times.at_once {
            self.note(times, sent, read, lit);
        }
        lit
    }

    /// Records the implications between this atom and the earlier ones of the same sender and receiver. A message that
    /// has arrived before an activation has arrived before all later ones. With `fifo`, messages sent earlier have
    /// arrived, too. Declared times imply nothing else about arrivals, because each message has its own delay.
    fn note(&mut self, times: &Times, sent: Sending, (to, read): Activation, lit: Lit) {
        let sent_at = sent.number();
        let others = self.arrivals.entry((sent.node(), to)).or_default();
        for other in others.iter() {
            let same = other.sent == sent_at;
            let stays = !broken(Defect::ArrivedAndGone);
            let in_order = times.fifo && !broken(Defect::FifoOvertakes);
            if (same && stays) || (in_order && !same) {
                if other.sent <= sent_at && other.read >= read {
                    self.implied.push((lit, other.lit));
                } else if other.sent >= sent_at && other.read <= read {
                    self.implied.push((other.lit, lit));
                }
            }
        }
        others.push(Arrival {
            sent: sent_at,
            read,
            lit,
        });
    }

    /// Returns the implications (premise, conclusion) recorded since the last call.
    pub fn take_implied(&mut self) -> Vec<(Lit, Lit)> {
        std::mem::take(&mut self.implied)
    }

    /// The difference constraint that a value of an atom implies.
    pub fn constraint(&self, times: &Times, atom: Atom, value: bool) -> Constraint {
        match atom {
            Atom::Arrived(..) | Atom::Reached(..) => {
                let (sent, read) = match atom {
                    Atom::Reached(sent, read) => (self.moment_before(sent), read),
                    Atom::Arrived(sent, read) => (self.moment(sent), read),
                    Atom::Passed(_) => unreachable!("matched above"),
                };
                let read = self.moment(read);
                match (value, times.delay) {
                    (true, (least, _)) => Constraint::after(sent, read, least),
                    (false, _) if times.at_once => Constraint::after(read, sent, 0),
                    (false, (_, most)) => Constraint::within(sent, read, most),
                }
            }
            Atom::Passed(activation) => {
                let (moment, now) = (self.moment(activation), self.cut());
                match value {
                    true => Constraint::after(moment, now, 0),
                    false => Constraint::after(now, moment, 0),
                }
            }
        }
    }
}

/// Whether a message has arrived before an activation; `None` if the declared times do not decide it.
pub fn decided(times: &Times, sent: Sending, read: Activation) -> Option<bool> {
    let (least, most) = times.delay;
    if sent.node() == read.0 {
        // A block reads its inbox before it sends, so it never reads its own message of the same activation.
        let gaps = i64::from(read.1) - sent.number();
        if gaps <= 0 {
            return Some(false);
        }
        if let Sending::At(..) = sent {
            let (short, long) = times.span(read.0, gaps as u32);
            return match () {
                _ if times.at_once || short > most => Some(true),
                _ if long < least => Some(false),
                _ => None,
            };
        }
    }
    let sent = match sent {
        Sending::At(node, n) => times.nth(node, n),
        Sending::Before(node, n) => times.before(node, n),
    };
    let read = times.nth(read.0, read.1);
    match () {
        _ if sent.1 + most < read.0 => Some(true),
        _ if broken(Defect::TiesOneWay) && sent.1 + most == read.0 => Some(true),
        _ if sent.0 + least > read.1 => Some(false),
        _ => None,
    }
}
