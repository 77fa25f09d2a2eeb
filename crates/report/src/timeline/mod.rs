//! The timeline of a run with times. Time goes to the right and every node has a lane. Activations are circles,
//! messages are arrows, the display variable of a node is a coloured band, and silences are brackets.
//!
//! **Visible events.** A short run is shown completely. Of a long run the last events before the failure, or before the
//! end of the run, are shown, with the whole cause of the failure ([`Cause`](crate::replay::cause::Cause)). The numbers
//! of hidden events are at the left and right edge.
//!
//! **Texts never overlap.** Names, times and paragraphs have reserved places. All other texts are put where there is
//! free space, in the order of importance: brackets, marks, values of display variables, labels of arrows. A text
//! without free space is not written; tooltips and the story have its content.

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

/// A timeline whose texts and shapes have their positions.
pub struct Timeline {
    /// The width in pixels, if the picture is not scaled.
    pub width: f64,
    /// The height in pixels, if the picture is not scaled.
    pub height: f64,
    /// The texts, with their positions.
    pub texts: Vec<Text>,
    /// One hit area for each visible event, one for all hidden events before these, and one for all after.
    pub hits: Vec<Hit>,
    shapes: Vec<Shape>,
    alternative: String,
}

/// The area of one or more events that reacts to the pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The index of the first event of the area.
    pub first: usize,
    /// The index of the last event of the area.
    pub last: usize,
    /// Left, top, width and height.
    pub area: [f64; 4],
    /// Whether the area has the event at which the claim becomes false or the error occurs.
    pub fails: bool,
}

impl Timeline {
    /// Lays out the timeline of a run with times.
    pub fn new(replay: &ReplayedRun<'_>, caption: &Caption<'_>) -> Timeline {
        layout::TimelineLayout::new(replay, caption).timeline()
    }

    /// The timeline as a complete SVG file.
    pub fn svg(&self) -> String {
        let style = format!("{}{}", style(), timeline_style());
        self.written("sc", "xmlns=\"http://www.w3.org/2000/svg\"", &style)
    }

    /// The timeline as an SVG element with this id, for a page that has the style sheet.
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
        // The hit areas are transparent and in front of everything else.
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
