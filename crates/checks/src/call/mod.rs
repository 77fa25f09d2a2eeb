//! The input of a call: model files, options, limits, checkpoints, and the formatter.

pub(crate) mod checkpoint;
mod checkpoint_file;
pub(crate) mod format;
pub(crate) mod limits;
pub(crate) mod load;
pub(crate) mod memory;
pub(crate) mod options;
pub(crate) mod out_folder;
pub(crate) mod refused;
pub(crate) mod watchdog;
