//! A circuit at several moments, one after the other, in one solver: the ground on which bounded search and induction stand.
//!
//! Each moment is a copy of the parts of the circuit that matter, made into one graph in which nothing is built twice: what
//! is known at the first moment is known at later ones as far as it follows by itself, and bits that never change are
//! there once. Clauses are made only for what is asked.

use crate::circuit::{Circuit, Moment, value_of};
use sat::{Aig, Gate, Lit, Outcome, Solver, Tseitin};

/// A circuit at several moments.
pub struct Timeline<'c> {
    circuit: &'c Circuit,
    /// The gates of the circuit that matter, parts first.
    cone: Vec<u32>,
    /// The graph of all moments.
    aig: Aig,
    /// By moment and gate of the circuit.
    moments: Vec<Vec<Lit>>,
    tseitin: Tseitin,
    solver: Box<dyn Solver>,
    /// Whether the last question needed the solver.
    asked: bool,
}

/// Where a timeline begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// In an initial state.
    Initially,
    /// In any state.
    Anywhere,
}

impl<'c> Timeline<'c> {
    /// The first moment.
    pub fn new(circuit: &'c Circuit, begins: Begins, solver: Box<dyn Solver>) -> Self {
        let next = circuit.latches.iter().map(|latch| latch.next);
        let conditions = [
            circuit.init,
            circuit.constraint,
            circuit.known,
            circuit.relied,
            circuit.moves,
            circuit.bad,
        ];
        let mut timeline = Timeline {
            circuit,
            cone: circuit.aig.cone(next.chain(conditions)),
            aig: Aig::new(),
            moments: Vec::new(),
            tseitin: Tseitin::new(),
            solver,
            asked: false,
        };
        let plain = match begins {
            Begins::Initially => circuit.plainly_initial(),
            Begins::Anywhere => circuit.plainly_known(),
        };
        let first: Vec<Lit> = plain
            .into_iter()
            .map(|value| value.map_or_else(|| timeline.aig.input(), Lit::constant))
            .collect();
        timeline.add_moment(&first);
        if begins == Begins::Initially {
            timeline.require(timeline.at(0, circuit.init));
        }
        timeline
    }

    /// How many moments there are: at least one.
    #[allow(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// One more moment. In the one before the state moves.
    pub fn extend(&mut self) {
        let last = self.len() - 1;
        self.require(self.at(last, self.circuit.moves));
        let latches = self.circuit.latches.iter();
        let next: Vec<Lit> = latches.map(|latch| self.at(last, latch.next)).collect();
        self.add_moment(&next);
    }

    /// A moment with these latches. Its constraint, what is known and what is relied on are required.
    fn add_moment(&mut self, latches: &[Lit]) {
        // What nobody asks for stays `false`.
        let mut copies = vec![Lit::FALSE; self.circuit.aig.len()];
        for (latch, lit) in self.circuit.latches.iter().zip(latches) {
            copies[latch.now.gate() as usize] = *lit;
        }
        for input in &self.circuit.inputs {
            copies[input.gate() as usize] = self.aig.input();
        }
        for gate in &self.cone {
            if let Gate::And(a, b) = self.circuit.aig.gate(*gate) {
                copies[*gate as usize] = self.aig.and(copy(&copies, a), copy(&copies, b));
            }
        }
        self.moments.push(copies);
        let Circuit {
            constraint,
            known,
            relied,
            ..
        } = self.circuit;
        for lit in [*constraint, *known, *relied] {
            let lit = self.at(self.len() - 1, lit);
            self.require(lit);
        }
    }

    /// A literal of the circuit at a moment: a latch, or a condition of the circuit.
    pub fn at(&self, moment: usize, lit: Lit) -> Lit {
        copy(&self.moments[moment], lit)
    }

    /// From now on this is true.
    pub fn require(&mut self, lit: Lit) {
        if lit != Lit::TRUE {
            let literal = self.literal(lit);
            self.solver.clause(&[literal]);
        }
    }

    /// From now on one of these is true.
    pub fn require_one(&mut self, lits: &[Lit]) {
        let one = self.aig.any(lits.iter().copied());
        self.require(one);
    }

    /// From now on the states at two moments are different.
    pub fn require_different(&mut self, a: usize, b: usize) {
        let mut differences = Vec::new();
        for latch in self.circuit.latches.iter().filter(|l| !l.is_frozen()) {
            let (x, y) = (self.at(a, latch.now), self.at(b, latch.now));
            differences.push(self.aig.xor(x, y));
        }
        self.require_one(&differences);
    }

    fn literal(&mut self, lit: Lit) -> i32 {
        self.tseitin.literal(&self.aig, lit, &mut *self.solver)
    }

    /// Whether all that is required can be true together with this.
    pub fn ask(&mut self, lit: Lit, stop: &mut dyn FnMut() -> bool) -> Outcome {
        self.asked = false;
        if stop() {
            return Outcome::Stopped;
        }
        if lit == Lit::FALSE {
            return Outcome::Unsatisfiable;
        }
        self.asked = true;
        let literal = self.literal(lit);
        self.solver.solve(&[literal], stop)
    }

    /// After [`Outcome::Unsatisfiable`]: whether all that is required cannot be true together, whatever was asked. It may be
    /// so unnoticed.
    pub fn is_impossible(&self) -> bool {
        self.asked && self.solver.core().is_empty()
    }

    /// The values at each moment, after [`Outcome::Satisfiable`].
    pub fn values(&self) -> Vec<Moment> {
        let inputs = self.tseitin.inputs(&self.aig, &*self.solver);
        let values = self.aig.simulate(&inputs);
        let value = |moment: usize, lit: Lit| value_of(&values, self.at(moment, lit));
        let moments = 0..self.len();
        moments
            .map(|m| Moment {
                latches: self
                    .circuit
                    .latches
                    .iter()
                    .map(|l| value(m, l.now))
                    .collect(),
                inputs: self.circuit.inputs.iter().map(|i| value(m, *i)).collect(),
            })
            .collect()
    }
}

fn copy(copies: &[Lit], lit: Lit) -> Lit {
    let copy = copies[lit.gate() as usize];
    if lit.is_negated() { !copy } else { copy }
}
