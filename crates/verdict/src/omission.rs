//! The omission probability of hash compaction: how likely a search missed states.

/// States were identified by hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Omission {
    /// Bits per hash.
    pub bits: u32,
    /// Number of visited states.
    pub states: u64,
    /// Number of pairs of states that must not collide: n (n + 1) / 2 for each search with n states.
    pub pairs: u128,
}

impl Omission {
    /// The value before any search.
    pub fn new(bits: u32) -> Omission {
        Omission {
            bits,
            states: 0,
            pairs: 0,
        }
    }

    /// Adds a search with this many states.
    pub fn add(&mut self, states: u64) {
        self.states += states;
        self.pairs += u128::from(states) * (u128::from(states) + 1) / 2;
    }

    /// The combination of two searches.
    pub fn beside(self, other: Omission) -> Omission {
        Omission {
            bits: self.bits.min(other.bits),
            states: self.states + other.states,
            pairs: self.pairs + other.pairs,
        }
    }

    /// An upper bound on the omission probability, as one in n; `None` if an omission is likely.
    pub fn one_in(&self) -> Option<u128> {
        let all = (1u128 << self.bits) / self.pairs.max(1);
        (all > 1).then_some(all)
    }

    /// The omission probability as a number, at most 1.
    pub fn probability(&self) -> f64 {
        (self.pairs as f64 / (self.bits as f64).exp2()).min(1.0)
    }

    /// The reason for an unknown answer when a search reached a limit before it found a run.
    pub fn told_at_a_limit(&self, does: &str) -> String {
        format!(
            "no run {does} it among the states visited until then, which were told apart only by {} bits of a hash",
            self.bits
        )
    }

    /// The reason for an unknown answer when a complete search found no run.
    pub fn told(&self, does: &str) -> String {
        let (states, bits) = (self.states, self.bits);
        let missed = match self.one_in() {
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
}

/// A number with two significant digits, rounded down: `370 thousand`, `1.2 million`.
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
    fn bounds_are_those_of_pairs() {
        let mut one = Omission::new(64);
        one.add(10_000_000);
        assert_eq!(one.pairs, 50_000_005_000_000);
        assert_eq!(one.one_in(), Some(368_934));
        assert!((one.probability() - 2.7105e-6).abs() < 1e-9);
        let two = one.beside(one);
        assert_eq!((two.states, two.one_in()), (20_000_000, Some(184_467)));
        let mut few = Omission::new(8);
        few.add(16);
        assert_eq!((few.pairs, few.one_in()), (136, None));
        few.add(100);
        assert_eq!(few.probability(), 1.0);
        assert_eq!(Omission::new(64).one_in(), Some(1 << 64));
    }

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
