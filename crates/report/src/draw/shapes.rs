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

/// The heading of a picture. An empty title means that the picture is embedded in a page; the page itself shows the
/// heading and the end of the story.
#[derive(Clone, Copy, Debug, Default)]
pub struct Caption<'a> {
    /// The title, such as the answer that the run supports.
    pub title: &'a str,
    /// The parameters and frozen values.
    pub subtitle: &'a str,
}

/// A text with its position and style.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The x coordinate of its left edge.
    pub x: f64,
    /// The y coordinate of its base line.
    pub y: f64,
    /// The font size.
    pub size: f64,
    /// Whether it is bold.
    pub bold: bool,
    /// The written text.
    pub text: String,
    /// The whole text, if only its beginning is written.
    pub full: Option<String>,
    /// The index of the chart row to which the text belongs, if any.
    pub row: Option<usize>,
    pub(crate) class: &'static str,
}

impl Text {
    /// A text with these style classes; it is bold if they contain `sc-b`.
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

    /// The estimated width in pixels.
    pub fn width(&self) -> f64 {
        width(&self.text, self.size, self.bold)
    }

    /// Left, top, right and bottom edge.
    pub fn bounds(&self) -> [f64; 4] {
        let (top, bottom) = (self.y - 0.95 * self.size, self.y + 0.27 * self.size);
        [self.x, top, self.x + self.width(), bottom]
    }
}

/// Whether the style classes make a text bold. The argument is a constant of the renderer, so a substring test is
/// enough.
pub(crate) fn is_bold(class: &str) -> bool {
    class.contains("sc-b")
}

/// Whether the style classes give a text the colour of secondary texts.
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
