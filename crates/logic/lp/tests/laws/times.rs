//! Prints how long problems of different sizes take.
//!
//! `cargo test --release -p scrutineer-lp -- --ignored --nocapture`

use crate::random::{Clock, Random, schedule};
use lp::{Answer, Ends, Linear, Preference, Relation, Slack, Solver};
use rational::Rational;
use std::time::Instant;

#[test]
#[ignore = "prints times"]
fn times() {
    let tens = [
        Rational::from(10),
        1.into(),
        Rational::new(1, 2),
        Rational::new(1, 10),
    ];
    let preference = Preference {
        steps: tens.to_vec(),
        ends: Ends::Avoid,
    };
    for (name, clock) in [
        ("free", Clock::Free),
        ("drifting", Clock::Drifting),
        ("grid", Clock::OnGrid),
    ] {
        for (nodes, ticks) in [(2, 10), (4, 10), (4, 20), (6, 22)] {
            let mut random = Random(7);
            let good = schedule(&mut random, nodes, ticks, clock, false);
            let bad = schedule(&mut random, nodes, ticks, clock, true);
            let size = format!(
                "{name}: {} unknowns, {} rows",
                good.problem.unknowns(),
                good.problem.rows().len()
            );
            let start = Instant::now();
            let mut solver = Solver::new(good.problem.clone());
            let build = start.elapsed();
            let start = Instant::now();
            assert!(matches!(solver.solve(), Answer::Point(_)));
            let solve = start.elapsed();
            let start = Instant::now();
            for pair in good.unknowns.windows(2).take(20) {
                solver.push();
                solver.row(
                    Linear::difference(pair[0], pair[1]),
                    Relation::AtLeast,
                    3.into(),
                );
                solver.solve();
                solver.pop();
            }
            let again = start.elapsed() / 20;
            let start = Instant::now();
            let Answer::Infeasible(why) = Solver::new(bad.problem.clone()).solve() else {
                panic!("a hurried message");
            };
            let infeasible = start.elapsed();
            let start = Instant::now();
            let Slack::Most { slack, .. } =
                lp::widest_slack(&good.problem, &good.order, &10.into())
            else {
                panic!("a real run");
            };
            let widest = start.elapsed();
            let start = Instant::now();
            let simple = lp::simple_point(&good.problem, &good.unknowns, &preference);
            let simple_time = start.elapsed();
            let Answer::Point(simple) = simple else {
                panic!("a real run");
            };
            assert_eq!(lp::check_point(&good.problem, &simple), Ok(()));
            println!(
                "{size}: build {build:.1?}, solve {solve:.1?}, again {again:.1?}, \
                 infeasible {infeasible:.1?} ({} rows), slack {widest:.1?} ({slack}), \
                 simple {simple_time:.1?}",
                why.0.len()
            );
        }
    }
}
