//! Claims: properties, deadlines, and the ghosts that count for them.

pub(crate) mod deadlines;
pub(crate) mod ghosts;
pub(crate) mod questions;
pub(crate) mod saturation;
