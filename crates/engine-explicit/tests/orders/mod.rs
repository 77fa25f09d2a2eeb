//! Two searches about one Machine, one of which leaves out orders of events.

pub mod cases;

use engine_explicit::{run, run_reduced};
use machine::{Instance, Machine, State};
use verdict::{Answer, Budget, Ending, Progress, Question, Report, Run, Spent};

/// At most so many states.
struct States(u64);

impl Budget for States {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        (progress.states > self.0).then(|| Spent::Memory("of this test".into()))
    }

    fn first_look(&self) -> u32 {
        4
    }
}

/// What came of a comparison.
pub enum Compared {
    /// It is too large, or has no runs; why.
    Not(String),
    /// Nothing was left out; why.
    Aside(String),
    Same(Same),
}

/// Answers that are the same.
#[derive(Default)]
pub struct Same {
    /// Something was left out.
    pub less: bool,
    /// Some run goes on for ever.
    pub loops: bool,
    pub holds: usize,
    pub fails: usize,
    pub errors: usize,
}

/// Asks both searches, and says in what they differ.
pub fn compare(machine: &Machine, fair: bool) -> Result<Compared, String> {
    let question = Question { machine, fair };
    let whole = match run(&question, &States(15_000)) {
        Ok(report) => report,
        Err(refusal) => return Ok(Compared::Not(format!("{refusal:?}"))),
    };
    let unknown = |report: &Report| {
        let unknown = |a: &Answer| matches!(a, Answer::Unknown(_));
        report.answers.iter().any(unknown)
    };
    if unknown(&whole) {
        return Ok(Compared::Not("too large".into()));
    }
    let reduced = run_reduced(&question, &States(60_000)).map_err(|r| format!("{r:?}"))?;
    let less = reduced.report;
    for (p, (a, b)) in whole.answers.iter().zip(&less.answers).enumerate() {
        let name = &machine.properties[p].name;
        let (a, b) = (word(a), word(b));
        if a != b {
            return Err(format!("{name}: {a}, but with less {b}"));
        }
    }
    for answer in &less.answers {
        if let Some(run) = answer.run() {
            replay(machine, run)?;
        }
    }
    if whole.findings.complete && less.findings.complete {
        let told = |report: &Report| {
            let f = &report.findings;
            let ends = (f.deadlock.is_some(), f.error.is_some());
            (f.ran.clone(), f.sent.clone(), f.premises.clone(), ends)
        };
        if told(&whole) != told(&less) {
            return Err(format!(
                "{:?}, but with less {:?}",
                told(&whole),
                told(&less)
            ));
        }
    }
    if let Some(why) = reduced.aside {
        return Ok(Compared::Aside(why));
    }
    let mut same = Same {
        less: whole.findings.complete && less.counts.transitions < whole.counts.transitions,
        ..Same::default()
    };
    for answer in &less.answers {
        match word(answer) {
            "holds" | "impossible" => same.holds += 1,
            "error" => same.errors += 1,
            _ => same.fails += 1,
        }
        let ending = answer.run().map(|run| &run.ending);
        same.loops |= matches!(ending, Some(Ending::Loops(_)));
    }
    Ok(Compared::Same(same))
}

/// An answer without its run.
pub fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Holds => "holds",
        Answer::Fails(_) => "fails",
        Answer::Possible(_) => "possible",
        Answer::Impossible => "impossible",
        Answer::Error(_) => "error",
        Answer::Unknown(_) => "unknown",
        Answer::Value(..) | Answer::Time(..) | Answer::NoBound(_) => "sought",
    }
}

/// Replays a run in the reference interpreter.
fn replay(machine: &Machine, run: &Run) -> Result<(), String> {
    let rigid = &run.rigid;
    let instance = Instance { machine, rigid };
    let mut states: Vec<State> = vec![run.initial.clone()];
    for (c, choice) in run.choices.iter().enumerate() {
        match instance.step(&states[c], choice) {
            Ok(state) => states.push(state),
            Err(_) if matches!(run.ending, Ending::Error(_)) && c + 1 == run.choices.len() => {}
            Err(why) => return Err(format!("event {c} of a run: {why:?}")),
        }
    }
    match run.ending {
        Ending::Loops(at) if states[at] != states[states.len() - 1] => {
            Err("a loop that does not come back".into())
        }
        Ending::StandsStill if !instance.choices(&states[states.len() - 1]).is_empty() => {
            Err("a run that stands still too early".into())
        }
        _ => Ok(()),
    }
}
