//! The form of the visited set does not affect answers. Tree compression gives the same reports as plain rows. Hash
//! compaction gives the runs of an exact search as long as no two hashes agree; it reports a possible omission, and
//! never that a property holds.

use crate::limits::words;
use crate::searches::{run, run_abstract, run_partial_order_and_symmetric, run_symmetric};
use machine::{Machine, Property, PropertyKind, parse, verify};
use testkit::{Size, random_counting_machine, random_machine, random_timed_machine};
use verdict::{
    Answer, Budget, Premise, Progress, Question, Reduction, Refusal, Report, Spent, Storage,
    Unlimited,
};

/// The number of Machines in the normal test run.
const SAMPLE: usize = 120;

/// The number of Machines that are compared; more in the long test run.
fn wanted() -> usize {
    testkit::sample::sample_size(SAMPLE as u64) as usize
}

const SIZE: Size = Size {
    nodes: 3,
    values: 12,
    depth: 2,
    properties: 4,
};

/// A budget with this form of the visited set, this many threads, and few states.
struct Kept(Storage, usize);

impl Budget for Kept {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        (progress.states > 3_000).then_some(Spent::Brief)
    }

    fn threads(&self) -> usize {
        self.1
    }

    fn stride(&self) -> u32 {
        3
    }

    fn storage(&self) -> Storage {
        self.0
    }
}

fn random(seed: u64) -> Machine {
    match seed % 4 {
        0 => random_counting_machine(seed, &SIZE),
        1 => random_timed_machine(seed, &SIZE),
        _ => random_machine(seed, &SIZE),
    }
}

/// A search with its options.
type Way<'w> = dyn Fn(&Question<'_>, &dyn Budget) -> Result<Report, Refusal> + 'w;

/// Calls `visit` with the searches that are compared on a Machine, with their names.
fn each_way(machine: &Machine, visit: &mut dyn FnMut(&str, &Way<'_>)) {
    visit("every state", &run);
    visit("states up to symmetry", &run_symmetric);
    let cone = |frozen: &machine::Frozen| passes::cone_of_influence(machine, frozen);
    visit("less", &|question, budget| {
        run_abstract(question, &cone, budget)
    });
    visit("fewer", &run_partial_order_and_symmetric);
}

/// A report without what depends on the form of the visited set: the memory, and the note about compression.
fn bare(report: Result<Report, Refusal>) -> Result<Report, Refusal> {
    report.map(|mut report| {
        report.counts.memory = 0;
        report
            .findings
            .reduced
            .retain(|told| *told != Reduction::TreeCompression);
        report
    })
}

#[test]
fn a_tree_says_what_rows_say() {
    let (mut searched, mut converted) = (0, 0);
    for seed in 0..wanted() as u64 {
        let machine = random(seed);
        if verify(&machine).is_err() {
            continue;
        }
        let fair = seed % 3 > 0;
        let question = Question {
            machine: &machine,
            fair,
        };
        each_way(&machine, &mut |name, way| {
            let plain = bare(way(&question, &Kept(Storage::Plain, 1)));
            let trees = [
                (Storage::Compressed, 1),
                (Storage::Compressed, 3),
                (Storage::AsNeeded(0), 1),
                (Storage::AsNeeded(20_000), 2),
            ];
            // Only two of the forms per Machine, to save time.
            for (storage, explorers) in [trees[seed as usize % 4], trees[(seed as usize + 1) % 4]] {
                let tree = way(&question, &Kept(storage, explorers));
                converted += usize::from(
                    tree.as_ref()
                        .is_ok_and(|r| r.findings.reduced.contains(&Reduction::TreeCompression)),
                );
                assert_eq!(
                    plain,
                    bare(tree),
                    "seed {seed}, {name}, {storage:?}, {explorers} explorers"
                );
            }
            searched += usize::from(plain.is_ok_and(|report| report.counts.states > 50));
        });
    }
    assert!(searched > wanted(), "{searched} searches are worth it");
    assert!(
        converted > wanted(),
        "{converted} searches change their way"
    );
}

/// With enough memory for plain rows, states are not compressed. Temporal claims are omitted, because they need more
/// memory after all states have been visited.
#[test]
fn states_stay_as_they_are_where_there_is_room_for_them() {
    let mut searched = 0;
    for seed in 0..100 {
        let mut machine = random(seed);
        let reaches = |property: &Property| matches!(property.kind, PropertyKind::Possible(_));
        machine.properties.retain(reaches);
        if verify(&machine).is_err() || machine.properties.is_empty() {
            continue;
        }
        let question = Question {
            machine: &machine,
            fair: true,
        };
        let Ok(plain) = run(&question, &Kept(Storage::Plain, 1)) else {
            continue;
        };
        let enough = Storage::AsNeeded(plain.counts.memory);
        searched += usize::from(plain.counts.states > 50);
        assert_eq!(run(&question, &Kept(enough, 1)), Ok(plain), "seed {seed}");
    }
    assert!(searched > 10, "{searched} searches are worth it");
}

/// Whether an answer is a statement about all runs.
fn is_about_all(answer: &Answer) -> bool {
    !matches!(
        answer,
        Answer::Fails(_) | Answer::Possible(_) | Answer::Error(_) | Answer::Unknown(_)
    )
}

/// Checks that a report under hash compaction claims nothing about unvisited states, and that its runs are real.
fn proves_nothing(question: &Question<'_>, report: &Report, place: &str) {
    let findings = &report.findings;
    assert!(findings.omission.is_some() && !findings.complete, "{place}");
    assert_eq!(findings.explored, None, "{place}");
    let mut results = report.results.iter();
    assert!(
        results.all(|r| r.latest.is_none() && r.premise != Some(Premise::Never)),
        "{place}"
    );
    for (p, answer) in report.answers().enumerate() {
        assert!(!is_about_all(answer), "{place}, property {p}: {answer:?}");
        if !matches!(answer, Answer::Unknown(_)) {
            let confirmed = audit::confirm(question, p, answer);
            assert!(confirmed.is_ok(), "{place}, property {p}: {answer:?}");
        }
    }
}

#[test]
fn hashes_that_differ_give_the_same_runs() {
    let (mut same, mut open) = (0, 0);
    for seed in 0..wanted() as u64 {
        let machine = random(seed);
        if verify(&machine).is_err() {
            continue;
        }
        let question = Question {
            machine: &machine,
            fair: true,
        };
        let explorers = [1, 3][seed as usize / 4 % 2];
        {
            let place = format!("seed {seed}, {explorers} explorers");
            let plain = run(&question, &Kept(Storage::Plain, explorers));
            let hashes = run(&question, &Kept(Storage::Hashes(64), explorers));
            let (Ok(plain), Ok(hashes)) = (&plain, &hashes) else {
                assert_eq!(plain.is_err(), hashes.is_err(), "{place}");
                continue;
            };
            proves_nothing(&question, hashes, &place);
            for (exact, found) in plain.answers().zip(hashes.answers()) {
                match (exact, found) {
                    (Answer::Holds | Answer::Impossible, Answer::Unknown(_)) => open += 1,
                    (exact, found) if exact == found => same += 1,
                    // Temporal claims, and results that need the rows of visited states, are unknown.
                    (_, Answer::Unknown(_)) => {}
                    // A search that leaves some properties unknown may stop in another instance, before it finds a
                    // shorter run.
                    (exact, found) => {
                        let length = |a: &Answer| a.run().map(|run| run.choices.len());
                        assert!(
                            length(found) >= length(exact),
                            "{place}: {exact:?}, {found:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(same > wanted() / 2, "{same} answers are the same");
    assert!(open > wanted() / 4, "{open} would hold");
}

#[test]
fn few_bits_miss_states_and_prove_nothing() {
    let (mut missed, mut would_hold) = (0, 0);
    for seed in 0..wanted() as u64 {
        let machine = random(seed);
        if verify(&machine).is_err() {
            continue;
        }
        let question = Question {
            machine: &machine,
            fair: true,
        };
        each_way(&machine, &mut |name, way| {
            let place = format!("seed {seed}, {name}");
            let plain = way(&question, &Kept(Storage::Plain, 1));
            let hashes = way(&question, &Kept(Storage::Hashes(5), 1));
            // Which states are omitted depends on component numbers, and so not on the number of threads.
            let others = way(&question, &Kept(Storage::Hashes(5), 3));
            assert_eq!(hashes, others, "{place}");
            let (Ok(plain), Ok(hashes)) = (plain, hashes) else {
                return;
            };
            proves_nothing(&question, &hashes, &place);
            missed += usize::from(hashes.counts.states < plain.counts.states);
            for (exact, found) in plain.answers().zip(hashes.answers()) {
                if is_about_all(exact) {
                    would_hold += 1;
                    assert!(matches!(found, Answer::Unknown(_)), "{place}: {found:?}");
                }
            }
        });
    }
    assert!(missed > wanted(), "{missed} searches miss something");
    assert!(would_hold > wanted() / 2, "{would_hold} answers would hold");
}

fn counting() -> Machine {
    let machine = parse(
        "(kind K 2) (channel fifo) (var K a (int 0 30) (is 0)) (var K b (int 0 30) (is 0))
         (block K up (when (< (var a self) 30)) (:= a (+ (var a self) 1)))
         (block K on (when (< (var b self) 30)) (:= b (+ (var b self) 1)))
         (claim far (always (state (< (+ (var a (node 1)) (var b (node 2))) 60))))
         (claim near (always (state (<= (var a (node 1)) 30))))
         (claim ends (eventually (state (= (var a (node 1)) 30))))",
    );
    machine.unwrap_or_else(|e| panic!("{}: {}", e.line, e.expected))
}

/// Hash compaction finds the most distant of 923,521 states and reconstructs a run of sixty events to it, although the
/// rows of almost all states on the path have been dropped.
#[test]
fn a_long_way_is_found_again() {
    let machine = counting();
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let Machine { properties, .. } = &machine;
    assert_eq!(properties.len(), 3);
    struct Hashes(u32);
    impl Budget for Hashes {
        fn ask(&self, progress: &Progress) -> Option<Spent> {
            Unlimited.ask(progress)
        }
        fn threads(&self) -> usize {
            2
        }
        fn storage(&self) -> Storage {
            Storage::Hashes(self.0)
        }
    }
    let report = run(&question, &Hashes(64)).expect("a report");
    proves_nothing(&question, &report, "64 bits");
    let [
        Answer::Fails(run_to_it),
        Answer::Unknown(near),
        Answer::Unknown(ends),
    ] = &report.answers().collect::<Vec<_>>()[..]
    else {
        panic!("{:?}", report.results);
    };
    assert_eq!(run_to_it.choices.len(), 60);
    assert_eq!(report.counts.states, 31u64.pow(4));
    assert_eq!(
        words(near),
        "no run breaks it among 923521 visited states, but these were told apart only by 64 bits of a hash; the \
         probability that one was missed is at most 1 in 43 million, if hashes are like random numbers"
    );
    assert_eq!(
        words(ends),
        "it is about runs that go on for ever: that takes states as they are, and of those that were visited only hashes \
         are kept"
    );
    // With few bits the most distant state may be missed, and nothing is claimed to hold.
    let report = run(&question, &Hashes(16)).expect("a report");
    proves_nothing(&question, &report, "16 bits");
    assert!(report.counts.states <= 1 << 16, "{:?}", report.counts);
    let Answer::Unknown(why) = &report.results[1].answer else {
        panic!("{:?}", report.results);
    };
    let why = words(why);
    assert!(
        why.ends_with("16 bits of a hash; some may well have been missed"),
        "{why}"
    );
}
