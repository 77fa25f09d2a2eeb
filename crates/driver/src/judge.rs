//! Whether answers are as expected.

use crate::{CheckReport, InstanceReport, Loaded};
use model::{AnswerKind, Constant, Environment, evaluate};
use verdict::Answer;

/// What is to be thought of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// As `expect` says; or nothing was expected, and nothing is wrong.
    Good,
    /// Another answer than `expect` says; or a claim fails or an error was found, and nobody expected it.
    Bad,
    /// Nobody knows.
    Unknown,
}

/// An answer with what is to be thought of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// What came out.
    pub answer: AnswerKind,
    /// The value, if one was sought and found.
    pub value: Option<i64>,
    /// What `expect` says, if it is judged.
    pub expected: Option<AnswerKind>,
    /// The value that `expect` says.
    pub expected_value: Option<i64>,
    /// The claim's premise is true in no state of any instance.
    pub vacuous: bool,
    /// What is to be thought of it.
    pub judgement: Judgement,
}

/// Judges every answer of a check: for each instance, for each thing asked.
pub fn judge(loaded: &Loaded, report: &CheckReport) -> Vec<Vec<Judged>> {
    let expect = &loaded.model.checks[report.number].expect;
    let expected = |asked: usize| match (&expect[..], report.changed) {
        (_, true) | ([], _) => None,
        ([one], _) => Some(one),
        (many, _) => many.get(report.wanted[asked]),
    };
    let vacuous: Vec<bool> = (0..report.asked.len())
        .map(|asked| is_vacuous(report, asked))
        .collect();
    let instances = report.instances.iter();
    instances
        .map(|instance| {
            let answers = instance.report.answers.iter().enumerate();
            answers
                .map(|(asked, answer)| {
                    let expected = expected(asked);
                    let value = expected.and_then(|e| number(loaded, instance, e));
                    one(answer, expected.map(|e| (e.kind, value)), vacuous[asked])
                })
                .collect()
        })
        .collect()
}

/// The number that `expect` says, with the parameters of an instance.
fn number(loaded: &Loaded, instance: &InstanceReport, expected: &model::Answer) -> Option<i64> {
    let params = instance.request.params.iter().cloned().map(Some);
    let params: Vec<_> = params.collect();
    let env = Environment::new(&loaded.model, &params);
    match evaluate(&expected.value.as_ref()?.value, &env) {
        Ok(Constant::Int(number)) => Some(number),
        _ => None,
    }
}

fn one(found: &Answer, wanted: Option<(AnswerKind, Option<i64>)>, vacuous: bool) -> Judged {
    let answer = kind(found);
    let value = match found {
        Answer::Value(value, _) => Some(*value),
        _ => None,
    };
    let (expected, expected_value) = (wanted.map(|w| w.0), wanted.and_then(|w| w.1));
    let vacuous = vacuous && answer == AnswerKind::Holds;
    let judgement = match (expected, answer) {
        (Some(AnswerKind::Holds), AnswerKind::Holds) if vacuous => Judgement::Bad,
        (Some(AnswerKind::Value), AnswerKind::Value) if value != expected_value => Judgement::Bad,
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
        value,
        expected,
        expected_value,
        vacuous,
        judgement,
    }
}

/// Whether the premise was true in no state of any instance. After an incomplete look nobody knows.
fn is_vacuous(report: &CheckReport, asked: usize) -> bool {
    report.instances.iter().all(|instance| {
        let findings = &instance.report.findings;
        findings.complete && findings.premises.get(asked) == Some(&Some(false))
    })
}

fn kind(answer: &Answer) -> AnswerKind {
    match answer {
        Answer::Holds => AnswerKind::Holds,
        Answer::Fails(_) => AnswerKind::Fails,
        Answer::Possible(_) => AnswerKind::Possible,
        Answer::Impossible => AnswerKind::Impossible,
        Answer::Value(..) => AnswerKind::Value,
        Answer::NoBound(_) => AnswerKind::FailsForEveryBound,
        Answer::Error(_) => AnswerKind::Error,
        Answer::Unknown(_) => AnswerKind::Unknown,
    }
}
