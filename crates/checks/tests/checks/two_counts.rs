//! The activation counts of two nodes, by arithmetic: each node's n-th activation has an earliest and a latest time,
//! and the nodes are independent. So the truth of `A.activations >= i implies B.activations >= j` is known in
//! advance, for every form of a periodic block.

use checks::{Judgement, Options};
use machine::random::Rng;
use std::fmt::Write;
use std::sync::atomic::AtomicBool;

/// The timing of a periodic block: its text and its parameters. Times are in halves.
struct Rhythm {
    text: String,
    gap: (i64, i64),
    /// The jitter, and whether it applies to every gap.
    jitter: (i64, bool),
    first: (i64, i64),
}

/// A number of halves, in decimal notation.
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

    /// The maximal sum of the jitters of a number of gaps.
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
            // This number of activations of B surely precedes the i-th of A; one more need not precede it, not even
            // at the same time.
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
