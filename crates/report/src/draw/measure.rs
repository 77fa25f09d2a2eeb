//! Estimates the widths of texts without a font.
//!
//! Every text is drawn with its estimated width as SVG attribute `textLength`, so that it has this width with every
//! font. The estimates lie between the widths of Helvetica and of DejaVu Sans, so that a text in either font is
//! stretched only a little.

/// The least width of a character in thousandths of the font size.
const NARROWEST: u32 = 270;

/// The width of a character in thousandths of the font size.
fn width_of(c: char) -> u32 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' => NARROWEST,
        ' ' | '!' | '.' | ',' | ':' | ';' | 'I' => 310,
        'f' | 't' | '(' | ')' | '[' | ']' | '/' | '\\' => 360,
        'r' | '"' | '-' | '`' | '*' | '{' | '}' => 410,
        's' | 'c' | 'k' | 'J' | 'x' | 'y' | 'z' | 'v' | '^' | '?' => 550,
        'a'..='z' if c != 'm' && c != 'w' => 600,
        'm' | 'M' | 'W' | '@' | '%' => 930,
        'w' => 780,
        '0'..='9' | '_' | '#' | '$' => 610,
        'L' | 'T' | 'Z' | 'F' | 'Y' => 630,
        'A'..='Z' | '&' => 740,
        '=' | '<' | '>' | '+' | '~' | '−' => 700,
        '·' => 320,
        '–' => 560,
        '…' | '→' | '←' | '—' | '⋯' => 1000,
        'à'..='ö' | 'ø'..='ÿ' => 620,
        c if c.is_ascii() => 700,
        c if (c as u32) < 0x300 => 760,
        c if (c as u32) < 0x1100 => 850,
        _ => 1050,
    }
}

/// The estimated width of a text in pixels, for a font size in pixels.
pub(crate) fn width(text: &str, size: f64, bold: bool) -> f64 {
    let sum: u32 = text.chars().map(width_of).sum();
    let factor = if bold { 1.09 } else { 1.0 };
    (f64::from(sum) * size * factor / 10.0).round() / 100.0
}

/// The text if its width is at most `most`; otherwise its longest beginning that fits together with `…`.
pub(crate) fn shortened(text: &str, size: f64, bold: bool, most: f64) -> String {
    if width(text, size, bold) <= most {
        return text.to_string();
    }
    // No character is narrower, so no more of them fit.
    let fitting = (most * 1000.0 / (size * f64::from(NARROWEST))).ceil() as usize;
    let mut start: String = text.chars().take(fitting).collect();
    while start.pop().is_some() {
        let shorter = format!("{}…", start.trim_end());
        if width(&shorter, size, bold) <= most {
            return shorter;
        }
    }
    "…".into()
}

/// The text broken between words into lines of width at most `most`. A word that is wider is shortened.
pub(crate) fn wrapped(text: &str, size: f64, bold: bool, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let longer = if line.is_empty() {
            word.to_string()
        } else {
            format!("{line} {word}")
        };
        if width(&longer, size, bold) <= most {
            line = longer;
        } else {
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            line = shortened(word, size, bold, most);
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_of_a_long_text_is_measured_again_and_again() {
        let long = "i".repeat(1_000_000);
        let short = shortened(&long, 12.0, false, 100.0);
        assert_eq!(short, format!("{}…", "i".repeat(27)));
    }

    #[test]
    fn shortened_texts_fit() {
        for most in [5.0, 30.0, 80.0, 1000.0] {
            let short = shortened("leader none → #1, and more", 12.0, false, most);
            assert!(width(&short, 12.0, false) <= most.max(width("…", 12.0, false)));
        }
        assert_eq!(shortened("short", 12.0, false, 100.0), "short");
    }

    #[test]
    fn wrapped_lines_fit_and_keep_all_words() {
        let text = "what never becomes true: all k in Member: k.halted";
        let lines = wrapped(text, 13.0, false, 150.0);
        assert!(lines.len() > 1);
        assert!(lines.iter().all(|l| width(l, 13.0, false) <= 150.0));
        assert_eq!(lines.join(" "), text);
    }
}
