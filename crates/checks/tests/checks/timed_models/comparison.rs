//! The answers of several methods to the questions of a random model with times, and their comparison. The methods are
//! the tool with all its reductions, the enumerator without reductions, and random runs of the reference interpreter.

use crate::timed_models::text::{Asked, Model};
use checks::{Effort, Loaded, Options, check, load_text, simulate};
use enumerator::{Setup, ask, latest, possible, read, read_condition};
use rational::Rational;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use verdict::{Answer, ReasonKind, Side};

/// The largest number of states of the enumerator.
const LIMIT: usize = 8_000;

/// The largest time up to which the enumerator looks for the last time at which a condition is true.
const HORIZON: i128 = 14;

/// The true answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// The claim holds, or the condition is unreachable.
    Never,
    Happens,
    Error,
    /// The last time at which a condition is true; `None` if it is never true. `HORIZON` stands for all later times.
    Last(Option<i128>),
}

/// A model, and the results of the enumerator and of random runs.
pub struct Case {
    pub model: Model,
    loaded: Loaded,
    /// For each check and question; `None` if the enumerator gives no answer.
    pub truth: Vec<Vec<Option<Truth>>>,
    /// The reasons why the enumerator gives no answer to some questions.
    pub refused: Vec<String>,
    /// For each check and question: whether a random run reaches the condition, and whether one ends in an error.
    seen: Vec<Vec<(bool, bool)>>,
}

/// The answers of the tool for each check, or the reason why it refuses the check.
pub type ToolAnswers = Vec<Result<Vec<Answer>, String>>;

impl Case {
    pub fn new(model: Model, seed: u64) -> Case {
        let loaded = load_text("random.scrut", &model.text);
        let wrong = || format!("seed {seed}: {:?}\n{}", loaded.diagnostics, model.text);
        assert!(!loaded.has_errors(), "{}", wrong());
        let mut refused = Vec::new();
        let truth = truth(&model, &mut refused);
        let effort = Effort {
            runs: 25,
            seed,
            steps: Some(40),
            threads: 1,
        };
        let mut seen = Vec::new();
        for number in 0..loaded.model.checks.len() {
            let (options, never) = (Options::default(), AtomicBool::new(false));
            let found = simulate(&loaded, number, &options, &effort, &never, &mut |_| {});
            let found = found.unwrap_or_else(|e| panic!("{e:?}: {}", wrong()));
            let tallies = found.into_iter().flat_map(|found| found.instances);
            let tallies = tallies.flat_map(|instance| instance.tallies);
            seen.push(tallies.map(|t| (t.hits > 0, t.errors > 0)).collect());
        }
        Case {
            model,
            loaded,
            truth,
            refused,
            seen,
        }
    }

    /// Runs the tool on all checks.
    pub fn ask(&self) -> ToolAnswers {
        let one = |number| {
            let never = AtomicBool::new(false);
            let options = Options {
                time: Some(Duration::from_millis(700)),
                ..Options::default()
            };
            let report = check(&self.loaded, number, &options, &never, &mut |_| {});
            let report = report.map_err(|wrong| format!("{wrong:?}"))?;
            let instances = report.into_iter().flat_map(|report| report.instances);
            Ok(instances
                .flat_map(|i| i.report.results)
                .map(|result| result.answer)
                .collect())
        };
        (0..self.loaded.model.checks.len()).map(one).collect()
    }

    /// Compares the answers. The error describes a contradiction.
    pub fn check(&self, by_tool: &ToolAnswers) -> Result<(), String> {
        for (number, by_tool) in by_tool.iter().enumerate() {
            let answers = by_tool.as_ref().map_err(String::clone)?;
            for (place, answer) in answers.iter().enumerate() {
                let what = format!("check {number}, {place}: {}", brief(answer));
                if let Answer::Unknown(why) = answer
                    && why.kind() == ReasonKind::Defect
                {
                    return Err(what);
                }
                if let Some(truth) = &self.truth[number][place]
                    && !agrees(truth, answer)
                {
                    return Err(format!("{what}, but {truth:?} to the enumerator"));
                }
                let never = matches!(answer, Answer::Holds | Answer::Impossible);
                let (happens, error) = self.seen[number].get(place).copied().unwrap_or_default();
                let plain = !matches!(self.model.asked[number][place], Asked::Last(_));
                if plain
                    && (never && (happens || error)
                        || happens && matches!(answer, Answer::Error(_)))
                {
                    return Err(format!(
                        "{what}, but random runs: {happens}, errors: {error}"
                    ));
                }
                if plain
                    && let Some(truth) = &self.truth[number][place]
                    && (*truth == Truth::Never && (happens || error)
                        || *truth == Truth::Error && happens)
                {
                    return Err(format!(
                        "{truth:?} to the enumerator, but random runs: {happens}, errors: {error}"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The answer as text, without its run.
pub fn brief(answer: &Answer) -> String {
    match answer {
        Answer::Time(threshold, _) => format!("{threshold:?}"),
        Answer::Unknown(why) => format!("unknown: {why:?}"),
        other => format!("{other:?}").chars().take(12).collect(),
    }
}

fn agrees(truth: &Truth, answer: &Answer) -> bool {
    match (truth, answer) {
        (_, Answer::Unknown(_)) => true,
        (Truth::Last(last), Answer::Time(threshold, _)) => {
            let horizon = Rational::from(HORIZON as i64);
            match last {
                Some(HORIZON) => threshold.time >= horizon,
                Some(last) => {
                    threshold.time == Rational::from(*last as i64) && threshold.side == Side::Here
                }
                // A condition that is never true has no last time.
                None => false,
            }
        }
        (Truth::Last(last), Answer::NoBound(_)) => *last == Some(HORIZON),
        // The tool reports an error in some run, which `latest` does not look for.
        (Truth::Last(_), Answer::Error(_)) => true,
        (Truth::Last(_), _) => false,
        (Truth::Never, answer) => matches!(answer, Answer::Holds | Answer::Impossible),
        (Truth::Happens, answer) => matches!(answer, Answer::Fails(_) | Answer::Possible(_)),
        (Truth::Error, answer) => matches!(answer, Answer::Error(_)),
    }
}

/// The true answers of the enumerator; adds the reasons for missing answers to `refused`.
fn truth(model: &Model, refused: &mut Vec<String>) -> Vec<Vec<Option<Truth>>> {
    let file = read(&model.text).unwrap_or_else(|why| panic!("{why} in\n{}", model.text));
    let setup = Setup {
        limit: LIMIT,
        ..Setup::default()
    };
    let plainly = |answer| match answer {
        enumerator::Answer::Holds | enumerator::Answer::Impossible => Truth::Never,
        enumerator::Answer::Fails | enumerator::Answer::Possible => Truth::Happens,
        enumerator::Answer::Error => Truth::Error,
    };
    let expr = |text: &str| read_condition(text).expect("a condition");
    let mut of = |asked: &Asked| {
        // After the limit was exceeded once, the other questions are skipped.
        if refused.iter().any(|why| why.starts_with("more than")) {
            refused.push("more than that".into());
            return None;
        }
        let truth = match asked {
            Asked::Claim(name) => ask(&file, &setup, &expr(name)).map(plainly),
            Asked::Possible(text) => possible(&file, &setup, &expr(text)).map(plainly),
            Asked::Last(text) => latest(&file, &setup, &expr(text), HORIZON).map(Truth::Last),
        };
        truth.map_err(|why| refused.push(why)).ok()
    };
    let all = model.asked.iter();
    all.map(|asked| asked.iter().map(&mut of).collect())
        .collect()
}
