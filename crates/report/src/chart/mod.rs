//! The sequence chart of a run. Every node has a vertical lane, every event a row, and messages are arrows.
//!
//! **Texts never overlap.** Every row is a band across the whole chart and usually belongs to one event at one node.
//! The label of the arriving message is above its arrow, on the side from which the message comes. The changes of the
//! node are in a box on the other side of the lane, or below the arrow if there is not enough space. Therefore the
//! texts of different events do not overlap, and the label of an arrow is never near the head of another arrow.
//!
//! **Messages.** The line of a message leaves the lane of the sender, goes down beside that lane while the message is
//! in flight, and crosses to the receiver in the row of the arrival. So messages in flight are visible beside their
//! senders. If the channel repeats a message, its line continues downwards after the arrival.
//!
//! A [`Chart`] has all texts and shapes with their positions. [`Chart::svg`] writes it as SVG.

mod arrows;
mod ground;
pub(crate) mod lanes;
mod layout;
mod legend;
mod row;
mod svg;
mod view;

use crate::draw::shapes::{Caption, Shape, Text};

use crate::replay::run::ReplayedRun;

/// Which events are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// All events; those that do not matter are pale.
    All,
    /// The events that matter. Each sequence of other events is replaced by a row with their number.
    Mattering,
}

/// A sequence chart whose texts and shapes have their positions.
pub struct Chart {
    /// The width in pixels, if the picture is not scaled.
    pub width: f64,
    /// The height in pixels, if the picture is not scaled.
    pub height: f64,
    /// The texts, with their positions.
    pub texts: Vec<Text>,
    /// The rows: one for each event, group of starts, or sequence of hidden events.
    pub rows: Vec<Row>,
    /// The lower edge of the header, where the lanes begin.
    pub header: f64,
    shapes: Vec<Shape>,
    alternative: String,
}

/// A row of the chart: a horizontal band.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The index of the first event of the row.
    pub first: usize,
    /// The index of the last event of the row.
    pub last: usize,
    /// Its upper edge.
    pub top: f64,
    /// Its lower edge.
    pub bottom: f64,
    /// The y coordinate of its dots and arrow heads.
    pub y: f64,
    /// The x coordinate of the lane of its last event, or of the left edge if that event has no lane.
    pub x: f64,
    /// Whether it replaces hidden events.
    pub gap: bool,
    /// Whether none of its events matters.
    pub pale: bool,
    /// Whether it has the event at which the claim becomes false or the error occurs.
    pub fails: bool,
}

impl Chart {
    /// Lays out the chart of a run.
    pub fn new(replay: &ReplayedRun<'_>, caption: &Caption<'_>, show: Show) -> Chart {
        let view = view::View::new(replay, show);
        layout::Layout::new(&view, caption).chart()
    }
}
