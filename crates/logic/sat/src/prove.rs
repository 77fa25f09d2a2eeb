//! Refutations by CaDiCaL, with the proof that it writes down while it searches.
//!
//! CaDiCaL tells each clause that it adds together with the clauses from which it follows, in the order in which they must be
//! used. With bounded variable addition off, as it is here, all of them follow by unit propagation. What it tells is kept until
//! the end; only then it is known which steps were needed.

use crate::cadical::{fresh, search};
use crate::{Clauses, Outcome, Proof};
use cadical_sys::ProofTracer;
use hashbrown::HashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Whether clauses can be true together, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// They cannot.
    Refuted(Proof),
    /// With these values of the variables, from the first, they are.
    Satisfied(Vec<bool>),
    /// It was stopped before it knew.
    Stopped,
}

/// Decides whether clauses can be true together. `stop` is asked now and then.
pub fn prove(clauses: &Clauses, stop: &mut dyn FnMut() -> bool) -> Decision {
    let tracer = Rc::new(RefCell::new(Tracer::new(clauses)));
    let mut solver = fresh();
    solver.connect_proof_tracer1(tracer.clone(), true, false);
    for clause in clauses.iter() {
        solver.clause6(clause);
    }
    match search(&mut solver, &[], stop) {
        Outcome::Stopped => Decision::Stopped,
        Outcome::Satisfiable => {
            let variables = 1..=clauses.variables();
            let value = |variable| solver.val(variable) == variable;
            Decision::Satisfied(variables.map(value).collect())
        }
        Outcome::Unsatisfiable => {
            let tracer = tracer.borrow();
            assert!(tracer.finished, "CaDiCaL tells of the empty clause");
            Decision::Refuted(tracer.proof.trimmed())
        }
    }
}

/// Writes the proof down.
struct Tracer {
    proof: Proof,
    /// How many of the given clauses CaDiCaL has met.
    met: u32,
    /// Our numbers of the clauses, by CaDiCaL's.
    numbers: HashMap<i64, u32, foldhash::fast::FixedState>,
    /// Whether the empty clause is there: nothing that comes later is needed.
    finished: bool,
}

impl Tracer {
    fn new(clauses: &Clauses) -> Tracer {
        Tracer {
            proof: Proof::new(clauses.len()),
            met: 0,
            numbers: HashMap::default(),
            finished: false,
        }
    }

    fn push(&mut self, id: i64, clause: &[i32], hints: &[i64]) {
        if self.finished {
            return;
        }
        self.finished = clause.is_empty();
        // A clause that was never told of would get the number 0, which no clause has: the proof will be refused.
        let number = |hint| self.numbers.get(hint).copied().unwrap_or(0);
        self.proof.push(clause, hints.iter().map(number));
        let number = self.proof.given() + self.proof.len();
        self.numbers.insert(id, number as u32);
    }
}

impl ProofTracer for Tracer {
    fn add_original_clause(&mut self, id: i64, _: bool, clause: &[i32], restored: bool) {
        if restored {
            return;
        }
        self.met += 1;
        self.numbers.insert(id, self.met);
        if clause.is_empty() {
            // It follows from itself.
            self.push(id, &[], &[id]);
        }
    }

    fn add_derived_clause(&mut self, id: i64, _: bool, _: i32, clause: &[i32], hints: &[i64]) {
        self.push(id, clause, hints);
    }

    fn delete_clause(&mut self, _: i64, _: bool, _: &[i32]) {}
    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _: i64, _: &[i32], _: &[i64]) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}
