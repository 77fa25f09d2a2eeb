//! A solver that verifies each of its own answers.

use crate::{Batsat, Clauses, Outcome, Rup, Sink, Solver};

/// batsat with an online check of its answers: [`Rup`] verifies each clause that batsat learns and the core of each
/// unsatisfiable query, and evaluation of all clauses verifies each assignment. An answer that fails the check, and each query
/// after a learnt clause that failed it, ends with [`Outcome::Stopped`]. An answer therefore does not rest on batsat, but on
/// the checker, whichever solver found the evidence that the query is about.
pub struct Certified {
    solver: Batsat,
    rup: Rup,
    clauses: Clauses,
    /// All learnt clauses follow.
    is_sound: bool,
}

impl Certified {
    /// A solver without variables and clauses.
    pub fn new() -> Certified {
        Certified {
            solver: Batsat::logging(),
            rup: Rup::new(),
            clauses: Clauses::new(),
            is_sound: true,
        }
    }

    /// Verifies the learnt clauses and hands them to the checker.
    fn verify_learnt(&mut self) {
        let learnt = self.solver.take_learnt();
        for clause in learnt.split_inclusive(|literal| *literal == 0) {
            let clause = &clause[..clause.len() - 1];
            self.is_sound &= self.rup.implies(clause);
            self.rup.clause(clause);
        }
    }

    fn verify(&mut self, assumptions: &[i32], outcome: Outcome) -> bool {
        match outcome {
            Outcome::Stopped => true,
            Outcome::Satisfiable => {
                let holds = |literal: &i32| self.solver.value(*literal);
                assumptions.iter().all(holds)
                    && self.clauses.iter().all(|clause| clause.iter().any(holds))
            }
            Outcome::Unsatisfiable => {
                let core = self.solver.core();
                let negated: Vec<i32> = core.iter().map(|literal| -literal).collect();
                core.iter().all(|literal| assumptions.contains(literal))
                    && self.rup.implies(&negated)
            }
        }
    }
}

impl Default for Certified {
    fn default() -> Self {
        Certified::new()
    }
}

impl Sink for Certified {
    fn variable(&mut self) -> i32 {
        self.clauses.variable();
        self.rup.variable();
        self.solver.variable()
    }

    fn clause(&mut self, literals: &[i32]) {
        self.clauses.clause(literals);
        self.rup.clause(literals);
        self.solver.clause(literals);
    }
}

impl Solver for Certified {
    fn solve(&mut self, assumptions: &[i32], stop: &mut dyn FnMut() -> bool) -> Outcome {
        let outcome = self.solver.solve(assumptions, stop);
        self.verify_learnt();
        match self.is_sound && self.verify(assumptions, outcome) {
            true => outcome,
            false => Outcome::Stopped,
        }
    }

    fn value(&self, literal: i32) -> bool {
        self.solver.value(literal)
    }

    fn core(&self) -> Vec<i32> {
        self.solver.core()
    }
}
