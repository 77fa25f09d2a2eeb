//! `least x` and `greatest x`: the extreme value of a number or a time for which a claim holds, with the engines as oracles.
//!
//! `search.rs` is the search loop; a plan chooses the next value. On the way to a least number, a run of its own refutes every
//! smaller value (`numbers.rs`, `rounds.rs`). Times in a claim are bracketed where the claim is monotone in them (`times.rs`,
//! `monotone.rs`). Times among the parameters of the model have a threshold where the parameter is affine (`thresholds.rs`,
//! `affine.rs`). `every_bound.rs` recognises claims that fail for every value, and `result.rs` collects the results.

mod affine;
mod every_bound;
mod monotone;
mod numbers;
mod oracle;
mod result;
mod rounds;
mod search;
mod thresholds;
mod times;

pub use oracle::{Answering, Oracle, Proved, vacuity};
pub use result::{Sought, seek};
