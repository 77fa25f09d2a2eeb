//! Seeded defects of reductions: the sample and small Machines must catch them.

use crate::sample::compare::Case;
use crate::sample::ways::{Way, ask};
use crate::sample::{SAMPLE, forms, found, names, orbits, orders, read, sample};
use explicit::defects::{Breaking, Defect};
use testkit::sample::{catch_quietly, on_all_cores, sample_size};
use verdict::Question;

/// Whether a check fails or panics under a seeded defect.
fn is_caught(rule: Defect, check: &dyn Fn() -> Result<(), String>) -> bool {
    let breaking = Breaking::rule(rule);
    let said = catch_quietly(check);
    drop(breaking);
    said != Some(Ok(()))
}

/// The seeded defects of lazy initial values and data abstraction.
const OF_RELEVANCE: [Defect; 5] = [
    Defect::DecidedOneWay,
    Defect::DecidedPastErrors,
    Defect::UnknownIsOld,
    Defect::UnknownIsFalse,
    Defect::ErrorsUnknown,
];

/// The searches that a defect affects.
fn ways(rule: Defect) -> &'static [Way] {
    match rule {
        _ if Defect::OF_ORDERS.contains(&rule) => &[Way::Orders, Way::Fewer],
        _ if OF_RELEVANCE.contains(&rule) => &[Way::ConeOfInfluence],
        _ => &[Way::Names, Way::Fewer],
    }
}

/// The small Machines for a defect, with the answers of the full search.
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

/// Each small Machine gets correct answers from the sound search and wrong ones under the defect. For those of
/// partial-order reduction, the table says whether it applies.
#[test]
fn every_rule_is_needed() {
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
    // For these defects there are no small Machines; the Machines of `tests/found` must catch them.
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

/// The number of seeds that are tried for a defect.
const PATIENCE: u64 = 2_000;

/// Whether the comparison of searches on a Machine catches a defect.
fn is_noticed(rule: Defect, case: &Case) -> bool {
    is_caught(rule, &|| case.compare(ways(rule), &[1]).map(drop))
}

/// The pinned seeds still catch their defects.
#[test]
fn the_sample_notices_some() {
    let missed = NOTICED.iter();
    let missed = missed.filter(|(rule, seed)| !is_noticed(*rule, sample(*seed)));
    let missed: Vec<_> = missed.collect();
    assert!(missed.is_empty(), "not noticed any more: {missed:?}");
}

/// Searches for seeds that catch each defect, and prints them. To be run after the generator has changed.
#[test]
#[ignore = "it only looks for seeds"]
fn scan_for_noticing_seeds() {
    let others = Defect::OF_SYMMETRY.into_iter().chain(OF_RELEVANCE);
    let rules: Vec<Defect> = Defect::OF_ORDERS.into_iter().chain(others).collect();
    let found = on_all_cores(0..rules.len() as u64, |rule| {
        let rule = rules[rule as usize];
        let mut seeds = 0..sample_size(SAMPLE).min(PATIENCE);
        let seed = seeds.find(|seed| match *seed < SAMPLE {
            true => is_noticed(rule, sample(*seed)),
            false => is_noticed(rule, &Case::new(forms::machine(*seed))),
        });
        match seed {
            Some(seed) => println!("(Defect::{rule:?}, {seed}),"),
            None => println!("{rule:?}: by a small Machine alone"),
        }
        seed.is_some()
    });
    assert!(found.contains(&true), "no defect is noticed");
}
