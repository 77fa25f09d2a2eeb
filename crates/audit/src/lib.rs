//! Audit of answers: runs are replayed on the reference interpreter, and evidence for proofs is checked. No
//! engine is a dependency.
//!
//! A run is accepted only if it begins in an initial state of its instance, every choice is enabled where it is
//! made, it ends as its ending states, it is fair where fairness is assumed, and the property, evaluated
//! directly on it, has the value that the answer states (`replay/`). Evidence is accepted only if every query
//! of its proof rule is refuted again (`evidence/`). The crate also gives real times to runs (`concretise/`)
//! and explains why a claim is false on a run (`explain/`).
//!
//! # What the audit shares with the engines
//!
//! **Runs.** Shared: `machine::Instance`, the reference interpreter, with which the engines also construct the
//! runs that they report. Independent: the checks of fairness, of the closing of loops and of the moments
//! between events (`replay/`), and the evaluation of temporal formulas on the run by `ltl::holds_on_lasso`; the
//! explicit engine searches with automata.
//!
//! **Times of runs.** Shared: the solver of `lp`, which `order` uses, too. Independent: a run with times is
//! replayed, and the answers "no times" and "no better value of the parameter" need certificates, which
//! `lp::check_infeasible` and `lp::check_optimum` check.
//!
//! **Evidence by a circuit.** Shared: `circuits::{encode, property}`, `Encoded::{rely_on, with_bad}` and `bits`
//! below them; `circuits::check_proof`, which unrolls by the `Timeline` of BMC and k-induction; `sat::{Aig,
//! Tseitin}`. Independent: the solver. CaDiCaL checks invariants, which are found with batsat, and batsat
//! checks the other proofs. All lemmas are proved again, in order. The checking solver is trusted: no LRAT
//! proof is recorded here.
//!
//! **Evidence by the order of events.** Shared: `passes::{shrink, conjuncts}`; `order::{Scope, cases, reach,
//! error_query, initial_query, step_query, empty_inbox_query}` and the unrolling below them, with `bits`; the
//! symmetry analyses of `machine`; `sat::{Aig, Tseitin}`. `order::Lemmas` only proposes clauses. Independent:
//! the arithmetic of declared times (`evidence/times.rs`), which checks every clause of the evidence, every
//! proposed clause that the refutation uses, and the horizon of the unrolling, that is the orders that it fixes
//! and the activations that it leaves out (`evidence/horizon.rs`); `lp::check_infeasible` for linear
//! combinations; and the LRAT check of the refutation (`sat::check`).
//!
//! So an error in an encoder (`bits`, `circuits`, `order`), in a pass or in the interpreter can affect engine
//! and audit alike; differential tests against the reference interpreter cover these. An error in the search of
//! an engine, in its solver, in its learned clauses or in its handling of declared times cannot.

mod concretise;
mod evidence;
mod explain;
mod rejected;
mod replay;

pub use concretise::parameter::{AffineParameter, parameter_bound};
pub use concretise::times::{Concretised, Constraint, concretise};
pub use evidence::{
    Checked, CircuitChecked, Moment, OrderChecked, PartChecked, Refuted, Silence, Step, Timings,
    evidence,
};
pub use explain::claim::explain;
pub use rejected::Rejected;
pub use replay::confirm::confirm;
pub use replay::formula::{holds_on, no_value};
pub use replay::replayed::{Replayed, replay};
pub use replay::waiting::waiting;
