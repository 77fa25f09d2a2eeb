//! SVG drawing: text widths, colours, shapes and styles, and the histogram, which needs no run.

pub(crate) mod canvas;
pub(crate) mod histogram;
pub(crate) mod measure;
pub(crate) mod palette;
pub(crate) mod shapes;
pub(crate) mod style;
pub(crate) mod write;
