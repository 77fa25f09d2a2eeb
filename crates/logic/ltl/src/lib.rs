//! Linear temporal logic: formulas, automata, their value on a lasso, and short accepted runs.
//!
//! One mathematical object; it knows no machine. The caller numbers the propositions it can
//! evaluate on its own states, and this crate knows them as [`Formula::Atom`] only.
//!
//! Two ways lead from a formula to a truth value and share no code beyond [`Formula`]:
//! [`translate()`] builds an automaton for a search, [`holds_on_lasso`] evaluates a formula on one
//! given word for whoever audits what the search found.
//!
//! [`lasso()`] looks for a short accepted run in a graph. Whether there is one is up to whoever has the graph.
//!
//! Absent on purpose: a "next" operator. A claim that counts steps would depend on how finely a
//! model is written down.

mod automaton;
mod component;
mod defects;
mod formula;
mod lasso;
mod normal;
mod reduce;
pub mod scc;
mod shortest;
mod simulate;
mod space;
mod strength;
mod translate;
mod way;

pub use automaton::{Buchi, BuchiState, Edge, Guard, Letter};
#[cfg(feature = "defects")]
pub use defects::{Breaking, Defect};
pub use formula::Formula;
pub use lasso::holds_on_lasso;
pub use shortest::{Lasso, lasso};
pub use space::{Arc, Goals, Move, Space};
pub use strength::Strength;
pub use translate::{MAX_STATES, TooLarge, translate};
pub use way::{cycle_in, way_to};
