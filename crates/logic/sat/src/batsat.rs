//! The solver batsat, MiniSat (Eén and Sörensson, SAT 2003) in Rust, behind [`Solver`].
//!
//! It shares no code with CaDiCaL, which makes it a second opinion. Search goes in slices of so many decisions; between two
//! slices `stop` is asked. As batsat begins its restarts and its limit of learnt clauses anew with each slice, slices grow
//! without end.

use crate::{Outcome, Sink, Solver};
use batsat::{Callbacks, Lit, SolverInterface, SolverOpts, Var, lbool};
use std::cell::Cell;

/// Steps of the first slice of a question.
const FIRST_SLICE: u64 = 5_000;

/// batsat, incremental.
pub struct Batsat {
    solver: batsat::Solver<Slice>,
    variables: Vec<Var>,
    /// Whether nothing was added since it said that there are values.
    satisfied: bool,
    core: Vec<i32>,
}

/// Ends the search after a number of steps.
#[derive(Default)]
struct Slice {
    left: Cell<u64>,
}

impl Callbacks for Slice {
    /// Asked before each decision.
    fn stop(&self) -> bool {
        self.left.set(self.left.get().saturating_sub(1));
        self.left.get() == 0
    }
}

impl Batsat {
    /// No variable, no clause.
    pub fn new() -> Batsat {
        Batsat {
            solver: batsat::Solver::new(SolverOpts::default(), Slice::default()),
            variables: Vec::new(),
            satisfied: false,
            core: Vec::new(),
        }
    }

    fn literal(&self, literal: i32) -> Lit {
        let variable = self.variables[literal.unsigned_abs() as usize - 1];
        Lit::new(variable, literal > 0)
    }
}

impl Default for Batsat {
    fn default() -> Self {
        Batsat::new()
    }
}

impl Sink for Batsat {
    fn variable(&mut self) -> i32 {
        self.variables.push(self.solver.new_var_default());
        self.variables.len() as i32
    }

    fn clause(&mut self, literals: &[i32]) {
        let mut clause = literals.iter().map(|lit| self.literal(*lit)).collect();
        self.satisfied = false;
        self.solver.add_clause_reuse(&mut clause);
    }
}

impl Solver for Batsat {
    fn solve(&mut self, assumptions: &[i32], stop: &mut dyn FnMut() -> bool) -> Outcome {
        let assumed: Vec<Lit> = assumptions.iter().map(|lit| self.literal(*lit)).collect();
        self.satisfied = false;
        self.core.clear();
        let mut slice = FIRST_SLICE;
        loop {
            if stop() {
                return Outcome::Stopped;
            }
            self.solver.cb().left.set(slice);
            let answer = self.solver.solve_limited(&assumed);
            if answer == lbool::TRUE {
                self.satisfied = true;
                return Outcome::Satisfiable;
            }
            if answer == lbool::FALSE {
                // What batsat calls a core is the clause that it has learnt: of negations.
                let failed = assumptions.iter().zip(&assumed);
                let failed = failed.filter(|(_, lit)| self.solver.unsat_core_contains_lit(!**lit));
                self.core = failed.map(|(literal, _)| *literal).collect();
                return Outcome::Unsatisfiable;
            }
            slice += slice / 2;
        }
    }

    fn value(&self, literal: i32) -> bool {
        assert!(self.satisfied, "values are asked for after an answer");
        let variable = self.solver.value_lit(self.literal(literal.abs()));
        (variable == lbool::TRUE) == (literal > 0)
    }

    fn core(&self) -> Vec<i32> {
        self.core.clone()
    }
}
