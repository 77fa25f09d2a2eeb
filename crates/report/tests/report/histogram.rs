//! Histograms: the heights of bars are proportional to the counts, texts do not overlap, the SVG is well formed.

use crate::markup;
use report::{Histogram, Mark, histogram};

fn bins(counts: &[u64], wide: usize) -> Vec<(String, u64)> {
    let bins = counts.iter().enumerate();
    bins.map(|(i, count)| (format!("{}{}", "9".repeat(wide), i), *count))
        .collect()
}

fn mark(at: f64, label: &str) -> Mark {
    Mark {
        at,
        label: label.into(),
    }
}

#[test]
fn texts_do_not_meet_and_are_inside() {
    for count in [0, 1, 3, 20, 60, 200] {
        for wide in [0, 2, 9] {
            for most in [0, 1, 7, 1_234_567] {
                let counts: Vec<u64> = (0..count).map(|i| most * (i % 5) / 4).collect();
                let marks = [
                    mark(0.5, "median"),
                    mark(0.6, "mean"),
                    mark(count as f64, "99 % <of> all"),
                ];
                let drawn = Histogram::new(
                    "How long <it> took & so on",
                    "ms",
                    &bins(&counts, wide),
                    &marks,
                );
                for (i, a) in drawn.texts.iter().enumerate() {
                    let [l, t, r, b] = a.bounds();
                    assert!(a.size >= 11.0);
                    assert!(
                        l >= 0.0 && t >= 0.0 && r <= drawn.width && b <= drawn.height,
                        "{a:?}"
                    );
                    for other in &drawn.texts[..i] {
                        let [ol, ot, or, ob] = other.bounds();
                        let meet = l < or && ol < r && t < ob && ot < b;
                        assert!(!meet, "{count} {wide} {most}: {a:?} meets {other:?}");
                    }
                }
                assert_eq!(drawn.bars.len(), count as usize);
            }
        }
    }
}

#[test]
fn bars_are_as_high_as_their_counts() {
    let drawn = Histogram::new("", "", &bins(&[1, 2, 4], 0), &[]);
    let high: Vec<f64> = drawn.bars.iter().map(|b| b[3]).collect();
    assert!((high[1] - 2.0 * high[0]).abs() < 1e-9 && (high[2] - 4.0 * high[0]).abs() < 1e-9);
    let bottoms: Vec<f64> = drawn.bars.iter().map(|b| b[1] + b[3]).collect();
    assert!(bottoms.iter().all(|b| (b - bottoms[0]).abs() < 1e-9));
}

#[test]
fn the_file_is_well_formed_and_says_what_it_shows() {
    let svg = histogram(
        "Rounds <n>",
        "ms",
        &bins(&[3, 5], 0),
        &[mark(1.5, "median 1 & a half")],
    );
    assert_eq!(markup::well_formed(&svg)[0], "svg");
    assert!(svg.contains(
        "Rounds &lt;n&gt;. 8 in 2 bins; the most in one bin: 5 at 1 ms; median 1 &amp; a half"
    ));
    assert!(svg.contains("<title>0 ms: 3</title>"));
}

/// Writes a histogram for manual inspection: `SHOW=dir cargo test --test report histogram::show -- --ignored`.
#[test]
#[ignore = "writes files"]
fn show() {
    let dir = std::path::PathBuf::from(std::env::var("SHOW").expect("a directory"));
    let counts: Vec<u64> = (0..24u64)
        .map(|i| 400 - (i * 11).abs_diff(100) * 2)
        .collect();
    let counts: Vec<u64> = counts.iter().map(|c| *c * *c / 300).collect();
    let bins: Vec<(String, u64)> = (0..24).map(|i| format!("{}", i * 25)).zip(counts).collect();
    let marks = [
        mark(8.5, "median 212 ms"),
        mark(9.2, "mean 230 ms"),
        mark(21.0, "99 %: 525 ms"),
    ];
    let svg = histogram(
        "Time until a leader is elected, 10000 runs",
        "ms",
        &bins,
        &marks,
    );
    std::fs::write(dir.join("histogram.svg"), svg).expect("a file");
}
