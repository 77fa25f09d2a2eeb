//! Searches that break one rule of what they leave out, and whether that is noticed: by the sample, and by a small Machine.

use crate::compare::Case;
use crate::ways::{Way, ask};
use crate::{SAMPLE, names, orbits, orders, read, sample};
use engine_explicit::defects::{Breaking, Defect};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once};
use verdict::Question;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Panics of threads that expect some are not printed from now on.
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

/// Whether a search that breaks the rule says something wrong, or falls over.
fn is_caught(rule: Defect, check: &dyn Fn() -> Result<(), String>) -> bool {
    let breaking = Breaking::rule(rule);
    QUIET.set(true);
    let said = catch_unwind(AssertUnwindSafe(check));
    QUIET.set(false);
    drop(breaking);
    !matches!(said, Ok(Ok(())))
}

/// Rules of what is decided late, or not known.
const OF_RELEVANCE: [Defect; 5] = [
    Defect::DecidedOneWay,
    Defect::DecidedPastErrors,
    Defect::UnknownIsOld,
    Defect::UnknownIsFalse,
    Defect::ErrorsUnknown,
];

/// The ways in which a rule is followed.
fn ways(rule: Defect) -> &'static [Way] {
    match rule {
        _ if Defect::OF_ORDERS.contains(&rule) => &[Way::Orders, Way::Fewer],
        _ if OF_RELEVANCE.contains(&rule) => &[Way::Relevance],
        _ => &[Way::Names, Way::Fewer],
    }
}

/// The small Machines for a rule, asked by the whole search.
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

/// Each small Machine is answered well, and not by a search that breaks its rule. Those for orders say whether that steps aside.
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
                wrong.push(format!("{rule:?}: the whole search is wrong: {why}"));
            }
            if !is_caught(rule, &|| check(rule, &case)) {
                wrong.push(format!("{rule:?}: not caught"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Most rules cannot be broken without the sample noticing.
#[test]
fn the_sample_notices_most() {
    keep_quiet();
    let orders_and_names = Defect::OF_ORDERS.into_iter().chain(Defect::OF_SYMMETRY);
    let rules: Vec<Defect> = orders_and_names.chain(OF_RELEVANCE).collect();
    let next = AtomicUsize::new(0);
    let (caught, missed) = (Mutex::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let Some(rule) = rules.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let seed = (0..SAMPLE).find(|seed| {
                let case = sample(*seed);
                let compare = || case.compare(ways(*rule), &[1]).map(drop);
                is_caught(*rule, &compare)
            });
            match seed {
                Some(seed) => {
                    println!("{rule:?}: caught by seed {seed}");
                    *caught.lock().expect("nobody falls over") += 1;
                }
                None => missed.lock().expect("nobody falls over").push(rule),
            }
        }
    };
    std::thread::scope(|scope| {
        let desks = std::thread::available_parallelism().map_or(1, |n| n.get());
        (0..desks).for_each(|_| drop(scope.spawn(work)));
    });
    let caught = caught.into_inner().expect("nobody falls over");
    let missed = missed.into_inner().expect("nobody falls over");
    println!("{caught} of {} are caught; not {missed:?}", rules.len());
    assert!(3 * caught >= 2 * rules.len(), "not caught: {missed:?}");
}
