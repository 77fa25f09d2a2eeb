//! Bounded model checking: searches for a run of 0 steps to a bad state, then of 1 step, of 2 steps, and so on.
//!
//! *Idea* (Biere, Cimatti, Clarke, Zhu, 1999). The unrolling of the circuit to d steps is one formula whose models are
//! the runs of d steps. The depth grows by one, so the first run found is a shortest one. One solver is used
//! incrementally (Eén and Sörensson, 2003): it keeps its learned clauses, and each refuted depth is added as a
//! constraint.
//!
//! *This implementation.* Constant initial values are propagated, and all steps share one and-inverter graph. So much
//! of the first steps is simplified before it reaches the solver.
//!
//! *Soundness.* A model is a run by construction, and [`Circuit::is_run`] can confirm it by simulation. The number of
//! clear depths is the base of a k-induction. BMC alone proves a property only if all runs are finite: if no run has d
//! steps and no shorter run reaches a bad state, no bad state is reachable.

use circuits::{Begins, Circuit, Timeline, Trace};
use sat::{Outcome, Solver};

/// A search for a shortest run to a bad state.
pub struct Bmc<'c> {
    circuit: &'c Circuit,
    time: Timeline<'c>,
    clear: usize,
}

/// The result of the search at one depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Depth {
    /// No run of exactly this many steps reaches a bad state.
    Clear,
    /// There is no run of this many steps, and no shorter run reaches a bad state. So no bad state is reachable.
    NoRun,
    /// This run reaches a bad state, and no shorter run does.
    Reached(Trace),
    /// Not decided; the same depth can be queried again.
    Stopped,
}

impl<'c> Bmc<'c> {
    /// Starts a search at depth 0.
    pub fn new(circuit: &'c Circuit, solver: Box<dyn Solver>) -> Bmc<'c> {
        Bmc {
            circuit,
            time: Timeline::new(circuit, Begins::Initially, solver),
            clear: 0,
        }
    }

    /// The number of depths that are known to be clear: no run of fewer steps reaches a bad state.
    pub fn clear(&self) -> usize {
        self.clear
    }

    /// Searches at the least depth that is not known to be clear.
    pub fn advance(&mut self, stop: &mut dyn FnMut() -> bool) -> Depth {
        if self.time.len() == self.clear {
            self.time.extend();
        }
        let bad = self.time.at(self.clear, self.circuit.bad);
        match self.time.ask(bad, stop) {
            Outcome::Satisfiable => {
                let moments = self.time.values();
                Depth::Reached(Trace { moments })
            }
            Outcome::Unsatisfiable if self.time.is_impossible() => Depth::NoRun,
            Outcome::Unsatisfiable => {
                self.time.require(!bad);
                self.clear += 1;
                Depth::Clear
            }
            Outcome::Stopped => Depth::Stopped,
        }
    }
}
