//! Compares the models of a sentence with their expectations.

use crate::semantics::counts::{Counts, counts};
use crate::semantics::document::{Counted, Expectation, Fact, Model, Sentence};
use crate::semantics::setup::{self, Asked, Sought};
use checks::{CheckReport, Judged, Judgement, Loaded, Options};
use model::AnswerKind;
use source::{Diagnostic, Severity};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use syntax::ast;
use verdict::Answer;

/// All differences between the models of a sentence and their expectations.
pub fn judge(sentence: &Sentence) -> Vec<String> {
    let mut problems = Vec::new();
    let several = sentence.models.len() > 1;
    for (index, model) in sentence.models.iter().enumerate() {
        let found = if model.refused {
            refused(model)
        } else {
            accepted(model)
        };
        problems.extend(found.into_iter().map(|problem| match several {
            true => format!("model {}: {problem}", index + 1),
            false => problem,
        }));
    }
    problems
}

/// The distinct codes of the diagnostics with this severity, sorted.
fn codes(diagnostics: &[Diagnostic], severity: Severity) -> Vec<String> {
    let those = diagnostics.iter().filter(|d| d.severity == severity);
    let mut codes: Vec<String> = those.map(|d| d.code.to_string()).collect();
    codes.sort();
    codes.dedup();
    codes
}

fn listed(words: &[String]) -> String {
    match words {
        [] => "nothing wrong".into(),
        words => words.join(", "),
    }
}

/// The problems of a model that must be refused, either when it is loaded or by one of its checks.
fn refused(model: &Model) -> Vec<String> {
    let loaded = checks::load_text("model.scrut", &model.text);
    let mut found = codes(&loaded.diagnostics, Severity::Error);
    if found.is_empty() {
        for number in 0..loaded.model.checks.len() {
            if let Err(diagnostics) = answer(&loaded, number) {
                found.extend(codes(&diagnostics, Severity::Error));
            }
        }
        found.sort();
        found.dedup();
    }
    let mut expected = Vec::new();
    let mut problems = Vec::new();
    for expectation in &model.expectations {
        match expectation {
            Expectation::Error(code) => expected.push(code.clone()),
            _ => problems.push("of a refused model only `error E…` can be expected".into()),
        }
    }
    expected.sort();
    if expected.is_empty() {
        problems.push("the code of the refusal is not named".into());
    } else if expected != found {
        let (expected, found) = (expected.join(", "), listed(&found));
        problems.push(format!(
            "expected to be refused with {expected}, found {found}"
        ));
    }
    problems
}

fn answer(loaded: &Loaded, number: usize) -> Result<CheckReport, Vec<Diagnostic>> {
    let interrupted = AtomicBool::new(false);
    // The limits are far above the need of any model here, so a model that is too large by mistake is detected.
    let options = Options {
        time: Some(Duration::from_secs(20)),
        memory: Some(500_000_000),
        threads: 1,
        ..Options::default()
    };
    let report = checks::check(loaded, number, &options, &interrupted, &mut |_| {});
    let report = report.map_err(|error| match error {
        checks::CheckError::Problems(problems) => problems,
        checks::CheckError::Contradiction(found) => panic!("{found}"),
    })?;
    Ok(report.expect("every claim is asked"))
}

/// The problems of a model whose checks must be answered as expected.
fn accepted(model: &Model) -> Vec<String> {
    let loaded = checks::load_text("model.scrut", &model.text);
    if loaded.has_errors() {
        let errors = loaded.diagnostics.iter();
        return errors
            .map(|d| {
                format!(
                    "{} in line {}: {}",
                    d.code,
                    loaded.sources.line(d.primary.span),
                    d.message
                )
            })
            .collect();
    }
    let file = enumerator::read(&model.text).expect("the model can be read");
    let mut problems = Vec::new();
    let warnings = codes(&loaded.diagnostics, Severity::Warning);
    let mut expected: Vec<String> = Vec::new();
    for expectation in &model.expectations {
        match expectation {
            Expectation::Warning(code) => expected.push(code.clone()),
            Expectation::Error(code) => problems.push(format!(
                "`error {code}` is for models that are refused (`scrut-error`)"
            )),
            Expectation::Of(number, _) if *number >= loaded.model.checks.len() => {
                problems.push(format!("there is no check {}", number + 1));
            }
            Expectation::Of(..) => {}
        }
    }
    if expected != warnings {
        let (expected, found) = (listed(&expected), listed(&warnings));
        problems.push(format!("expected warnings: {expected}; found: {found}"));
    }
    if loaded.model.checks.is_empty() {
        problems.push("there is no check".into());
    }
    for number in 0..loaded.model.checks.len() {
        let facts = model.expectations.iter().filter_map(|e| match e {
            Expectation::Of(of, fact) if *of == number => Some(fact),
            _ => None,
        });
        let facts: Vec<&Fact> = facts.collect();
        let asked = Asking {
            loaded: &loaded,
            file: &file,
            number,
        };
        problems.extend(asked.problems(&facts));
    }
    problems
}

/// One check of a model.
struct Asking<'a> {
    loaded: &'a Loaded,
    file: &'a ast::File,
    number: usize,
}

impl Asking<'_> {
    fn problems(&self, facts: &[&Fact]) -> Vec<String> {
        let place = format!("check {}", self.number + 1);
        let report = match answer(self.loaded, self.number) {
            Ok(report) => report,
            Err(diagnostics) => {
                let answer = diagnostics
                    .iter()
                    .map(|d| format!("{}: {}", d.code, d.message));
                return vec![format!(
                    "{place} is refused: {}",
                    answer.collect::<Vec<_>>().join("; ")
                )];
            }
        };
        let judged = checks::judge(self.loaded, &report);
        let mut problems = Vec::new();
        let differs = facts.contains(&&Fact::Differs);
        let answers = facts.iter().any(|f| matches!(f, Fact::Answers(_)));
        if !answers && !setup::expects(setup::checks(self.file)[self.number]) {
            problems.push(format!(
                "{place} says neither `expect …` nor, below it, what it answers"
            ));
        } else {
            problems.extend(self.verdicts(&place, &report, &judged, differs));
        }
        problems.extend(self.second_opinion(&place, &report, &judged));
        for fact in facts {
            match fact {
                Fact::Answers(expected) => {
                    for row in &judged {
                        let found: Vec<String> = row.iter().map(word).collect();
                        if *expected != found {
                            problems.push(format!(
                                "{place}: expected the answers {}, found {}",
                                expected.join(", "),
                                found.join(", ")
                            ));
                        }
                    }
                }
                Fact::Vacuous if !judged.iter().flatten().all(|j| j.is_vacuous()) => {
                    problems.push(format!("{place}: expected to be vacuous, and is not"));
                }
                Fact::Vacuous | Fact::Differs | Fact::Count { .. } => {}
            }
        }
        if facts.iter().any(|f| matches!(f, Fact::Count { .. })) {
            match counts(self.loaded, self.file, self.number) {
                Ok(counts) => {
                    problems.extend(numbers(&place, facts, &counts));
                    problems.extend(reported(&place, &report, &counts));
                }
                Err(why) => problems.push(format!("{place}: {why}")),
            }
        }
        problems
    }

    /// The problems of the answers: each must be as its `expect` says, or none if the document says `differs`.
    fn verdicts(
        &self,
        place: &str,
        report: &CheckReport,
        judged: &[Vec<Judged>],
        differs: bool,
    ) -> Vec<String> {
        let mut problems = Vec::new();
        for (instance, row) in report.instances.iter().zip(judged) {
            for (asked, judged) in report.asked.iter().zip(row) {
                let Some(expected) = judged.expected else {
                    continue;
                };
                let good = judged.judgement == Judgement::Good;
                if good != differs {
                    continue;
                }
                let set = instance.request.set.iter();
                let with: Vec<String> = set.map(|(n, v)| format!(" for {n} = {v}")).collect();
                let vacuous = if judged.is_vacuous() {
                    " (vacuous)"
                } else {
                    ""
                };
                problems.push(format!(
                    "{place}, `{}`{}: expected {}{}, found {}{vacuous}",
                    asked.text,
                    with.concat(),
                    if differs { "another answer than " } else { "" },
                    kind_and_value(expected, judged.expected_text.as_deref()),
                    word(judged)
                ));
            }
        }
        problems
    }

    /// Compares the answers about conditions on states with the enumerator.
    fn second_opinion(
        &self,
        place: &str,
        report: &CheckReport,
        judged: &[Vec<Judged>],
    ) -> Vec<String> {
        let mut problems = Vec::new();
        let check = setup::checks(self.file)[self.number];
        let asked = setup::asked(self.file, check);
        let mut instances = report.instances.iter().zip(judged).peekable();
        while let Some(first) = instances.next() {
            // All graphs of a family have one answer together.
            let mut family = vec![first];
            let request = &first.0.request;
            while let Some(next) = instances.next_if(|(i, _)| request.is_family_of(&i.request)) {
                family.push(next);
            }
            for (number, (asked, text)) in asked.iter().zip(&report.asked).enumerate() {
                let judged = &first.1[number];
                let found = family.iter().filter_map(|(instance, row)| {
                    let setup = setup::setup(self.file, check, &instance.request).ok()?;
                    // The enumerator does not support every construct. It evaluates the condition in all states and
                    // does not look for errors.
                    outcome(self.file, &setup, asked, &row[number])
                });
                let found: Vec<String> = found.collect();
                let agrees = |found: &String| {
                    let harmless = match judged.answer {
                        AnswerKind::Error => found == "holds" || found == "impossible",
                        AnswerKind::Unknown => true,
                        _ => false,
                    };
                    *found == word(judged) || harmless
                };
                let of_one = !matches!(judged.answer, AnswerKind::Holds | AnswerKind::Impossible);
                let right = match of_one && family.len() > 1 {
                    true => found.len() < family.len() || found.iter().any(agrees),
                    false => found.iter().all(agrees),
                };
                if !right {
                    problems.push(format!(
                        "{place}, `{}`: the answer is {}, the second enumerator finds {}",
                        text.text,
                        word(judged),
                        found.join(", ")
                    ));
                }
            }
        }
        problems
    }
}

/// The answer of the enumerator; `None` if it does not support the model.
fn outcome(
    file: &ast::File,
    setup: &enumerator::Setup,
    asked: &Asked,
    judged: &Judged,
) -> Option<String> {
    let answer = |yes: bool, a: &str, b: &str| Some(if yes { a } else { b }.to_string());
    match asked {
        Asked::Invariant(condition, arguments) => {
            let setup = enumerator::Setup {
                arguments: arguments.clone(),
                ..setup.clone()
            };
            let holds = enumerator::invariant(file, &setup, condition).ok()?;
            answer(holds, "holds", "fails")
        }
        Asked::Reachable(condition) => {
            let found = enumerator::reachable(file, setup, condition).ok()?;
            answer(found, "possible", "impossible")
        }
        Asked::Sought(sought) => {
            let value = i128::from(judged.value?);
            if !holds_for(file, setup, sought, value)? {
                return Some(format!("that {value} is too little"));
            }
            let before = if sought.greatest {
                value + 1
            } else {
                value - 1
            };
            if sought.first? != value && holds_for(file, setup, sought, before)? {
                return Some(format!("that {before} will do"));
            }
            Some(value.to_string())
        }
        Asked::Other => None,
    }
}

fn holds_for(
    file: &ast::File,
    setup: &enumerator::Setup,
    sought: &Sought,
    value: i128,
) -> Option<bool> {
    let mut setup = setup.clone();
    setup.arguments = sought.arguments.clone();
    let name = sought.name.clone();
    if sought.of_model {
        setup.params.retain(|(param, _)| *param != name);
        setup.params.push((name, value));
    } else {
        setup.arguments.push((name, enumerator::Value::Int(value)));
    }
    enumerator::invariant(file, &setup, &sought.condition).ok()
}

/// Compares the counted numbers with the expected ones.
fn numbers(place: &str, facts: &[&Fact], counts: &[Counts]) -> Vec<String> {
    let mut problems = Vec::new();
    for fact in facts {
        let Fact::Count {
            what,
            numbers,
            up_to_rotation,
        } = fact
        else {
            continue;
        };
        let word = what.word();
        if numbers.len() != counts.len() {
            problems.push(format!(
                "{place}: {word}: {} numbers are given, and the check has {} choices of parameters",
                numbers.len(),
                counts.len()
            ));
            continue;
        }
        for (number, counts) in numbers.iter().zip(counts) {
            if *up_to_rotation != counts.up_to_rotation {
                let found = if counts.up_to_rotation { "" } else { " not" };
                problems.push(format!(
                    "{place}: {word} {number}: this is{found} a sum up to rotation"
                ));
            }
            problems.extend(number_of(place, *what, *number, counts));
        }
    }
    problems
}

/// Compares the number of states that the check itself visits with the counted number. Only if the claims add no
/// variables to the state, and all claims hold, so that the search is complete.
fn reported(place: &str, report: &CheckReport, counts: &[Counts]) -> Option<String> {
    let mut pairs = report.instances.iter().zip(counts);
    pairs.find_map(|(instance, counts)| {
        let machine = &instance.lowered.machine;
        let mut answers = instance.report.answers();
        let visited = instance.report.counts;
        // If inboxes are not empty at the start, the search visits a reduced Machine with fewer states.
        let comparable = machine.vars.iter().all(|var| !var.ghost)
            && machine.inbox.start == machine::InboxStart::Empty
            && answers.all(|a| matches!(a, Answer::Holds | Answer::Impossible))
            && counts.by[0].1.of(Counted::Instances) == Some(visited.instances);
        let counted = counts.by[0].1.of(Counted::States);
        (comparable && counted != Some(visited.states)).then(|| {
            let states = visited.states;
            format!("{place} visits {states} states, and there are {counted:?}")
        })
    })
}

fn number_of(place: &str, what: Counted, expected: u64, counts: &Counts) -> Option<String> {
    let found = counts
        .by
        .iter()
        .filter_map(|(counter, c)| Some((counter, c.of(what)?)));
    let found: Vec<_> = found.collect();
    if found.iter().all(|(_, number)| *number == expected) {
        return None;
    }
    let each: Vec<String> = found
        .iter()
        .map(|(counter, n)| format!("{counter} {n}"))
        .collect();
    Some(format!(
        "{place}: {}: expected {expected}; {}",
        what.word(),
        each.join(", ")
    ))
}

/// The answer in the words of the documents.
fn word(judged: &Judged) -> String {
    kind_and_value(judged.answer, judged.value_text.as_deref())
}

fn kind_and_value(kind: AnswerKind, value: Option<&str>) -> String {
    let word = match kind {
        AnswerKind::Holds => "holds",
        AnswerKind::Fails => "fails",
        AnswerKind::Value => return value.map_or("a value".into(), |v| v.to_string()),
        AnswerKind::FailsForEveryBound => "fails for every bound",
        AnswerKind::Possible => "possible",
        AnswerKind::Impossible => "impossible",
        AnswerKind::Error => "error",
        AnswerKind::Unknown => "unknown",
    };
    word.into()
}
