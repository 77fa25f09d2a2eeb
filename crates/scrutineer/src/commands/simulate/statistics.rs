//! Statistics of a simulation as text: shares, a distribution in one line, a histogram.

/// The width of the longest bar of a histogram, in characters.
const WIDE: usize = 40;
/// The approximate number of bins of a distribution of times.
const BINS: usize = 10;

/// A share as a percentage, such as `1.3 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", short(share * 100.0))
}

/// A number with about three significant digits.
pub(crate) fn short(number: f64) -> String {
    let digits = match number.abs() {
        x if x >= 100.0 => 0,
        x if x >= 10.0 => 1,
        x if x >= 1.0 => 2,
        x if x >= 0.1 => 3,
        _ => 4,
    };
    let text = format!("{number:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

/// Numbers in ascending order.
pub(crate) struct Sorted(Vec<f64>);

impl Sorted {
    pub(crate) fn new(mut numbers: Vec<f64>) -> Sorted {
        numbers.sort_by(f64::total_cmp);
        Sorted(numbers)
    }

    pub(crate) fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// The smallest element x such that at least the given share of the elements is ≤ x.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let place = (self.0.len() as f64 * share).ceil() as usize;
        self.0[place.clamp(1, self.0.len()) - 1]
    }

    /// A line such as `mean 88, median 95.1, 95 % by 160, 99 % by 170, latest 189`; `None` without numbers. `by` is the
    /// word before the 95 % and 99 % quantiles, and `last` the word before the largest number.
    pub(crate) fn line(&self, by: &str, last: &str) -> Option<String> {
        let latest = self.0.last()?;
        let [median, most, nearly] = [0.5, 0.95, 0.99].map(|share| short(self.quantile(share)));
        Some(format!(
            "mean {}, median {median}, 95 % {by} {most}, 99 % {by} {nearly}, {last} {}",
            short(self.mean()),
            short(*latest)
        ))
    }

    /// The labels and counts of bins of equal width from 0 on. The width is 1, 2 or 5 times a power of ten.
    pub(crate) fn bins(&self) -> Vec<(String, u64)> {
        let Some(latest) = self.0.last() else {
            return Vec::new();
        };
        let width = simple(latest / BINS as f64);
        let count = (latest / width).floor() as usize + 1;
        let mut bins: Vec<(String, u64)> = (0..count)
            .map(|bin| (short(bin as f64 * width), 0))
            .collect();
        for number in &self.0 {
            bins[((number / width).floor() as usize).min(count - 1)].1 += 1;
        }
        bins
    }

    /// The position of a number on the axis of the histogram, in bins from the left.
    pub(crate) fn place(&self, number: f64) -> f64 {
        let width = simple(self.0.last().copied().unwrap_or(1.0) / BINS as f64);
        number / width
    }
}

/// The smallest number ≥ `number` that is 1, 2 or 5 times a power of ten; 1 if `number` is not positive.
fn simple(number: f64) -> f64 {
    if number <= 0.0 {
        return 1.0;
    }
    let power = 10f64.powf(number.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].into_iter();
    let found = steps.map(|step| step * power).find(|s| *s >= number);
    found.unwrap_or(10.0 * power)
}

/// A histogram as text, one line for each bin.
pub(crate) fn bars(bins: &[(String, u64)]) -> Vec<String> {
    let most = bins.iter().map(|b| b.1).max().unwrap_or(0).max(1);
    let label = bins.iter().map(|b| b.0.chars().count()).max().unwrap_or(0);
    let number = most.to_string().len();
    let lines = bins.iter().map(|(name, count)| {
        // A count above 0 has a bar of at least one character.
        let long = (*count as usize * WIDE).div_ceil(most as usize);
        let line = format!("{name:>label$}  {count:>number$}  {}", "█".repeat(long));
        line.trim_end().to_string()
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts: Vec<String> = [0.0, 0.00123, 0.125, 1.0, 2.345, 12.34, 123.4, 100.0]
            .map(short)
            .into();
        assert_eq!(
            texts,
            ["0", "0.0012", "0.125", "1", "2.35", "12.3", "123", "100"]
        );
        assert_eq!(percent(0.013), "1.3 %");
    }

    #[test]
    fn a_distribution_in_a_line() {
        let hundred = Sorted::new((1..=100).rev().map(f64::from).collect());
        assert_eq!(
            hundred.line("by", "latest").as_deref(),
            Some("mean 50.5, median 50, 95 % by 95, 99 % by 99, latest 100")
        );
        assert_eq!(Sorted::new(vec![]).line("by", "latest"), None);
        assert!(Sorted::new(vec![]).bins().is_empty());
    }

    #[test]
    fn bins_are_simple_and_complete() {
        let numbers: Vec<f64> = (0..200).map(|i| f64::from(i) * 0.37).collect();
        let bins = Sorted::new(numbers).bins();
        assert_eq!(bins.iter().map(|b| b.1).sum::<u64>(), 200);
        let labels: Vec<&str> = bins.iter().map(|b| &b.0[..]).collect();
        assert_eq!(labels, ["0", "10", "20", "30", "40", "50", "60", "70"]);
        assert_eq!(Sorted::new(vec![0.0; 5]).bins(), [("0".to_string(), 5)]);
        assert_eq!(
            bars(&[("9".into(), 1), ("10".into(), 100)]),
            [
                format!(" 9    1  {}", "█"),
                format!("10  100  {}", "█".repeat(40))
            ]
        );
    }
}
