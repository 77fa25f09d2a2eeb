//! Audits answers: replays runs on the reference interpreter and checks evidence for proofs. The crate depends on no
//! engine.
//!
//! A run is accepted only if it begins in an initial state of its instance, every choice is enabled in its state, the
//! run has the ending that it states, it is fair if fairness is assumed, and the property has the stated value on it
//! (`replay/`). Evidence is accepted only if every query of its proof rule is refuted again (`evidence/`). The crate
//! also finds real times for runs (`concretise/`) and explains why a claim is false on a run (`explain/`).
//!
//! # What the audit shares with the engines
//!
//! **Runs.** Shared: `machine::Instance`, the reference interpreter, with which the engines also construct the runs
//! that they report. Independent: the checks of fairness, of the closing of loops, and of the moments between events
//! (`replay/`); and the evaluation of temporal formulas on the run by `ltl::values_on_lasso`, whereas the explicit
//! engine uses automata.
//!
//! **Times of runs.** Shared: the linear program for the times of a run (`concretise/times.rs`, `System`), since `cegar`
//! and `bounds` call this crate; and the solver of `lp`, which `order` also uses. Independent: a run with times is
//! replayed; the answers "no times" and "no better value of the parameter" need certificates, which
//! `lp::check_infeasible` and `lp::check_optimum` check. A certificate is about the linear program, so an error in the
//! constraints themselves can make one of these two answers wrong.
//!
//! **Evidence by a circuit.** Shared: `circuits::{encode, property}`, `Encoded::{rely_on, with_bad}` and `bits` below
//! them; `circuits::check_proof`, which unrolls with the `Timeline` that BMC and k-induction use;
//! `sat::{Aig, Tseitin}`. Independent: the solver. The engines find invariants with batsat, and `Backend::for_audit` of the call checks
//! them; `sat::Certified`, batsat with a check of each of its answers, checks the other proofs. All lemmas are proved
//! again, in order. Where the backend is CaDiCaL, two kinds of its answers are trusted: those about invariants, and, for
//! every proof by a circuit, those with which `encode` finds initially constant bits and the capacity of outboxes. With
//! the other backend only the checker `sat::Rup` is trusted.
//!
//! **Evidence by the order of events.** Shared: `passes::{shrink, conjuncts}`; `order::{Scope, cases, reach,
//! error_query, initial_query, step_query, empty_inbox_query, decided}` and the unrolling below them, with `bits`; the
//! symmetry analyses of `machine`; `sat::{Aig, Tseitin}`. `order::Lemmas` only proposes clauses. Independent: the arithmetic of
//! declared times (`evidence/times.rs`), which checks every clause of the evidence, every proposed clause that the
//! refutation uses, and the horizon of the unrolling (`evidence/horizon.rs`); `lp::check_infeasible` for linear
//! combinations; and the LRAT check of the refutation (`sat::check`).
//!
//! **Evidence for every size.** Shared: `passes::projection`, which checks the conditions again, and
//! `machine::OpenMachine::at`. The proofs at the deciding sizes are checked as above.
//!
//! **Evidence by the code of one node.** Shared: `one_node`, which derives the parts of claims and builds the queries,
//! with `bits` and its open world below it; `order::{Scope, phases, FrozenValues}`; `sat::{Aig, Tseitin}`. Independent
//! (`evidence/every_size.rs`): the arithmetic of declared times, which checks the comparisons of times that the queries
//! take as decided, finds the pairs of times that exclude each other, and computes how many activations have to be
//! considered; and the LRAT check of each refutation.
//!
//! So an error in an encoder (`bits`, `circuits`, `order`, `one_node`), in a pass or in the interpreter can affect
//! engine and audit alike; differential tests against the reference interpreter cover these components. An error in the
//! search of an engine, in its solver, in its learned clauses or in its handling of declared times cannot make a wrong
//! answer pass the audit.

mod concretise;
mod evidence;
mod explain;
mod rejected;
mod replay;

pub use concretise::parameter::{AffineParameter, parameter_bound};
pub use concretise::times::{Concretised, Constraint, concretise};
pub use evidence::{
    Checked, CircuitChecked, EverySizeChecked, Moment, OrderChecked, PartChecked, Refuted, Silence,
    SizesChecked, Step, Timings, every_size, evidence, evidence_for_every_size,
};
pub use explain::claim::explain;
pub use rejected::Rejected;
pub use replay::confirm::confirm;
pub use replay::formula::{holds_on, no_value};
pub use replay::replayed::{Replayed, replay};
pub use replay::waiting::waiting;
