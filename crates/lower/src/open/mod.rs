//! Open Machines of checks `for every p`: lowering with the size as a parameter.

pub(crate) mod lowering;
