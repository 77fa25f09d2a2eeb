//! Nodes with a periodic, each unrolled by itself, and what declared times say about the order of their events.
//!
//! Nodes that wake up about every so often and read what others have put into their inboxes need no step for each event.
//! The code of each node becomes a circuit, activation after activation (`unroll.rs`); what ties nodes together is only who
//! came first, a read of one or a send of another, and that is a literal wherever declared times leave it open (`atoms.rs`).
//! What times say about such literals is a matter of differences (`difference.rs`; of two and three nodes `lemmas.rs`), with
//! fixed periods of linear programming (`exact.rs`).
//!
//! Which finitely many questions prove that a claim holds for ever is said in `rule.rs`. Who asks them, and how, is
//! no matter here: an engine looks for the answers, the audit goes through them again.
//!
//! **What it needs.** Every node has one block, run by a periodic at real times; messages go to inboxes, at once or within a
//! time, and may be lost (`in_transit.rs`); other faults are there from the start; the claim is `always` a condition in which
//! counts of activations are premises. Everything else is refused by name (`scope.rs`, and `bits`).

mod constraints;
pub mod defects;
mod premises;
mod rule;
mod theory;
mod unroll;

pub use constraints::atoms::{Activation, Atom, Atoms, Sending};
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
pub use unroll::unrolled::Unrolled;
