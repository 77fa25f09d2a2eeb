//! Confidence intervals for the share of hits among random runs.

/// The 97.5 % quantile of the standard normal distribution, for a two-sided confidence of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// The Wilson score interval, with a confidence of 95 %, for the true share, given `hits` hits in `of` runs.
pub fn confidence(hits: u64, of: u64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let n = of as f64;
    let share = hits as f64 / n;
    let middle = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    let bound = |x: f64| (x / scale).clamp(0.0, 1.0);
    // With no hits, the lower end is exactly 0; with only hits, the upper end is exactly 1. Rounding must not move
    // these ends.
    let low = if hits == 0 { 0.0 } else { bound(middle - half) };
    let high = if hits == of {
        1.0
    } else {
        bound(middle + half)
    };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::confidence;

    #[test]
    fn known_intervals() {
        // From Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        let known = [
            ((81, 263), (0.2553, 0.3662)),
            ((15, 148), (0.0624, 0.1605)),
            ((0, 20), (0.0, 0.1611)),
            ((1, 29), (0.0061, 0.1718)),
        ];
        for ((hits, of), (low, high)) in known {
            let (a, b) = confidence(hits, of);
            assert!((a - low).abs() < 5e-5, "{hits} of {of}: {a}");
            assert!((b - high).abs() < 5e-5, "{hits} of {of}: {b}");
        }
        assert_eq!(confidence(0, 0), (0.0, 1.0));
        assert_eq!(confidence(7, 7).1, 1.0);
    }
}
