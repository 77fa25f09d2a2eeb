//! The commands of `scrutineer`: one file or folder per command.

pub(crate) mod audit;
pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod fmt;
pub(crate) mod manual;
pub(crate) mod new;
pub(crate) mod run;
pub(crate) mod show;
pub(crate) mod simulate;
pub(crate) mod tck;
pub(crate) mod tests;
