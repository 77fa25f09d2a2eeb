//! CaDiCaL as an implementation of [`Solver`].
//!
//! The search runs in slices, and `stop` is called before each slice. A slice ends after a number of *ticks*: CaDiCaL's
//! estimate of accessed cache lines, which unlike time is the same in every run. After a slice CaDiCaL keeps its learnt
//! clauses and saved phases, but begins its alternation of search strategies anew. Therefore each slice is longer than
//! the one before.
//!
//! All options except `factor` have CaDiCaL's default values, whatever the environment variables say. Bounded variable
//! addition (`factor`) is off for two reasons: it introduces variables of its own, so that a caller would have to
//! declare all variables in advance, and it is the only technique whose proof steps are not RUP.

use cadical_sys::{CaDiCal, Status, Terminator};
use sat::{Outcome, Sink, Solver};
use std::cell::RefCell;

/// The number of ticks of the first slice of a query. CaDiCaL makes about twenty million ticks per second.
const FIRST_SLICE: i32 = 1_000_000;
/// The largest number of ticks of a slice.
const LONGEST_SLICE: i32 = 100_000_000;

/// An incremental solver by CaDiCaL.
pub struct Cadical {
    /// In a cell, because the first read of a value makes CaDiCaL extend the assignment to eliminated variables.
    solver: RefCell<CaDiCal>,
    variables: i32,
    core: Vec<i32>,
    /// The estimated memory of clauses that is not claimed yet, in bytes.
    unclaimed: usize,
}

/// The memory of a variable in CaDiCaL's tables, in bytes. The tables double when they are full.
const VARIABLE_BYTES: usize = 256;
/// The memory of a clause without its literals, in bytes.
const CLAUSE_BYTES: usize = 64;
/// The estimated memory is claimed in portions of at least this size, in bytes.
const PORTION: usize = 2_000_000;

impl Cadical {
    /// A solver without variables and clauses.
    pub fn new() -> Cadical {
        Cadical {
            solver: RefCell::new(fresh()),
            variables: 0,
            core: Vec::new(),
            unclaimed: 0,
        }
    }

    /// A solver that follows [`Solver::prefer`]: lucky phases, local search (`walk`) and rephasing are off, as they
    /// would override the preferred phases.
    pub fn with_phases() -> Cadical {
        let mut cadical = Cadical::new();
        let solver = cadical.solver.get_mut();
        let known = solver.set("lucky", 0) && solver.set("walk", 0) && solver.set("rephase", 0);
        assert!(known, "CaDiCaL knows its options");
        cadical
    }
}

impl Cadical {
    /// Claims the estimated memory of clauses: CaDiCaL allocates faster than the memory of the process is checked.
    fn claim(&mut self, bytes: usize) {
        self.unclaimed += bytes;
        if self.unclaimed >= PORTION {
            cancellation::claim(std::mem::take(&mut self.unclaimed));
        }
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
        let count = self.variables as usize;
        if count.is_power_of_two() {
            cancellation::claim(count * VARIABLE_BYTES);
        }
        self.variables
    }

    fn clause(&mut self, literals: &[i32]) {
        for literal in literals {
            assert!((1..=self.variables).contains(&literal.abs()));
        }
        self.claim(CLAUSE_BYTES + size_of_val(literals));
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

/// CaDiCaL with the options of this crate. `configure` prevents it from reading options from the environment.
pub(crate) fn fresh() -> CaDiCal {
    let mut solver = CaDiCal::new();
    let known = solver.configure("default") && solver.set("factor", 0);
    assert!(known, "CaDiCaL knows its options");
    solver.connect_terminator(Cancellation);
    solver
}

/// Ends a slice when the computation of this thread is cancelled.
struct Cancellation;

impl Terminator for Cancellation {
    fn terminated(&mut self) -> bool {
        cancellation::is_cancelled()
    }
}

/// Runs slices until there is a result or `stop` returns `true`. Unwinds if the computation is cancelled.
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
        cancellation::poll();
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
