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
//! | step | shared with an engine | independent of the engines |
//! |---|---|---|
//! | a run | `machine`: the reference interpreter (`Instance`), with which `invariants` and `event_order` also construct their runs | fairness, closing of loops and the moments between events (`replay/`); temporal formulas by `ltl::holds_on_lasso`, where the explicit engine uses automata |
//! | times of a run | the search in `lp` | a run with times is replayed; "no times" and bounds of a parameter need certificates, which `lp::check_infeasible` and `lp::check_optimum` check |
//! | evidence by a circuit | `circuits::{encode, property}`, `Encoded::{rely_on, with_bad}`, and through them `bits`; the unrolling and the queries of `circuits::check_proof` (`Timeline`, which BMC and k-induction use); `sat::{Aig, Tseitin}` | the other solver: CaDiCaL checks invariants, which are found with batsat, and batsat checks the rest; all lemmas are proved again, in order |
//! | evidence by the order of events | `passes::{shrink, conjuncts}`; `order::{Scope, cases, reach, error_query, initial_query, step_query, empty_inbox_query}` and the unrolling behind them, with `bits`; `order::Times` inside the unrolling, which bounds the number of activations and fixes the orders that times alone decide; `machine`'s symmetry analyses; `sat::{Aig, Tseitin}` | the constraints of declared times on open orders (`evidence/times.rs`), `lp::check_infeasible` for sums, and the LRAT check of the refutation (`sat::check`); lemmas of `order::Lemmas` are only proposals: those that the refutation uses are checked by `evidence/times.rs` |
//!
//! So an error in an encoder (`bits`, `circuits`, `order`), in a pass or in the interpreter can affect engine
//! and audit alike; differential tests against the reference interpreter cover these. An error in a search, in
//! a solver, in learned clauses or in the handling of times on open orders cannot.

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
