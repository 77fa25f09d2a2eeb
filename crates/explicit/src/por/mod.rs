//! Partial-order reduction: independence, visibility, stubborn sets, cycle proviso.

pub(crate) mod commuting_updates;
pub(crate) mod cycle_proviso;
pub(crate) mod independence;
pub(crate) mod stubborn_sets;
pub(crate) mod visibility;
