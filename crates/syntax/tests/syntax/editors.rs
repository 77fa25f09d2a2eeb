//! Tests of the files for editors: they are consistent, and the editor grammar contains every word that the parser
//! knows.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Words in string literals of the parser that are not words of the language. The parser recognises them as mistakes,
/// or they are parts of messages.
const NO_WORDS: &[&str] = &[
    "break",
    "const",
    "constant",
    "continue",
    "do",
    "elif",
    "elseif",
    "elsif",
    "expected",
    "expects",
    "fail",
    "failure",
    "hold",
    "hour",
    "hours",
    "invariant",
    "loop",
    "ltl",
    "microseconds",
    "millis",
    "milliseconds",
    "mins",
    "minute",
    "minutes",
    "module",
    "msec",
    "msecs",
    "nanoseconds",
    "no",
    "nsec",
    "ok",
    "pass",
    "passes",
    "process",
    "proctype",
    "property",
    "return",
    "sec",
    "second",
    "seconds",
    "secs",
    "statements",
    "success",
    "type",
    "usec",
    "violated",
    "while",
    "yes",
];

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn json(name: &str) -> Value {
    let path = here().join("../../editors/vscode").join(name);
    let text = std::fs::read_to_string(&path).expect("a file for editors");
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Collects every string in a JSON value whose key is `key`, at any depth.
fn texts<'v>(value: &'v Value, key: &str, found: &mut Vec<&'v str>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(text) if name == key => found.push(text),
                    _ => texts(field, key, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| texts(value, key, found)),
        _ => {}
    }
}

/// The words in the patterns of the editor grammar.
fn coloured() -> BTreeSet<String> {
    let grammar = json("syntaxes/scrut.tmLanguage.json");
    let mut patterns = Vec::new();
    texts(&grammar, "match", &mut patterns);
    let mut words = BTreeSet::new();
    for pattern in patterns {
        let plain = pattern.replace("\\b", " ").replace("\\s", " ");
        let parts = plain.split(|c: char| !c.is_ascii_alphabetic());
        words.extend(parts.filter(|p| !p.is_empty()).map(str::to_owned));
    }
    words
}

/// The string literals of the parser that look like words.
fn parsed() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let folders = ["src/grammar", "src/parser"];
    let files = folders.iter().flat_map(|folder| {
        let entries = std::fs::read_dir(here().join(folder)).expect("the parser");
        entries.map(|entry| entry.expect("a file").path())
    });
    for path in files {
        let text = std::fs::read_to_string(path).expect("a file of the parser");
        let code = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            let literals = line.split('"').skip(1).step_by(2);
            let word = |w: &&str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_lowercase());
            words.extend(literals.filter(word).map(str::to_owned));
        }
    }
    words
}

#[test]
fn every_word_of_the_parser_is_coloured() {
    let (coloured, parsed) = (coloured(), parsed());
    assert!(parsed.len() > 100, "only {} words were found", parsed.len());
    let missing: Vec<&String> = parsed
        .iter()
        .filter(|word| !coloured.contains(*word) && !NO_WORDS.contains(&word.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "editors/vscode/syntaxes/scrut.tmLanguage.json does not know: {missing:?}"
    );
    let stale: Vec<&&str> = NO_WORDS
        .iter()
        .filter(|word| !parsed.contains(**word))
        .collect();
    assert!(
        stale.is_empty(),
        "the parser does not mention {stale:?} any more"
    );
}

#[test]
fn the_files_for_editors_belong_together() {
    let package = json("package.json");
    let contributes = &package["contributes"];
    let language = &contributes["languages"][0];
    let grammar = &contributes["grammars"][0];
    assert_eq!(language["extensions"][0], ".scrut");
    assert_eq!(language["id"], grammar["language"]);
    let path = grammar["path"].as_str().expect("the path of the grammar");
    assert_eq!(json(path)["scopeName"], grammar["scopeName"]);
    let path = language["configuration"].as_str().expect("a path");
    assert_eq!(json(path)["comments"]["lineComment"], "//");
}

/// Every pattern that the editor grammar includes exists in its repository.
#[test]
fn the_grammar_includes_what_it_has() {
    let grammar = json("syntaxes/scrut.tmLanguage.json");
    let mut included = Vec::new();
    texts(&grammar, "include", &mut included);
    assert!(!included.is_empty());
    for name in included {
        let name = name.trim_start_matches('#');
        assert!(grammar["repository"].get(name).is_some(), "{name}");
    }
}
