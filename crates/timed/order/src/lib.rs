//! Order of events of periodic nodes: unrolling, difference constraints, and a proof rule.
//!
//! Periodic nodes that read messages of other nodes from their inboxes need no interleaving step per event. Each node
//! is unrolled separately: its code becomes a circuit, activation after activation (`unroll/`). Two nodes interact only
//! through the order of a read of one and a send of the other. This order is a Boolean variable if the declared times
//! do not determine it (`constraints/atoms.rs`). Declared times imply difference constraints on these variables
//! (`constraints/difference.rs`; the consequences for two and three nodes are in `theory/lemmas.rs`), and with fixed
//! periods linear programs (`theory/exact.rs`).
//!
//! `rule/` states the finitely many queries whose unsatisfiability proves a claim for runs of any length. The engine in
//! `event-order` solves them, and the audit checks the refutations; this crate solves no query.
//!
//! **Scope.** Every node has one block, which runs periodically at declared times. Messages go to inboxes, without
//! delay or within a bounded one, and may be lost (`unroll/in_transit.rs`). All other faults are present from the
//! start. The claim is `always` a condition in which counts of activations occur only as premises. Everything else is
//! refused with a reason (`premises/scope.rs`, and the crate `bits`).

mod constraints;
pub mod defects;
mod premises;
mod rule;
mod theory;
mod unroll;

pub use constraints::atoms::{Activation, Atom, Atoms, Sending, decided};
pub use constraints::difference::{Constraint, Feasibility, solve};
pub use constraints::stability::{has_free_gaps, most_bounds, stability_radius};
pub use constraints::times::{Start, Times};
pub use premises::phases::{Case, cases, phases};
pub use premises::scope::Scope;
pub use rule::cut::Claim;
pub use rule::queries::{
    Query, base_constraints, base_query, empty_inbox_query, error_query, initial_query, reach,
    step_query,
};
pub use theory::exact::{Exact, Periods};
pub use theory::lemmas::Lemmas;
pub use unroll::frozen::{FrozenValues, SymmetryBreaking};
pub use unroll::inboxes::{Filled, Inboxes};
pub use unroll::unrolled::{Horizon, Unrolled};
