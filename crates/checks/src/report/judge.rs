//! Compares answers with `expect`.

use crate::call::load::Loaded;
use crate::check::CheckReport;
use crate::simulation::simulate::{Simulated, Simulation};
use lower::Request;
use model::{AnswerKind, Attained, Constant, Environment, evaluate};
use rational::Rational;
use verdict::{Answer, Labels, Premise, Side, Threshold};

/// The judgement of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The answer is as expected; or there is no `expect`, and the answer is neither a failed claim, nor an error, nor
    /// unknown.
    Good,
    /// The answer differs from `expect`; or `holds` is expected and the claim holds vacuously; or there is no `expect`,
    /// and the answer is a failed claim or an error.
    Bad,
    /// The answer is unknown and was not expected to be, or `holds` is expected and it is unknown whether the premise
    /// is ever true.
    Unknown,
}

/// An answer with its judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The kind of the answer.
    pub answer: AnswerKind,
    /// The number that was found, if the question is `least` or `greatest` of a number.
    pub value: Option<i64>,
    /// The number or time that was found, in the notation of the model.
    pub value_text: Option<String>,
    /// The expected kind of answer; `None` if there is no `expect`, or `-D` changed the check.
    pub expected: Option<AnswerKind>,
    /// The expected number; `None` if `expect` gives none or a time.
    pub expected_value: Option<i64>,
    /// The expected number or time, in the notation of the model.
    pub expected_text: Option<String>,
    /// For a claim that holds and has a premise: whether the premise is true in a state of some instance.
    pub premise: Option<Premise>,
    /// Whether the answer is good, bad or unknown.
    pub judgement: Judgement,
}

impl Judged {
    /// Whether the claim holds vacuously: its premise is true in no state of any instance.
    pub fn is_vacuous(&self) -> bool {
        self.premise == Some(Premise::Never)
    }
}

/// Judges every answer of a check: one list per instance, with one element per question. All instances of a family get
/// the judgement of the family's answer.
pub fn judge(loaded: &Loaded, report: &CheckReport) -> Vec<Vec<Judged>> {
    let expect = &loaded.model.checks[report.number].expect;
    let expected = |asked: usize| match (&expect[..], report.changed) {
        (_, true) | ([], _) => None,
        ([one], _) => Some(one),
        (many, _) => many.get(report.wanted[asked]),
    };
    let premises: Vec<Option<Premise>> = (0..report.asked.len())
        .map(|asked| premise(report, asked))
        .collect();
    let families = report.families();
    let members = families.iter().flat_map(|f| f.iter().map(move |_| f));
    members
        .map(|family| {
            (0..report.asked.len())
                .map(|asked| {
                    let instance = &report.instances[report.deciding(family, asked)];
                    let answer = &instance.report.results[asked].answer;
                    let expected = expected(asked);
                    let value = expected.and_then(|e| value(loaded, &instance.request, e));
                    let labels = &instance.lowered.labels;
                    let expected = expected.map(|e| (e.kind, value));
                    one(answer, expected, premises[asked], labels)
                })
                .collect()
        })
        .collect()
}

/// The judgement of a simulation. There is no case for "as expected", because a simulation proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// No run contradicts `expect`. Without `expect`: no run violates the claim or ends in an error.
    Nothing,
    /// There is no `expect`, and a run violates the claim or ends in an error.
    Bad,
    /// A run contradicts `expect`. The fields are the expected answer and its value.
    Against(AnswerKind, Option<i64>),
}

/// Judges the runs of one instance for one question.
pub fn judge_seen(
    loaded: &Loaded,
    simulation: &Simulation,
    instance: &Simulated,
    asked: usize,
) -> Seen {
    let tally = &instance.tallies[asked];
    let expected = match (
        &loaded.model.checks[simulation.number].expect[..],
        simulation.changed,
    ) {
        (_, true) | ([], _) => None,
        ([one], _) => Some(one),
        (many, _) => many.get(simulation.wanted[asked]),
    };
    let Some(expected) = expected else {
        let broken = tally.hits > 0 && !simulation.asked[asked].possible;
        return match tally.errors > 0 || broken {
            true => Seen::Bad,
            false => Seen::Nothing,
        };
    };
    let value = match value(loaded, &instance.request, expected) {
        Some(Value::Number(number)) => Some(number),
        _ => None,
    };
    let broken = tally.kept.as_ref().and_then(|kept| kept.value);
    let against =
        match expected.kind {
            AnswerKind::Holds => tally.hits > 0 || tally.errors > 0,
            AnswerKind::Impossible => tally.hits > 0,
            AnswerKind::Value => value
                .zip(broken)
                .is_some_and(|(value, broken)| match simulation.greatest {
                    Some(true) => broken <= value,
                    _ => broken >= value,
                }),
            _ => false,
        };
    match against {
        true => Seen::Against(expected.kind, value),
        false => Seen::Nothing,
    }
}

/// The value that `least` or `greatest` finds.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Number(i64),
    Time(Threshold),
}

impl Value {
    fn number(&self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Time(_) => None,
        }
    }

    fn text(&self, labels: &Labels) -> String {
        match self {
            Value::Number(number) => number.to_string(),
            Value::Time(threshold) => labels.threshold(threshold),
        }
    }
}

/// The expected value, with the parameter values of an instance.
fn value(loaded: &Loaded, request: &Request, expected: &model::Answer) -> Option<Value> {
    let params = request.params.iter().cloned().map(Some);
    let params: Vec<_> = params.collect();
    let env = Environment::new(&loaded.model, &params);
    let expected = expected.value.as_ref()?;
    match evaluate(&expected.value, &env) {
        Ok(Constant::Int(number)) => Some(Value::Number(number)),
        Ok(Constant::Duration(time)) => Some(Value::Time(Threshold {
            time,
            side: match expected.attained {
                Attained::Here => Side::Here,
                Attained::Below => Side::Below,
                Attained::Above => Side::Above,
            },
        })),
        _ => None,
    }
}

fn one(
    found: &Answer,
    wanted: Option<(AnswerKind, Option<Value>)>,
    premise: Option<Premise>,
    labels: &Labels,
) -> Judged {
    let answer = kind(found);
    let premise = premise.filter(|_| answer == AnswerKind::Holds);
    let value = match found {
        Answer::Value(value, _) => Some(Value::Number(*value)),
        Answer::Time(threshold, _) => Some(Value::Time(threshold.clone())),
        _ => None,
    };
    let (expected, expected_value) = wanted.unzip();
    let expected_value = expected_value.flatten();
    let same = || match (&value, &expected_value) {
        // If the question searches for a time, a plain number in `expect` is a number of time units.
        (Some(Value::Time(found)), Some(Value::Number(number))) => {
            (&found.time, found.side) == (&Rational::from(*number), Side::Here)
        }
        (found, expected) => found == expected,
    };
    let judgement = match (expected, answer) {
        (Some(AnswerKind::Holds), AnswerKind::Holds) if premise == Some(Premise::Never) => {
            Judgement::Bad
        }
        (Some(AnswerKind::Holds), AnswerKind::Holds) if premise == Some(Premise::Open) => {
            Judgement::Unknown
        }
        (Some(AnswerKind::Value), AnswerKind::Value) if !same() => Judgement::Bad,
        (Some(expected), answer) if expected == answer => Judgement::Good,
        (_, AnswerKind::Unknown) => Judgement::Unknown,
        (Some(_), _) => Judgement::Bad,
        (None, AnswerKind::Fails | AnswerKind::FailsForEveryBound | AnswerKind::Error) => {
            Judgement::Bad
        }
        (
            None,
            AnswerKind::Holds | AnswerKind::Value | AnswerKind::Possible | AnswerKind::Impossible,
        ) => Judgement::Good,
    };
    Judged {
        answer,
        value: value.as_ref().and_then(Value::number),
        value_text: value.map(|value| value.text(labels)),
        expected,
        expected_value: expected_value.as_ref().and_then(Value::number),
        expected_text: expected_value.map(|value| value.text(labels)),
        premise,
        judgement,
    }
}

/// Whether the premise of a claim is true in a state of some instance. `None` if some instance does not report on the
/// premise.
fn premise(report: &CheckReport, asked: usize) -> Option<Premise> {
    let premises = report.instances.iter().map(|instance| {
        let result = &instance.report.results[asked];
        match (&result.answer, result.premise) {
            (Answer::Fails(_), Some(_)) => Some(Premise::Met),
            (_, premise) => premise,
        }
    });
    let premises = premises.collect::<Option<Vec<Premise>>>()?.into_iter();
    // If the premise is true in one instance, the result is true. Otherwise, if it is unknown in one instance, the
    // result is unknown.
    premises.reduce(|a, b| match (a, b) {
        (Premise::Met, _) | (_, Premise::Met) => Premise::Met,
        (Premise::Open, _) | (_, Premise::Open) => Premise::Open,
        (Premise::Never, Premise::Never) => Premise::Never,
    })
}

fn kind(answer: &Answer) -> AnswerKind {
    match answer {
        Answer::Holds => AnswerKind::Holds,
        Answer::Fails(_) => AnswerKind::Fails,
        Answer::Possible(_) => AnswerKind::Possible,
        Answer::Impossible => AnswerKind::Impossible,
        Answer::Value(..) | Answer::Time(..) => AnswerKind::Value,
        Answer::NoBound(_) => AnswerKind::FailsForEveryBound,
        Answer::Error(_) => AnswerKind::Error,
        Answer::Unknown(_) => AnswerKind::Unknown,
    }
}
