//! Comparison of a Machine with its reduction: the reachable states of the reduction are the images of those of the
//! original, the answers are the same, and lifted runs are runs of the original.

use machine::{Instance, Machine, State, parse, verify};
use passes::defects::{Breaking, Defect};
use passes::{Shrunk, shrink};
use std::collections::BTreeSet;
use testkit::explore;
use verdict::{Answer, Budget, Premise, Progress, Question, Report, Run, Spent};

/// Parses and verifies a Machine.
pub fn machine(text: &str) -> Machine {
    let machine =
        parse(text).unwrap_or_else(|e| panic!("line {}: {} expected", e.line, e.expected));
    verify(&machine).unwrap_or_else(|e| panic!("{e}"));
    machine
}

/// Asserts that the comparison fails if the pass does not check the condition.
pub fn notices(condition: Defect, text: &str) {
    let machine = machine(text);
    let _left_out = Breaking::rule(condition);
    let result = std::panic::catch_unwind(|| compare(&machine, 20_000));
    assert!(
        !matches!(result, Ok(Ok(_))),
        "{condition:?} is not detected"
    );
}

/// A budget that ends a search after this many states.
struct StateLimit(u64);

impl Budget for StateLimit {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        (progress.states > self.0).then_some(Spent::Interrupted)
    }
}

/// Reduces a Machine and compares the answers with those of the original. Returns the reduction, or an error message if
/// they differ.
pub fn compare(machine: &Machine, most: u64) -> Result<Shrunk, String> {
    let shrunk = shrink(machine);
    verify(&shrunk.machine).map_err(|e| format!("not well formed: {e}"))?;
    if shrunk.removed.is_empty() {
        return match *machine == shrunk.machine {
            true => Ok(shrunk),
            false => Err("nothing is removed, and it is another Machine".into()),
        };
    }
    for fair in [true, false] {
        answers(machine, &shrunk, fair, most)?;
    }
    states(machine, &shrunk, 400)?;
    Ok(shrunk)
}

fn answers(machine: &Machine, shrunk: &Shrunk, fair: bool, most: u64) -> Result<(), String> {
    let ask = |machine| {
        let options = explicit::Options::default();
        explicit::run(&Question { machine, fair }, &options, &StateLimit(most))
    };
    let (large, small) = (ask(machine), ask(&shrunk.machine));
    let (large, small) = match (large, small) {
        (Ok(large), Ok(small)) => (large, small),
        (Err(large), Err(small)) if large == small => return Ok(()),
        (Err(verdict::Refusal::Unsupported(_)), _) => return Ok(()),
        (large, small) => return Err(format!("{large:?} became {small:?}")),
    };
    for (property, (a, b)) in large.answers().zip(small.answers()).enumerate() {
        let name = &machine.properties[property].name;
        let unknown = |answer: &Answer| matches!(answer, Answer::Unknown(_));
        if unknown(a) || unknown(b) {
            continue;
        }
        if std::mem::discriminant(a) != std::mem::discriminant(b) {
            return Err(format!("{name}: {a:?} became {b:?}"));
        }
        let back = |run: &Run| match shrunk.lift(run) {
            Some(run) => Ok(Box::new(run)),
            None => Err(format!("{name}: {run:?} is not lifted")),
        };
        let lifted = match b {
            Answer::Fails(run) => Answer::Fails(back(run)?),
            Answer::Possible(run) => Answer::Possible(back(run)?),
            Answer::Error(run) => Answer::Error(back(run)?),
            other => other.clone(),
        };
        let question = Question { machine, fair };
        audit::confirm(&question, property, &lifted)
            .map_err(|e| format!("{name}: {e}: {lifted:?}"))?;
    }
    findings(machine, shrunk, &large, &small)
}

fn findings(
    machine: &Machine,
    shrunk: &Shrunk,
    large: &Report,
    small: &Report,
) -> Result<(), String> {
    let (a, b) = (&large.findings, &small.findings);
    let premises = |report: &Report| -> Vec<Option<Premise>> {
        report.results.iter().map(|result| result.premise).collect()
    };
    if !a.complete || !b.complete {
        return Ok(());
    }
    if a.ran != b.ran || a.sent != b.sent || premises(large) != premises(small) {
        return Err(format!("{a:?} became {b:?}"));
    }
    let there = |run: &Option<Box<Run>>| run.as_ref().map(|run| run.choices.len());
    if there(&a.deadlock) != there(&b.deadlock) || there(&a.error) != there(&b.error) {
        return Err(format!("{a:?} became {b:?}"));
    }
    for run in b.deadlock.iter().chain(&b.error) {
        let lifted = shrunk
            .lift(run)
            .ok_or("the run of a finding is not lifted")?;
        audit::replay(machine, &lifted).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// Compares the reachable states of the reduced Machine with the images of those of the original.
fn states(machine: &Machine, shrunk: &Shrunk, most: usize) -> Result<(), String> {
    for frozen in machine.frozen_choices().take(3) {
        let all = |machine| {
            let instance = Instance {
                machine,
                frozen: &frozen,
            };
            explore(instance, most)
        };
        let (Ok(large), Ok(small)) = (all(machine), all(&shrunk.machine)) else {
            continue;
        };
        if !large.complete || !small.complete {
            continue;
        }
        // The least counter of a class may have been removed, so the image is brought to normal form again.
        let image = |state| shrunk.machine.normalised(&shrunk.image(state));
        let images: BTreeSet<State> = large.states.iter().map(image).collect();
        let states: BTreeSet<State> = small.states.iter().cloned().collect();
        if images != states {
            let (images, states) = (images.len(), states.len());
            return Err(format!("{images} images of states, but {states} states"));
        }
        if large.errors.is_empty() != small.errors.is_empty() {
            return Err("errors of only one of both".into());
        }
    }
    Ok(())
}
