//! Seeded defects of reductions: whether the sample and small Machines catch them.

use crate::sample::compare::Case;
use crate::sample::ways::{Way, ask};
use crate::sample::{SAMPLE, forms, found, names, orbits, orders, read, sample, wanted};
use explicit::defects::{Breaking, Defect};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use verdict::Question;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Suppresses the output of expected panics.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = take_hook();
        set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                loud(panic);
            }
        }));
    });
}

/// Whether a search with the defect gives a wrong answer, or panics.
fn is_caught(rule: Defect, check: &dyn Fn() -> Result<(), String>) -> bool {
    let breaking = Breaking::rule(rule);
    QUIET.set(true);
    let said = catch_unwind(AssertUnwindSafe(check));
    QUIET.set(false);
    drop(breaking);
    !matches!(said, Ok(Ok(())))
}

/// The defects of lazy initial values and data abstraction.
const OF_RELEVANCE: [Defect; 5] = [
    Defect::DecidedOneWay,
    Defect::DecidedPastErrors,
    Defect::UnknownIsOld,
    Defect::UnknownIsFalse,
    Defect::ErrorsUnknown,
];

/// The searches to which a defect applies.
fn ways(rule: Defect) -> &'static [Way] {
    match rule {
        _ if Defect::OF_ORDERS.contains(&rule) => &[Way::Orders, Way::Fewer],
        _ if OF_RELEVANCE.contains(&rule) => &[Way::ConeOfInfluence],
        _ => &[Way::Names, Way::Fewer],
    }
}

/// The small Machines for a defect, answered by the full search.
fn by_hand(rule: Defect) -> Vec<Case> {
    if Defect::OF_SYMMETRY.contains(&rule) {
        return vec![Case::new(names::noticed(rule))];
    }
    let cases = orders::CASES.iter().filter(|(other, ..)| *other == rule);
    cases.map(|(.., text)| Case::new(read(text))).collect()
}

fn check(rule: Defect, case: &Case) -> Result<(), String> {
    case.compare(ways(rule), &[1])?;
    if Defect::OF_SYMMETRY.contains(&rule) {
        orbits::count(&case.machine, 1_500)?;
    }
    Ok(())
}

/// Each small Machine is answered correctly by the sound search, and not with the defect. Those for partial-order
/// reduction say whether it applies.
#[test]
fn every_rule_is_needed() {
    keep_quiet();
    let mut wrong = Vec::new();
    for (rule, fair, aside, text) in &orders::CASES {
        let machine = &read(text);
        let question = Question {
            machine,
            fair: *fair,
        };
        let said = ask(Way::Orders, &question, 1, u64::MAX);
        if said.aside.is_some() != *aside {
            wrong.push(format!("{rule:?}: steps aside: {:?}", said.aside));
        }
    }
    for rule in Defect::OF_ORDERS.into_iter().chain(Defect::OF_SYMMETRY) {
        let cases = by_hand(rule);
        if cases.is_empty() {
            wrong.push(format!("{rule:?}: no Machine"));
        }
        for case in cases {
            if let Err(why) = check(rule, &case) {
                wrong.push(format!("{rule:?}: the sound search is wrong: {why}"));
            }
            if !is_caught(rule, &|| check(rule, &case)) {
                wrong.push(format!("{rule:?}: not caught"));
            }
        }
    }
    // Machines that were found by chance, and kept.
    let found = found();
    for rule in OF_RELEVANCE {
        if !{ found.iter() }.any(|(_, case)| is_caught(rule, &|| check(rule, case))) {
            wrong.push(format!("{rule:?}: not caught by what was found"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// For some defects, a seed of the sample that catches them.
const NOTICED: [(Defect, u64); 15] = [
    (Defect::ErrorsUnseen, 2),
    (Defect::NothingSeen, 2),
    (Defect::CyclesForgotten, 3),
    (Defect::EmptyEdgesForgotten, 114),
    (Defect::OwedOfChosen, 16),
    (Defect::OwedInAnyOrder, 120),
    (Defect::NeverAside, 11),
    (Defect::NamesStay, 36),
    (Defect::NamesInClaimsIgnored, 289),
    (Defect::MapsIgnored, 62),
    (Defect::FrozenIgnored, 272),
    (Defect::FairnessUpToSymmetry, 30),
    (Defect::NodeOrderIgnored, 278),
    (Defect::RunsNotUnfolded, 36),
    (Defect::DecidedOneWay, 38),
];

/// The search for a seed that catches a defect ends here.
const PATIENCE: u64 = 2_000;

/// The sample is no worse than it was. The long run searches for new seeds, for all defects, and prints them.
#[test]
fn the_sample_notices_some() {
    keep_quiet();
    let is_noticed = |rule: Defect, case: &Case| {
        let compare = || case.compare(ways(rule), &[1]).map(drop);
        is_caught(rule, &compare)
    };
    let missed = NOTICED.iter();
    let missed = missed.filter(|(rule, seed)| !is_noticed(*rule, sample(*seed)));
    let missed: Vec<_> = missed.collect();
    if let Some(wanted) = wanted() {
        let others = Defect::OF_SYMMETRY.into_iter().chain(OF_RELEVANCE);
        let rules: Vec<Defect> = Defect::OF_ORDERS.into_iter().chain(others).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(rule) = rules.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mut seeds = 0..wanted.end.min(PATIENCE);
                let seed = seeds.find(|seed| match *seed < SAMPLE {
                    true => is_noticed(*rule, sample(*seed)),
                    false => is_noticed(*rule, &Case::new(forms::machine(*seed))),
                });
                match seed {
                    Some(seed) => println!("(Defect::{rule:?}, {seed}),"),
                    None => println!("{rule:?}: by a small Machine alone"),
                }
            }
        };
        std::thread::scope(|scope| {
            let explorers = std::thread::available_parallelism().map_or(1, |n| n.get());
            (0..explorers).for_each(|_| drop(scope.spawn(work)));
        });
    }
    assert!(missed.is_empty(), "not noticed any more: {missed:?}");
}
