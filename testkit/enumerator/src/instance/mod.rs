//! The data of an instance: values, states, kinds of nodes, faults, scopes, the unit of time.

pub(crate) mod counter_classes;
pub(crate) mod data;
pub(crate) mod fault;
pub(crate) mod kind;
pub(crate) mod scope;
pub(crate) mod setup;
pub(crate) mod state;
pub(crate) mod unit;
pub(crate) mod value;
pub(crate) mod walk;
