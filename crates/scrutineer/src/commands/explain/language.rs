//! The meaning of the words of the language, from the tables of `docs/language.md`.

/// The text of `docs/language.md`.
const PAGE: &str = include_str!("../../../language.txt");

/// A row of a table of the page.
struct Row {
    /// The heading above the table.
    heading: &'static str,
    /// The first cell: a word or a piece of syntax.
    write: String,
    /// The second cell: its meaning.
    meaning: String,
}

impl Row {
    /// The words in the first cell.
    fn words(&self) -> impl Iterator<Item = &str> {
        let words = self.write.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|word| !word.is_empty())
    }

    /// Whether the first cell contains this sequence of words.
    fn is_about(&self, wanted: &[&str]) -> bool {
        let words: Vec<&str> = self.words().collect();
        !wanted.is_empty() && words.windows(wanted.len()).any(|some| some == wanted)
    }
}

/// The rows about a word, or a sequence of words such as `leads to`, as lines of text; `None` if there is no such row.
pub(crate) fn explained(text: &str) -> Option<Vec<String>> {
    let wanted: Vec<&str> = text.split_whitespace().collect();
    let found: Vec<Row> = rows().into_iter().filter(|r| r.is_about(&wanted)).collect();
    if found.is_empty() {
        return None;
    }
    let mut lines = Vec::new();
    let mut heading = "";
    for row in &found {
        if row.heading != heading {
            heading = row.heading;
            lines.push(heading.to_string());
        }
        lines.push(format!("  {}", row.write));
        lines.push(format!("      {}", row.meaning));
    }
    Some(lines)
}

/// Terms of the field that are not words of the language, in the singular, each with its equivalent in the language.
const TERMS: &[(&str, &str)] = &[
    ("invariant", "an invariant is `claim NAME: always e`"),
    ("safety", "a safety property is a claim such as `always e`"),
    (
        "liveness",
        "a liveness property is a claim such as `eventually e` or `p leads to q`",
    ),
    (
        "property",
        "a property is written `claim NAME: …`, and asked by `check NAME`",
    ),
    (
        "formula",
        "a temporal formula is written `claim NAME: …`, with always, eventually, until, leads to",
    ),
    ("globally", "the temporal operator G is `always e`"),
    ("finally", "the temporal operator F is `eventually e`"),
    (
        "list",
        "a list is an array `[T; I]`: a value of T for each number of a range, value of an enum, or node",
    ),
    (
        "sequence",
        "a sequence is an array `[T; 0..n]`: a value of T for each number of a range",
    ),
    (
        "map",
        "a map is an array `[T; I]`: a value of T for each number of a range, value of an enum, or node",
    ),
    (
        "queue",
        "messages from one node to another queue in their channel; as data, a queue is an array `[T; 0..n]`",
    ),
    ("record", "a record is `struct NAME { … }`"),
    (
        "integer",
        "integers have a range, `0..7`, or are a `Counter` without end",
    ),
    (
        "int",
        "integers have a range, `0..7`, or are a `Counter` without end",
    ),
    ("process", "a process is a node: `node NAME[n] { … }`"),
    ("actor", "an actor is a node: `node NAME[n] { … }`"),
    (
        "topology",
        "the topology is that of the network: `network ring { … }`",
    ),
    (
        "guard",
        "a guarded action is `when NAME: e { … }`, or `on M when e { … }`",
    ),
    (
        "transition",
        "transitions are the blocks of a node: `on M { … }`, `when NAME: e { … }`, `every …`, `start`",
    ),
    (
        "constant",
        "a constant is `param n: 1..4 = 3`, `let NAME = e`, or of each node `weight: 1..3`",
    ),
    (
        "nondeterminism",
        "a nondeterministic choice is `choose x in S`; of first values, `any`",
    ),
    (
        "fairness",
        "fairness is assumed: what stays possible happens some day; `unfair` drops it",
    ),
    (
        "timeout",
        "a timeout is `set t in 5 ms` with `on t { … }`; without times, `when NAME: e { … }`",
    ),
    (
        "clock",
        "the time since the start is `now`; what happens later is a timer: `set t in 5 ms`",
    ),
    (
        "deadlock",
        "a state in which nothing can happen any more is `quiescent`, for claims",
    ),
    (
        "reachability",
        "whether some run comes to e is `check possible: e`",
    ),
    (
        "reachable",
        "whether some run comes to e is `check possible: e`",
    ),
    (
        "quantifier",
        "quantifiers are `all x in S: e` and `exists x in S: e`",
    ),
    ("forall", "for all is `all x in S: e`"),
    (
        "environment",
        "an environment is a world: `world NAME { … }`",
    ),
    (
        "array",
        "an array is `[T; I]`: a value of T for each number of a range, value of an enum, or node",
    ),
    ("boolean", "a truth value is a `Bool`"),
    (
        "string",
        "there is no text: values with names are an `enum`, `enum Step { Waiting, Done }`",
    ),
    (
        "float",
        "numbers are whole and have a range, `0..7`; times are a `Duration`, which is exact",
    ),
    (
        "loop",
        "a loop goes through a set: `for x in S { … }`; what a node does again and again is `when NAME: e { … }` or `every …`",
    ),
    (
        "while",
        "a loop goes through a set: `for x in S { … }`; what a node does while e is true is `when NAME: e { … }`",
    ),
    (
        "function",
        "a function of values is `fn f(a: T): U = e`; statements with a name are `action f(a: T) { … }`",
    ),
    (
        "procedure",
        "statements with a name are `action f(a: T) { … }`",
    ),
    (
        "method",
        "statements with a name are `action f(a: T) { … }`",
    ),
    (
        "return",
        "a function is one expression, `fn f(a: T): U = e`, and an `action` returns nothing",
    ),
    (
        "thread",
        "threads are nodes, `node NAME[n] { … }`, which share nothing and send each other messages",
    ),
    (
        "lock",
        "nodes share nothing, so there is no lock; that only one is inside is a claim, `always (count k in K: k.inside) <= 1`",
    ),
    (
        "mutex",
        "nodes share nothing, so there is no lock; that only one is inside is a claim, `always (count k in K: k.inside) <= 1`",
    ),
    (
        "failure",
        "what may go wrong is `faults …`: nodes that crash, stop or are off, messages that are lost or come twice",
    ),
    (
        "partition",
        "links do not fail for a while; `faults lose any messages` allows that and more",
    ),
    (
        "byzantine",
        "a Byzantine node is a kind of node of its own, with `when` and `choose`: docs/limits.md",
    ),
    (
        "probability",
        "a claim is true of every run or it is not; `scrutineer simulate` counts random runs",
    ),
    (
        "random",
        "what may come out in several ways is `choose x in S`; all of them are checked",
    ),
];

/// What a term of the field is in the language; `None` if `text` is no such term.
pub(crate) fn term(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let singular = lower.strip_suffix('s').unwrap_or(&lower);
    let found = { TERMS.iter() }.find(|(term, _)| *term == lower || *term == singular);
    found.map(|(_, here)| *here)
}

/// The word of the language that is most similar to `text`; `None` if none is similar.
pub(crate) fn nearest(text: &str) -> Option<String> {
    let rows = rows();
    // Only words with the same first letter are suggested.
    let first = |word: &str| word.chars().next().map(|c| c.to_ascii_lowercase());
    let known = rows.iter().flat_map(Row::words);
    let known = known.filter(|word| first(word) == first(text));
    model::nearest(text, known).map(str::to_string)
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut heading = "";
    for line in PAGE.lines() {
        if let Some(text) = line.strip_prefix("## ") {
            heading = text;
        }
        let cells = line.strip_prefix("| ").and_then(|l| l.strip_suffix(" |"));
        let Some((write, meaning)) = cells.and_then(|cells| cells.split_once(" | ")) else {
            continue;
        };
        if meaning != "meaning" {
            rows.push(Row {
                heading,
                write: write.replace('`', ""),
                meaning: plain(meaning),
            });
        }
    }
    rows
}

/// The text with each Markdown link replaced by its label.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((label, behind)) = link.split_once("](") else {
            break;
        };
        plain.push_str(before);
        plain.push_str(label);
        rest = behind.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_page_can_be_asked_for() {
        let rows = rows();
        assert!(rows.len() > 80, "{} lines", rows.len());
        for row in &rows {
            // Operators are not words, so they are left out.
            for word in row.words() {
                let lines = explained(word).expect("a word of the page");
                let line = format!("  {}", row.write);
                assert!(lines.contains(&line), "{word}: {line}");
            }
        }
    }

    #[test]
    fn words_are_distinguished() {
        let lines = explained("leads to").expect("an operator");
        assert_eq!(lines[0], "Claims");
        assert_eq!(lines[1], "  p leads to q");
        assert_eq!(lines[3], "  p leads to q within x");
        assert_eq!(lines.len(), 5);
        assert!(explained("leads from").is_none());
        assert!(explained("").is_none());
        assert_eq!(nearest("unorderd").as_deref(), Some("unordered"));
    }

    /// A term of the field is not mistaken for a misspelt word of the language.
    #[test]
    fn terms_of_the_field_lead_to_the_words_of_the_language() {
        let here = term("Invariants").expect("a term");
        assert!(here.contains("always"), "{here}");
        assert!(term("list").is_some_and(|here| here.contains("array")));
        assert_eq!(term("variant"), None);
        assert_eq!(nearest("list"), None, "`least` is another word");
        assert_eq!(nearest("string"), None, "`during` is another word");
        for (term, _) in TERMS {
            assert!(
                explained(term).is_none(),
                "`{term}` is a word of the language"
            );
        }
    }

    #[test]
    fn links_are_left_out() {
        assert_eq!(
            plain("see [here](there.md), [`x`] and"),
            "see here, [`x`] and"
        );
        assert_eq!(plain("a [b](c) d"), "a b d");
    }
}
