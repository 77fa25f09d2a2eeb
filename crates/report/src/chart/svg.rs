//! A chart written as SVG: complete by itself, without any script.

use super::{Chart, Kind, Layer, Row, Shape, Text};
use crate::draw::palette::{DARK, LIGHT};
use std::fmt::Write;

/// What is not a colour.
const STYLE: &str = "\
.sc-t{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}\
.sc-t.sc-b{font-weight:700}\
.sc-t.sc-halo{stroke-width:5px;stroke-linejoin:round;paint-order:stroke}\
.sc-line{fill:none;stroke-width:1.6px;stroke-linecap:round}\
.sc-mpale{stroke-width:1.2px}\
.sc-dash{stroke-dasharray:2 4}\
.sc-open{fill:none;stroke-width:1.6px}\
.sc-lane{fill:none;stroke-width:1.5px}\
.sc-lane-off{fill:none;stroke-width:1.2px;stroke-dasharray:1 5;stroke-linecap:round}\
.sc-bar{fill:none;stroke-width:3.5px}\
.sc-round{fill:none;stroke-width:2px}\
.sc-ring,.sc-ring-pale{stroke-width:1.6px}\
.sc-cross{fill:none;stroke-width:2.6px;stroke-linecap:round}\
.sc-box,.sc-box-pale{stroke-width:1px}\
.sc-row{fill:transparent}";

/// How high a sheet of paper is for its width, at the most.
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

    /// The chart as part of a page, its elements with this id: the heads of the lanes, and the rest.
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

    /// The chart once more for paper, from the parts of a page: cut between rows, each piece with the heads.
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

    /// Everything that is drawn and not written.
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

    /// What is written, as far as it is wanted.
    fn body(&self, wanted: impl Fn(&Text) -> bool) -> String {
        let mut out = String::new();
        for text in self.texts.iter().filter(|text| wanted(text)) {
            write_text(&mut out, text, text.row.map(|r| &self.rows[r]));
        }
        out
    }
}

/// Writes a text, which may belong to a row.
pub(crate) fn write_text(out: &mut String, text: &Text, row: Option<&Row>) {
    let mut class = format!("sc-t {}", text.class);
    if row.is_some_and(|r| r.pale) && !class.contains("sc-soft") {
        class += " sc-pale";
    }
    if row.is_some_and(|r| r.fails) {
        class += " sc-fails";
    }
    let _ = write!(
        out,
        "<text class=\"{}\"{} x=\"{}\" y=\"{}\" font-size=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\">",
        class.trim(),
        row.map_or(String::new(), |r| format!(" data-row=\"{}\"", r.first + 1)),
        number(text.x),
        number(text.y),
        number(text.size),
        number(text.width())
    );
    if let Some(full) = &text.full {
        let _ = write!(out, "<title>{}</title>", escaped(full));
    }
    let _ = writeln!(out, "{}</text>", escaped(&text.text));
}

pub(crate) fn write_shape(out: &mut String, shape: &Shape) {
    let title = shape.title.as_ref();
    let title = title.map(|t| format!("<title>{}</title>", escaped(t)));
    let (name, rest) = match &shape.kind {
        Kind::Path(d) => ("path", format!("d=\"{}\"", path(d))),
        Kind::Rect([x, y, w, h], r) => (
            "rect",
            format!(
                "x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{r}\"",
                number(*x),
                number(*y),
                number(*w),
                number(*h)
            ),
        ),
        Kind::Circle(x, y, r) => (
            "circle",
            format!("cx=\"{}\" cy=\"{}\" r=\"{r}\"", number(*x), number(*y)),
        ),
    };
    let class = &shape.class;
    let _ = match title {
        Some(title) => writeln!(out, "<{name} class=\"{class}\" {rest}>{title}</{name}>"),
        None => writeln!(out, "<{name} class=\"{class}\" {rest}/>"),
    };
}

/// The style sheet: light, dark where that is wanted, and light on paper.
pub(crate) fn style() -> String {
    let (light, dark) = (LIGHT.rules(), DARK.rules());
    format!("{STYLE}{light}@media screen and (prefers-color-scheme:dark){{{dark}}}")
}

/// A number with at most two places behind the point.
pub(crate) fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    format!("{rounded}")
}

/// Numbers inside a path with at most two places behind the point.
fn path(d: &str) -> String {
    let mut out = String::new();
    let mut digits = String::new();
    for c in d.chars().chain(['\n']) {
        if c.is_ascii_digit() || c == '.' || c == '-' {
            digits.push(c);
        } else {
            if !digits.is_empty() {
                let value = digits.parse::<f64>().map(number);
                out.push_str(&value.unwrap_or_else(|_| digits.clone()));
                digits.clear();
            }
            if c != '\n' {
                out.push(c);
            }
        }
    }
    out
}

/// A text in which nothing is taken for a mark-up.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Not allowed in XML at all.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
