//! Whether random models notice that the order of events breaks a rule.

use crate::case;
use crate::opinions::{Opinion, opinion};
use engine_order::defects::{Breaking, Defect};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// So many models are asked who breaks a rule.
const FIRST: usize = 400;

/// So many random runs of each claim say what is wrong, beside runs that the engine finds when it breaks nothing.
const RUNS: u64 = 40;

/// Whether an engine that breaks a rule says of a claim that it holds, and a run that can be followed breaks it; or says
/// that something fails, and nobody can follow.
fn is_noticed(rule: Defect, seed: usize) -> bool {
    let case = case(seed, RUNS);
    let breaking = Breaking::rule(rule);
    let said = catch_unwind(AssertUnwindSafe(|| case.ask()));
    drop(breaking);
    let Ok(said) = said else {
        return true;
    };
    if case.check(&said).is_err() {
        return true;
    }
    let mut claims = case.claims.iter().zip(&said);
    claims.any(|(claim, report)| {
        opinion(&report.answers[0]) == Opinion::Holds
            && opinion(&claim.ask().answers[0]) == Opinion::Fails
    })
}

/// Who notices which rule.
const NOTICED: [(Defect, usize); 0] = [];

#[test]
fn broken_engines_are_noticed() {
    let mut missed = NOTICED.to_vec();
    missed.retain(|(rule, seed)| !is_noticed(*rule, *seed));
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}

/// Looks for models that notice; to be run after models have changed.
#[test]
#[ignore = "it only looks for seeds"]
fn who_notices() {
    let mut open = Defect::ALL.to_vec();
    for seed in 0..FIRST {
        open.retain(|rule| {
            let found = is_noticed(*rule, seed);
            if found {
                println!("(Defect::{rule:?}, {seed}),");
            }
            !found
        });
    }
    println!("not noticed by {FIRST}: {open:?}");
}
