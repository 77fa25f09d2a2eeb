//! Unrolls a circuit over several moments in one incremental solver: the basis of bounded model checking and induction.
//!
//! Each moment is a copy of the relevant gates in one AIG with structural hashing: constants of the first moment
//! propagate to later ones, and frozen latches exist only once. Clauses are generated only for literals that are
//! required or queried.

use crate::circuit::{Circuit, Moment, value_of};
use sat::{Aig, Gate, Lit, Outcome, Solver, Tseitin};

/// A circuit unrolled over several moments.
pub struct Timeline<'c> {
    circuit: &'c Circuit,
    /// The relevant gates of the circuit, in an order in which operands come first.
    cone: Vec<u32>,
    /// The AIG of all moments.
    aig: Aig,
    /// By moment and gate of the circuit: the literal of its copy.
    moments: Vec<Vec<Lit>>,
    tseitin: Tseitin,
    solver: Box<dyn Solver>,
    /// Whether the last query was passed to the solver.
    asked: bool,
}

/// The first state of an unrolling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// An initial state.
    Initially,
    /// Any state that satisfies the known and relied conditions.
    Anywhere,
}

impl<'c> Timeline<'c> {
    /// An unrolling with one moment.
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

    /// The number of moments, at least one.
    #[allow(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// Adds a moment, and requires that the step from the previous moment to it moves.
    pub fn extend(&mut self) {
        let last = self.len() - 1;
        self.require(self.at(last, self.circuit.moves));
        let latches = self.circuit.latches.iter();
        let next: Vec<Lit> = latches.map(|latch| self.at(last, latch.next)).collect();
        self.add_moment(&next);
    }

    /// Adds a moment whose latches are the given literals. Requires the constraint, the known invariant and the relied
    /// conditions at it.
    fn add_moment(&mut self, latches: &[Lit]) {
        // Gates outside the cone are not used; their copies are false.
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

    /// The copy of a literal at a moment. The literal must be a latch or an input, or occur in a condition of the
    /// circuit.
    pub fn at(&self, moment: usize, lit: Lit) -> Lit {
        copy(&self.moments[moment], lit)
    }

    /// Requires a literal in all further queries.
    pub fn require(&mut self, lit: Lit) {
        if lit != Lit::TRUE {
            let literal = self.literal(lit);
            self.solver.clause(&[literal]);
        }
    }

    /// Requires that at least one of the literals is true in all further queries.
    pub fn require_one(&mut self, lits: &[Lit]) {
        let one = self.aig.any(lits.iter().copied());
        self.require(one);
    }

    /// Requires that the states at two moments differ in all further queries.
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

    /// Asks whether the requirements are satisfiable together with a literal. The query ends without an answer when
    /// `stop` returns true.
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

    /// After [`Outcome::Unsatisfiable`]: whether the requirements are unsatisfiable without the queried literal. If the
    /// result is `false`, they may or may not be.
    pub fn is_impossible(&self) -> bool {
        self.asked && self.solver.core().is_empty()
    }

    /// The values at each moment in the solution found. Valid only after [`Outcome::Satisfiable`].
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
