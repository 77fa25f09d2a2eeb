//! The input of a call: models, options, limits, checkpoints.

pub(crate) mod checkpoint;
mod checkpoint_file;
pub(crate) mod format;
pub(crate) mod limits;
pub(crate) mod load;
pub(crate) mod options;
