//! The referee: compares the engine's counts, answers and runs with those of the oracle, with and without rotation.

use super::Judgement;
use super::judge::{Judged, Outcome, judge};
use crate::searches;
use machine::{Frozen, Machine, Map, NodeId, PropertyKind, rotations};
use std::cell::Cell;
use verdict::{Answer, Budget, Progress, PropertyResult, Question, Refusal, Report, Spent};

/// The largest number of states, in all instances together, of a Machine that the oracle decides.
pub const LIMIT: usize = 1_000;

/// The limit on states for the engine, if the oracle does not decide the Machine.
const CUT: u64 = LIMIT as u64 / 2;

/// The limit on states for all other searches: more than a Machine that the oracle decides can need.
const ENOUGH: u64 = 3 * LIMIT as u64;

/// A budget with a limit on states; the flag records whether it was reached.
struct States(u64, Cell<bool>);

impl Budget for States {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        self.1.set(self.1.get() || progress.states > self.0);
        self.1.get().then_some(Spent::Interrupted)
    }

    fn first_look(&self) -> u32 {
        5
    }
}

/// A Machine with the results of the oracle.
pub struct Case {
    pub machine: Machine,
    pub outcome: Outcome,
    questions: Vec<Asked>,
}

/// A question to the engine.
struct Asked {
    machine: Machine,
    fair: bool,
    states: u64,
    /// Whether to use the cone of influence with lazy initial values or, with time, timed reductions.
    late: bool,
    /// The indices of its properties in the Machine of the case.
    properties: Vec<usize>,
}

/// For each question: the report of the engine, and whether it reached the limit.
pub type Said = Vec<(Result<Report, Refusal>, bool)>;

impl Case {
    pub fn new(machine: Machine) -> Case {
        let outcome = judge(&machine, LIMIT);
        let ask = |machine: &Machine, fair, states| Asked {
            machine: machine.clone(),
            fair,
            states,
            late: false,
            properties: (0..machine.properties.len()).collect(),
        };
        let mut questions = Vec::new();
        match &outcome {
            Outcome::Judged(_) => {
                questions.push(ask(&without_properties(&machine), true, ENOUGH));
                questions.push(ask(&machine, true, ENOUGH));
                questions.push(ask(&machine, false, ENOUGH));
                for fair in [true, false] {
                    let late = true;
                    let asked = ask(&machine, fair, ENOUGH);
                    questions.push(Asked { late, ..asked });
                }
                // Components that temporal claims read are never undecided. So each of these questions has only one
                // property on single states.
                for p in (0..machine.properties.len()).filter(|p| is_of_states(&machine, *p)) {
                    let mut alone = machine.clone();
                    alone.properties = vec![machine.properties[p].clone()];
                    let asked = ask(&alone, true, ENOUGH);
                    questions.push(Asked {
                        late: true,
                        properties: vec![p],
                        ..asked
                    });
                }
                if rotations(&machine) {
                    questions.push(ask(&without_rotation(&machine), true, ENOUGH));
                }
            }
            Outcome::NoInitialState | Outcome::Initial => {
                questions.push(ask(&machine, true, ENOUGH));
            }
            Outcome::TooLarge => {
                questions.push(ask(&machine, true, CUT));
                questions.push(ask(&machine, false, CUT));
            }
            Outcome::TooLong => {}
        }
        Case {
            machine,
            outcome,
            questions,
        }
    }

    /// Runs the engine on all questions.
    pub fn ask(&self) -> Said {
        let one = |asked: &Asked| {
            let budget = States(asked.states, Cell::new(false));
            let question = Question {
                machine: &asked.machine,
                fair: asked.fair,
            };
            let report = match asked.late {
                false => searches::run(&question, &budget),
                true => {
                    let cone = |frozen: &Frozen| passes::cone_of_influence(&asked.machine, frozen);
                    let report = match asked.machine.digitisation() {
                        None => searches::run_abstract(&question, &cone, &budget),
                        Some(_) => {
                            let timed_reductions = passes::timed_reductions(&asked.machine);
                            searches::run_timed(&question, &cone, &timed_reductions, &budget)
                        }
                    };
                    report.map(|report| come_back(&asked.machine, report))
                }
            };
            (report, budget.1.get())
        };
        self.questions.iter().map(one).collect()
    }

    /// Compares the reports of the engine with the results of the oracle. An error describes the difference.
    pub fn check(&self, said: &Said) -> Result<(), String> {
        for (i, (asked, (report, cut))) in self.questions.iter().zip(said).enumerate() {
            match (&self.outcome, report) {
                (Outcome::NoInitialState, Err(Refusal::NoInitialState)) => {}
                (Outcome::Initial, Err(Refusal::Initial(_))) => {}
                (Outcome::TooLarge, Err(Refusal::NoInitialState | Refusal::Initial(_))) => {}
                (_, Err(refusal)) => return Err(format!("{refusal:?}")),
                (Outcome::Judged(judged), Ok(report)) if i == 0 => counts(judged, report)?,
                (Outcome::Judged(judged), Ok(report)) => {
                    let expected = if asked.fair {
                        &judged.fair
                    } else {
                        &judged.unfair
                    };
                    let expected: Vec<Judgement> =
                        asked.properties.iter().map(|p| expected[*p]).collect();
                    answers(asked, report, &expected).map_err(|e| format!("{e} (question {i})"))?;
                    if let (true, Ok(whole)) = (asked.late, &said[1].0)
                        && report.findings.complete
                        && whole.findings.complete
                    {
                        let premises: Vec<_> = report.results.iter().map(|r| r.premise).collect();
                        let expected = asked.properties.iter().map(|p| whole.results[*p].premise);
                        same("premises", &premises, &expected.collect())?;
                        let (late, whole) = (&report.findings, &whole.findings);
                        same("blocks that ran", &late.ran, &whole.ran)?;
                        same("messages sent", &late.sent, &whole.sent)?;
                    }
                }
                (Outcome::TooLarge, Ok(report)) => partly(asked, report, *cut)?,
                _ => return Err("initial states where there are none".into()),
            }
        }
        Ok(())
    }

    /// Runs the engine and compares.
    pub fn compare(&self) -> Result<(), String> {
        self.check(&self.ask())
    }
}

/// The report with runs lifted from the cone of influence, so that cycles return to the same whole state.
fn come_back(machine: &Machine, mut report: Report) -> Report {
    for PropertyResult { answer, .. } in &mut report.results {
        let back = answer
            .run()
            .and_then(|run| passes::lift_from_cone(machine, run));
        if let Some(run) = back {
            *answer = std::mem::replace(answer, Answer::Holds).with_run(Box::new(run));
        }
    }
    report
}

/// Whether a property is decided on single states: an invariant or a `possible`.
fn is_of_states(machine: &Machine, property: usize) -> bool {
    match &machine.properties[property].kind {
        PropertyKind::Claim(claim) => claim.invariant().is_some(),
        PropertyKind::Possible(_) => true,
    }
}

/// Checks a search that may have reached its limit: every answer is `unknown` or has a confirmed run.
fn partly(asked: &Asked, report: &Report, cut: bool) -> Result<(), String> {
    for (p, answer) in report.answers().enumerate() {
        match answer {
            Answer::Unknown(_) => {}
            Answer::Fails(_) | Answer::Possible(_) => confirm(asked, p, answer)?,
            other if cut => return Err(format!("property {p}, cut short: {}", short(other))),
            // The search ended before it checked the budget again.
            other => confirm(asked, p, other)?,
        }
    }
    Ok(())
}

/// Compares the counts of a search without properties, which visits all states.
fn counts(judged: &Judged, report: &Report) -> Result<(), String> {
    let found = &report.counts;
    same("initial states", found.initial, judged.initial)?;
    same("states", found.states, judged.states)?;
    same("transitions", found.transitions, judged.transitions)?;
    let error = report.findings.error.as_ref();
    let error = error.map(|run| run.choices.len());
    same("the length of a run into an error", error, judged.error)
}

/// Compares every answer, and confirms its runs.
fn answers(asked: &Asked, report: &Report, expected: &[Judgement]) -> Result<(), String> {
    let (machine, fair) = (&asked.machine, asked.fair);
    same("answers", report.results.len(), expected.len())?;
    for (p, (answer, wanted)) in report.answers().zip(expected).enumerate() {
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
            // With timed reductions the length of a run is not the depth of its last state.
            ((Judgement::Happens(_), length), Judgement::Happens(Some(least)))
                if !(asked.late && machine.digitisation().is_some()) =>
            {
                same("length of a shortest run", length, least).map_err(context)?;
            }
            ((Judgement::Happens(_), _), Judgement::Happens(_)) => {}
            ((found, _), wanted) => same("the answer", found, wanted).map_err(context)?,
        }
        confirm(asked, p, answer).map_err(context)?;
    }
    Ok(())
}

fn confirm(asked: &Asked, p: usize, answer: &Answer) -> Result<(), String> {
    let question = Question {
        machine: &asked.machine,
        fair: asked.fair,
    };
    match audit::confirm(&question, p, answer) {
        Ok(_) => Ok(()),
        Err(rejected) => Err(format!("{}: the audit says: {rejected}", short(answer))),
    }
}

/// The Machine without properties. Rotation of instances applies to the result if and only if it applied before.
fn without_properties(machine: &Machine) -> Machine {
    let mut machine = match rotations(machine) {
        true => machine.clone(),
        false => without_rotation(machine), // without properties, rotation might apply
    };
    machine.properties.clear();
    machine
}

/// The Machine with an additional map that no rotation preserves.
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
        Answer::Value(..) | Answer::Time(..) => "a value",
        Answer::NoBound(_) => "no bound",
    }
}
