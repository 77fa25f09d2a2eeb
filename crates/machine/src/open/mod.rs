//! Open Machines: protocols whose number of nodes is a parameter.

pub(crate) mod deadlines;
pub(crate) mod structure;
pub(crate) mod text;
pub(crate) mod verify;
