//! Counters: classes of counters that belong together, and states up to a shift of each class.

pub(crate) mod classes;
pub(crate) mod shapes;
pub(crate) mod shift;
