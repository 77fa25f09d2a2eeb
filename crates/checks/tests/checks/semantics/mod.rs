//! The semantics suite. Every heading in `tests/semantics/*.md` is a sentence about the language, and the models below
//! it must confirm it.
//!
//! Each check must be answered as its `expect` says. Each number of states or transitions is counted three times: by
//! the explicit engine, by the reference interpreter, and by the enumerator, which shares only the parser with the
//! others. `tests/semantics/README.md` describes the format of the documents.

mod counts;
mod document;
mod sentence;
mod setup;

use document::Document;
use std::path::{Path, PathBuf};

/// All documents, sorted by name.
fn documents() -> Vec<Document> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/semantics");
    let entries = std::fs::read_dir(&folder).expect("the folder of the documents");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "md"));
    paths.retain(|path| path.file_name().is_some_and(|n| n != "README.md"));
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy();
        let text = std::fs::read_to_string(path).expect("a text");
        Document::read(&name, &text).unwrap_or_else(|wrong| panic!("{wrong}"))
    };
    paths.iter().map(read).collect()
}

#[test]
fn every_sentence_is_borne_out() {
    let mut documents = documents();
    // The environment variable SEMANTICS restricts the test to documents whose names contain it.
    if let Ok(word) = std::env::var("SEMANTICS") {
        documents.retain(|document| document.name.contains(&word));
    }
    assert!(!documents.is_empty(), "there are no documents");
    let mut wrong = Vec::new();
    for document in &documents {
        for sentence in &document.sentences {
            let place = format!("{}, \u{201c}{}\u{201d}", document.name, sentence.heading);
            for problem in sentence::judge(sentence) {
                wrong.push(format!("{place}\n    {problem}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of the semantics' expectations are not met:\n\n{}\n",
        wrong.len(),
        wrong.join("\n\n")
    );
}

/// The problems of a document, without their places.
#[cfg(test)]
fn problems_of(text: &str) -> Vec<String> {
    let document = Document::read("wrong.md", text).expect("a document");
    let sentences = document.sentences.iter();
    sentences.flat_map(sentence::judge).collect()
}

/// A document with a model of a switch that can be turned on once.
#[cfg(test)]
fn switch(check: &str, expect: &str) -> String {
    format!(
        "# Switches\n\n## A switch\n\nOff, then on.\n\n```scrut\nnode A {{\n    var on: Bool = false\n    \
         when throw: not on {{ on = true }}\n}}\n\nclaim off: always not A.on\n\n{check}\n```\n\n\
         ```expect\n{expect}\n```\n"
    )
}

#[test]
fn a_right_document_is_accepted() {
    let text = switch("check off expect fails", "states 2\ntransitions 1\nfinal 1");
    assert_eq!(problems_of(&text), [""; 0]);
}

#[test]
fn a_wrong_number_is_noticed() {
    let text = switch("check off expect fails", "states 3");
    assert_eq!(
        problems_of(&text),
        [
            "check 1: states: expected 3; the explicit engine counts 2, the interpreter 2, the second enumerator 2"
        ]
    );
}

#[test]
fn a_wrong_answer_is_noticed() {
    let text = switch("check off expect holds", "states 2");
    assert_eq!(
        problems_of(&text),
        ["check 1, `off`: expected holds, found fails"]
    );
    let text = switch("check off expect fails", "check 1: answers holds");
    assert_eq!(
        problems_of(&text),
        ["check 1: expected the answers holds, found fails"]
    );
}

#[test]
fn a_check_without_an_expectation_is_noticed() {
    let text = switch("check off", "states 2");
    assert_eq!(
        problems_of(&text),
        ["check 1 says neither `expect …` nor, below it, what it answers"]
    );
}

#[test]
fn a_wrong_refusal_is_noticed() {
    let text =
        switch("check off expect fails", "error E0201").replace("```scrut", "```scrut-error");
    assert_eq!(
        problems_of(&text),
        ["expected to be refused with E0201, found nothing wrong"]
    );
    let text = text.replace("A.on", "A.off_");
    assert_eq!(
        problems_of(&text),
        ["expected to be refused with E0201, found E0203"]
    );
}

#[test]
fn a_malformed_document_is_refused() {
    let read = |text: &str| Document::read("wrong.md", text).err();
    let text = switch("check off expect fails", "stats 2");
    assert_eq!(
        read(&text).as_deref(),
        Some("wrong.md, “A switch”: not an expectation: `stats 2`")
    );
    let text = "# T\n\n## A heading\n\nOnly prose.\n";
    assert_eq!(
        read(text).as_deref(),
        Some("wrong.md, “A heading”: there is no model")
    );
    let text = switch("check off expect fails", "states 2").replace("Off, then on.", "");
    assert_eq!(
        read(&text).as_deref(),
        Some("wrong.md, “A switch”: there is no prose")
    );
}
