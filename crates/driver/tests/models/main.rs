//! Random models with data and faults, as text: interpreter, searches and simulation never contradict each other.

mod claims;
mod code;
mod data;
mod opinions;
#[path = "../strolls/mod.rs"]
mod strolls;
mod text;
mod world;

use opinions::{Case, Truth, opinion};
use std::collections::BTreeMap;
use text::random_model;

/// How many models there are in the sample.
const SAMPLE: u64 = 1_000;

/// How many models are compared; the long run takes more.
fn wanted() -> u64 {
    let wanted = std::env::var("SCRUTINEER_SAMPLE").ok();
    wanted.map_or(SAMPLE, |n| {
        n.parse().expect("SCRUTINEER_SAMPLE is a number")
    })
}

#[test]
fn nobody_contradicts_anybody() {
    let mut wrong = Vec::new();
    let mut known: BTreeMap<&str, [u32; 4]> = BTreeMap::new();
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    let mut times = [0.0; 3];
    for seed in 0..wanted() {
        let t = std::time::Instant::now();
        let model = random_model(seed);
        model
            .constructs
            .iter()
            .for_each(|c| *names.entry(c).or_default() += 1);
        let case = Case::new(model, seed);
        times[0] += t.elapsed().as_secs_f64();
        let t = std::time::Instant::now();
        let said = case.ask();
        times[1] += t.elapsed().as_secs_f64();
        let t = std::time::Instant::now();
        if let Err(why) = case.check(&said) {
            wrong.push(format!("seed {seed}: {why}"));
        }
        times[2] += t.elapsed().as_secs_f64();
        let place = |truth: Option<Truth>| truth.map_or(3, |t| t as usize);
        for truth in &case.truth {
            known.entry("enumerator").or_default()[place(*truth)] += 1;
        }
        for report in &said {
            for (name, report) in ["plain", "tool"].iter().zip(report) {
                for answer in report.iter().flat_map(|r| &r.answers) {
                    known.entry(name).or_default()[place(opinion(answer))] += 1;
                }
            }
        }
    }
    println!("{times:?} {known:?}");
    println!("{names:?}");
    assert!(
        wrong.is_empty(),
        "{}\n{}",
        wrong.len(),
        wrong[..wrong.len().min(30)].join("\n")
    );
}
