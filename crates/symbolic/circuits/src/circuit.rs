//! Sequential circuits, their runs, and proofs about them.
//!
//! A circuit is a transition system over bits. A *state* gives each latch a value; a state and input values determine
//! the next state. A *moment* is a state with input values. A *run* is a sequence of moments that begins in a state
//! with `init`, goes from each state to its next state, and satisfies `constraint` at every moment, including the last.
//! The question is whether a run reaches a moment with `bad`. Frozen bits are latches whose next value is their current
//! value.

use sat::{Aig, Gate, Lit};

/// A bit of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    /// The current value: an input of the AIG.
    pub now: Lit,
    /// The next value.
    pub next: Lit,
}

impl Latch {
    /// Whether the latch never changes.
    pub fn is_frozen(&self) -> bool {
        self.now == self.next
    }
}

/// A transition system over bits with a safety property.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// All gates.
    pub aig: Aig,
    /// The bits of the state.
    pub latches: Vec<Latch>,
    /// The inputs of the AIG that are not latches; they have new values at every moment.
    pub inputs: Vec<Lit>,
    /// The initial states: a condition on latches.
    pub init: Lit,
    /// A condition on latches and inputs; runs satisfy it at every moment.
    pub constraint: Lit,
    /// A condition on latches that is an inductive invariant.
    pub known: Lit,
    /// A condition on latches that has been proved to hold in all reachable states; it need not be inductive.
    pub relied: Lit,
    /// A condition on latches and inputs; if it is false, the state does not change. In a shortest run it is true at
    /// every step.
    pub moves: Lit,
    /// The bad moments: a condition on latches and inputs.
    pub bad: Lit,
}

/// A disjunction of literals of latches.
pub type Clause = Vec<Lit>;

/// The values of latches and inputs at one moment of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// By latch: its value.
    pub latches: Vec<bool>,
    /// By input: its value.
    pub inputs: Vec<bool>,
}

/// A run from an initial state to a bad moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The moments in order; never empty. The last one is bad.
    pub moments: Vec<Moment>,
}

impl Trace {
    /// The number of steps.
    pub fn depth(&self) -> usize {
        self.moments.len() - 1
    }
}

/// A proof that no run reaches a bad moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Clauses that form an inductive invariant and exclude `bad`.
    Inductive(Vec<Clause>),
    /// No run in which every step moves has this many steps, and no shorter run is bad.
    Exhaustive {
        /// The number of steps.
        steps: usize,
    },
    /// k-induction: the first `k` moments of a run are not bad, and a moment after `k` distinct states that are not bad
    /// is not bad.
    KInductive {
        /// The number of states assumed in the induction step.
        k: usize,
        /// The inductive invariant that is assumed in every state.
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

    /// Whether a trace is a run of this circuit whose last moment is bad; decided by simulation.
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

    /// The next value of a literal of a latch.
    pub(crate) fn next_of(&self, lit: Lit) -> Lit {
        let latch = self.latches.iter().find(|l| l.now.gate() == lit.gate());
        let latch = latch.expect("a literal of a latch");
        match lit == latch.now {
            true => latch.next,
            false => !latch.next,
        }
    }

    /// By latch: its value in all initial states, if a literal of the latch is a conjunct of `init`; otherwise `None`.
    pub fn plainly_initial(&self) -> Vec<Option<bool>> {
        self.plainly(self.init)
    }

    /// By latch: its value in all states, if a literal of the latch is a conjunct of `known`; otherwise `None`.
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

    /// The latches that keep their initial value in every run, as literals that are always true. Found by ternary
    /// simulation from the initial values; latches that could change are removed until a fixpoint is reached.
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

/// The value of a literal, given the values of all gates.
pub fn value_of(values: &[bool], lit: Lit) -> bool {
    values[lit.gate() as usize] != lit.is_negated()
}
