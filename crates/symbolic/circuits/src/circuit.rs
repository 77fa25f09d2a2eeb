//! Sequential circuits: what the algorithms of this crate are about, and what comes of them.
//!
//! A circuit is a transition system over bits. A *state* gives each latch a value; with values of the inputs it has
//! one next state. A *run* is a sequence of states and inputs that begins in a state with `init`, goes from each state
//! to its next, and satisfies `constraint` at every moment, the last one included. The question is whether a run
//! reaches a moment with `bad`. Bits that are chosen once and never change are latches whose next value is their
//! value.

use sat::{Aig, Gate, Lit};

/// A bit of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    /// Its value now: an input of the graph.
    pub now: Lit,
    /// Its value next.
    pub next: Lit,
}

impl Latch {
    /// Whether it never changes.
    pub fn is_frozen(&self) -> bool {
        self.now == self.next
    }
}

/// A transition system over bits, and what must not happen.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// All gates.
    pub aig: Aig,
    /// The state.
    pub latches: Vec<Latch>,
    /// What is chosen anew at every moment: the inputs of the graph that are no latches.
    pub inputs: Vec<Lit>,
    /// Where runs begin: a condition on latches.
    pub init: Lit,
    /// What is true at every moment of a run: a condition on latches and inputs.
    pub constraint: Lit,
    /// What is known of all states that are reached: a condition on latches that is an inductive invariant.
    pub known: Lit,
    /// What is relied on in all states that are reached: a condition on latches that was proved before, inductive or not.
    pub relied: Lit,
    /// Where this is false the state stays as it is: a condition on latches and inputs. A shortest run moves until its end.
    pub moves: Lit,
    /// What must not happen: a condition on latches and inputs.
    pub bad: Lit,
}

/// One of these bits of the state, as they are now, is true.
pub type Clause = Vec<Lit>;

/// The values at one moment of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// By latch.
    pub latches: Vec<bool>,
    /// By input.
    pub inputs: Vec<bool>,
}

/// A run, from an initial state to a bad moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// From the first to the last, which is the bad one. Never empty.
    pub moments: Vec<Moment>,
}

impl Trace {
    /// How many steps it takes.
    pub fn depth(&self) -> usize {
        self.moments.len() - 1
    }
}

/// Why nothing bad can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// These clauses hold initially, are kept by every step, and exclude what is bad.
    Inductive(Vec<Clause>),
    /// No run that moves has so many steps, and none with fewer ends badly.
    Exhaustive {
        /// How many.
        steps: usize,
    },
    /// Nothing bad fires within the first `k` moments, and a moment behind `k` different states without anything bad is
    /// not bad either.
    KInductive {
        /// How many states.
        k: usize,
        /// What was taken for granted of every state: an inductive invariant.
        strengthened_by: Vec<Clause>,
    },
}

impl Circuit {
    /// The values of all gates at a moment.
    pub fn simulate(&self, moment: &Moment) -> Vec<bool> {
        let mut values = vec![false; self.aig.inputs() as usize];
        let latches = self.latches.iter().map(|latch| latch.now);
        let now = latches.zip(&moment.latches);
        for (lit, value) in now.chain(self.inputs.iter().copied().zip(&moment.inputs)) {
            let Gate::Input(input) = self.aig.gate(lit.gate()) else {
                unreachable!("latches and inputs are inputs of the graph");
            };
            values[input as usize] = *value;
        }
        self.aig.simulate(&values)
    }

    /// Whether a trace is a run of this circuit that ends badly. It is enough to compute.
    pub fn is_run(&self, trace: &Trace) -> bool {
        let mut expected: Option<Vec<bool>> = None;
        let mut ends_badly = false;
        for moment in &trace.moments {
            let values = self.simulate(moment);
            let value = |lit: Lit| value_of(&values, lit);
            let begins = match &expected {
                None => value(self.init),
                Some(latches) => *latches == moment.latches,
            };
            if !begins || !value(self.constraint) {
                return false;
            }
            expected = Some(self.latches.iter().map(|latch| value(latch.next)).collect());
            ends_badly = value(self.bad);
        }
        ends_badly
    }

    /// What a literal of a latch is next.
    pub(crate) fn next_of(&self, lit: Lit) -> Lit {
        let latch = self.latches.iter().find(|l| l.now.gate() == lit.gate());
        let latch = latch.expect("a literal of a latch");
        match lit == latch.now {
            true => latch.next,
            false => !latch.next,
        }
    }

    /// The value that each latch has in all initial states, as far as `init` says so plainly.
    pub fn plainly_initial(&self) -> Vec<Option<bool>> {
        self.plainly(self.init)
    }

    /// The value that each latch always has, as far as `known` says so plainly.
    pub fn plainly_known(&self) -> Vec<Option<bool>> {
        self.plainly(self.known)
    }

    fn plainly(&self, condition: Lit) -> Vec<Option<bool>> {
        let mut plain = vec![None; self.aig.len()];
        let mut open = vec![condition];
        while let Some(lit) = open.pop() {
            match self.aig.gate(lit.gate()) {
                Gate::And(a, b) if !lit.is_negated() => open.extend([a, b]),
                Gate::Input(_) => plain[lit.gate() as usize] = Some(!lit.is_negated()),
                _ => {}
            }
        }
        let latches = self.latches.iter();
        latches.map(|l| plain[l.now.gate() as usize]).collect()
    }

    /// Latches that never change their first value, whatever fires: as literals that are always true. Found by going from
    /// the initial values step by step, where a bit that may have both values is not known any more.
    pub fn constant_latches(&self) -> Vec<Lit> {
        let mut latches = self.plainly_initial();
        loop {
            let mut values: Vec<Option<bool>> = vec![None; self.aig.len()];
            for (latch, value) in self.latches.iter().zip(&latches) {
                values[latch.now.gate() as usize] = *value;
            }
            let part = |values: &[Option<bool>], lit: Lit| {
                values[lit.gate() as usize].map(|value| value != lit.is_negated())
            };
            for gate in 0..self.aig.len() {
                match self.aig.gate(gate as u32) {
                    Gate::False => values[gate] = Some(false),
                    Gate::Input(_) => {}
                    Gate::And(a, b) => {
                        values[gate] = match (part(&values, a), part(&values, b)) {
                            (Some(false), _) | (_, Some(false)) => Some(false),
                            (Some(true), Some(true)) => Some(true),
                            _ => None,
                        };
                    }
                }
            }
            let mut changed = false;
            for (latch, value) in self.latches.iter().zip(&mut latches) {
                if value.is_some() && part(&values, latch.next) != *value {
                    *value = None;
                    changed = true;
                }
            }
            if !changed {
                let constant = self.latches.iter().zip(&latches);
                let literal = |latch: &Latch, value: bool| match value {
                    true => latch.now,
                    false => !latch.now,
                };
                return constant
                    .filter_map(|(latch, value)| Some(literal(latch, (*value)?)))
                    .collect();
            }
        }
    }
}

/// The value of a literal, given those of all gates.
pub fn value_of(values: &[bool], lit: Lit) -> bool {
    values[lit.gate() as usize] != lit.is_negated()
}
