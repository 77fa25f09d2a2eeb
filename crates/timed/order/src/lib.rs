//! Order of events of periodic nodes: unrolling, difference constraints, and a proof rule.
//!
//! Periodic nodes that read messages of other nodes from their inboxes need no interleaving step per event.
//! Each periodic node is unrolled separately: its code becomes a circuit, activation after activation
//! (`unroll/`). The nodes are connected only by the order of two events, a read of one node and a send of
//! another; this order is a Boolean variable wherever declared times leave it open (`constraints/atoms.rs`).
//! The consequences of declared times for these variables are difference constraints
//! (`constraints/difference.rs`; those of two and three nodes in `theory/lemmas.rs`), and with fixed periods
//! linear programs (`theory/exact.rs`).
//!
//! `rule/` states the finitely many queries that prove a claim for all time. An engine searches for their
//! answers, and the audit refutes them again; this crate answers no query.
//!
//! **Scope.** Every node has one block, which runs periodically at real times. Messages go to inboxes, at once
//! or within a delay, and may be lost (`unroll/in_transit.rs`). Other faults are present from the start. The
//! claim is `always` a condition in which counts of activations occur as premises. Everything else is refused
//! with a reason (`premises/scope.rs`, and `bits`).

mod constraints;
pub mod defects;
mod premises;
mod rule;
mod theory;
mod unroll;

pub use constraints::atoms::{Activation, Atom, Atoms, Sending, decided};
pub use constraints::difference::{Constraint, Feasibility, solve};
pub use constraints::stability::{has_free_gaps, stability_radius};
pub use constraints::times::{Start, Times};
pub use premises::phases::{Case, cases};
pub use premises::scope::Scope;
pub use rule::cut::Claim;
pub use rule::queries::{
    Query, base_constraints, base_query, empty_inbox_query, error_query, initial_query, reach,
    step_query,
};
pub use theory::exact::{Exact, Periods};
pub use theory::lemmas::Lemmas;
pub use unroll::frozen::FrozenValues;
pub use unroll::inboxes::{Filled, Inboxes};
pub use unroll::unrolled::{Horizon, Unrolled};
