//! Evaluates claims on the state graph of an instance.

pub(crate) mod answers;
pub(crate) mod ghosts;
pub(crate) mod least;
pub(crate) mod liveness;
pub(crate) mod rounds;
