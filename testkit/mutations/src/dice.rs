//! A deterministic random number generator.

/// A random number generator.
pub struct Dice(u64);

impl Dice {
    /// A generator with the given seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// A random number less than `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        // SplitMix64: the sequences of neighbouring seeds are independent.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed % sides.max(1) as u64) as usize
    }
}
