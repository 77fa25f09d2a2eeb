//! A search that is interrupted at any point and resumed gives the same report as an uninterrupted one.

use crate::kept::{End, Memory, Until};
use crate::searches;
use machine::{Frozen, Machine, parse, verify};
use testkit::{Size, random_counting_machine, random_machine, random_timed_machine};
use verdict::{Budget, Question, Refusal, Report, Unlimited};

/// The options of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Whole { fair: bool },
    Less,
    UpToSymmetry,
}

/// The report of a search, without its memory, because a resumed search allocates differently.
fn report(machine: &Machine, way: Way, budget: &dyn Budget) -> Result<Report, Refusal> {
    let fair = way != Way::Whole { fair: false };
    let question = Question { machine, fair };
    let report = match way {
        Way::Whole { .. } => searches::run(&question, budget),
        Way::UpToSymmetry => searches::run_symmetric_instances(&question, budget),
        Way::Less => {
            let cone = |frozen: &Frozen| passes::cone_of_influence(machine, frozen);
            match machine.digitisation() {
                None => searches::run_abstract(&question, &cone, budget),
                Some(_) => {
                    let timed_reductions = passes::timed_reductions(machine);
                    searches::run_timed(&question, &cone, &timed_reductions, budget)
                }
            }
        }
    };
    report.map(|mut report| {
        report.counts.memory = 0;
        report
    })
}

const WAYS: [Way; 4] = [
    Way::Whole { fair: true },
    Way::Whole { fair: false },
    Way::Less,
    Way::UpToSymmetry,
];

/// The largest number of states of a Machine that is tested, unless a test states another number.
const MOST: u64 = 300;

/// A budget of this many states; the flag records whether it was exceeded.
struct Few(u64, std::cell::Cell<bool>);

impl Budget for Few {
    fn ask(&self, progress: &verdict::Progress) -> Option<verdict::Spent> {
        self.1.set(self.1.get() || progress.states > self.0);
        self.1.get().then_some(verdict::Spent::Interrupted)
    }

    fn stride(&self) -> u32 {
        16
    }

    fn first_look(&self) -> u32 {
        3
    }
}

/// The report of an uninterrupted search; `None` if it needs more than `most` states.
fn truth(machine: &Machine, way: Way, most: u64) -> Option<Result<Report, Refusal>> {
    let few = Few(most, std::cell::Cell::new(false));
    let truth = report(machine, way, &few);
    (!few.1.get()).then_some(truth)
}

/// Interrupts a search repeatedly, each time after some questions to the budget, until it finishes. Returns the report
/// and the number of interruptions.
fn in_steps(
    machine: &Machine,
    way: Way,
    memory: &Memory,
    (step, end): (usize, End),
    (threads, stride): (usize, u32),
) -> (Result<Report, Refusal>, usize) {
    for times in 0.. {
        memory.again();
        // The number of questions grows, so that a search that is killed before it stores anything gets further the
        // next time.
        let until = Until {
            memory,
            end: Some((step + times * step / 4, end)),
            threads,
            stride,
        };
        let said = report(machine, way, &until);
        if !until.ended() {
            return (said, times);
        }
    }
    unreachable!("steps become longer and longer")
}

fn samples() -> impl Iterator<Item = (String, Machine)> {
    let size = Size {
        nodes: 2,
        values: 6,
        depth: 1,
        properties: 5,
    };
    let plain = (0..30).map(|seed| {
        (
            format!("plain {seed}"),
            random_machine(seed, &Size::default()),
        )
    });
    let again = size.clone();
    let timed =
        (0..30).map(move |seed| (format!("timed {seed}"), random_timed_machine(seed, &again)));
    let counting = (0..12).map(move |seed| {
        (
            format!("counting {seed}"),
            random_counting_machine(seed, &size),
        )
    });
    let shipped = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/machine"));
    let mut shipped: Vec<_> = shipped
        .expect("Machines")
        .map(|e| e.expect("one").path())
        .collect();
    shipped.retain(|path| path.extension().is_some_and(|e| e == "machine"));
    shipped.sort();
    let shipped = shipped.into_iter().filter_map(|path| {
        let text = std::fs::read_to_string(&path).expect("a Machine");
        Some((path.display().to_string(), parse(&text).ok()?))
    });
    plain.chain(timed).chain(counting).chain(shipped)
}

/// Calls `visit` with every small Machine of the sample, each search, and the report of an uninterrupted search.
fn each_small(mut visit: impl FnMut(&str, &Machine, Way, Result<Report, Refusal>)) {
    for (name, machine) in samples() {
        if verify(&machine).is_err() {
            continue; // some Machines in `tests/machine` are invalid on purpose
        }
        for way in WAYS {
            if let Some(truth) = truth(&machine, way, MOST) {
                visit(&name, &machine, way, truth);
            }
        }
    }
}

#[test]
fn interrupted_at_every_question() {
    let (mut ends, mut compared) = (0, 0);
    each_small(|name, machine, way, truth| {
        let all = Memory::new(usize::MAX);
        let never = Until {
            memory: &all,
            end: None,
            threads: 1,
            stride: 1,
        };
        assert_eq!(report(machine, way, &never), truth, "{name} {way:?}");
        let asked = never.asked();
        for end in [End::Interrupted, End::Killed] {
            let step = (asked / 12).max(1);
            for at in (1..=asked).step_by(step) {
                let memory = Memory::new(3);
                let until = Until {
                    memory: &memory,
                    end: Some((at, end)),
                    threads: 1,
                    stride: 1,
                };
                let _ = report(machine, way, &until);
                ends += usize::from(until.ended());
                memory.again();
                let rest = Until {
                    memory: &memory,
                    end: None,
                    threads: 1,
                    stride: 1,
                };
                let said = report(machine, way, &rest);
                assert_eq!(said, truth, "{name} {way:?}, {end:?} at {at} of {asked}");
                compared += 1;
            }
        }
    });
    assert!(ends > 1_000 && compared > 1_000, "{ends} of {compared}");
}

#[test]
fn interrupted_again_and_again() {
    let mut most = 0;
    each_small(|name, machine, way, truth| {
        for (step, end) in [(9, End::Interrupted), (23, End::Killed)] {
            let memory = Memory::new(5);
            let (said, times) = in_steps(machine, way, &memory, (step, end), (1, 1));
            assert_eq!(said, truth, "{name} {way:?}, {end:?} after {step}");
            most = most.max(times);
        }
    });
    assert!(most > 10, "at most {most} times");
}

/// If the end of a search is stored and the search is run again, the second run checks the budget at most as often as
/// the first run.
#[test]
fn an_end_is_kept() {
    each_small(|name, machine, way, truth| {
        let memory = Memory::new(usize::MAX);
        let first = Until {
            memory: &memory,
            end: None,
            threads: 1,
            stride: 1,
        };
        assert_eq!(report(machine, way, &first), truth);
        if truth.is_err() || memory.logs().is_empty() {
            return; // nothing was stored
        }
        let before = first.asked();
        memory.again();
        let again = Until {
            memory: &memory,
            end: None,
            threads: 1,
            stride: 1,
        };
        assert_eq!(report(machine, way, &again), truth, "{name} {way:?}");
        assert!(again.asked() <= before, "{name} {way:?}");
    });
}

#[test]
fn a_full_disk_is_no_loss() {
    each_small(|name, machine, way, truth| {
        let memory = Memory::with_full_disk(2, 10, 30);
        let until = Until {
            memory: &memory,
            end: Some((40, End::Killed)),
            threads: 1,
            stride: 1,
        };
        let _ = report(machine, way, &until);
        memory.again();
        let rest = Until {
            memory: &memory,
            end: None,
            threads: 1,
            stride: 1,
        };
        assert_eq!(report(machine, way, &rest), truth, "{name} {way:?}");
    });
}

/// Larger Machines, with several threads.
#[test]
fn several_desks_go_on_alike() {
    let size = Size {
        nodes: 3,
        values: 24,
        depth: 2,
        properties: 2,
    };
    let mut compared = 0;
    for seed in 0..200 {
        let machine = random_machine(seed, &size);
        let way = Way::Whole { fair: true };
        let Some(truth) = truth(&machine, way, 30_000) else {
            continue;
        };
        if truth.as_ref().map_or(0, |report| report.counts.states) < 3_000 {
            continue;
        }
        let memory = Memory::new(4);
        let (said, times) = in_steps(&machine, way, &memory, (12, End::Killed), (3, 256));
        assert_eq!(said, truth, "seed {seed}");
        compared += usize::from(times > 0);
        if compared == 5 {
            return;
        }
    }
    panic!("only {compared} are large enough");
}

/// If a record is missing, truncated, duplicated or of an unknown type, either the checkpoint is refused, without the
/// help of a checksum, or the report is the same.
#[test]
fn what_is_missing_is_noticed() {
    let way = Way::Whole { fair: true };
    let (mut refused, mut same) = (0, 0);
    for seed in 0..60 {
        let machine = random_machine(seed, &Size::default());
        let Some(Ok(truth)) = truth(&machine, way, MOST) else {
            continue;
        };
        let memory = Memory::new(usize::MAX);
        let until = Until {
            memory: &memory,
            end: Some((truth.counts.states as usize / 2 + 4, End::Interrupted)),
            threads: 1,
            stride: 1,
        };
        let _ = report(&machine, way, &until);
        let kept = memory.logs().clone();
        for (question, pieces) in &kept {
            let places = (0..pieces.len()).filter(|n| pieces[*n][0] != b'P');
            for (n, change) in places.flat_map(|n| (0..4).map(move |change| (n, change))) {
                let mut changed = pieces.clone();
                match change {
                    0 => drop(changed.remove(n)),
                    1 => drop(changed[n].pop()),
                    2 => changed.insert(n, pieces[n].clone()),
                    _ => changed[n][0] = b'?',
                }
                memory.logs().insert(question.clone(), changed);
                memory.again();
                let rest = Until {
                    memory: &memory,
                    end: None,
                    threads: 1,
                    stride: 1,
                };
                match report(&machine, way, &rest) {
                    Err(Refusal::Checkpoint(why)) => {
                        assert!(why.starts_with("refused: "), "{why}");
                        refused += 1;
                    }
                    said => {
                        assert_eq!(said.as_ref(), Ok(&truth), "seed {seed}: {change} of {n}");
                        same += 1;
                    }
                }
            }
        }
    }
    assert!(
        refused > 100 && refused > same,
        "{refused} refused, {same} the same"
    );
}

#[test]
fn another_question_does_not_get_it() {
    let text = "(kind K 1) (channel fifo) (frozen K r (int 1 10) every) (var K a bool (is false))
         (claim c (always (state (not (var a (node 1))))))";
    let machine = parse(text).unwrap_or_else(|e| panic!("{}: {}", e.line, e.expected));
    let memory = Memory::new(1);
    for fair in [true, false] {
        let until = Until {
            memory: &memory,
            end: Some((12, End::Interrupted)),
            threads: 1,
            stride: 1,
        };
        memory.again();
        let _ = report(&machine, Way::Whole { fair }, &until);
    }
    assert_eq!(memory.logs().len(), 2);
    let truth = report(&machine, Way::Whole { fair: true }, &Unlimited);
    memory.again();
    let rest = Until {
        memory: &memory,
        end: None,
        threads: 1,
        stride: 1,
    };
    assert_eq!(report(&machine, Way::Whole { fair: true }, &rest), truth);
}
