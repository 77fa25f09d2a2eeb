//! What verdicts say, and which of them can be said together.

use driver::{CheckReport, Judged, Judgement};
use model::AnswerKind;

/// Answers of a check that can be told in one line: for these instances, of these things asked.
pub(crate) struct Group {
    pub(crate) instances: Vec<usize>,
    pub(crate) asked: Vec<usize>,
    pub(crate) judged: Judged,
}

/// What a verdict says.
pub(crate) fn sentence(names: &str, with: &str, possible: bool, judged: &Judged) -> String {
    use AnswerKind::*;
    let with_it = |text: String| {
        if with.is_empty() {
            text
        } else {
            format!("{with}: {text}")
        }
    };
    let said = match judged.answer {
        Holds => with_it(names.to_string()),
        Fails if with.is_empty() => format!("{names} fails"),
        Fails => format!("{with} breaks {names}"),
        Value => with_it(names.to_string()),
        FailsForEveryBound => with_it(format!("{names} fails for every bound")),
        Possible => with_it(format!("possible: {names}")),
        Impossible => with_it(format!("impossible: {names}")),
        Error if possible => with_it(format!("error on the way to: {names}")),
        Error => with_it(format!("{names}: error in a run")),
        Unknown => with_it(format!("{names} unknown")),
    };
    if judged.vacuous {
        return format!("{said} says nothing");
    }
    match (judged.expected, judged.judgement) {
        (Some(Fails | Error | Unknown), Judgement::Good) => format!("as expected: {said}"),
        (Some(_), Judgement::Good) | (None, _) => said,
        (Some(Holds), _) if judged.answer != Holds => said,
        (_, Judgement::Unknown) => said,
        (Some(expected), _) => {
            let said = if judged.answer == Holds {
                format!("{said} holds")
            } else {
                said
            };
            format!("{said}, but `expect` says {}", word(expected))
        }
    }
}

/// An answer as a model writes it.
pub(crate) fn word(answer: AnswerKind) -> &'static str {
    match answer {
        AnswerKind::Holds => "holds",
        AnswerKind::Fails => "fails",
        AnswerKind::Value => "a value",
        AnswerKind::FailsForEveryBound => "fails for every bound",
        AnswerKind::Possible => "possible",
        AnswerKind::Impossible => "impossible",
        AnswerKind::Error => "error",
        AnswerKind::Unknown => "unknown",
    }
}

/// Puts answers together that can be told in one line.
pub(crate) fn groups(report: &CheckReport, judged: &[Vec<Judged>]) -> Vec<Group> {
    // First the instances that agree about one thing asked, then the things asked that agree about instances.
    let mut found: Vec<Group> = Vec::new();
    for asked in 0..report.asked.len() {
        let mut by_answer: Vec<(Judged, Vec<usize>)> = Vec::new();
        for (i, row) in judged.iter().enumerate() {
            match by_answer.iter_mut().find(|(j, _)| *j == row[asked]) {
                Some((_, instances)) => instances.push(i),
                None => by_answer.push((row[asked], vec![i])),
            }
        }
        for (judged, instances) in by_answer {
            let plain =
                !judged.vacuous && matches!(judged.answer, AnswerKind::Holds | AnswerKind::Error);
            let same = found
                .iter_mut()
                .find(|g| plain && g.judged == judged && g.instances == instances);
            match same {
                Some(group) => group.asked.push(asked),
                None => found.push(Group {
                    instances,
                    asked: vec![asked],
                    judged,
                }),
            }
        }
    }
    found
}
