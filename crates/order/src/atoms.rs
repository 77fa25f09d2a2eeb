//! Who comes first: literals for the orders that times leave open, and what each demands of times.

use crate::defects::{Defect, broken};
use crate::difference::Demand;
use crate::times::Times;
use machine::NodeId;
use sat::{Aig, Lit};
use std::collections::HashMap;
use verdict::Choice;

/// The n-th activation of a node, from 1.
pub type Activation = (NodeId, u32);

/// A literal about the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// What is sent at the first has arrived before the second happens.
    Arrived(Activation, Activation),
    /// The activation is before the moment that is looked at.
    Passed(Activation),
}

impl Atom {
    /// What is chosen if it is true, or if it is not.
    pub fn choice(self, value: bool) -> Choice {
        let signed = |(node, n): Activation| (node, i32::try_from(n).expect("few activations"));
        match (self, value) {
            (Atom::Arrived(sent, read), true) => Choice::Reaches(signed(sent), signed(read)),
            (Atom::Arrived(sent, read), false) => Choice::Misses(signed(sent), signed(read)),
            (Atom::Passed(activation), true) => Choice::Passed(signed(activation)),
            (Atom::Passed(activation), false) => Choice::Ahead(signed(activation)),
        }
    }
}

/// All literals about the order of events, made when they are needed.
pub struct Atoms {
    /// By node: the moment of its first activation.
    firsts: Vec<usize>,
    moments: usize,
    known: HashMap<(Activation, Activation), Lit>,
    /// In the order in which they were made; gates of the circuit.
    made: Vec<(Lit, Atom)>,
    /// By node and activation, from 1.
    passed: Vec<Vec<Lit>>,
}

impl Atoms {
    /// None yet but those about the moment that is looked at. For each node, how many activations there are.
    pub fn new(aig: &mut Aig, most: &[u32]) -> Atoms {
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
        Atoms {
            firsts,
            moments: moments + 1,
            known: HashMap::new(),
            made,
            passed,
        }
    }

    /// How many moments there are: the start, the activations, and the one that is looked at.
    pub fn moments(&self) -> usize {
        self.moments
    }

    /// The moment of an activation.
    pub fn moment(&self, (node, n): Activation) -> usize {
        self.firsts[node.index()] + n as usize - 1
    }

    /// The moment that is looked at.
    pub fn looked_at(&self) -> usize {
        self.moments - 1
    }

    /// Whether an activation is before the moment that is looked at.
    pub fn passed(&self, (node, n): Activation) -> Lit {
        match self.passed[node.index()].get(n as usize - 1) {
            Some(lit) => *lit,
            None => Lit::FALSE,
        }
    }

    /// All literals with what they say, from the first one on that is asked for.
    pub fn all(&self) -> &[(Lit, Atom)] {
        &self.made
    }

    /// Whether what is sent at one activation has arrived before another.
    pub fn arrived(
        &mut self,
        aig: &mut Aig,
        times: &Times,
        sent: Activation,
        read: Activation,
    ) -> Lit {
        if let Some(known) = decided(times, sent, read) {
            return Lit::constant(known);
        }
        let at_once = times.delay == (0, 0);
        if let Some(lit) = self.known.get(&(sent, read)) {
            return *lit;
        }
        // What arrives at once has arrived, or the other one comes first: one literal says both.
        if at_once && let Some(lit) = self.known.get(&(read, sent)) {
            return !*lit;
        }
        let lit = aig.input();
        self.known.insert((sent, read), lit);
        self.made.push((lit, Atom::Arrived(sent, read)));
        lit
    }

    /// What an atom demands, if it is true or if it is not.
    pub fn demand(&self, times: &Times, atom: Atom, value: bool) -> Demand {
        match atom {
            Atom::Arrived(sent, read) => {
                let (sent, read) = (self.moment(sent), self.moment(read));
                match (value, times.delay) {
                    (true, (least, _)) => Demand::after(sent, read, least),
                    (false, (_, 0)) => Demand::after(read, sent, 0),
                    (false, (_, most)) => Demand::within(sent, read, most),
                }
            }
            Atom::Passed(activation) => {
                let (moment, now) = (self.moment(activation), self.looked_at());
                match value {
                    true => Demand::after(moment, now, 0),
                    false => Demand::after(now, moment, 0),
                }
            }
        }
    }
}

/// Whether times alone say who comes first.
fn decided(times: &Times, sent: Activation, read: Activation) -> Option<bool> {
    let (least, most) = times.delay;
    if sent.0 == read.0 {
        // A block reads before anything that it sends has arrived.
        if sent.1 >= read.1 {
            return Some(false);
        }
        let (short, long) = times.span(sent.0, read.1 - sent.1);
        return match () {
            _ if most == 0 || short > most => Some(true),
            _ if long < least => Some(false),
            _ => None,
        };
    }
    let (sent, read) = (times.nth(sent.0, sent.1), times.nth(read.0, read.1));
    match () {
        _ if sent.1 + most < read.0 => Some(true),
        _ if broken(Defect::TiesOneWay) && sent.1 + most == read.0 => Some(true),
        _ if sent.0 + least > read.1 => Some(false),
        _ => None,
    }
}
