//! Times in words, in the unit of the model.

use rational::Rational;
use verdict::Labels;

/// Converts times to texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times<'l> {
    unit: Option<&'l str>,
}

/// The largest number of digits after the decimal point of an exact number.
const MOST_DIGITS: usize = 6;
/// The number of digits after the decimal point of a rounded number.
const ROUNDED_DIGITS: usize = 3;

impl<'l> Times<'l> {
    /// Times with the unit of the labels, or without a unit if the labels have none.
    pub fn new(labels: &'l Labels) -> Times<'l> {
        Times {
            unit: labels.unit.as_deref(),
        }
    }

    /// The unit; empty if there is none.
    pub fn unit(self) -> &'l str {
        self.unit.unwrap_or("")
    }

    /// A time without the unit: `101.5`, `47/3`.
    pub fn number(self, time: &Rational) -> String {
        exactly(time).text
    }

    /// A time with the unit: `101.5 ms`.
    pub fn text(self, time: &Rational) -> String {
        self.with_unit(self.number(time))
    }

    /// An interval: `9 .. 11 ms`, or `25 ms` if both ends are equal.
    pub fn span(self, from: &Rational, to: &Rational) -> String {
        match from == to {
            true => self.text(to),
            false => format!("{} .. {}", self.number(from), self.text(to)),
        }
    }

    /// The times of a column. All decimal numbers have the same number of digits after the decimal point.
    pub fn column(self, times: &[Rational]) -> Vec<String> {
        let numbers: Vec<Number> = times.iter().map(exactly).collect();
        let decimals = numbers.iter().filter_map(|n| n.decimals);
        let most = decimals.max().unwrap_or(0);
        let numbers = numbers.into_iter().map(|n| match n.decimals {
            Some(digits) if digits < most => {
                let point = if digits == 0 { "." } else { "" };
                format!("{}{point}{}", n.text, "0".repeat(most - digits))
            }
            _ => n.text,
        });
        numbers.map(|n| self.with_unit(n)).collect()
    }

    fn with_unit(self, number: String) -> String {
        match self.unit {
            Some(unit) => format!("{number} {unit}"),
            None => number,
        }
    }

    /// The time as a floating-point number, for drawing.
    pub(crate) fn float(self, time: &Rational) -> f64 {
        time.to_f64()
    }
}

/// The text of a number.
struct Number {
    text: String,
    /// The number of digits after the decimal point; `None` for a fraction.
    decimals: Option<usize>,
}

/// The exact decimal number if it has at most `MOST_DIGITS` digits after the point; else the fraction if it is short;
/// else a rounded number with `≈`.
fn exactly(value: &Rational) -> Number {
    let sign = if value.is_negative() { "−" } else { "" };
    let size = value.abs();
    let ten = Rational::from(10);
    let mut shifted = size.clone();
    for digits in 0..=MOST_DIGITS {
        if shifted.is_integer() {
            let all = format!("{:0>width$}", shifted.to_string(), width = digits + 1);
            let (whole, behind) = all.split_at(all.len() - digits);
            let point = if digits == 0 { "" } else { "." };
            return Number {
                text: format!("{sign}{whole}{point}{behind}"),
                decimals: Some(digits),
            };
        }
        shifted = &shifted * &ten;
    }
    let fraction = size.to_string();
    if fraction.len() <= 6 {
        return Number {
            text: format!("{sign}{fraction}"),
            decimals: None,
        };
    }
    let about = format!("{:.ROUNDED_DIGITS$}", size.to_f64());
    let digits = about.trim_end_matches('0');
    let zeros = about.len() - digits.len();
    Number {
        text: format!("≈ {sign}{}", digits.trim_end_matches('.')),
        decimals: Some(ROUNDED_DIGITS - zeros),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(texts: &[&str]) -> Vec<Rational> {
        texts.iter().map(|t| t.parse().expect("a number")).collect()
    }

    #[test]
    fn numbers_are_exact_or_say_that_they_are_not() {
        let labels = Labels {
            unit: Some("ms".into()),
            ..Labels::default()
        };
        let in_ms = Times::new(&labels);
        let text = |t: &str| in_ms.text(&t.parse().expect("a number"));
        assert_eq!(text("101.5"), "101.5 ms");
        assert_eq!(text("-25"), "−25 ms");
        assert_eq!(text("47/3"), "47/3 ms");
        assert_eq!(text("0"), "0 ms");
        assert_eq!(text("123456789/7"), "≈ 17636684.143 ms");
        let column = in_ms.column(&times(&["51", "101.5", "47/3"]));
        assert_eq!(column, ["51.0 ms", "101.5 ms", "47/3 ms"]);
    }
}
