//! Order atoms: Boolean variables for the orders that times leave open, and the constraint that each implies.

use crate::constraints::difference::Constraint;
use crate::constraints::times::Times;
use crate::defects::{Defect, broken};
use machine::NodeId;
use sat::{Aig, Lit};
use std::collections::HashMap;
use verdict::Choice;

/// The n-th activation of a node, from 1.
pub type Activation = (NodeId, u32);

/// A sending event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sending {
    /// The n-th activation of a node before the start, counted from 1 for the last one.
    Before(NodeId, u32),
    /// An activation.
    At(NodeId, u32),
}

impl Sending {
    /// The sending node.
    pub fn node(self) -> NodeId {
        match self {
            Sending::Before(node, _) | Sending::At(node, _) => node,
        }
    }

    /// The number of the activation; 0 for the last one before the start.
    pub fn number(self) -> i64 {
        match self {
            Sending::Before(_, n) => 1 - i64::from(n),
            Sending::At(_, n) => i64::from(n),
        }
    }
}

/// A literal about the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// The message sent at the first activation has arrived before the second.
    Arrived(Activation, Activation),
    /// The message sent at the n-th activation of a node before the start, from 1, has arrived before the
    /// activation.
    Reached(Activation, Activation),
    /// The activation is before the cut.
    Passed(Activation),
}

impl Atom {
    /// The choice that a value of the atom makes.
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
    /// By node: the moment of its first activation.
    firsts: Vec<usize>,
    /// By node: the moment of its last activation before the start; the earlier ones follow.
    lasts: Vec<usize>,
    moments: usize,
    known: HashMap<(Sending, Activation), Lit>,
    /// By sender and receiver: the atoms about messages with delays.
    arrivals: HashMap<(NodeId, NodeId), Vec<Arrival>>,
    /// Pairs of literals; the first of each implies the second: a message that has arrived stays arrived.
    implied: Vec<(Lit, Lit)>,
    /// In the order of creation; gates of the circuit.
    made: Vec<(Lit, Atom)>,
    /// By node and activation, from 1.
    passed: Vec<Vec<Lit>>,
}

/// The literal that a message of an activation has arrived before another activation.
struct Arrival {
    sent: i64,
    read: u32,
    lit: Lit,
}

impl Atoms {
    /// Creates the atoms about the cut only. Arguments by node: the number of activations, and the number of
    /// relevant activations before the start.
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

    /// The number of moments: the start, the activations, and the cut.
    pub fn moments(&self) -> usize {
        self.moments
    }

    /// The moment of an activation.
    pub fn moment(&self, (node, n): Activation) -> usize {
        self.firsts[node.index()] + n as usize - 1
    }

    /// The moment of the n-th activation of a node before the start.
    pub fn moment_before(&self, (node, n): Activation) -> usize {
        self.lasts[node.index()] + n as usize - 1
    }

    /// The moment of the cut.
    pub fn cut(&self) -> usize {
        self.moments - 1
    }

    /// The literal that an activation is before the cut.
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

    /// The literal that a message has arrived before an activation.
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
        // With instantaneous delivery either the message has arrived or the reader comes first: one literal
        // expresses both.
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

    /// Records that a message which has arrived before an activation has arrived before the later ones; with
    /// `fifo`, so have messages sent before it. Times imply no more about arrival: each message has its own
    /// delay, so every delay that is long enough for one and short enough for the other is possible.
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

    /// The implications that have not been taken yet: of each pair the first literal implies the second.
    pub fn take_implied(&mut self) -> Vec<(Lit, Lit)> {
        std::mem::take(&mut self.implied)
    }

    /// The constraint that a value of an atom implies.
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

/// Whether a message has arrived before an activation, if declared times alone decide it.
pub fn decided(times: &Times, sent: Sending, read: Activation) -> Option<bool> {
    let (least, most) = times.delay;
    if sent.node() == read.0 {
        // A block reads before any message that it sends has arrived.
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
