//! Times in words: in the author's unit, or in the one that gives the shortest numbers.

use machine::{First, Jitter, Machine};
use rational::Rational;
use verdict::{Labels, TimeUnit};

/// Writes times, which are in seconds, in one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    unit: TimeUnit,
}

/// More digits than this behind the point are not read by anybody.
const MOST_DIGITS: usize = 6;

impl Times {
    /// In the unit of the labels, or in the one in which the Machine's own times are shortest.
    pub fn new(labels: &Labels, machine: &Machine) -> Times {
        let mut declared: Vec<Rational> = Vec::new();
        for (_, periodic) in machine.rhythms() {
            declared.extend([periodic.gap.0.clone(), periodic.gap.1.clone()]);
            if let Jitter::PerGap(by) | Jitter::OnGrid(by) = &periodic.jitter {
                declared.push(by.clone());
            }
            for bound in [&periodic.first.0, &periodic.first.1] {
                if let First::At(time) = bound {
                    declared.push(time.clone());
                }
            }
        }
        Times {
            unit: labels.unit.unwrap_or_else(|| shortest(&declared)),
        }
    }

    /// What stands behind numbers.
    pub fn unit(self) -> &'static str {
        self.unit.name()
    }

    /// The number alone: `101.5`, `47/3`.
    pub fn number(self, time: &Rational) -> String {
        in_unit(time, self.unit)
    }

    /// With the unit: `101.5 ms`.
    pub fn text(self, time: &Rational) -> String {
        format!("{} {}", self.number(time), self.unit())
    }

    /// Several one below the other: all with equally many digits behind the point.
    pub fn column(self, times: &[Rational]) -> Vec<String> {
        let numbers: Vec<String> = times.iter().map(|t| self.number(t)).collect();
        let behind = |n: &String| n.split_once('.').map_or(0, |(_, digits)| digits.len());
        let digits = numbers.iter().map(behind).max().unwrap_or(0);
        let numbers = numbers.into_iter().map(|n| {
            let missing = digits - behind(&n);
            match (missing, n.contains('/')) {
                (0, _) | (_, true) => n,
                (missing, _) if missing == digits => format!("{n}.{}", "0".repeat(missing)),
                (missing, _) => format!("{n}{}", "0".repeat(missing)),
            }
        });
        numbers.map(|n| format!("{n} {}", self.unit())).collect()
    }

    /// As a number of the unit, for drawing.
    pub(crate) fn float(self, time: &Rational) -> f64 {
        scaled(time, self.unit).to_f64()
    }
}

fn scaled(time: &Rational, unit: TimeUnit) -> Rational {
    let (top, bottom) = unit.seconds();
    time * Rational::new(bottom.into(), top.into())
}

/// The unit in which times are shortest; of several the longest.
fn shortest(times: &[Rational]) -> TimeUnit {
    let length = |unit: &TimeUnit| {
        let times = times.iter().filter(|t| !t.is_zero());
        let length = |text: String| match text.starts_with('≈') {
            true => 20, // it is not even exact
            false => text.chars().count(),
        };
        times.map(|t| length(in_unit(t, *unit))).sum::<usize>()
    };
    let units = TimeUnit::ALL.into_iter().rev();
    units.min_by_key(length).unwrap_or(TimeUnit::Second)
}

/// Exactly as a decimal number, or as a fraction; if both are too long, about.
fn in_unit(time: &Rational, unit: TimeUnit) -> String {
    let value = scaled(time, unit);
    let sign = if value.is_negative() { "−" } else { "" };
    let size = value.abs();
    let ten = Rational::from(10);
    let mut shifted = size.clone();
    for digits in 0..=MOST_DIGITS {
        if shifted.is_integer() {
            let all = format!("{:0>width$}", shifted.to_string(), width = digits + 1);
            let (whole, behind) = all.split_at(all.len() - digits);
            let point = if digits == 0 { "" } else { "." };
            return format!("{sign}{whole}{point}{behind}");
        }
        shifted = &shifted * &ten;
    }
    let fraction = size.to_string();
    if fraction.len() <= 6 {
        return format!("{sign}{fraction}");
    }
    let about = format!("{:.3}", size.to_f64());
    format!(
        "≈ {sign}{}",
        about.trim_end_matches('0').trim_end_matches('.')
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(texts: &[&str]) -> Vec<Rational> {
        texts.iter().map(|t| t.parse().expect("a number")).collect()
    }

    #[test]
    fn the_unit_with_the_shortest_numbers_is_taken() {
        let unit = |texts: &[&str]| shortest(&times(texts)).name();
        assert_eq!(unit(&["0.051", "0.1015"]), "ms");
        assert_eq!(unit(&["0.000001", "0.000012"]), "µs");
        assert_eq!(unit(&["2", "3"]), "s");
        assert_eq!(unit(&["60", "120"]), "min");
        assert_eq!(unit(&["7200"]), "h");
        assert_eq!(unit(&[]), "h", "nothing to write");
    }

    #[test]
    fn numbers_are_exact_or_say_that_they_are_not() {
        let labels = Labels {
            unit: Some(TimeUnit::Millisecond),
            ..Labels::default()
        };
        let in_ms = Times::new(&labels, &Machine::default());
        let text = |t: &str| in_ms.text(&t.parse().expect("a number"));
        assert_eq!(text("0.1015"), "101.5 ms");
        assert_eq!(text("-0.025"), "−25 ms");
        assert_eq!(text("47/3000"), "47/3 ms");
        assert_eq!(text("0"), "0 ms");
        assert_eq!(text("123456789/7000"), "≈ 17636684.143 ms");
        let column = in_ms.column(&times(&["0.051", "0.1015", "47/3000"]));
        assert_eq!(column, ["51.0 ms", "101.5 ms", "47/3 ms"]);
    }
}
