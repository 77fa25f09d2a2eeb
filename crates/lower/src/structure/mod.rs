//! The structure of the Machine: nodes, types, frozen variables, variables, timers, environment.

pub(crate) mod constants;
pub(crate) mod counter_classes;
pub(crate) mod data;
pub(crate) mod environment;
pub(crate) mod nodes;
pub(crate) mod variables;
