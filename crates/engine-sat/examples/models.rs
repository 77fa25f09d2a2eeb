//! What this engine says about the checks of model files, instance by instance, and how long it takes.
//!
//! `cargo run -p engine-sat --example models -- models/two-phase-commit.scrut [seconds]`

use std::time::{Duration, Instant};
use verdict::{Answer, Budget, Progress, Question, Spent};

struct Until(Instant);

impl Budget for Until {
    fn ask(&self, _: &Progress) -> Option<Spent> {
        (Instant::now() > self.0).then_some(Spent::Interrupted)
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file");
    let seconds: u64 = arguments
        .next()
        .map_or(20, |text| text.parse().expect("seconds"));
    let loaded = driver::load(std::path::Path::new(&file)).expect("a readable file");
    for check in 0..loaded.model.checks.len() {
        let Ok(requests) = lower::instances(&loaded.model, check, &[]) else {
            continue;
        };
        for (number, request) in requests.iter().enumerate() {
            let Ok(lowered) = lower::lower(&loaded.model, &loaded.sources, request) else {
                continue;
            };
            let question = Question {
                machine: &lowered.machine,
                fair: true,
            };
            let begun = Instant::now();
            let report = engine_sat::run(&question, &Until(begun + Duration::from_secs(seconds)));
            let time = begun.elapsed();
            let said = match report {
                Err(refusal) => format!("{refusal:?}"),
                Ok(report) => {
                    let names = lowered.machine.properties.iter().map(|p| p.name.clone());
                    let said = names
                        .zip(&report.answers)
                        .map(|(name, answer)| match answer {
                            Answer::Unknown(why) => format!("{name}: {why}"),
                            Answer::Holds => format!("{name}: holds"),
                            Answer::Impossible => format!("{name}: impossible"),
                            other => {
                                let run = other.run().map_or(0, |run| run.choices.len());
                                let text = format!("{other:?}");
                                let word = text.split('(').next().unwrap_or_default();
                                format!("{name}: {word} after {run}")
                            }
                        });
                    said.collect::<Vec<_>>().join(", ")
                }
            };
            println!(
                "check {check}.{number}  {:>7.2} s  {said}",
                time.as_secs_f64()
            );
        }
    }
}
