//! Evaluation of expressions that do not depend on the state.

mod calls;
mod evaluate;
mod times;

pub use evaluate::{Constant, ConstantError, Environment, evaluate, evaluate_set};
pub use times::{Times, TimingError};
