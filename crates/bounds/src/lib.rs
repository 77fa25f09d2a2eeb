//! `least x` and `greatest x`: the least or greatest number or time for which a claim holds. The engines are the
//! oracles that answer for single values.
//!
//! `search.rs` is the search loop; a plan chooses the next value. For `least` with a number, a run refutes each smaller
//! value (`numbers.rs`), or one run refutes all of them (`rounds.rs`). A time in a claim is found by bisection if the
//! claim is monotone in this time (`times.rs`, `monotone.rs`). A time that is a parameter of the model has a threshold
//! if the parameter is affine (`thresholds.rs`, `affine.rs`). `every_bound.rs` recognises claims that fail for every
//! value, and `result.rs` collects the results.

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

pub use affine::just_inside;
pub use oracle::{Answering, Oracle, Proved, vacuity};
pub use result::{Sought, seek};
