//! k-induction: proves that k consecutive good states are never followed by a bad state.
//!
//! *Idea* (Sheeran, Singh, Stålmarck, 2000). No bad state is reachable if two conditions hold. Base: no run of fewer
//! than k steps reaches a bad state. Step: there is no path of k + 1 distinct states of which only the last is bad. A
//! shortest run to a bad state of at least k steps would end in such a path. The number of states is finite, so some k
//! is sufficient.
//!
//! *This implementation.* The constraint that two states differ is added only after the solver has returned a model in
//! which they are equal (Eén and Sörensson, 2003). Clauses of an inductive invariant can be assumed in addition.
//!
//! *Soundness.* Assume that a shortest run to a bad state has d steps. By the base, d ≥ k. Its last k + 1 states are
//! distinct, because the run could be shortened between two equal ones. All states before the last are good, because
//! the run could end there. All its states satisfy what holds in every reachable state. So the query of the step would
//! be satisfiable. [`Bmc`](crate::Bmc) decides the base.

use circuits::{Begins, Circuit, Clause, Moment, Timeline};
use sat::{Lit, Outcome, Solver};

/// The step of a k-induction, for increasing k.
pub struct Induction<'c> {
    circuit: &'c Circuit,
    time: Timeline<'c>,
    known: Vec<Clause>,
    /// The number of good states before the bad state in the current query.
    k: usize,
    distinct: bool,
}

/// The result of the step for one k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// This many consecutive good, distinct states are never followed by a bad state.
    Proved(usize),
    /// Some k good, distinct states are followed by a bad state; they may be unreachable.
    Open,
    /// Not decided; the same k can be queried again.
    Stopped,
}

impl<'c> Induction<'c> {
    /// Starts with k = 0. The clauses `known` must be an inductive invariant of the circuit.
    pub fn new(circuit: &'c Circuit, known: Vec<Clause>, solver: Box<dyn Solver>) -> Self {
        let mut induction = Induction {
            circuit,
            time: Timeline::new(circuit, Begins::Anywhere, solver),
            known,
            k: 0,
            distinct: true,
        };
        induction.require_known(0);
        induction
    }

    /// Omits the constraint that states are distinct. This is sound, but for most circuits no k is then sufficient.
    pub fn with_equal_states(mut self) -> Self {
        self.distinct = false;
        self
    }

    /// The k of the next query.
    pub fn k(&self) -> usize {
        self.k
    }

    /// The clauses that are assumed in every state.
    pub fn known(&self) -> &[Clause] {
        &self.known
    }

    /// Queries the step for the current k; increases k if the result is `Open`.
    pub fn advance(&mut self, stop: &mut dyn FnMut() -> bool) -> Step {
        if self.time.len() == self.k {
            self.time.extend();
            self.require_known(self.k);
        }
        let bad = self.time.at(self.k, self.circuit.bad);
        loop {
            match self.time.ask(bad, stop) {
                Outcome::Stopped => return Step::Stopped,
                Outcome::Unsatisfiable => return Step::Proved(self.k),
                Outcome::Satisfiable => {}
            }
            let equal = match self.distinct {
                true => equal_pairs(&self.time.values()),
                false => Vec::new(),
            };
            if equal.is_empty() {
                self.time.require(!bad);
                self.k += 1;
                return Step::Open;
            }
            for (a, b) in equal {
                self.time.require_different(a, b);
            }
        }
    }

    fn require_known(&mut self, moment: usize) {
        for clause in &self.known {
            let lits: Vec<Lit> = clause.iter().map(|l| self.time.at(moment, *l)).collect();
            self.time.require_one(&lits);
        }
    }
}

/// The pairs of indices of moments with equal states.
fn equal_pairs(moments: &[Moment]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (b, later) in moments.iter().enumerate() {
        let earlier = moments[..b].iter();
        pairs.extend(
            earlier
                .enumerate()
                .filter(|(_, earlier)| earlier.latches == later.latches)
                .map(|(a, _)| (a, b)),
        );
    }
    pairs
}
