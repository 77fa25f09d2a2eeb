//! k-induction: no bad state follows k good states.
//!
//! *Idea* (Sheeran, Singh, Stålmarck, 2000). If no run of fewer than k steps reaches a bad state, and no path
//! of k + 1 different states exists with only the last state bad, then no bad state is reachable: a shortest
//! run to a bad state would end in such a path. Since there are finitely many states, some k is enough.
//!
//! *This implementation.* The constraint that two states differ is added only when the solver has made them
//! equal (Eén and Sörensson, 2003). Clauses that are an inductive invariant can be assumed, too.
//!
//! *Sound*: let a shortest bad run have d steps, d ≥ k. Its last k + 1 states are different, since it could be
//! cut short between two equal ones, so that it moves; all moments before the last are good, since it could end
//! there; and they satisfy what holds in all reachable states. So the step would have been satisfiable. The
//! base, d ≥ k, is decided by [`Bmc`](crate::Bmc).

use circuits::{Begins, Circuit, Clause, Moment, Timeline};
use sat::{Lit, Outcome, Solver};

/// The step of a k-induction, with growing k.
pub struct Induction<'c> {
    circuit: &'c Circuit,
    time: Timeline<'c>,
    known: Vec<Clause>,
    /// The number of good states before the bad one that is sought.
    k: usize,
    distinct: bool,
}

/// The result of the step for one k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// No bad state follows this many good states.
    Proved(usize),
    /// A bad state follows some good states, which may be unreachable.
    Open,
    /// Undecided; it can be queried again.
    Stopped,
}

impl<'c> Induction<'c> {
    /// Begins with k = 0. The clauses must be an inductive invariant of the circuit.
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

    /// Drops the constraint that states differ: still sound, but for most circuits no k is enough.
    pub fn with_equal_states(mut self) -> Self {
        self.distinct = false;
        self
    }

    /// The next k.
    pub fn k(&self) -> usize {
        self.k
    }

    /// The assumed invariant.
    pub fn known(&self) -> &[Clause] {
        &self.known
    }

    /// Continues with the least k that is neither proved nor open.
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

/// The pairs of moments with equal states.
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
