//! The sentence for a complete search with hash compaction.

use super::search::does;
use verdict::{Goal, Omission};

/// Says that no run was found, and gives a bound for the probability that a state was missed, if there is a useful one.
pub(super) fn may_be_omitted(omission: &Omission, goal: Goal) -> String {
    let (states, bits, does) = (omission.states, omission.bits, does(goal));
    let missed = match omission.one_in() {
        None => "some may well have been missed".into(),
        Some(many) => format!(
            "the probability that one was missed is at most 1 in {}, if hashes are like random numbers",
            rounded(many)
        ),
    };
    format!(
        "no run {does} it among {states} visited states, but these were told apart only by {bits} bits of a hash; {missed}"
    )
}

/// A number rounded down to two significant digits: `370 thousand`, `1.2 million`.
fn rounded(number: u128) -> String {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    let number = number / unit * unit;
    let names = [
        (1_000_000_000, "thousand million"),
        (1_000_000, "million"),
        (1_000, "thousand"),
    ];
    match names.into_iter().find(|(size, _)| number >= *size) {
        Some((1_000_000_000, _)) if number >= 1_000_000_000_000 => {
            let digits = number.ilog10();
            let tenths = number / 10u128.pow(digits - 1);
            format!("{}.{} · 10^{digits}", tenths / 10, tenths % 10)
        }
        Some((size, name)) => match number / size {
            few @ 1..10 => format!("{few}.{} {name}", number / (size / 10) % 10),
            many => format!("{many} {name}"),
        },
        None => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_down() {
        let said = [
            2,
            99,
            368_934,
            1_290_000,
            4_999_999_999,
            18_446_744_073_709_551_616,
        ];
        let said = said.map(rounded);
        let wanted = [
            "2",
            "99",
            "360 thousand",
            "1.2 million",
            "4.9 thousand million",
            "1.8 · 10^19",
        ];
        assert_eq!(said, wanted);
    }
}
