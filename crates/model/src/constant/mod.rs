//! Constant evaluation: values of expressions that do not depend on a state.

mod calls;
mod evaluate;
mod times;

pub use evaluate::{Constant, ConstantError, Environment, evaluate, evaluate_set};
pub use times::{Times, TimingError};
