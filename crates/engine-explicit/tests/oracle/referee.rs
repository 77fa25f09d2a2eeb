//! Whether the engine says of a Machine what is true: counts, answers, runs.

use super::Judgement;
use super::judge::{Judged, Outcome, judge};
use machine::{Machine, Map, NodeId, PropertyKind, rotations};
use std::cell::Cell;
use verdict::{Answer, Budget, Progress, Question, Refusal, Report, Spent};

/// Machines with more states than this, in all instances together, are not judged.
pub const LIMIT: usize = 1_000;

/// What the engine may spend on a Machine that is not judged.
const CUT: u64 = LIMIT as u64 / 2;

/// An end to searches that have none: more than a Machine that is judged can need.
const ENOUGH: u64 = 3 * LIMIT as u64;

/// So many states, and whether they are spent.
struct States(u64, Cell<bool>);

impl Budget for States {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        self.1.set(self.1.get() || progress.states > self.0);
        self.1.get().then_some(Spent::Interrupted)
    }
}

/// A Machine with what is true of it.
pub struct Case {
    pub machine: Machine,
    pub outcome: Outcome,
}

impl Case {
    pub fn new(machine: Machine) -> Case {
        let outcome = judge(&machine, LIMIT);
        Case { machine, outcome }
    }

    /// What is wrong with the engine's report, in words.
    pub fn compare(&self) -> Result<(), String> {
        match &self.outcome {
            Outcome::Judged(judged) => {
                counts(judged)?;
                answers(&judged.machine, true, &judged.fair)?;
                answers(&judged.machine, false, &judged.unfair)?;
                if rotations(&judged.machine) {
                    answers(&without_rotation(&judged.machine), true, &judged.fair)
                        .map_err(|e| format!("without rotation: {e}"))?;
                }
                Ok(())
            }
            Outcome::NoInitialState => match run(&self.machine, true, ENOUGH) {
                Err(Refusal::NoInitialState) => Ok(()),
                other => Err(format!("no initial state, but {other:?}")),
            },
            Outcome::Initial => match run(&self.machine, true, ENOUGH) {
                Err(Refusal::Initial(_)) => Ok(()),
                other => Err(format!("an error in initial states, but {other:?}")),
            },
            Outcome::TooLarge => self.cut(true).and_then(|()| self.cut(false)),
            Outcome::TooLong => Ok(()),
        }
    }

    /// A search that is cut short says `unknown`, or shows a run.
    fn cut(&self, fair: bool) -> Result<(), String> {
        let (machine, budget) = (&self.machine, States(CUT, Cell::new(false)));
        let report = match engine_explicit::run(&Question { machine, fair }, &budget) {
            Ok(report) => report,
            Err(Refusal::NoInitialState | Refusal::Initial(_)) => return Ok(()),
            Err(Refusal::Unsupported(why)) => return Err(why),
        };
        for (p, answer) in report.answers.iter().enumerate() {
            match answer {
                Answer::Unknown(_) => {}
                Answer::Fails(_) | Answer::Possible(_) => confirm(machine, fair, p, answer)?,
                other if budget.1.get() => {
                    return Err(format!("property {p}, cut short: {}", short(other)));
                }
                // It came to the end before anybody looked.
                other => confirm(machine, fair, p, other)?,
            }
        }
        Ok(())
    }
}

fn run(machine: &Machine, fair: bool, states: u64) -> Result<Report, Refusal> {
    let budget = States(states, Cell::new(false));
    engine_explicit::run(&Question { machine, fair }, &budget)
}

/// The number of everything, when nothing is asked: then nothing is left out.
fn counts(judged: &Judged) -> Result<(), String> {
    let mut machine = judged.machine.clone();
    if !rotations(&machine) {
        machine = without_rotation(&machine); // not with fewer properties either
    }
    machine.properties.clear();
    let report = run(&machine, true, ENOUGH).map_err(|refusal| format!("{refusal:?}"))?;
    let found = &report.counts;
    same("initial states", found.initial, judged.initial)?;
    same("states", found.states, judged.states)?;
    same("transitions", found.transitions, judged.transitions)?;
    let error = report.findings.error.as_ref();
    let error = error.map(|run| run.choices.len());
    same("the length of a run into an error", error, judged.error)
}

/// Every answer, and the runs that go with them.
fn answers(machine: &Machine, fair: bool, expected: &[Judgement]) -> Result<(), String> {
    let report = run(machine, fair, ENOUGH).map_err(|refusal| format!("{refusal:?}"))?;
    same("answers", report.answers.len(), expected.len())?;
    for (p, (answer, wanted)) in report.answers.iter().zip(expected).enumerate() {
        let name = &machine.properties[p].name;
        let context = |e| format!("`{name}`, {}: {e}", if fair { "fair" } else { "unfair" });
        let possible = matches!(machine.properties[p].kind, PropertyKind::Possible(_));
        let found = match answer {
            Answer::Fails(run) if !possible => (Judgement::Happens(None), run.choices.len()),
            Answer::Possible(run) if possible => (Judgement::Happens(None), run.choices.len()),
            Answer::Holds if !possible => (Judgement::Never, 0),
            Answer::Impossible if possible => (Judgement::Never, 0),
            Answer::Error(_) => (Judgement::Error, 0),
            Answer::Unknown(_) if *wanted == Judgement::TooLarge => (Judgement::TooLarge, 0),
            other => return Err(context(format!("{}, not {wanted:?}", short(other)))),
        };
        match (found, *wanted) {
            ((Judgement::Happens(_), length), Judgement::Happens(Some(least))) => {
                same("length of a shortest run", length, least).map_err(context)?;
            }
            ((Judgement::Happens(_), _), Judgement::Happens(None)) => {}
            ((found, _), wanted) => same("the answer", found, wanted).map_err(context)?,
        }
        confirm(machine, fair, p, answer).map_err(context)?;
    }
    Ok(())
}

fn confirm(machine: &Machine, fair: bool, p: usize, answer: &Answer) -> Result<(), String> {
    match audit::confirm(&Question { machine, fair }, p, answer) {
        Ok(_) => Ok(()),
        Err(rejected) => Err(format!("{}: the audit says: {rejected}", short(answer))),
    }
}

/// The same Machine, but with a function on its nodes that no rotation leaves as it is.
fn without_rotation(machine: &Machine) -> Machine {
    let mut machine = machine.clone();
    let to = machine.nodes().map(|_| NodeId(0)).collect();
    machine.maps.push(Map {
        name: "nowhere else".into(),
        to,
    });
    assert!(!rotations(&machine));
    machine
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Result<(), String> {
    if found == wanted {
        Ok(())
    } else {
        Err(format!("{what}: {found:?}, not {wanted:?}"))
    }
}

fn short(answer: &Answer) -> &'static str {
    match answer {
        Answer::Holds => "holds",
        Answer::Fails(_) => "fails",
        Answer::Possible(_) => "possible",
        Answer::Impossible => "impossible",
        Answer::Error(_) => "error",
        Answer::Unknown(_) => "unknown",
    }
}
