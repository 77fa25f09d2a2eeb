//! The activation counts of two nodes, compared with a calculation by hand. The n-th activation of a node has an
//! earliest and a latest time, and the two nodes are independent. So for every form of a periodic block, the truth of
//! this claim can be calculated: `A.activations >= i implies B.activations >= j`.

use checks::{Judgement, Options};
use machine::random::Rng;
use std::fmt::Write;
use std::sync::atomic::AtomicBool;

/// The timing of a periodic block: its text and its parameters. Times are in half units.
struct Rhythm {
    text: String,
    gap: (i64, i64),
    /// The jitter, and whether it applies to each gap (true) or is relative to a grid (false).
    jitter: (i64, bool),
    first: (i64, i64),
}

/// A number of half units in decimal notation.
fn halves(n: i64) -> String {
    if n % 2 == 0 {
        format!("{}", n / 2)
    } else {
        format!("{}.5", n / 2)
    }
}

impl Rhythm {
    fn random(rng: &mut Rng) -> Rhythm {
        let least = 8 + rng.below(16) as i64;
        let gap = (least, least + [0, 0, 1, 4, 9][rng.below(5)]);
        let fixed = rng.below(2) == 0;
        let mut text = format!("{} .. {}", halves(gap.0), halves(gap.1));
        text += if fixed { " fixed" } else { "" };
        let by = 1 + rng.below(2) as i64;
        let jitter = match rng.below(4) {
            0 => (by, true),
            1 if fixed => (by, false),
            _ => (0, true),
        };
        if jitter.0 > 0 {
            let sort = if jitter.1 { "per gap" } else { "on the grid" };
            write!(text, ", jitter ± {} {sort}", halves(by)).expect("a text");
        }
        let mut first = (0, gap.1);
        if rng.below(2) == 0 {
            let from = rng.below(30) as i64;
            first = (from, from + [0, 0, 5, 16][rng.below(4)]);
            write!(text, ", first {} .. {}", halves(first.0), halves(first.1)).expect("a text");
        }
        Rhythm {
            text,
            gap,
            jitter,
            first,
        }
    }

    /// The largest sum of the jitters over a number of gaps.
    fn slack(&self, gaps: i64) -> i64 {
        match self.jitter {
            (by, true) => by * gaps,
            (by, false) => by * gaps.min(1),
        }
    }

    fn earliest(&self, n: i64) -> i64 {
        self.first.0 + (n - 1) * self.gap.0 - self.slack(n - 1)
    }

    fn latest(&self, n: i64) -> i64 {
        self.first.1 + (n - 1) * self.gap.1 + self.slack(n - 1)
    }
}

#[test]
fn answers_are_those_of_the_arithmetic() {
    let mut rng = Rng(20);
    let (mut held, mut failed) = (0, 0);
    for _ in 0..30 {
        let (a, b) = (Rhythm::random(&mut rng), Rhythm::random(&mut rng));
        let mut text = format!(
            "node A {{ every {} {{ }} }}\nnode B {{ every {} {{ }} }}\n",
            a.text, b.text
        );
        for number in 0..4 {
            let i = 1 + rng.below(7) as i64;
            // The largest j such that the j-th activation of B is always before the i-th of A. The next activation of B
            // may come later, or at the same time in either order.
            let surely = (1..20).take_while(|j| a.earliest(i) > b.latest(*j)).count() as i64;
            let j = (surely + rng.below(2) as i64).max(1);
            let expect = if j <= surely {
                held += 1;
                "holds"
            } else {
                failed += 1;
                "fails"
            };
            writeln!(
                text,
                "claim c{number}: always (A.activations >= {i} implies B.activations >= {j})\n\
                 check c{number} expect {expect}"
            )
            .expect("a text");
        }
        let loaded = checks::load_text("model.scrut", &text);
        assert!(!loaded.has_errors(), "{text}\n{:?}", loaded.diagnostics);
        for check in 0..loaded.model.checks.len() {
            let going = AtomicBool::new(false);
            let report = checks::check(&loaded, check, &Options::default(), &going, &mut |_| {});
            let report = report.expect("a question").expect("an answer");
            for judged in checks::judge(&loaded, &report).into_iter().flatten() {
                let good = judged.judgement == Judgement::Good;
                assert!(good, "check {}: {judged:?}\n{text}", check + 1);
            }
        }
    }
    assert!(held >= 20 && failed >= 20, "{held} held, {failed} failed");
}
