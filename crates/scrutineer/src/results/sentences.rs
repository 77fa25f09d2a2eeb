//! The sentences of verdicts, and the grouping of answers into one line.

use checks::{Asked, CheckReport, Judged, Judgement};
use model::AnswerKind;
use verdict::Premise;

/// Answers of a check that share one line: the instances and the questions.
pub(crate) struct Group {
    pub(crate) instances: Vec<usize>,
    pub(crate) asked: Vec<usize>,
    pub(crate) judged: Judged,
}

/// The sentence of a verdict.
pub(crate) fn sentence(names: &str, with: &str, asked: &Asked, judged: &Judged) -> String {
    use AnswerKind::*;
    let with_it = |text: String| {
        if with.is_empty() {
            text
        } else {
            format!("{with}: {text}")
        }
    };
    let sought = asked.sought.as_ref().map(|(name, greatest)| {
        let word = if *greatest { "greatest" } else { "least" };
        format!("{word} {name} for {names}")
    });
    let answer = match judged.answer {
        Value => answer_text(Value, judged.value_text.as_deref()),
        Unknown => "unknown".into(),
        _ => String::new(),
    };
    let text = match judged.answer {
        Value => with_it(format!("{} is {answer}", sought.unwrap_or_default())),
        Unknown if sought.is_some() => with_it(format!("{} {answer}", sought.unwrap_or_default())),
        Holds => with_it(names.to_string()),
        Fails if with.is_empty() => format!("{names} fails"),
        Fails => format!("{with} breaks {names}"),
        FailsForEveryBound => with_it(format!("{names} fails for every bound")),
        Possible => with_it(format!("possible: {names}")),
        Impossible => with_it(format!("impossible: {names}")),
        Error if asked.possible => with_it(format!("error on the way to: {names}")),
        Error => with_it(format!("{names}: error in a run")),
        Unknown => with_it(format!("{names} unknown")),
    };
    if judged.is_vacuous() {
        return format!("{text} says nothing");
    }
    match (judged.expected, judged.judgement) {
        (Some(Fails | FailsForEveryBound | Error | Unknown), Judgement::Good) => {
            format!("as expected: {text}")
        }
        (Some(_), Judgement::Good) | (None, _) => text,
        (Some(Holds), _) if judged.answer != Holds => text,
        (_, Judgement::Unknown) => text,
        (Some(expected), _) => {
            let text = if judged.answer == Holds {
                format!("{text} holds")
            } else {
                text
            };
            let expected = answer_text(expected, judged.expected_text.as_deref());
            format!("{text}, but `expect` says {expected}")
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

/// An answer as a model writes it, with its value.
pub(crate) fn answer_text(answer: AnswerKind, value: Option<&str>) -> String {
    match value {
        Some(value) => value.to_string(),
        None => word(answer).into(),
    }
}

/// Groups the answers that share one line.
pub(crate) fn groups(report: &CheckReport, judged: &[Vec<Judged>]) -> Vec<Group> {
    // First the instances that agree about one question are merged, then the questions that agree about their
    // instances.
    let mut found: Vec<Group> = Vec::new();
    for asked in 0..report.asked.len() {
        let mut by_answer: Vec<(Judged, Vec<usize>)> = Vec::new();
        for (i, row) in judged.iter().enumerate() {
            // The sentence does not mention a premise that is met.
            let judged = Judged {
                premise: row[asked].premise.filter(|p| *p != Premise::Met),
                ..row[asked].clone()
            };
            match by_answer.iter_mut().find(|(j, _)| *j == judged) {
                Some((_, instances)) => instances.push(i),
                None => by_answer.push((judged, vec![i])),
            }
        }
        for (judged, instances) in by_answer {
            let plain = judged.premise.is_none()
                && matches!(judged.answer, AnswerKind::Holds | AnswerKind::Error);
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
