//! Whether an answer is true: replays runs on the reference interpreter, and checks evidence (`evidence.rs`); knows no engine.
//!
//! A run is accepted only if it begins in an initial state of its instance, every choice is possible where
//! it is made, it ends as it says, it is fair where that is asked, and the property, evaluated directly on
//! it, is what the answer says.

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
