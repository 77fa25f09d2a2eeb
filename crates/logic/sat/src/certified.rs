//! A solver that verifies each of its own answers before it returns them.

use crate::{Batsat, Clauses, Outcome, Rup, Sink, Solver};

/// batsat with an online check of its answers. [`Rup`] verifies each clause that batsat learns and the core of each
/// unsatisfiable query; an assignment is verified by evaluating all clauses. If the check of an answer fails, the
/// result is [`Outcome::Stopped`]; if the check of a learnt clause fails, this and all later results are. So the
/// correctness of an answer depends on the checker only, not on batsat.
pub struct Certified {
    solver: Batsat,
    rup: Rup,
    clauses: Clauses,
    /// Whether all clauses learnt so far have been verified.
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

    /// Verifies the newly learnt clauses and adds them to the checker.
    fn verify_learnt(&mut self) {
        let learnt = self.solver.take_learnt();
        for clause in learnt.split_inclusive(|literal| *literal == 0) {
            let clause = &clause[..clause.len() - 1];
            self.is_sound &= self.rup.implies(clause);
            self.rup.clause(clause);
        }
    }

    /// Whether the assignment or the core of the last query is correct.
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
