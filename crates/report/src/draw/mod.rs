//! SVG drawing: text widths, colours, shapes, and the histogram, which needs no run.

pub(crate) mod histogram;
pub(crate) mod measure;
pub(crate) mod palette;
