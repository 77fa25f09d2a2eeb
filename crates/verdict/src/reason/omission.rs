//! The omission probability of hash compaction: an upper bound on the probability that a search missed a state.

use serde::{Deserialize, Serialize};

/// The size of searches in which states were identified by hashes, from which the omission probability follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Omission {
    /// Bits per hash.
    pub bits: u32,
    /// Number of visited states.
    pub states: u64,
    /// Number of pairs of states whose hashes must differ: n (n + 1) / 2 for each search with n states.
    pub pairs: u128,
}

impl Omission {
    /// The value before any search, for hashes of this many bits.
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

    /// The sum of two sets of searches.
    pub fn beside(self, other: Omission) -> Omission {
        Omission {
            bits: self.bits.min(other.bits),
            states: self.states + other.states,
            pairs: self.pairs + other.pairs,
        }
    }

    /// The largest n such that the omission probability is at most 1 / n; `None` if n would be at most 1.
    pub fn one_in(&self) -> Option<u128> {
        let all = (1u128 << self.bits) / self.pairs.max(1);
        (all > 1).then_some(all)
    }

    /// The upper bound on the omission probability, at most 1.
    pub fn probability(&self) -> f64 {
        (self.pairs as f64 / (self.bits as f64).exp2()).min(1.0)
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
}
