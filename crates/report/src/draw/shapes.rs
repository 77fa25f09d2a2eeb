//! Texts and shapes of a picture, with their sizes in pixels.

use crate::draw::measure::width;

/// Font size of the title.
pub(crate) const TITLE: f64 = 18.0;
/// Font size of node names.
pub(crate) const NAME: f64 = 14.0;
/// Font size of paragraphs.
pub(crate) const BODY: f64 = 13.0;
/// Font size of message labels and boxes.
pub(crate) const LABEL: f64 = 12.0;
/// Font size of numbers, constants and legends.
pub(crate) const SMALL: f64 = 11.0;
/// Margin around the picture.
pub(crate) const MARGIN: f64 = 16.0;

/// The heading of a picture. A picture with an empty title is part of a page, which has the heading and the end of the
/// story elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Caption<'a> {
    /// What the run shows.
    pub title: &'a str,
    /// The parameters and frozen values.
    pub subtitle: &'a str,
}

/// A text and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Its left edge.
    pub x: f64,
    /// Its base line.
    pub y: f64,
    /// The font size.
    pub size: f64,
    /// Whether it is bold.
    pub bold: bool,
    /// The written text.
    pub text: String,
    /// The whole text, if only its beginning is written.
    pub full: Option<String>,
    /// The index of the chart row that it belongs to.
    pub row: Option<usize>,
    pub(crate) class: &'static str,
}

impl Text {
    /// A text of a style class, bold if the class is.
    pub(crate) fn new(x: f64, y: f64, size: f64, class: &'static str, text: &str) -> Text {
        Text {
            x,
            y,
            size,
            bold: is_bold(class),
            text: text.into(),
            full: None,
            row: None,
            class,
        }
    }

    /// Its width.
    pub fn width(&self) -> f64 {
        width(&self.text, self.size, self.bold)
    }

    /// Left, top, right and bottom edge.
    pub fn bounds(&self) -> [f64; 4] {
        let (top, bottom) = (self.y - 0.95 * self.size, self.y + 0.27 * self.size);
        [self.x, top, self.x + self.width(), bottom]
    }
}

/// A list of style classes is bold. Such a list is a constant of the renderer, no generated text.
pub(crate) fn is_bold(class: &str) -> bool {
    class.contains("sc-b")
}

/// A list of style classes has the colour of secondary texts.
pub(crate) fn is_soft(class: &str) -> bool {
    class.contains("sc-soft")
}

/// A shape of a picture.
pub(crate) struct Shape {
    pub(crate) layer: Layer,
    pub(crate) class: String,
    pub(crate) kind: Kind,
    /// The tooltip.
    pub(crate) title: Option<String>,
}

/// The layers of a picture, from back to front.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    Band,
    Ground,
    Lane,
    PaleArrow,
    Arrow,
    Dot,
    Box,
}

/// The geometry of a shape.
pub(crate) enum Kind {
    /// The `d` attribute of a path.
    Path(String),
    /// Left, top, width and height; the radius of the corners.
    Rect([f64; 4], f64),
    /// Centre and radius.
    Circle(f64, f64, f64),
}
