//! Seeded random formulas and lassos.

use ltl::{Formula, Letter};

/// The generator of Steele, Lea and Flood (*SplitMix64*): the same seed gives the same sequence.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    /// A formula over atoms `0..atoms` with at most `depth` nested operators.
    pub fn formula(&mut self, atoms: u64, depth: u32) -> Formula {
        if depth == 0 || self.below(8) == 0 {
            return match self.below(12) {
                0 => Formula::True,
                1 => Formula::False,
                _ => Formula::Atom(self.below(atoms) as u32),
            };
        }
        let mut one = || self.formula(atoms, depth - 1);
        let (first, second) = (one(), one());
        match self.below(10) {
            0 => Formula::not(first),
            1 => Formula::And(vec![first, second]),
            2 => Formula::Or(vec![first, second]),
            3 => Formula::implies(first, second),
            4 | 5 => Formula::always(first),
            6 | 7 => Formula::eventually(first),
            8 => Formula::until(first, second),
            _ => Formula::release(first, second),
        }
    }

    /// A random lasso over the atoms `0..atoms`: its letters, and the start of its loop.
    pub fn lasso(&mut self, atoms: u64) -> (Vec<Letter>, usize) {
        let prefix = self.below(4) as usize;
        let length = prefix + 1 + self.below(5) as usize;
        let letters = (0..length).map(|_| self.below(1 << atoms)).collect();
        (letters, prefix)
    }
}

/// The size of a random sample: the environment variable SCRUTINEER_SAMPLE, or else `usual`.
pub fn sample(usual: usize) -> usize {
    testkit::sample::sample_size(usual as u64) as usize
}
