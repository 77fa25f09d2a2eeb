//! What changes no answer, on random Machines: several desks give the whole report of one; orders and names that are left out
//! together give the answers of the search that leaves out nothing.

use engine_explicit::{run, run_with_fewer};
use machine::random::{Size, random_counting_machine, random_machine, random_timed_machine};
use machine::{Channel, Machine, Rung, Timing, Trigger, verify};
use verdict::{Answer, Budget, Progress, Question, Refusal, Report, Spent};

/// How many Machines there are in a sample.
const SAMPLE: usize = 300;

/// How many are compared; the long run takes more.
fn wanted() -> usize {
    let wanted = std::env::var("SCRUTINEER_SAMPLE").ok();
    wanted.map_or(SAMPLE, |n| {
        n.parse().expect("SCRUTINEER_SAMPLE is a number")
    })
}

const SIZE: Size = Size {
    nodes: 3,
    values: 12,
    depth: 2,
    properties: 4,
};

/// So many desks, and as many states as are soon visited.
struct Desks(usize);

impl Budget for Desks {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        (progress.states > 3_000).then_some(Spent::Brief)
    }

    fn threads(&self) -> usize {
        self.0
    }

    fn stride(&self) -> u32 {
        3
    }

    fn first_look(&self) -> u32 {
        3
    }
}

fn by(machine: &Machine, desks: usize) -> Result<Report, Refusal> {
    let fair = true;
    run(&Question { machine, fair }, &Desks(desks))
}

#[test]
fn several_desks_say_what_one_says() {
    let (mut searched, mut broken) = (0, 0);
    for seed in 0..wanted() as u64 {
        let machine = match seed % 4 {
            0 => random_counting_machine(seed, &SIZE),
            1 => random_timed_machine(seed, &SIZE),
            _ => random_machine(seed, &SIZE),
        };
        let one = by(&machine, 1);
        assert_eq!(one, by(&machine, 2), "seed {seed}, two desks");
        assert_eq!(one, by(&machine, 5), "seed {seed}, five desks");
        if let Ok(report) = one {
            searched += usize::from(report.counts.states > 50);
            broken += usize::from(report.answers.iter().any(|a| a.run().is_some()));
        }
    }
    assert!(searched * 3 > wanted(), "{searched} are worth dividing");
    assert!(broken * 4 > wanted(), "{broken} have something to see");
}

/// A random Machine in which orders may be left out.
fn without_rhythm(seed: u64) -> Machine {
    let mut machine = random_machine(seed, &SIZE);
    if machine.channel == Channel::Instant {
        machine.channel = match seed % 2 {
            0 => Channel::Fifo(Some(1)),
            _ => Channel::Unordered,
        };
    }
    for block in &mut machine.blocks {
        if let Trigger::Every(timing) = &mut block.trigger {
            *timing = Timing::Any;
        }
    }
    machine.rung = Rung::Exact;
    machine
}

#[test]
fn less_of_everything_says_the_same() {
    let (mut fewer_states, mut compared) = (0, 0);
    for seed in 0..wanted() as u64 {
        let machine = without_rhythm(seed);
        if verify(&machine).is_err() {
            continue;
        }
        for fair in [true, false] {
            let question = Question {
                machine: &machine,
                fair,
            };
            let (Ok(whole), Ok(less)) = (
                run(&question, &Desks(1)),
                run_with_fewer(&question, &Desks(1)),
            ) else {
                continue;
            };
            let open = |report: &Report| {
                report
                    .answers
                    .iter()
                    .any(|a| matches!(a, Answer::Unknown(_)))
            };
            if open(&whole) || open(&less) {
                continue;
            }
            compared += 1;
            fewer_states += usize::from(less.counts.states < whole.counts.states);
            for (p, (a, b)) in whole.answers.iter().zip(&less.answers).enumerate() {
                let same = std::mem::discriminant(a) == std::mem::discriminant(b);
                assert!(
                    same,
                    "seed {seed}, fair {fair}, property {p}: {a:?} and {b:?}"
                );
            }
            let found = |report: &Report| {
                let findings = &report.findings;
                let runs = (findings.deadlock.is_some(), findings.error.is_some());
                (findings.complete, runs)
            };
            if whole.findings.complete && less.findings.complete {
                assert_eq!(found(&whole), found(&less), "seed {seed}, fair {fair}");
                assert_eq!(
                    whole.findings.ran, less.findings.ran,
                    "seed {seed}, fair {fair}"
                );
                assert_eq!(
                    whole.findings.sent, less.findings.sent,
                    "seed {seed}, fair {fair}"
                );
                assert_eq!(
                    whole.findings.premises, less.findings.premises,
                    "seed {seed}, fair {fair}"
                );
            }
        }
    }
    assert!(compared * 2 > wanted(), "{compared} questions are compared");
    assert!(
        fewer_states * 3 > compared,
        "{fewer_states} of {compared} have fewer states"
    );
}
