//! Values over bits: numbers, sets and records as circuits, with comparison, selection and packing.

pub(crate) mod compare;
pub(crate) mod divide;
pub(crate) mod layout;
pub(crate) mod merge;
pub(crate) mod number;
pub(crate) mod sets;
pub(crate) mod value;
