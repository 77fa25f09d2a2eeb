//! The solver CaDiCaL (Biere et al., CAV 2024), behind [`Solver`].
//!
//! Search goes in slices: a slice ends after so many *ticks*, CaDiCaL's count of the cache lines that its search has touched,
//! which is the same in every run, unlike time; between two slices `stop` is asked. CaDiCaL begins anew after a slice (it
//! keeps what it has learnt, and its saved phases, but not where it is in its alternation of strategies), so slices grow.
//!
//! Options are CaDiCaL's defaults, whatever the environment says. Bounded variable addition (`factor`) stays off: it makes
//! variables of its own, so that ours would have to be declared before they are used, and it is the only technique whose
//! steps in a proof are more than resolution.

use crate::{Outcome, Sink, Solver};
use cadical_sys::{CaDiCal, Status};
use std::cell::RefCell;

/// Ticks of the first slice of a question; about twenty millions of them make a second.
const FIRST_SLICE: i32 = 1_000_000;
/// Ticks of the longest slice.
const LONGEST_SLICE: i32 = 100_000_000;

/// CaDiCaL, incremental.
pub struct Cadical {
    /// In a cell because CaDiCaL completes an answer when it is first read.
    solver: RefCell<CaDiCal>,
    variables: i32,
    core: Vec<i32>,
}

impl Cadical {
    /// No variable, no clause.
    pub fn new() -> Cadical {
        Cadical {
            solver: RefCell::new(fresh()),
            variables: 0,
            core: Vec::new(),
        }
    }
}

impl Cadical {
    /// The same, for somebody with preferences ([`Cadical::prefer`]): it does not try its luck with values that nobody asked
    /// for, neither at first nor by walks.
    pub fn with_preferences() -> Cadical {
        let mut cadical = Cadical::new();
        let solver = cadical.solver.get_mut();
        let known = solver.set("lucky", 0) && solver.set("walk", 0) && solver.set("rephase", 0);
        assert!(known, "CaDiCaL knows its options");
        cadical
    }

    /// Where nothing speaks against it, a literal shall be true.
    pub fn prefer(&mut self, literal: i32) {
        assert!((1..=self.variables).contains(&literal.abs()));
        self.solver.get_mut().phase(literal);
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
}

/// CaDiCaL with its own defaults: it reads options from the environment when it is made.
pub(crate) fn fresh() -> CaDiCal {
    let mut solver = CaDiCal::new();
    let known = solver.configure("default") && solver.set("factor", 0);
    assert!(known, "CaDiCaL knows its options");
    solver
}

/// Slices, until there is an answer or it shall stop.
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
