//! The sentences that state answers, and the grouping of answers that share a line.

use checks::{Asked, CheckReport, Judged, Judgement};
use model::AnswerKind;
use verdict::Premise;

/// Answers of a check that share one line: the indices of instances and questions, and the common judgement.
pub(crate) struct Group {
    pub(crate) instances: Vec<usize>, // in ascending order
    pub(crate) asked: Vec<usize>,
    pub(crate) judged: Judged,
}

impl Group {
    /// Whether the answer needed a complete search.
    pub(crate) fn is_complete(&self) -> bool {
        matches!(
            self.judged.answer,
            AnswerKind::Holds | AnswerKind::Impossible | AnswerKind::Value
        )
    }
}

/// The sentence that states an answer. `names` are the questions, and `variants` the variants of the check.
pub(crate) fn sentence(names: &str, variants: &[&str], asked: &Asked, judged: &Judged) -> String {
    use AnswerKind::*;
    let with = variants.join(" and ");
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
        Fails if variants.len() == 1 => format!("{with} breaks {names}"),
        Fails => format!("{with} break {names}"),
        FailsForEveryBound if let Some((name, true)) = &asked.sought => {
            with_it(format!("{names} fails for every value of {name}"))
        }
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

/// The word for an answer in the notation of `expect`.
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

/// An answer in the notation of `expect`, with its value if there is one.
pub(crate) fn answer_text(answer: AnswerKind, value: Option<&str>) -> String {
    match value {
        Some(value) => value.to_string(),
        None => word(answer).into(),
    }
}

/// Groups the answers that share one line.
pub(crate) fn groups(report: &CheckReport, judged: &[Vec<Judged>]) -> Vec<Group> {
    // First merges the instances with the same answer to one question, then the questions with the same answer for the
    // same instances.
    let mut found: Vec<Group> = Vec::new();
    for asked in 0..report.asked.len() {
        let mut by_answer: Vec<(Judged, Vec<usize>)> = Vec::new();
        for (i, row) in judged.iter().enumerate() {
            // A premise that is true in some state is not mentioned, so it does not separate groups.
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
