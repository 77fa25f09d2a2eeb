//! The intermediate representation: structure of a Machine, expressions, types, values, declared times.

pub(crate) mod domain;
pub(crate) mod expr;
pub(crate) mod formula;
pub(crate) mod ids;
pub(crate) mod inbox;
pub(crate) mod network;
pub(crate) mod periodic;
pub(crate) mod rewrite;
pub(crate) mod structure;
pub(crate) mod time_bounds;
pub(crate) mod timing;
pub(crate) mod types;
pub(crate) mod value;
pub(crate) mod visit;
