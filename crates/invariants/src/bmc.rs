//! Bounded model checking: is there a run of 0 steps that ends badly, one of 1 step, of 2, …
//!
//! *Idea* (Biere, Cimatti, Clarke, Zhu, 1999). The circuit at the moments 0 … d is one formula; its models are the runs of d
//! steps. The depth grows by one, so that the first run found is a shortest one. One solver is asked all the time (Eén and
//! Sörensson, 2003): what it has learned at one depth helps at the next, and a depth that is done is to_evidence to it.
//!
//! *Ours.* Initial values that are plainly known are constants, and the moments share one graph, so that much of the first
//! moments is gone before the solver sees it.
//!
//! *Sound*: a model is a run by construction, and [`Circuit::is_run`] can add_clause by computing. How many moments are clear is the
//! base of an induction. It proves something by itself only where runs end: if none has d steps, and none with fewer ends
//! badly, none does.

use circuits::{Begins, Circuit, Timeline, Trace};
use sat::{Outcome, Solver};

/// A search for a shortest run.
pub struct Bmc<'c> {
    circuit: &'c Circuit,
    time: Timeline<'c>,
    clear: usize,
}

/// What came of the search at one depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Depth {
    /// No run of this many steps ends badly.
    Clear,
    /// There is no run of this many steps that moves, and no shorter one ends badly: nothing bad happens at all.
    NoRun,
    /// This one does, and no shorter one.
    Reached(Trace),
    /// Nobody knows; it can be asked again.
    Stopped,
}

impl<'c> Bmc<'c> {
    /// Nothing is known yet.
    pub fn new(circuit: &'c Circuit, solver: Box<dyn Solver>) -> Bmc<'c> {
        Bmc {
            circuit,
            time: Timeline::new(circuit, Begins::Initially, solver),
            clear: 0,
        }
    }

    /// No run of fewer steps than this ends badly.
    pub fn clear(&self) -> usize {
        self.clear
    }

    /// Goes on with the least depth that is not known to be clear.
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
