//! Refutations by CaDiCaL with LRAT proofs, which CaDiCaL reports during the search.
//!
//! CaDiCaL reports each clause that it derives, together with hints: the clauses from which it follows, in the order of
//! unit propagation. Because bounded variable addition is off, every derived clause follows by unit propagation (no RAT
//! steps). The tracer keeps all reports; at the end the proof is trimmed to the steps that are needed.

use crate::solver::{fresh, search};
use cadical_sys::ProofTracer;
use hashbrown::HashMap;
use sat::{Clauses, Decision, Outcome, Proof};
use std::cell::RefCell;
use std::rc::Rc;

/// Decides whether clauses are satisfiable, with an LRAT proof if they are not. `stop` is called before each slice of
/// the search; if it returns `true`, the search ends.
pub(crate) fn prove(clauses: &Clauses, stop: &mut dyn FnMut() -> bool) -> Decision {
    let tracer = Rc::new(RefCell::new(Tracer::new(clauses)));
    let mut solver = fresh();
    solver.connect_proof_tracer1(tracer.clone(), true, false);
    for clause in clauses.iter() {
        cancellation::poll();
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
            assert!(tracer.finished, "CaDiCaL reports the empty clause");
            Decision::Refuted(tracer.proof.trimmed())
        }
    }
}

/// Receives the reports of CaDiCaL and builds the proof.
struct Tracer {
    proof: Proof,
    /// The number of given clauses that CaDiCaL has reported so far.
    met: u32,
    /// From CaDiCaL's number of a clause to its number in the proof.
    numbers: HashMap<i64, u32, foldhash::fast::FixedState>,
    /// Whether the proof contains the empty clause. Later steps are ignored.
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
        // A hint at a clause that was not reported becomes 0. No clause has this number, so the checker rejects the
        // proof.
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
            // A given empty clause is the conflict of its own step.
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
