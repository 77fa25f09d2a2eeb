//! CaDiCaL behind [`Solver`].
//!
//! Search runs in slices. A slice ends after a number of *ticks*, CaDiCaL's count of the cache lines that search has accessed,
//! which, unlike time, is equal in every run. `stop` is called between two slices. After a slice CaDiCaL keeps its learnt clauses
//! and saved phases, but restarts its alternation of strategies, so slices grow.
//!
//! Options are CaDiCaL's defaults; the environment does not change them. Bounded variable addition (`factor`) is off for two
//! reasons: it introduces variables, so that ours would have to be declared before use, and it is the only technique whose proof
//! steps go beyond resolution.

use cadical_sys::{CaDiCal, Status};
use sat::{Outcome, Sink, Solver};
use std::cell::RefCell;

/// Ticks of the first slice of a query. CaDiCaL makes about twenty million ticks per second.
const FIRST_SLICE: i32 = 1_000_000;
/// Ticks of the longest slice.
const LONGEST_SLICE: i32 = 100_000_000;

/// CaDiCaL, incremental.
pub struct Cadical {
    /// In a cell, because CaDiCaL completes an assignment when a value is first read.
    solver: RefCell<CaDiCal>,
    variables: i32,
    core: Vec<i32>,
}

impl Cadical {
    /// A solver without variables and clauses.
    pub fn new() -> Cadical {
        Cadical {
            solver: RefCell::new(fresh()),
            variables: 0,
            core: Vec::new(),
        }
    }

    /// A solver that follows [`Solver::prefer`]: it does not replace decision phases by lucky assignments, random walks or
    /// rephasing.
    pub fn with_phases() -> Cadical {
        let mut cadical = Cadical::new();
        let solver = cadical.solver.get_mut();
        let known = solver.set("lucky", 0) && solver.set("walk", 0) && solver.set("rephase", 0);
        assert!(known, "CaDiCaL knows its options");
        cadical
    }
}

impl Default for Cadical {
    fn default() -> Self {
        Cadical::new()
    }
}

impl Sink for Cadical {
    fn variable(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    fn clause(&mut self, literals: &[i32]) {
        for literal in literals {
            assert!((1..=self.variables).contains(&literal.abs()));
        }
        self.solver.get_mut().clause6(literals);
    }
}

impl Solver for Cadical {
    fn solve(&mut self, assumptions: &[i32], stop: &mut dyn FnMut() -> bool) -> Outcome {
        for literal in assumptions {
            assert!((1..=self.variables).contains(&literal.abs()));
        }
        let solver = self.solver.get_mut();
        let outcome = search(solver, assumptions, stop);
        self.core = match outcome {
            Outcome::Unsatisfiable => {
                let failed = |literal: &i32| solver.failed(*literal);
                assumptions.iter().copied().filter(failed).collect()
            }
            _ => Vec::new(),
        };
        outcome
    }

    fn value(&self, literal: i32) -> bool {
        self.solver.borrow_mut().val(literal) == literal
    }

    fn core(&self) -> Vec<i32> {
        self.core.clone()
    }

    fn prefer(&mut self, literal: i32) {
        assert!((1..=self.variables).contains(&literal.abs()));
        self.solver.get_mut().phase(literal);
    }
}

/// CaDiCaL with its default options. Without `configure` it would read options from the environment.
pub(crate) fn fresh() -> CaDiCal {
    let mut solver = CaDiCal::new();
    let known = solver.configure("default") && solver.set("factor", 0);
    assert!(known, "CaDiCaL knows its options");
    solver
}

/// Runs slices until there is a result or `stop` returns `true`.
pub(crate) fn search(
    solver: &mut CaDiCal,
    assumptions: &[i32],
    stop: &mut dyn FnMut() -> bool,
) -> Outcome {
    let mut slice = FIRST_SLICE;
    loop {
        if stop() {
            return Outcome::Stopped;
        }
        for literal in assumptions {
            solver.assume(*literal);
        }
        let known = solver.limit("ticks", slice);
        assert!(known, "CaDiCaL knows its limits");
        match solver.solve() {
            Status::SATISFIABLE => return Outcome::Satisfiable,
            Status::UNSATISFIABLE => return Outcome::Unsatisfiable,
            Status::UNKNOWN => slice = (slice + slice / 2).min(LONGEST_SLICE),
        }
    }
}
