//! Linear temporal logic: formulas, Büchi automata, evaluation on lassos, and the search for short accepting runs.
//!
//! The crate is independent of Machines. The caller numbers its atomic propositions and evaluates them on its own
//! states; in formulas they are [`Formula::Atom`].
//!
//! A formula can be evaluated in two independent ways, which share only the type [`Formula`]: [`translate()`] builds an
//! automaton for a search, and [`values_on_lasso`] evaluates the formula on one given word, to audit the result of a
//! search.
//!
//! [`lasso()`] searches a graph for a short accepting run. It is no decision procedure: the caller finds out by its own
//! search whether there is an accepting run.
//!
//! There is deliberately no "next" operator, because a claim that counts steps would depend on the granularity of the
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
pub use lasso::{holds_on_lasso, values_on_lasso};
pub use shortest::{Lasso, lasso};
pub use space::{Arc, Goals, Move, Space};
pub use strength::Strength;
pub use translate::{MAX_STATES, TooLarge, translate};
pub use way::{cycle_in, way_to};
