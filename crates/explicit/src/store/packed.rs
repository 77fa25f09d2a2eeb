//! Packed arrays: numbers of equal width in consecutive bits of 64-bit words.

/// A mask of the lowest `bits` bits; `bits` is at most 64.
pub(crate) fn ones(bits: u32) -> u64 {
    match bits {
        64 => u64::MAX,
        _ => (1 << bits) - 1,
    }
}

/// The number of words for this many numbers of this width, plus one: [`read`] and [`write()`] access two words at a
/// time.
pub(crate) fn words_for(numbers: usize, width: u32) -> usize {
    (numbers * width as usize).div_ceil(64).max(1) + 1
}

/// The number at index `place`.
pub(crate) fn read(words: &[u64], place: usize, width: u32) -> u64 {
    let bit = place * width as usize;
    let (word, shift) = (bit / 64, (bit % 64) as u32);
    let both = u128::from(words[word + 1]) << 64 | u128::from(words[word]);
    (both >> shift) as u64 & ones(width)
}

/// Writes the number at index `place`.
pub(crate) fn write(words: &mut [u64], place: usize, width: u32, number: u64) {
    let bit = place * width as usize;
    let (word, shift) = (bit / 64, (bit % 64) as u32);
    let mask = u128::from(ones(width)) << shift;
    let both = u128::from(words[word + 1]) << 64 | u128::from(words[word]);
    let both = both & !mask | u128::from(number) << shift;
    words[word] = both as u64;
    words[word + 1] = (both >> 64) as u64;
}
