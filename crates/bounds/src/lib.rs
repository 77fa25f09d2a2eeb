//! `least x` and `greatest x`: the extreme value of a number or a time for which a claim holds, with the engines as oracles.
//!
//! `search.rs` is the one loop; a plan says which value is asked next. Every value on the way to a least number is refuted by a run of
//! its own (`numbers.rs`); times are bracketed, where the claim is monotone in them (`monotone.rs`).

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
