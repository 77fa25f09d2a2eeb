//! SVG drawing: text widths, colours, shapes, styles, and the histogram, which is the only picture not about a run.

pub(crate) mod canvas;
pub(crate) mod histogram;
pub(crate) mod measure;
pub(crate) mod palette;
pub(crate) mod shapes;
pub(crate) mod style;
pub(crate) mod write;
