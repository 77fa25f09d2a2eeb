//! The answers of several methods about a random model, and their comparison.
//!
//! The enumerator computes the truth of untimed models, directly from the syntax tree. For timed models it computes
//! the truth of the same model without times, which has a superset of the runs. The plain search visits every state;
//! the tool uses its reductions; the interpreter alone takes the random runs.

use crate::models::text::{Model, Rhythm};
use crate::random_runs::{StateLimited, contradiction, random_runs};
use checks::load_text;
use enumerator::{Setup, enumerate, invariant, reachable, read, read_condition, sum};
use machine::{Abstraction, Machine};
use simulate::RandomRun;
use std::cell::OnceCell;
use strategy::answer;
use verdict::{Answer, Premise, Question, Refusal, Report};

/// The limit of states of the enumerator in one instance; the plain search has a multiple of it.
const LIMIT: usize = 300;

/// The truth of a question; for a claim, whether it is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Truth {
    Never,
    Happens,
    Error,
}

/// A model, the Machines of its checks, and the results of methods other than the tool.
pub struct Case {
    pub model: Model,
    pub machines: Vec<Machine>,
    /// By question; none where the enumerator gives no answer.
    pub truth: Vec<Option<Truth>>,
    random_runs: Vec<Vec<RandomRun>>,
}

/// The reports about each check: by the plain search, and by the tool.
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

    /// Runs the plain search and the tool.
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

    /// Compares the reports; the error describes a contradiction.
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
            // Only a limit is a legitimate reason for an unknown answer: a run that does not replay is not.
            for answer in plain.answers.iter().chain(&tool.answers) {
                if let Answer::Unknown(why) = answer
                    && !why.starts_with("interrupted")
                    && !why.starts_with("the limit was reached")
                {
                    return Err(format!("not known: {why}"));
                }
            }
            if let Some(why) = contradiction(machine, tool, random_runs) {
                return Err(format!("the tool, {why}"));
            }
            for (p, (truth, asked)) in truth.iter().enumerate() {
                let opinions = [
                    **truth,
                    outcome(&plain.answers[p]),
                    outcome(&tool.answers[p]),
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

/// Compares the findings, if both searches are complete.
fn findings(plain: &Report, tool: &Report) -> Result<(), String> {
    let (plain, tool) = (&plain.findings, &tool.findings);
    if !plain.complete || !tool.complete {
        return Ok(());
    }
    let open = |p: &Option<Premise>| *p == Some(Premise::Open);
    let premises = plain.premises.iter().zip(&tool.premises);
    if { premises }.any(|(a, b)| a != b && !open(a) && !open(b)) {
        return Err(format!(
            "premises {:?} and {:?}",
            plain.premises, tool.premises
        ));
    }
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

/// Whether two answers agree, if both are known.
fn same(a: Option<Truth>, b: Option<Truth>) -> bool {
    a.is_none() || b.is_none() || a == b
}

/// Whether an answer about a subset of the runs is consistent with one about all runs.
fn fewer(fewer: Option<Truth>, more: Option<Truth>) -> bool {
    match (fewer, more) {
        (Some(Truth::Happens), Some(more)) => more == Truth::Happens,
        (Some(Truth::Error), Some(more)) => more != Truth::Never,
        _ => true,
    }
}

/// The truth that an answer states.
pub fn outcome(answer: &Answer) -> Option<Truth> {
    match answer {
        Answer::Holds | Answer::Impossible => Some(Truth::Never),
        Answer::Fails(_) | Answer::Possible(_) => Some(Truth::Happens),
        Answer::Error(_) => Some(Truth::Error),
        Answer::Unknown(_) | Answer::Value(..) | Answer::Time(..) | Answer::NoBound(_) => None,
    }
}

/// The truth by the enumerator, without times.
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
