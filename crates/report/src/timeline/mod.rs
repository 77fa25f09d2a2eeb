//! A run with times as a timeline: lanes for nodes, time to the right, activations as circles, messages as
//! arrows, what a node is as a band, and what decides in brackets.
//!
//! **What is shown.** All of a short run; of a long one the end, and what decides ([`Crux`](crate::crux::Crux))
//! in any case. How much is left out stands at its edges.
//!
//! **Why texts never meet.** Names, times and paragraphs have places of their own. Everything else is put
//! where there is room for it, most important first: in brackets, then what nodes become, then at arrows.
//! What finds no room is not written; it is still said when one points at the thing, and in the story.

mod alarms;
mod arrows;
mod bands;
mod brackets;
mod legend;
mod marks;
mod room;
mod scale;
mod sketch;

use crate::chart::{Shape, escaped, number, style, write_shape, write_text};
use crate::draw::palette::{DARK, LIGHT};
use crate::{Caption, Telling, Text};
use std::fmt::Write;

/// The layout of a timeline.
pub struct Timeline {
    /// In pixels at its natural size.
    pub width: f64,
    /// In pixels at its natural size.
    pub height: f64,
    /// Everything that is written.
    pub texts: Vec<Text>,
    /// One for each event that is shown, and for those that are left out before and behind.
    pub hits: Vec<Hit>,
    shapes: Vec<Shape>,
    alternative: String,
}

/// Where an event can be pointed at.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its first event, from 0.
    pub first: usize,
    /// Its last event.
    pub last: usize,
    /// Left, top, width and height.
    pub area: [f64; 4],
    /// Here the claim breaks, or the error happens.
    pub fails: bool,
}

impl Timeline {
    /// Lays out the timeline of a run with times.
    pub fn new(telling: &Telling<'_>, caption: &Caption<'_>) -> Timeline {
        sketch::Sketch::new(telling, caption).timeline()
    }

    /// As a complete SVG file.
    pub fn svg(&self) -> String {
        let style = format!("{}{}", style(), timeline_style());
        self.written("sc", "xmlns=\"http://www.w3.org/2000/svg\"", &style)
    }

    /// As part of a page that has the style, with this id.
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
            write_text(&mut out, text, None);
        }
        // On top, so that one can point at them; they are transparent.
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

/// What only timelines have.
pub(crate) fn timeline_style() -> String {
    let colours = |p: &crate::draw::palette::Palette| {
        format!(
            ".sc-tick{{stroke:{hair}}}.sc-brace{{stroke:{soft}}}.sc-brace-wrong{{stroke:{wrong}}}\
             .sc-timer,.sc-now{{stroke:{soft}}}.sc-now-wrong{{stroke:{wrong}}}\
             .sc-window{{fill:{faint};opacity:.6}}.sc-crash{{stroke:{ink}}}",
            hair = p.hair,
            faint = p.faint,
            ink = p.ink,
            soft = p.soft,
            wrong = p.wrong
        )
    };
    format!(
        ".sc-tick{{fill:none;stroke-width:1px}}.sc-brace,.sc-brace-wrong{{fill:none;stroke-width:1.4px}}\
         .sc-timer{{fill:none;stroke-width:1.4px}}.sc-now,.sc-now-wrong{{fill:none;stroke-width:1.6px}}\
         .sc-crash{{fill:none;stroke-width:3.4px;stroke-linecap:round}}\
         {}@media screen and (prefers-color-scheme:dark){{{}}}",
        colours(&LIGHT),
        colours(&DARK)
    )
}

/// The timeline of a run with times as a complete SVG file.
pub fn timeline(telling: &Telling<'_>, caption: &Caption<'_>) -> String {
    Timeline::new(telling, caption).svg()
}
