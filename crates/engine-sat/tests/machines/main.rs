//! Random Machines: what this engine says and what visiting every state says.

use machine::random::{Size, random_machine};
use machine::{Channel, Machine, Rung};
use std::cell::Cell;
use std::collections::BTreeMap;
use verdict::{Answer, Budget, Progress, Question, Refusal, Report, Spent};

/// So many questions, then it is over.
struct Few(Cell<u64>);

impl Budget for Few {
    fn ask(&self, _: &Progress) -> Option<Spent> {
        self.0.set(self.0.get().saturating_sub(1));
        (self.0.get() == 0).then_some(Spent::Interrupted)
    }
}

fn ask_sat(machine: &Machine) -> Result<Report, Refusal> {
    let question = Question {
        machine,
        fair: true,
    };
    engine_sat::run(&question, &Few(Cell::new(3_000)))
}

fn ask_explicit(machine: &Machine) -> Result<Report, Refusal> {
    let question = Question {
        machine,
        fair: true,
    };
    engine_explicit::run(&question, &Few(Cell::new(40)))
}

fn name(answer: &Answer) -> &'static str {
    match answer {
        Answer::Holds => "holds",
        Answer::Fails(_) => "fails",
        Answer::Possible(_) => "possible",
        Answer::Impossible => "impossible",
        Answer::Error(_) => "error",
        Answer::Unknown(_) => "unknown",
        other => panic!("nobody has asked for this: {other:?}"),
    }
}

#[test]
fn the_same_answers_as_by_visiting_every_state() {
    let seeds: u64 = std::env::var("SEEDS").map_or(150, |s| s.parse().unwrap());
    let from: u64 = std::env::var("FROM").map_or(0, |s| s.parse().unwrap());
    let mut refused: BTreeMap<String, u32> = BTreeMap::new();
    let mut open: BTreeMap<String, u32> = BTreeMap::new();
    let mut said: BTreeMap<&str, u32> = BTreeMap::new();
    let (mut plain, mut answered) = (0, 0);
    for seed in from..from + seeds {
        let machine = random_machine(seed, &Size::default());
        let explicit = ask_explicit(&machine);
        let bounded = matches!(machine.channel, Channel::Fifo(Some(_)) | Channel::Instant);
        let untimed = !machine.has_time() && machine.rung == Rung::Exact;
        let begun = std::time::Instant::now();
        let sat = ask_sat(&machine);
        if begun.elapsed().as_secs() > 3 {
            eprintln!("seed {seed}: {:?}", begun.elapsed());
        }
        let (sat, explicit) = match (sat, explicit) {
            (Err(Refusal::Unsupported(why)), _) => {
                plain += u32::from(bounded && untimed);
                *refused.entry(why).or_default() += 1;
                continue;
            }
            (Ok(sat), Ok(explicit)) => (sat, explicit),
            (sat, explicit) => {
                assert_eq!(sat.err(), explicit.err(), "seed {seed}");
                continue;
            }
        };
        plain += u32::from(bounded && untimed);
        answered += u32::from(bounded && untimed);
        for (p, (a, b)) in sat.answers.iter().zip(&explicit.answers).enumerate() {
            if let Answer::Unknown(why) = a {
                *open.entry(why.clone()).or_default() += 1;
                continue;
            }
            *said.entry(name(a)).or_default() += 1;
            if name(b) == "unknown" {
                continue;
            }
            assert_eq!(name(a), name(b), "seed {seed}, property {p}");
            if let (Some(run), Some(other)) = (a.run(), b.run()) {
                let (length, other) = (run.choices.len(), other.choices.len());
                assert!(
                    length <= other,
                    "seed {seed}, property {p}: {length} {other}"
                );
            }
        }
    }
    eprintln!(
        "refused {refused:#?}\nopen {open:#?}\nsaid {said:#?}\nplain {plain} answered {answered}"
    );
}
