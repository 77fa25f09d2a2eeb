//! Compares the engine with the reference interpreter on random Machines, and on the Machines of `tests/found`.
//!
//! The sample consists of the Machines of the first seeds. Quotas guarantee that it is varied. Together with the
//! Machines of `tests/found` and those with counters it catches every seeded defect.

use crate::oracle::judge::Outcome;
use crate::oracle::referee::Case;
use crate::oracle::{Judgement, broken, constructs};
use explicit::defects::Defect;
use machine::verify;
use std::sync::OnceLock;
use testkit::sample::{Census, compare_all, on_all_cores, sample_size};
use testkit::{Size, random_counting_machine, random_machine, random_timed_machine};

/// The number of Machines in the sample with quotas.
const SAMPLE: u64 = 300;

fn case(seed: u64) -> Case {
    Case::new(random_machine(seed, &Size::default()))
}

/// A Machine of the sample. The oracle decides it once for all tests.
fn sample(seed: u64) -> &'static Case {
    static CASES: [OnceLock<Case>; SAMPLE as usize] = [const { OnceLock::new() }; SAMPLE as usize];
    CASES[seed as usize].get_or_init(|| case(seed))
}

#[test]
fn engine_and_interpreter_agree() {
    compare_all(0..sample_size(SAMPLE), |seed| match seed < SAMPLE {
        true => sample(seed).compare(),
        false => case(seed).compare(),
    });
}

/// Compares the Machines of the first seeds. More than a third of them must be small enough for the oracle.
fn are_judged(most: u64, case: impl Fn(u64) -> Case + Sync) {
    let judged = compare_all(0..most, |seed| {
        let case = case(seed);
        case.compare().map(|_| is_judged(&case))
    });
    let judged = judged.into_iter().filter(|judged| *judged).count() as u64;
    println!("{judged} of {most} are small enough");
    assert!(judged > most / 3, "only {judged} are small enough");
}

/// Whether the oracle has decided the properties of a Machine.
fn is_judged(case: &Case) -> bool {
    matches!(case.outcome, Outcome::Judged(_))
}

/// The number of timed Machines in the normal test run.
const TIMED: u64 = 150;

#[test]
fn engine_and_interpreter_agree_about_time() {
    let size = Size {
        nodes: 2,
        values: 6,
        depth: 1,
        properties: 5,
    };
    are_judged(sample_size(SAMPLE) * TIMED / SAMPLE, |seed| {
        let machine = random_timed_machine(seed, &size);
        verify(&machine).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        Case::new(machine)
    });
}

/// The number of Machines with counters in the normal test run.
const COUNTING: u64 = 120;

fn counting(seed: u64) -> Case {
    let size = Size {
        nodes: 2,
        values: 6,
        depth: 1,
        properties: 3,
    };
    Case::new(random_counting_machine(seed, &size))
}

#[test]
fn engine_and_interpreter_agree_about_counters() {
    are_judged(sample_size(SAMPLE) * COUNTING / SAMPLE, counting);
}

/// The Machines of `tests/found`, with their names.
fn found() -> Vec<(String, Case)> {
    let machines = crate::found::machines().into_iter();
    machines
        .map(|(name, machine)| (name, Case::new(machine)))
        .collect()
}

#[test]
fn what_was_found_stays_found() {
    let found = found();
    assert!(!found.is_empty());
    let wrong = found.iter().filter_map(|(name, case)| {
        let why = case.compare().err()?;
        Some(format!("{name}: {why}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A Machine that catches a defect.
#[derive(Clone, Copy, Debug)]
enum Catcher {
    /// The Machine of the sample with this seed.
    Seed(u64),
    /// The Machine with counters with this seed.
    Counting(u64),
    /// A Machine of `tests/found`, by file name.
    Found(&'static str),
}

impl Catcher {
    fn case(self) -> Case {
        match self {
            Catcher::Seed(seed) => case(seed),
            Catcher::Counting(seed) => counting(seed),
            Catcher::Found(name) => Case::new(crate::found::machine(name)),
        }
    }

    /// Whether the oracle decides the Machine, and its answers under the defect are wrong.
    fn catches(self, rule: Defect) -> bool {
        let case = self.case();
        is_judged(&case) && broken::is_caught(rule, &case, &case.ask())
    }
}

/// For each defect, a pinned Machine that catches it.
const CAUGHT: [(Defect, Catcher); 50] = [
    (Defect::BusyNodeActs, Catcher::Seed(65)),
    (Defect::BusyNodeReceives, Catcher::Seed(58)),
    (Defect::FullChannelTakesOneMore, Catcher::Seed(54)),
    (Defect::NoOutbox, Catcher::Seed(54)),
    (Defect::OutboxForgotten, Catcher::Seed(54)),
    (Defect::MessagesOvertake, Catcher::Seed(127)),
    (Defect::BagForgetsCopies, Catcher::Seed(125)),
    (Defect::HaltedNodeReceives, Catcher::Seed(39)),
    (Defect::HaltGoesOn, Catcher::Seed(154)),
    (Defect::StartNotFirst, Catcher::Seed(17)),
    (Defect::GuardsIgnored, Catcher::Seed(96)),
    (Defect::LastBlockFirst, Catcher::Seed(78)),
    (Defect::LossIsFree, Catcher::Seed(127)),
    (Defect::RepeatTakes, Catcher::Seed(114)),
    (Defect::UnhandledDropped, Catcher::Seed(24)),
    (Defect::ChooseFirstTwo, Catcher::Seed(78)),
    (Defect::InboxForgetsCopies, Catcher::Seed(56)),
    (Defect::LatestKeepsAll, Catcher::Seed(221)),
    (Defect::ClearKeeps, Catcher::Seed(50)),
    (Defect::HaltKeepsInbox, Catcher::Seed(114)),
    (Defect::SendersForgotten, Catcher::Seed(113)),
    (Defect::MuteNodeSends, Catcher::Seed(112)),
    (Defect::DeafNodeReceives, Catcher::Seed(130)),
    (Defect::OffNodeRuns, Catcher::Seed(66)),
    (Defect::InstantReversed, Catcher::Counting(49)),
    (Defect::InstantStartsLate, Catcher::Seed(47)),
    (Defect::RoundOneMore, Catcher::Seed(151)),
    (Defect::LeastIgnored, Catcher::Seed(189)),
    (Defect::MostIgnored, Catcher::Seed(80)),
    (Defect::HaltedHoldsBack, Catcher::Counting(1)),
    (Defect::OutOfRangeStored, Catcher::Counting(26)),
    (Defect::FairnessIgnored, Catcher::Seed(30)),
    (Defect::FairnessStrong, Catcher::Seed(156)),
    (Defect::FairnessPerNode, Catcher::Seed(47)),
    (Defect::LossyFairnessIgnored, Catcher::Seed(275)),
    (Defect::InitialStatesUnseen, Catcher::Seed(16)),
    (Defect::NotShortest, Catcher::Seed(19)),
    (Defect::StandingStillForgotten, Catcher::Seed(22)),
    (Defect::MarksForgotten, Catcher::Seed(136)),
    (Defect::ErrorsForgotten, Catcher::Seed(29)),
    (
        Defect::DecidedOneWay,
        Catcher::Found("copies-agree.machine"),
    ),
    (
        Defect::DecidedPastErrors,
        Catcher::Found("undecided-beside-an-overflow.machine"),
    ),
    (
        Defect::UnknownIsOld,
        Catcher::Found("unknown-is-not-old.machine"),
    ),
    (
        Defect::UnknownIsFalse,
        Catcher::Found("unknown-is-not-false.machine"),
    ),
    (
        Defect::ErrorsUnknown,
        Catcher::Found("unknown-or-an-error.machine"),
    ),
    (Defect::ShiftForgetsChannels, Catcher::Counting(20)),
    (Defect::CountersForgotten, Catcher::Counting(10)),
    (Defect::LearntWithoutInbox, Catcher::Seed(57)),
    (Defect::LearntWithoutMessage, Catcher::Seed(19)),
    (Defect::LearntFindsRoom, Catcher::Seed(58)),
];

#[test]
fn broken_engines_are_caught() {
    let of_table = CAUGHT.map(|(rule, _)| rule);
    assert_eq!(of_table, Defect::ALL, "one line for each defect");
    let missed = on_all_cores(0..CAUGHT.len() as u64, |line| {
        let (rule, catcher) = CAUGHT[line as usize];
        (!catcher.catches(rule)).then_some((rule, catcher))
    });
    let missed: Vec<_> = missed.into_iter().flatten().collect();
    assert!(missed.is_empty(), "not caught: {missed:?}");
}

/// Searches for Machines that catch each defect, and prints the table. To be run after the generator has changed.
#[test]
#[ignore = "it only looks for seeds"]
fn scan_for_catching_machines() {
    let found = found();
    let small = (0..SAMPLE).map(|seed| (format!("Catcher::Seed({seed})"), sample(seed)));
    let counting: Vec<(String, Case)> = (0..COUNTING / 2)
        .map(|seed| (format!("Catcher::Counting({seed})"), counting(seed)))
        .collect();
    let found = { found.iter() }.map(|(name, case)| (format!("Catcher::Found({name:?})"), case));
    let counting = counting.iter().map(|(name, case)| (name.clone(), case));
    let cases = small.chain(counting).chain(found);
    let cases = cases.filter(|(_, case)| is_judged(case));
    let sound: Vec<_> = cases.map(|(n, case)| (n, case, case.ask())).collect();
    let lines = on_all_cores(0..Defect::ALL.len() as u64, |rule| {
        let rule = Defect::ALL[rule as usize];
        let mut cases = sound.iter();
        let caught = cases.find(|(_, case, sound)| broken::is_caught(rule, case, sound));
        match caught {
            Some((by, ..)) => Ok(format!("    (Defect::{rule:?}, {by}),")),
            None => Err(rule),
        }
    });
    lines.iter().flatten().for_each(|line| println!("{line}"));
    let missed: Vec<_> = lines
        .iter()
        .filter_map(|line| line.as_ref().err())
        .collect();
    assert!(missed.is_empty(), "not caught: {missed:?}");
}

#[test]
fn the_sample_is_varied() {
    let (mut judged, mut cycles, mut large, mut odd) = (0, 0, 0, 0);
    let (mut never, mut happens, mut errors) = (0, 0, 0);
    for seed in 0..SAMPLE {
        let case = sample(seed);
        match &case.outcome {
            Outcome::Judged(found) => {
                judged += 1;
                cycles += usize::from(found.cycle);
                for judgement in found.fair.iter().chain(&found.unfair) {
                    match judgement {
                        Judgement::Never => never += 1,
                        Judgement::Happens(_) => happens += 1,
                        Judgement::Error => errors += 1,
                        Judgement::TooLarge => {}
                    }
                }
            }
            Outcome::TooLarge => large += 1,
            Outcome::NoInitialState | Outcome::Initial | Outcome::TooLong => odd += 1,
        }
    }
    let answers = never + happens + errors;
    println!("{judged} judged, {large} too large, {odd} without initial states or too slow");
    println!("{cycles} with cycles");
    println!("{answers} answers: {never} hold, {happens} fail or are possible, {errors} errors");
    let size = SAMPLE as usize;
    assert!(judged * 3 >= size * 2);
    assert!(cycles * 3 >= size);
    assert!(never * 4 >= answers && happens * 4 >= answers);
    let all = constructs::all();
    let census = Census::of((0..SAMPLE).map(|seed| constructs::constructs(&sample(seed).machine)));
    census.is_within(all.iter().map(String::as_str));
    census.is_varied(all.iter().map(String::as_str), 20);
}
