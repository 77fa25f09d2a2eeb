//! Writes texts and shapes as SVG elements.

use crate::draw::shapes::{Kind, Shape, Text};
use std::fmt::Write;

/// Writes a text. `classes` are appended to its style classes; `event` is the number, from 1, of the first event of its
/// chart row.
pub(crate) fn write_text(out: &mut String, text: &Text, classes: &str, event: Option<usize>) {
    let class = format!("sc-t {}{classes}", text.class);
    let _ = write!(
        out,
        "<text class=\"{}\"{} x=\"{}\" y=\"{}\" font-size=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\">",
        class.trim(),
        event.map_or(String::new(), |event| format!(" data-row=\"{event}\"")),
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

/// Writes a shape.
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

/// A number with at most two digits after the decimal point.
pub(crate) fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    format!("{rounded}")
}

/// The path data `d` with its numbers rounded to two digits after the decimal point.
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

/// The text escaped for HTML and XML; control characters become spaces.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML does not allow most control characters.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
