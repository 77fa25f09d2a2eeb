//! The forecast: estimates how many states a search has still to find.
//!
//! A search finds states level by level. While levels grow, no estimate is possible. After each of the last [`TREND`]
//! levels has been at least 5 % smaller than the one before, the rest is estimated twice: with the greatest of these
//! ratios between successive levels; and with a ratio that falls in each level by the factor by which it fell over the
//! last three levels. The level sizes of most models form a bell curve, and the true number lies between the two
//! estimates. But a model may have a second maximum, which cannot be predicted.

/// The number of ratios between successive levels that are considered.
const TREND: usize = 4;

/// There is no forecast if the greater estimate is more than this many times the smaller one, or 1,000 if that is
/// greater.
const TOO_WIDE: u64 = 12;

/// The least and the greatest estimate of the number of states left to find, if there is a forecast. `levels` are the
/// sizes of the complete levels, `next` is the number of states found so far in the following one.
pub(crate) fn left(levels: &[u64], next: u64) -> Option<(u64, u64)> {
    let recent = &levels[levels.len().checked_sub(TREND + 1)?..];
    let ratios: Vec<f64> = recent
        .windows(2)
        .map(|pair| pair[1] as f64 / pair[0] as f64)
        .collect();
    let (first, last) = (ratios[0], ratios[TREND - 1]);
    let greatest = ratios.iter().copied().fold(0.0, f64::max);
    if greatest > 0.95 {
        return None;
    }
    let size = recent[TREND] as f64;
    let most = size * greatest / (1.0 - greatest);
    // `falls` is the factor by which the ratio changed over three levels. It is applied in each level, because in a
    // finite graph ratios fall faster and faster.
    let falls = (last / first).min(1.0);
    let (mut least, mut level, mut ratio) = (0.0, size, last);
    while level >= 1.0 {
        ratio *= falls;
        level *= ratio;
        least += level;
    }
    let minus = |all: f64| (all.round() as u64).saturating_sub(next);
    let (least, most) = (minus(least), minus(most.max(least)));
    (most / TOO_WIDE <= least.max(1_000)).then_some((least, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The level sizes of a model of `many` independent counters from 0 to `most`.
    fn counters(many: usize, most: usize) -> Vec<u64> {
        let mut levels = vec![1u64];
        for _ in 0..many {
            let mut more = vec![0; levels.len() + most];
            for (at, level) in levels.iter().enumerate() {
                (0..=most).for_each(|step| more[at + step] += level);
            }
            levels = more;
        }
        levels
    }

    #[test]
    fn while_levels_grow_nothing_is_told() {
        let levels = counters(6, 9);
        let summit = levels.len() / 2;
        for known in 0..=summit + 3 {
            assert_eq!(left(&levels[..known], 0), None, "{known}");
        }
        assert_eq!(left(&[5; 20], 0), None, "nor where they stay the same");
    }

    /// The true number is at most the greater estimate, and the smaller estimate is at most 5 % too large (both up to
    /// rounding). There is a forecast for at least a fifth of the levels.
    #[test]
    fn of_counters_it_is_within_the_range() {
        for (many, most) in [(6, 9), (4, 20), (12, 3), (24, 1), (3, 40)] {
            let levels = counters(many, most);
            let mut told = 0;
            for known in 1..levels.len() {
                let real: u64 = levels[known..].iter().sum();
                if let Some((least, most)) = left(&levels[..known], 0) {
                    told += 1;
                    assert!(
                        least <= real + real / 20 + 2 && real <= most + 2,
                        "{many} counters, {known} levels: {real} left, told {least} to {most}"
                    );
                }
            }
            assert!(
                told * 5 >= levels.len(),
                "{many} counters up to {most}: {told}"
            );
        }
    }

    #[test]
    fn what_was_found_is_not_left() {
        let levels = [1_600_000, 800_000, 400_000, 200_000, 100_000];
        assert_eq!(left(&levels, 0), Some((99_999, 100_000)));
        assert_eq!(left(&levels, 30_000), Some((69_999, 70_000)));
        assert_eq!(left(&levels, 200_000), Some((0, 0)));
    }
}
