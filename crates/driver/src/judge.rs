//! Whether answers are as expected.

use crate::{CheckReport, Loaded};
use model::AnswerKind;
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
    /// What `expect` says, if it is judged.
    pub expected: Option<AnswerKind>,
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
        ([one], _) => Some(one.kind),
        (many, _) => many.get(report.wanted[asked]).map(|answer| answer.kind),
    };
    let vacuous: Vec<bool> = (0..report.asked.len())
        .map(|asked| is_vacuous(report, asked))
        .collect();
    let instances = report.instances.iter();
    instances
        .map(|instance| {
            let answers = instance.report.answers.iter().enumerate();
            answers
                .map(|(asked, answer)| one(kind(answer), expected(asked), vacuous[asked]))
                .collect()
        })
        .collect()
}

fn one(answer: AnswerKind, expected: Option<AnswerKind>, vacuous: bool) -> Judged {
    let vacuous = vacuous && answer == AnswerKind::Holds;
    let judgement = match (expected, answer) {
        (Some(AnswerKind::Holds), AnswerKind::Holds) if vacuous => Judgement::Bad,
        (Some(expected), answer) if expected == answer => Judgement::Good,
        (_, AnswerKind::Unknown) => Judgement::Unknown,
        (Some(_), _) => Judgement::Bad,
        (None, AnswerKind::Fails | AnswerKind::FailsForEveryBound | AnswerKind::Error) => {
            Judgement::Bad
        }
        (None, AnswerKind::Holds | AnswerKind::Value) => Judgement::Good,
        (None, AnswerKind::Possible | AnswerKind::Impossible) => Judgement::Good,
    };
    Judged {
        answer,
        expected,
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
        Answer::Error(_) => AnswerKind::Error,
        Answer::Unknown(_) => AnswerKind::Unknown,
    }
}
