//! Renders the answers of a model for readers, from its checks and the expectations of the semantics suite.

use crate::tree::Tree;

/// The counts in an `expect` block: keyword, singular and plural.
const COUNTS: &[(&str, &str, &str)] = &[
    ("instances", "instance", "instances"),
    ("initial", "initial state", "initial states"),
    ("states", "state", "states"),
    ("transitions", "transition", "transitions"),
    ("errors", "error", "errors"),
    ("final", "final state", "final states"),
];

/// The line or table that follows a model in the reference.
pub(super) fn answers_text(tree: &Tree, model: &str, expected: &[&str]) -> String {
    let facts: Vec<Fact> = expected
        .iter()
        .filter_map(|line| Fact::read(line))
        .collect();
    let said = |kind: &str| -> Vec<String> {
        let lines = expected.iter().filter_map(|line| line.strip_prefix(kind));
        lines.map(|code| problem(tree, code.trim())).collect()
    };
    let refused = said("error ");
    if !refused.is_empty() {
        return format!("Refused: {}.", refused.join("; "));
    }
    let checks = checks(model);
    let mut text = match &checks[..] {
        [check] => {
            let mut parts = vec![format!("{}{}", check.answer(&facts, 1), remark(&facts, 1))];
            parts.extend(counts(&facts, 1));
            format!("Answer: {}.", parts.join(". "))
        }
        _ => table(&checks, &facts),
    };
    for warning in said("warning ") {
        text.push_str(&format!("\n\nA warning says: {warning}."));
    }
    text
}

/// The table for a model with several checks or none.
fn table(checks: &[Check], facts: &[Fact]) -> String {
    let mut lines = vec!["| question | answer |".to_string(), "|---|---|".into()];
    for (i, check) in checks.iter().enumerate() {
        let mut parts = vec![format!(
            "{}{}",
            check.answer(facts, i + 1),
            remark(facts, i + 1)
        )];
        parts.extend(counts(facts, i + 1));
        lines.push(format!("| `{}` | {} |", check.question, parts.join("; ")));
    }
    lines.join("\n")
}

/// An error code as a link to its page, with the title of the page.
fn problem(tree: &Tree, code: &str) -> String {
    let path = format!("crates/source/codes/{code}.md");
    let first = tree.text(&path).and_then(|text| text.lines().next());
    let name = first.and_then(|line| line.split_once(": "));
    let name = name.map(|(_, name)| name).unwrap_or("a problem");
    format!("[{code}](../../{path}), {name}")
}

/// A line of an `expect` block that is about a check.
struct Fact<'a> {
    check: usize,
    word: &'a str,
    values: &'a str,
}

impl Fact<'_> {
    fn read(line: &str) -> Option<Fact<'_>> {
        let line = line.split("//").next()?.trim();
        let (check, rest) = match line.strip_prefix("check ") {
            Some(rest) => {
                let (number, rest) = rest.split_once(':')?;
                (number.trim().parse().ok()?, rest.trim())
            }
            None => (1, line),
        };
        let (word, values) = rest.split_once(' ').unwrap_or((rest, ""));
        Some(Fact {
            check,
            word,
            values: values.trim(),
        })
    }
}

fn find<'a>(facts: &'a [Fact], check: usize, word: &str) -> Option<&'a str> {
    let mut facts = facts.iter();
    facts
        .find(|fact| fact.check == check && fact.word == word)
        .map(|fact| fact.values)
}

/// The expected counts of a check as text, such as `4 states, 3 transitions`; `None` if there are none.
fn counts(facts: &[Fact], check: usize) -> Option<String> {
    let counted = COUNTS.iter().filter_map(|(word, one, many)| {
        let values = find(facts, check, word)?;
        let (numbers, rotation) = match values.strip_suffix("up to rotation") {
            Some(numbers) => (numbers.trim(), " up to rotation"),
            None => (values, ""),
        };
        Some(match numbers {
            "0" => format!("no {one}{rotation}"),
            "1" => format!("1 {one}{rotation}"),
            _ => format!("{numbers} {many}{rotation}"),
        })
    });
    let counted: Vec<String> = counted.collect();
    (!counted.is_empty()).then(|| counted.join(", "))
}

/// A remark to append to an answer: whether it is vacuous, and whether it differs from `expect`.
fn remark(facts: &[Fact], check: usize) -> &'static str {
    let is = |word| find(facts, check, word).is_some();
    match (is("vacuous"), is("differs")) {
        (true, true) => ", but vacuously: the premise is never true, and `expect` is not met",
        (true, false) => ", but vacuously: the premise is never true",
        (false, true) => ", which is not what `expect` says",
        (false, false) => "",
    }
}

/// A check of a model.
struct Check {
    /// The question, without the expected answer.
    question: String,
    /// The answer that the check expects.
    expected: String,
}

/// Words that begin a further clause of a check.
const CLAUSES: &[&str] = &[" for ", " in ", " with ", " assuming ", " unfair"];

impl Check {
    fn read(text: &str) -> Check {
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        let Some((before, rest)) = text.split_once(" expect ") else {
            return Check {
                question: text,
                expected: String::new(),
            };
        };
        let hidden = rest.replace(EVERY_BOUND, "fails_every");
        let end = CLAUSES.iter().filter_map(|word| hidden.find(word)).min();
        let (expected, clauses) = hidden.split_at(end.unwrap_or(hidden.len()));
        Check {
            question: format!("{before}{clauses}"),
            expected: expected.replace("fails_every", EVERY_BOUND),
        }
    }

    /// The answer of a check; if there are several, each with its claim.
    fn answer(&self, facts: &[Fact], number: usize) -> String {
        let found = find(facts, number, "answers").unwrap_or(&self.expected);
        let answers: Vec<&str> = found.split(',').map(str::trim).collect();
        let claims = self.claims();
        if answers.len() == 1 || answers.len() != claims.len() {
            return format!("**{found}**");
        }
        let pairs = claims.iter().zip(&answers);
        let pairs: Vec<String> = pairs.map(|(c, a)| format!("`{c}` **{a}**")).collect();
        pairs.join(", ")
    }

    /// The claims in the question.
    fn claims(&self) -> Vec<&str> {
        let ends = CLAUSES.iter().filter_map(|word| self.question.find(word));
        let text = &self.question[..ends.min().unwrap_or(self.question.len())];
        let text = text.split_once(": ").map_or(text, |(_, claims)| claims);
        let mut depth = 0;
        let parts = text.split(|c: char| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ',' && depth == 0
        });
        parts.map(str::trim).collect()
    }
}

const EVERY_BOUND: &str = "fails for every bound";

/// The checks of a model. A check begins at the start of a line and continues on indented lines.
fn checks(model: &str) -> Vec<Check> {
    let mut texts: Vec<String> = Vec::new();
    let mut open = false;
    for line in model.lines() {
        let line = line.split("//").next().unwrap_or_default();
        if let Some(rest) = line.strip_prefix("check ") {
            texts.push(rest.to_string());
            open = true;
        } else if open && line.starts_with(' ') && !line.trim().is_empty() {
            let last = texts.last_mut().expect("one is open");
            last.push_str(line);
        } else {
            open = false;
        }
    }
    texts.iter().map(|text| Check::read(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(model: &str, expected: &[&str]) -> String {
        answers_text(&Tree::default(), model, expected)
    }

    #[test]
    fn one_answer() {
        assert_eq!(
            of("check a expect holds", &["states 4", "errors 1"]),
            "Answer: **holds**. 4 states, 1 error."
        );
        assert_eq!(
            of(
                "check least a:\n    c(a) expect fails for every bound // why",
                &[]
            ),
            "Answer: **fails for every bound**."
        );
        assert_eq!(
            of(
                "check a expect holds",
                &["answers holds", "vacuous", "differs"]
            ),
            "Answer: **holds**, but vacuously: the premise is never true, and `expect` is not met."
        );
    }

    #[test]
    fn several() {
        let text = of(
            "check a, b unfair in W expect holds, fails with V\ncheck c expect 2",
            &[
                "check 2: states 1, 2 up to rotation",
                "check 2: answers 3",
                "check 2: differs",
            ],
        );
        assert_eq!(
            text,
            "| question | answer |\n|---|---|\n| `a, b unfair in W with V` | `a` **holds**, `b` **fails** |\n\
             | `c` | **3**, which is not what `expect` says; 1, 2 states up to rotation |"
        );
    }
}
