//! Histograms: a bar with a label for each bin, and marks across the bars.
//!
//! If the labels of the bins would overlap, only every n-th one is written. The tooltip of each bar has its label and
//! count.

use crate::draw::measure::{width, wrapped};
use crate::draw::shapes::{Kind, Layer, MARGIN, SMALL, Shape, TITLE, Text};
use crate::draw::style::{style, timeline_style};
use crate::draw::write::{escaped, number, write_shape, write_text};
use std::fmt::Write;

/// The width of a histogram, in pixels.
const WIDTH: f64 = 900.0;
/// The height of the largest bar, in pixels.
const HIGH: f64 = 240.0;

/// A vertical line with a name, such as the median.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The position in bars from the left: 2.5 is the middle of the third bar.
    pub at: f64,
    /// The name above the line.
    pub label: String,
}

/// A histogram whose texts and shapes have their positions.
pub struct Histogram {
    /// The width in pixels, if the picture is not scaled.
    pub width: f64,
    /// The height in pixels, if the picture is not scaled.
    pub height: f64,
    /// The texts, with their positions.
    pub texts: Vec<Text>,
    /// By bin: left, top, width and height of its bar.
    pub bars: Vec<[f64; 4]>,
    shapes: Vec<Shape>,
    alternative: String,
}

/// A histogram as a complete SVG file. `unit` is the unit of the labels; `bins` has the label and the count of each
/// bin.
pub fn histogram(title: &str, unit: &str, bins: &[(String, u64)], marks: &[Mark]) -> String {
    Histogram::new(title, unit, bins, marks).svg()
}

impl Histogram {
    /// Lays out a histogram; the parameters are those of [`histogram`].
    pub fn new(title: &str, unit: &str, bins: &[(String, u64)], marks: &[Mark]) -> Histogram {
        let most = bins.iter().map(|b| b.1).max().unwrap_or(0).max(1);
        let total: u64 = bins.iter().map(|b| b.1).sum();
        let mut this = Histogram {
            width: WIDTH,
            height: 0.0,
            texts: Vec::new(),
            bars: Vec::new(),
            shapes: Vec::new(),
            alternative: alternative(title, unit, bins, marks, total),
        };
        let mut y = MARGIN;
        for line in wrapped(title, TITLE, true, WIDTH - 2.0 * MARGIN) {
            y += TITLE * 1.4;
            this.text(MARGIN, y - TITLE * 0.35, TITLE, "sc-b", &line);
        }
        let rows = this.mark_rows(bins.len(), marks, most);
        let top = y + 18.0 + 16.0 * rows.iter().max().map_or(0.0, |r| *r as f64 + 1.0);
        let bottom = top + HIGH;
        this.counts(most, top, bottom);
        let left = this.left(most);
        let each = (WIDTH - MARGIN - left) / bins.len().max(1) as f64;
        for (i, (label, count)) in bins.iter().enumerate() {
            let high = HIGH * *count as f64 / most as f64;
            let air = (each * 0.12).min(6.0);
            let bar = [
                left + each * i as f64 + air,
                bottom - high,
                each - 2.0 * air,
                high,
            ];
            this.bars.push(bar);
            this.shape(Layer::Arrow, "sc-h0", Kind::Rect(bar, 1.5));
            let tooltip = format!("{label}{}: {count}", spaced(unit));
            this.shapes.last_mut().expect("a shape").title = Some(tooltip);
        }
        let base = Kind::Path(format!("M{left} {bottom}H{}", WIDTH - MARGIN));
        this.shape(Layer::Dot, "sc-lane", base);
        this.labels(bins, left, each, bottom);
        for (mark, row) in marks.iter().zip(rows) {
            this.mark(
                mark,
                left + each * mark.at,
                y + 14.0 + 16.0 * row as f64,
                bottom,
            );
        }
        if !unit.is_empty() {
            let wide = width(unit, SMALL, false);
            this.text(WIDTH - MARGIN - wide, bottom + 37.0, SMALL, "sc-soft", unit);
        }
        this.shapes.sort_by_key(|s| s.layer);
        this.height = (bottom + 40.0 + MARGIN).ceil();
        this
    }

    /// The histogram as a complete SVG file.
    pub fn svg(&self) -> String {
        let (w, h) = (number(self.width), number(self.height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sc\" id=\"sc\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" aria-labelledby=\"sc-what\">\
             <title id=\"sc-what\">{}</title>\n<style>{}{}</style>\n\
             <rect class=\"sc-ground\" width=\"{w}\" height=\"{h}\"/>\n",
            escaped(&self.alternative),
            style(),
            timeline_style()
        );
        self.shapes.iter().for_each(|s| write_shape(&mut out, s));
        self.texts
            .iter()
            .for_each(|t| write_text(&mut out, t, "", None));
        let _ = writeln!(out, "</svg>");
        out
    }

    fn text(&mut self, x: f64, y: f64, size: f64, class: &'static str, text: &str) {
        self.texts.push(Text::new(x, y, size, class, text));
    }

    fn shape(&mut self, layer: Layer, class: &str, kind: Kind) {
        self.shapes.push(Shape {
            layer,
            class: class.into(),
            kind,
            title: None,
        });
    }

    /// The x coordinate at which the bars begin: right of the column with the counts, whose largest is `most`.
    fn left(&self, most: u64) -> f64 {
        MARGIN + width(&most.to_string(), SMALL, false).max(20.0) + 10.0
    }

    /// Adds the vertical axis: round counts at the left, with horizontal grid lines.
    fn counts(&mut self, most: u64, top: f64, bottom: f64) {
        let left = self.left(most);
        let step = round_step(most);
        for count in (0..=most / step).map(|k| k * step) {
            let y = bottom - (bottom - top) * count as f64 / most as f64;
            let line = Kind::Path(format!("M{left} {y}H{}", WIDTH - MARGIN));
            self.shape(Layer::Band, "sc-tick", line);
            let text = count.to_string();
            let wide = width(&text, SMALL, false);
            self.text(left - 8.0 - wide, y + 4.0, SMALL, "sc-soft", &text);
        }
    }

    /// Adds labels below the bars: every n-th one, with the least n for which they do not overlap.
    fn labels(&mut self, bins: &[(String, u64)], left: f64, each: f64, bottom: f64) {
        let widest = bins.iter().map(|b| width(&b.0, SMALL, false));
        let widest = widest.fold(1.0, f64::max) + 8.0;
        let every = (widest / each).ceil().max(1.0) as usize;
        for (i, (label, _)) in bins.iter().enumerate().step_by(every) {
            let wide = width(label, SMALL, false);
            let middle = left + each * (i as f64 + 0.5);
            let x = (middle - wide / 2.0).clamp(2.0, WIDTH - 2.0 - wide);
            let last = self
                .texts
                .last()
                .map_or(0.0, |t| if t.y > bottom { t.bounds()[2] } else { 0.0 });
            if x >= last + 2.0 {
                self.text(x, bottom + 20.0, SMALL, "sc-soft", label);
            }
        }
    }

    /// By mark: the row above the bars in which its label is written. Labels in one row do not overlap.
    fn mark_rows(&self, bins: usize, marks: &[Mark], most: u64) -> Vec<usize> {
        let left = self.left(most);
        let each = (WIDTH - MARGIN - left) / bins.max(1) as f64;
        let mut rows: Vec<Vec<[f64; 2]>> = Vec::new();
        let row_of = marks.iter().map(|mark| {
            let wide = width(&mark.label, SMALL, true);
            let x = mark_x(left + each * mark.at, wide);
            let free =
                |row: &Vec<[f64; 2]>| row.iter().all(|[a, b]| x + wide + 6.0 < *a || *b + 6.0 < x);
            let row = rows.iter().position(free).unwrap_or(rows.len());
            if row == rows.len() {
                rows.push(Vec::new());
            }
            rows[row].push([x, x + wide]);
            row
        });
        row_of.collect()
    }

    fn mark(&mut self, mark: &Mark, x: f64, y: f64, bottom: f64) {
        let line = Kind::Path(format!("M{x} {}V{bottom}", y + 4.0));
        self.shape(Layer::Box, "sc-brace-wrong sc-dash", line);
        let wide = width(&mark.label, SMALL, true);
        self.text(mark_x(x, wide), y, SMALL, "sc-b sc-halo", &mark.label);
    }
}

/// The left edge of a mark's label: centred at `x`, but within the picture.
fn mark_x(x: f64, wide: f64) -> f64 {
    (x - wide / 2.0).clamp(2.0, (WIDTH - 2.0 - wide).max(2.0))
}

/// The distance of grid lines: the smallest s of 1, 2, 5, 10, 20, … with floor(most / s) ≤ 6.
fn round_step(most: u64) -> u64 {
    let mut power = 1;
    loop {
        for digit in [1, 2, 5] {
            if most / (digit * power) <= 6 {
                return digit * power;
            }
        }
        power *= 10;
    }
}

fn spaced(unit: &str) -> String {
    if unit.is_empty() {
        String::new()
    } else {
        format!(" {unit}")
    }
}

fn alternative(
    title: &str,
    unit: &str,
    bins: &[(String, u64)],
    marks: &[Mark],
    total: u64,
) -> String {
    let largest = bins.iter().max_by_key(|b| b.1);
    let largest = largest.map_or(String::new(), |(label, count)| {
        format!("; the most in one bin: {count} at {label}{}", spaced(unit))
    });
    let marks = marks.iter().map(|m| format!("; {}", m.label));
    format!(
        "{title}. {total} in {} bins{largest}{}",
        bins.len(),
        marks.collect::<String>()
    )
}
