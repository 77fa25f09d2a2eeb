//! The timeline of a run with times: a lane per node, time to the right, activations as circles, messages as arrows,
//! the display variable of a node as a band, and silences in brackets.
//!
//! **Visible events.** All events of a short run; of a long run the end, and always the cause of the failure
//! ([`Cause`](crate::replay::cause::Cause)). The numbers of hidden events are at the edges.
//!
//! **Texts never overlap.** Names, times and paragraphs have reserved places. All other texts are put where there is
//! free space, the most important first: brackets, then values of nodes, then labels of arrows. A text without free
//! space is not written; the tooltip and the story still have it.

mod arrows;
mod bands;
mod brackets;
mod layout;
mod legend;
mod marks;
mod scale;
mod timers;

use crate::draw::shapes::{Caption, Shape, Text};
use crate::draw::style::{style, timeline_style};
use crate::draw::write::{escaped, number, write_shape, write_text};
use crate::replay::run::ReplayedRun;
use std::fmt::Write;

/// The layout of a timeline.
pub struct Timeline {
    /// In pixels at its natural size.
    pub width: f64,
    /// In pixels at its natural size.
    pub height: f64,
    /// All texts.
    pub texts: Vec<Text>,
    /// A hit area for each visible event, and for the hidden events before and after them.
    pub hits: Vec<Hit>,
    shapes: Vec<Shape>,
    alternative: String,
}

/// The area of an event that reacts to the pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its first event, from 0.
    pub first: usize,
    /// Its last event.
    pub last: usize,
    /// Left, top, width and height.
    pub area: [f64; 4],
    /// The claim becomes false here, or the error happens.
    pub fails: bool,
}

impl Timeline {
    /// Lays out the timeline of a run with times.
    pub fn new(replay: &ReplayedRun<'_>, caption: &Caption<'_>) -> Timeline {
        layout::TimelineLayout::new(replay, caption).timeline()
    }

    /// As a complete SVG file.
    pub fn svg(&self) -> String {
        let style = format!("{}{}", style(), timeline_style());
        self.written("sc", "xmlns=\"http://www.w3.org/2000/svg\"", &style)
    }

    /// As element of a page with this id; the page has the style sheet.
    pub(crate) fn part(&self, id: &str) -> String {
        self.written(id, "", "")
    }

    fn written(&self, id: &str, attributes: &str, style: &str) -> String {
        let (w, h) = (number(self.width), number(self.height));
        let what = escaped(&self.alternative);
        let mut out = format!(
            "<svg {attributes} class=\"sc\" id=\"{id}\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" aria-labelledby=\"{id}-what\">\
             <title id=\"{id}-what\">{what}</title>\n"
        );
        if !style.is_empty() {
            let _ = writeln!(out, "<style>{style}</style>");
        }
        let _ = writeln!(
            out,
            "<rect class=\"sc-ground\" width=\"{w}\" height=\"{h}\"/>"
        );
        for shape in &self.shapes {
            write_shape(&mut out, shape);
        }
        for text in &self.texts {
            write_text(&mut out, text, "", None);
        }
        // The hit areas are transparent, and in front of everything.
        for hit in &self.hits {
            let [x, y, w, h] = hit.area;
            let _ = writeln!(
                out,
                "<rect class=\"sc-row sc-hit{}\" data-x=\"{}\" data-first=\"{}\" data-last=\"{}\" \
                 x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>",
                if hit.fails { " fails" } else { "" },
                number(x + w / 2.0),
                hit.first + 1,
                hit.last + 1,
                number(x),
                number(y),
                number(w),
                number(h)
            );
        }
        out + "</svg>\n"
    }
}

/// The timeline of a run with times as a complete SVG file.
pub fn timeline(replay: &ReplayedRun<'_>, caption: &Caption<'_>) -> String {
    Timeline::new(replay, caption).svg()
}
