//! Writes a chart as SVG, as a file or as parts of a page.

use super::{Chart, Row};
use crate::draw::shapes::{Layer, Shape, Text, is_soft};
use crate::draw::style::style;
use crate::draw::write::{escaped, number, write_shape, write_text};
use std::fmt::Write;

/// The largest height of a printed sheet divided by its width.
const SHEET: f64 = 1.2;

impl Chart {
    /// The chart as a complete SVG file.
    pub fn svg(&self) -> String {
        let namespace = "xmlns=\"http://www.w3.org/2000/svg\"";
        let open = self.opened("sc", namespace, [0.0, self.height]);
        let style = style();
        let body = self.body(|_| true);
        let shapes = self.drawn();
        format!("{open}<style>{style}</style>\n{shapes}{body}</svg>\n")
    }

    /// The chart for a page as two SVG elements: the heads of the lanes with the id `{id}-heads`, and the rest with the
    /// id `{id}`.
    pub(crate) fn parts(&self, id: &str) -> [String; 2] {
        let head = [0.0, self.header];
        let (header, below) = (self.header, [self.header, self.height]);
        let heads = format!(
            "{}<g id=\"{id}-names\">{}</g></svg>\n",
            self.opened(&format!("{id}-heads"), "aria-hidden=\"true\"", head),
            self.body(|text| text.y < header)
        );
        let rest = format!(
            "{}<g id=\"{id}-lines\">{}{}</g></svg>\n",
            self.opened(id, "", below),
            self.drawn(),
            self.body(|text| text.y >= header)
        );
        [heads, rest]
    }

    /// The chart for print, cut between rows into sheets, each with the heads of the lanes. It refers to the elements
    /// of [`Chart::parts`].
    pub(crate) fn sheets(&self, id: &str) -> String {
        let most = self.width * SHEET - self.header;
        let mut cuts = vec![self.header];
        for row in &self.rows {
            let begun = cuts[cuts.len() - 1];
            if row.bottom - begun > most && row.top > begun {
                cuts.push(row.top);
            }
        }
        cuts.push(self.height);
        let piece = |part: &str, top: f64, bottom: f64| {
            format!(
                "<svg class=\"sc\" width=\"{w}\" height=\"{h}\" viewBox=\"0 {} {w} {h}\" aria-hidden=\"true\">\
                 <use href=\"#{id}-{part}\"/></svg>\n",
                number(top),
                w = number(self.width),
                h = number(bottom - top)
            )
        };
        let sheets = cuts.windows(2).map(|cut| {
            let heads = piece("names", 0.0, self.header);
            let lines = piece("lines", cut[0], cut[1]);
            format!("<div class=\"sheet\">\n{heads}{lines}</div>\n")
        });
        sheets.collect()
    }

    fn opened(&self, id: &str, attributes: &str, [top, bottom]: [f64; 2]) -> String {
        let (w, h) = (number(self.width), number(bottom - top));
        let top = number(top);
        let what = escaped(&self.alternative);
        format!(
            "<svg {attributes} class=\"sc\" id=\"{id}\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 {top} {w} {h}\" role=\"img\" aria-labelledby=\"{id}-what\">\
             <title id=\"{id}-what\">{what}</title>\n"
        )
    }

    /// The background, the shapes, and the transparent rectangles of the rows.
    fn drawn(&self) -> String {
        let mut out = String::new();
        let (w, h) = (number(self.width), number(self.height));
        let _ = writeln!(
            out,
            "<rect class=\"sc-ground\" width=\"{w}\" height=\"{h}\"/>"
        );
        let (back, front): (Vec<&Shape>, Vec<&Shape>) =
            self.shapes.iter().partition(|s| s.layer <= Layer::Ground);
        back.into_iter().for_each(|s| write_shape(&mut out, s));
        for row in &self.rows {
            let _ = writeln!(
                out,
                "<rect class=\"sc-row{}\" data-x=\"{}\" data-first=\"{}\" data-last=\"{}\" x=\"0\" y=\"{}\" width=\"{w}\" height=\"{}\"/>",
                if row.fails { " fails" } else { "" },
                number(row.x),
                row.first + 1,
                row.last + 1,
                number(row.top),
                number(row.bottom - row.top)
            );
        }
        front.into_iter().for_each(|s| write_shape(&mut out, s));
        out
    }

    /// The texts for which `wanted` is true.
    fn body(&self, wanted: impl Fn(&Text) -> bool) -> String {
        let mut out = String::new();
        for text in self.texts.iter().filter(|text| wanted(text)) {
            let row = text.row.map(|r| &self.rows[r]);
            let event = row.map(|row| row.first + 1);
            write_text(&mut out, text, row_classes(text, row), event);
        }
        out
    }
}

/// The style classes that a text has because of its row.
fn row_classes(text: &Text, row: Option<&Row>) -> &'static str {
    let Some(row) = row else { return "" };
    match (row.pale && !is_soft(text.class), row.fails) {
        (false, false) => "",
        (false, true) => " sc-fails",
        (true, false) => " sc-pale",
        (true, true) => " sc-pale sc-fails",
    }
}
