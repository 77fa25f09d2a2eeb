//! Claims and checks: formulas, deadlines, questions, parameter values, expected answers.

pub(crate) mod answers;
pub(crate) mod checks;
pub(crate) mod deadlines;
pub(crate) mod formulas;
pub(crate) mod search;
pub(crate) mod settings;
