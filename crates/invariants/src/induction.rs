//! Induction over several moments: what cannot follow on k good states does not happen.
//!
//! *Idea* (Sheeran, Singh, Stålmarck, 2000). If no run of fewer than k steps ends badly, and no k + 1 different states in a
//! row, of which the last alone is bad, exist anywhere, then nothing bad happens: a shortest run to a bad moment would
//! end in such a row. Since there are finitely many states, some k is enough.
//!
//! *Ours.* That states are different is to_evidence to the solver only when it has made two of them equal (Eén and Sörensson,
//! 2003). What is known of all states can be to_evidence, too: clauses that are an inductive invariant.
//!
//! *Sound*: let a shortest bad run have d steps, d ≥ k. Its last k + 1 states are different, since it could be cut short
//! between two equal ones, so that it moves; all moments before the last are good, since it could end there; and they satisfy what holds in
//! all reachable states. So the step would have been satisfiable. The base, that d ≥ k, is for [`Bmc`](crate::Bmc) to say.

use circuits::{Begins, Circuit, Clause, Moment, Timeline};
use sat::{Lit, Outcome, Solver};

/// The step of an induction, with growing k.
pub struct Induction<'c> {
    circuit: &'c Circuit,
    time: Timeline<'c>,
    known: Vec<Clause>,
    /// How many good states precede the bad one that is sought.
    k: usize,
    distinct: bool,
}

/// What came of the step for one k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing bad follows on this many good states.
    Proved(usize),
    /// Something bad follows on some, which may not be reachable.
    Open,
    /// Nobody knows; it can be asked again.
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

    /// The same without saying that states are different: still sound, but for most circuits no k is enough.
    pub fn with_equal_states(mut self) -> Self {
        self.distinct = false;
        self
    }

    /// The k that is asked next.
    pub fn k(&self) -> usize {
        self.k
    }

    /// What is taken for granted.
    pub fn known(&self) -> &[Clause] {
        &self.known
    }

    /// Goes on with the least k that is neither proved nor open.
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

/// The moments with equal states.
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
