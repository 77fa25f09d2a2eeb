//! Linear temporal logic: formulas, Büchi automata, evaluation on lassos, and short accepting runs.
//!
//! The crate depends on no other crate of the workspace. The caller numbers the propositions that it
//! evaluates on its own states; this crate knows them as [`Formula::Atom`] only.
//!
//! There are two independent paths from a formula to a truth value, which share only [`Formula`]:
//! [`translate()`] builds an automaton for a search, and [`holds_on_lasso`] evaluates a formula on one given
//! word, for the audit of search results.
//!
//! [`lasso()`] looks for a short accepting run in a graph. The caller decides by its own search whether there
//! is one.
//!
//! Absent on purpose: a "next" operator. A claim that counts steps would depend on the granularity of the
//! model.

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
pub use defects::{Breaking, Defect};
pub use formula::Formula;
pub use lasso::holds_on_lasso;
pub use shortest::{Lasso, lasso};
pub use space::{Arc, Goals, Move, Space};
pub use strength::Strength;
pub use translate::{MAX_STATES, TooLarge, translate};
pub use way::{cycle_in, way_to};
