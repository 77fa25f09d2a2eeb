//! The sequence chart of a run: a lane per node, time downwards, a row per event, messages as arrows.
//!
//! **Texts never overlap.** Every row is a band across the whole chart and belongs to one event, which happens at
//! one node. The label of the arriving message is above its arrow, on the side from which the message comes. The
//! changes of the node are in a box on the other side of the lane, or below the arrow if there is no room. So no
//! text of an event reaches a text of another event, and the label of an arrow is never near the head of another
//! arrow.
//!
//! **Messages.** The line of a message leaves the lane of its sender, goes down beside it while the message is in
//! flight, and crosses over to the receiver in the row in which it arrives. So the messages in flight are visible
//! beside their senders, and the line of a repeated message goes on downwards.
//!
//! A [`Chart`] is the layout. [`Chart::svg`] writes it as SVG.

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

/// The events that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// All events; those that do not matter are pale.
    All,
    /// The events that matter; the others are counted.
    Mattering,
}

/// The layout of a sequence chart.
pub struct Chart {
    /// In pixels at its natural size.
    pub width: f64,
    /// In pixels at its natural size.
    pub height: f64,
    /// All texts.
    pub texts: Vec<Text>,
    /// A row for each event, for several starts, or for several hidden events.
    pub rows: Vec<Row>,
    /// The lower edge of the header, where the lanes begin.
    pub header: f64,
    shapes: Vec<Shape>,
    alternative: String,
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
    /// The level of its dots and arrow heads.
    pub y: f64,
    /// The lane of its last event.
    pub x: f64,
    /// It stands for hidden events.
    pub gap: bool,
    /// Its events do not matter.
    pub pale: bool,
    /// The claim becomes false here, or the error happens.
    pub fails: bool,
}

impl Chart {
    /// Lays out the chart of a run.
    pub fn new(replay: &ReplayedRun<'_>, caption: &Caption<'_>, show: Show) -> Chart {
        let view = view::View::new(replay, show);
        layout::Layout::new(&view, caption).chart()
    }
}
