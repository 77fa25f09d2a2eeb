//! Bounded model checking: a run of 0 steps to a bad state, one of 1 step, of 2, …
//!
//! *Idea* (Biere, Cimatti, Clarke, Zhu, 1999). The circuit at the moments 0 … d is one formula; its models are
//! the runs of d steps. The depth grows by one, so the first run found is a shortest one. One solver is used
//! incrementally (Eén and Sörensson, 2003): what it has learned at one depth helps at the next, and a refuted
//! depth is added as a constraint.
//!
//! *This implementation.* Constant initial values are constants, and the moments share one graph, so much of
//! the first moments is simplified before the solver sees it.
//!
//! *Sound*: a model is a run by construction, and [`Circuit::is_run`] can confirm it by simulation. The number
//! of clear moments is the base of a k-induction. BMC proves a property by itself only where runs end: if no
//! run has d steps, and none with fewer reaches a bad state, none does.

use circuits::{Begins, Circuit, Timeline, Trace};
use sat::{Outcome, Solver};

/// A search for a shortest run.
pub struct Bmc<'c> {
    circuit: &'c Circuit,
    time: Timeline<'c>,
    clear: usize,
}

/// The result of the search at one depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Depth {
    /// No run of this many steps reaches a bad state.
    Clear,
    /// There is no run of this many steps that moves, and no shorter one reaches a bad state: no bad state is
    /// reachable.
    NoRun,
    /// This run does, and no shorter one.
    Reached(Trace),
    /// Undecided; it can be queried again.
    Stopped,
}

impl<'c> Bmc<'c> {
    /// A search from depth 0.
    pub fn new(circuit: &'c Circuit, solver: Box<dyn Solver>) -> Bmc<'c> {
        Bmc {
            circuit,
            time: Timeline::new(circuit, Begins::Initially, solver),
            clear: 0,
        }
    }

    /// No run of fewer steps than this reaches a bad state.
    pub fn clear(&self) -> usize {
        self.clear
    }

    /// Continues with the least depth that is not known to be clear.
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
