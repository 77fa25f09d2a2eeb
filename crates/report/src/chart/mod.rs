//! A run as a sequence chart: lanes for nodes, time downwards, a row per event, messages as arrows.
//!
//! **Why texts never meet.** Every row is a band across the whole chart and belongs to one event, which
//! happens at one node. The label of the message that arrives stands above its arrow on the side from
//! which it comes; what the node changes stands in a box on the other side of the lane, or below the arrow
//! where there is no room. So no text of an event can reach one of another event, and the label of an
//! arrow is never near a foreign arrow's head.
//!
//! **How a message is drawn.** It leaves the lane of its sender, goes down beside it as long as it is on
//! the way, and crosses over to the receiver in the row in which it arrives. What is on the way at some
//! moment can so be seen beside the senders, and a message that is repeated simply goes on downwards.
//!
//! A [`Chart`] is the layout: what is drawn where. [`Chart::svg`] writes it down.

mod arrows;
mod ground;
mod layout;
mod row;
mod svg;
mod view;

pub(crate) use layout::{BODY, LABEL, MARGIN, NAME, SMALL, TITLE, constants};
pub use svg::escaped;
pub(crate) use svg::{number, style, write_shape, write_text};
pub(crate) use view::lanes;

use crate::Telling;
use crate::draw::measure::width;

/// What stands above a picture; a chart without a title says nothing that is not in its lanes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Caption<'a> {
    /// What the run shows.
    pub title: &'a str,
    /// For which sizes, ids and so on.
    pub subtitle: &'a str,
}

/// Which events are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// All; those that do not matter are pale.
    All,
    /// Those that matter; the others are counted.
    Mattering,
}

/// The layout of a sequence chart.
pub struct Chart {
    /// In pixels at its natural size.
    pub width: f64,
    /// In pixels at its natural size.
    pub height: f64,
    /// Everything that is written.
    pub texts: Vec<Text>,
    /// One for each event, or for several starts, or for several events that are not shown.
    pub rows: Vec<Row>,
    /// Where lanes begin, behind the header.
    pub header: f64,
    shapes: Vec<Shape>,
    alternative: String,
}

/// A text and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Its left edge.
    pub x: f64,
    /// Its base line.
    pub y: f64,
    /// The size of the font.
    pub size: f64,
    /// Bold.
    pub bold: bool,
    /// What is written.
    pub text: String,
    /// What would be written if there were room.
    pub full: Option<String>,
    /// The row it belongs to.
    pub row: Option<usize>,
    pub(crate) class: &'static str,
}

impl Text {
    /// Its width.
    pub fn width(&self) -> f64 {
        width(&self.text, self.size, self.bold)
    }

    /// Left, top, right and bottom of what it covers.
    pub fn bounds(&self) -> [f64; 4] {
        let (top, bottom) = (self.y - 0.95 * self.size, self.y + 0.27 * self.size);
        [self.x, top, self.x + self.width(), bottom]
    }
}

/// A row: a band across the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its first event, from 0.
    pub first: usize,
    /// Its last event.
    pub last: usize,
    /// Its upper edge.
    pub top: f64,
    /// Its lower edge.
    pub bottom: f64,
    /// Where arrows arrive and dots stand.
    pub y: f64,
    /// The lane at which its last event happens.
    pub x: f64,
    /// What it shows is only that events are left out.
    pub gap: bool,
    /// What the run shows does not depend on it.
    pub pale: bool,
    /// Here the claim breaks, or the error happens.
    pub fails: bool,
}

/// Something that is drawn, from back to front in the order of the layers.
pub(crate) struct Shape {
    pub(crate) layer: Layer,
    pub(crate) class: String,
    pub(crate) kind: Kind,
    /// What is said when one points at it.
    pub(crate) title: Option<String>,
}

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

pub(crate) enum Kind {
    Path(String),
    Rect([f64; 4], f64),
    Circle(f64, f64, f64),
}

impl Chart {
    /// Lays out the chart of a run.
    pub fn new(telling: &Telling<'_>, caption: &Caption<'_>, show: Show) -> Chart {
        let view = view::View::new(telling, show);
        layout::Layout::new(&view, caption).chart()
    }
}

/// The picture of a run as a complete SVG file: a timeline where there are times, or a sequence chart.
pub fn chart(telling: &Telling<'_>, caption: &Caption<'_>) -> String {
    if telling.is_timed() {
        return crate::timeline(telling, caption);
    }
    Chart::new(telling, caption, Show::All).svg()
}
