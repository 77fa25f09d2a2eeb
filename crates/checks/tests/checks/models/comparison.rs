//! The answers of several methods to the questions of a random model, and their comparison.
//!
//! The enumerator computes the true answers for untimed models, directly from the syntax tree. For timed models it
//! computes the answers for the same model without times, which has all runs of the timed model and more. The plain
//! search visits every state; the tool uses its reductions; the reference interpreter executes the random runs.

use crate::models::text::{Model, Rhythm};
use crate::random_runs::{StateLimited, contradiction, random_runs};
use checks::load_text;
use enumerator::{Setup, enumerate, invariant, reachable, read, read_condition, sum};
use machine::{Abstraction, Machine};
use simulate::RandomRun;
use std::cell::OnceCell;
use strategy::answer;
use verdict::{Answer, Premise, Question, ReasonKind, Refusal, Report};

/// The largest number of states of the enumerator per instance. The limit of the plain search is a multiple of it.
const LIMIT: usize = 300;

/// The true answer to a question. A claim is treated as the question whether it is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Truth {
    Never,
    Happens,
    Error,
}

/// A model, the Machines of its checks, and the results of the enumerator and of random runs.
pub struct Case {
    pub model: Model,
    pub machines: Vec<Machine>,
    /// For each question; `None` if the enumerator gives no answer.
    pub truth: Vec<Option<Truth>>,
    random_runs: Vec<Vec<RandomRun>>,
}

/// For each check the reports of the plain search and of the tool.
pub type Reports = Vec<[Result<Report, Refusal>; 2]>;

impl Case {
    pub fn new(model: Model, seed: u64) -> Case {
        let loaded = load_text("random.scrut", &model.text);
        assert!(
            !loaded.has_errors(),
            "seed {seed}: {:?}",
            loaded.diagnostics
        );
        let mut machines = Vec::new();
        for check in 0..loaded.model.checks.len() {
            let requests = lower::instances(&loaded.model, check, &[]);
            for request in requests.unwrap_or_else(|e| panic!("seed {seed}: {e:?}")) {
                let lowered = lower::lower(&loaded.model, &loaded.sources, &request);
                let lowered = lowered.unwrap_or_else(|e| panic!("seed {seed}: {e:?}"));
                machines.push(lowered.machine);
            }
        }
        Case {
            truth: truth(&model),
            random_runs: machines.iter().map(|m| random_runs(m, seed)).collect(),
            machines,
            model,
        }
    }

    /// Runs the plain search and the tool on all checks.
    pub fn ask(&self) -> Reports {
        let one = |exact: &Machine| {
            let fair = true;
            let plain = Machine {
                abstraction: match exact.has_time() {
                    true => Abstraction::Order(Vec::new(), Vec::new()),
                    false => exact.abstraction.clone(),
                },
                ..exact.clone()
            };
            let machine = &plain;
            let plain = explicit::run(
                &Question { machine, fair },
                &explicit::Options::default(),
                &StateLimited::states(5 * LIMIT as u64),
            );
            let machine = exact;
            let tool = answer(
                &Question { machine, fair },
                &StateLimited::states(10 * LIMIT as u64),
            );
            [plain, tool]
        };
        self.machines.iter().map(one).collect()
    }

    /// Compares the reports. The error describes a contradiction.
    pub fn check(&self, reports: &Reports) -> Result<(), String> {
        let mut truth = self.truth.iter().zip(&self.model.asked);
        for ((machine, [plain, tool]), random_runs) in
            self.machines.iter().zip(reports).zip(&self.random_runs)
        {
            let truth: Vec<_> = truth.by_ref().take(machine.properties.len()).collect();
            let (plain, tool) = match (plain, tool) {
                (Ok(plain), Ok(tool)) => (plain, tool),
                (Err(a), Err(b)) if a == b => continue,
                (a, b) => return Err(format!("{:?} and {:?}", a.as_ref().err(), b.as_ref().err())),
            };
            // An answer may be unknown only because of a limit, not because a run could not be replayed.
            for answer in plain.answers().chain(tool.answers()) {
                if let Answer::Unknown(why) = answer
                    && why.kind() != ReasonKind::Limit
                {
                    return Err(format!("not known: {why:?}"));
                }
            }
            if let Some(why) = contradiction(machine, tool, random_runs) {
                return Err(format!("the tool, {why}"));
            }
            for (p, (truth, asked)) in truth.iter().enumerate() {
                let opinions = [
                    **truth,
                    outcome(&plain.results[p].answer),
                    outcome(&tool.results[p].answer),
                ];
                let [wide, plain_says, tool_says] = opinions;
                let agree = match self.model.rhythm {
                    _ if wide.is_some() && plain_says.is_some() && wide != plain_says => false,
                    Rhythm::Untimed => same(wide, tool_says) && same(plain_says, tool_says),
                    Rhythm::Timed => [wide, plain_says]
                        .iter()
                        .all(|wide| fewer(tool_says, *wide)),
                };
                if !agree {
                    let [wide, plain, tool] = opinions.map(|o| format!("{o:?}"));
                    let others = format!("{wide} to the enumerator, {plain} to the plain search");
                    return Err(format!("`{}`: {tool} to the tool, {others}", asked.name));
                }
            }
            if self.model.rhythm == Rhythm::Untimed {
                findings(plain, tool)?;
            }
        }
        Ok(())
    }
}

/// Compares the findings and the premises of two complete searches.
fn findings(plain: &Report, tool: &Report) -> Result<(), String> {
    if !plain.findings.complete || !tool.findings.complete {
        return Ok(());
    }
    let open = |p: &Option<Premise>| *p == Some(Premise::Open);
    for (a, b) in plain.results.iter().zip(&tool.results) {
        let (a, b) = (a.premise, b.premise);
        if a != b && !open(&a) && !open(&b) {
            return Err(format!("premises {a:?} and {b:?}"));
        }
    }
    let (plain, tool) = (&plain.findings, &tool.findings);
    if plain.ran != tool.ran {
        return Err(format!(
            "blocks that ran {:?} and {:?}",
            plain.ran, tool.ran
        ));
    }
    if plain.sent != tool.sent {
        return Err(format!(
            "messages sent {:?} and {:?}",
            plain.sent, tool.sent
        ));
    }
    Ok(())
}

/// Whether two answers agree, or one of them is unknown.
fn same(a: Option<Truth>, b: Option<Truth>) -> bool {
    a.is_none() || b.is_none() || a == b
}

/// Whether an answer about a subset of the runs (`fewer`) is consistent with one about all runs (`more`).
fn fewer(fewer: Option<Truth>, more: Option<Truth>) -> bool {
    match (fewer, more) {
        (Some(Truth::Happens), Some(more)) => more == Truth::Happens,
        (Some(Truth::Error), Some(more)) => more != Truth::Never,
        _ => true,
    }
}

/// The truth that an answer implies; `None` if it is unknown or a value.
pub fn outcome(answer: &Answer) -> Option<Truth> {
    match answer {
        Answer::Holds | Answer::Impossible => Some(Truth::Never),
        Answer::Fails(_) | Answer::Possible(_) => Some(Truth::Happens),
        Answer::Error(_) => Some(Truth::Error),
        Answer::Unknown(_) | Answer::Value(..) | Answer::Time(..) | Answer::NoBound(_) => None,
    }
}

/// The true answers of the enumerator, for the model without times.
fn truth(model: &Model) -> Vec<Option<Truth>> {
    let text = match model.rhythm {
        Rhythm::Untimed => model.text.clone(),
        Rhythm::Timed => model.untimed(),
    };
    let file = read(&text).unwrap_or_else(|why| panic!("{why} in\n{text}"));
    let setup = Setup {
        limit: LIMIT,
        ..Setup::default()
    };
    let errors = OnceCell::new();
    let errors = || errors.get_or_init(|| enumerate(&file, &setup).map(|c| sum(&c).errors));
    let of = |asked: &crate::models::text::Asked| {
        let condition = read_condition(asked.condition.as_ref()?).expect("a condition");
        let happens = match asked.possible {
            true => reachable(&file, &setup, &condition),
            false => invariant(&file, &setup, &condition).map(|holds| !holds),
        };
        Some(match happens.ok()? {
            true => Truth::Happens,
            false if *errors().as_ref().ok()? > 0 => Truth::Error,
            false => Truth::Never,
        })
    };
    model.asked.iter().map(of).collect()
}
