//! `docs/results.md` says what the runs say: its questions are in `rows.rs`, its answers come from the tool.
//!
//! `UPDATE_EXPECT=1 cargo test` writes the page anew. A row that takes long stands in its file with its `expect`, which
//! another test meets; here only that it stands there is looked at.

mod rows;
#[path = "../scrutineer/mod.rs"]
mod scrutineer;

use rows::{Row, Run, STUDIES, Study};
use scrutineer::{call, folder, root};
use serde_json::Value;
use std::fmt::Write;

const PAGE: &str = "docs/results.md";

const HEAD: &str = "\
<!-- Made from crates/cli/tests/results by `UPDATE_EXPECT=1 cargo test -p cli --test results`. -->
# Results

Published protocols, what was asked of them, what came out, and what their papers had. A test asks these questions of the
models and compares the answers with this page. To see the runs, with times and pictures, use `scrutineer check` on the
model; if a check does not stand in it, add it at the end.

† is for checks that take long. Their answers are not asked anew for this page: they are what the check in the file
expects, and it is run whenever `models/` is checked or, for files of `tests/long`, by `cargo xtask long`.

*Erred* says where a paper is wrong, or where its method could not have noticed. There are no times here: they depend on
the machine.
";

#[test]
fn the_page_says_what_the_runs_say() {
    let page = page();
    let path = root().join(PAGE);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &page).expect("a page that can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let mut differing = page
        .lines()
        .zip(written.lines().chain(std::iter::repeat("")));
    let first = differing.find(|(run, written)| run != written);
    assert!(
        page == written,
        "{PAGE} is not what the runs say; the first difference (run, written):\n{first:#?}\n\
         UPDATE_EXPECT=1 writes it anew"
    );
}

fn page() -> String {
    let mut page = HEAD.to_string();
    for study in STUDIES {
        let mut files: Vec<&str> = study.rows.iter().map(|row| row.model).collect();
        files.dedup();
        let links: Vec<String> = files.iter().map(|file| link(file)).collect();
        let Study {
            title,
            source,
            about,
            ..
        } = study;
        write!(
            page,
            "\n## {title}\n\n{source}.\n\n{about}\n\nModels: {}.\n\n",
            links.join(", ")
        )
        .expect("text");
        page.push_str("| question | check | answer | in the paper |\n|---|---|---|---|\n");
        for row in study.rows {
            let erred = match row.erred {
                "" => String::new(),
                erred => format!(". *Erred:* {erred}"),
            };
            let Row {
                question,
                check,
                paper,
                ..
            } = row;
            writeln!(
                page,
                "| {question} | `{check}` | {} | {paper}{erred} |",
                answer(row)
            )
            .expect("text");
        }
    }
    page
}

fn link(file: &str) -> String {
    format!("[{file}](../{file})")
}

/// The answer of a row, in bold.
fn answer(row: &Row) -> String {
    let path = root().join(row.model);
    let model = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", row.model));
    match row.run {
        Run::Here => format!("**{}**", asked(row, &model)),
        Run::Elsewhere => format!("**{}** †", expected(row, &model)),
    }
}

/// What the tool answers to the check of a row.
fn asked(row: &Row, model: &str) -> String {
    let folder = folder("results");
    let text = format!("{}\ncheck {}\n", without_checks(model), row.check);
    std::fs::write(folder.join("asked.scrut"), text).expect("a model");
    let done = call(&folder, &["check", "asked.scrut", "--json"]);
    let said: Value = serde_json::from_str(&done.out)
        .unwrap_or_else(|e| panic!("{}: {e}\n{}{}", row.check, done.out, done.err));
    let answers = said["files"][0]["checks"][0]["answers"].as_array();
    let answers = answers.unwrap_or_else(|| panic!("no answers to {}:\n{said:#}", row.check));
    let mut claims: Vec<(&Value, String)> = Vec::new();
    for answer in answers {
        let text = one(answer);
        match claims.iter().find(|(asked, _)| **asked == answer["asked"]) {
            None => claims.push((&answer["asked"], text)),
            Some((_, before)) => {
                assert_eq!(*before, text, "two answers to {}: ask twice", row.check)
            }
        }
    }
    let texts: Vec<String> = claims.into_iter().map(|(_, text)| text).collect();
    match &texts[..] {
        [first, rest @ ..] if rest.iter().all(|text| text == first) => first.clone(),
        _ => texts.join(", "),
    }
}

/// One answer in words.
fn one(answer: &Value) -> String {
    let text = match (&answer["answer"], &answer["value"]) {
        (Value::String(kind), Value::Number(value)) if kind == "a value" => value.to_string(),
        (Value::String(kind), Value::String(value)) if kind == "a value" => value.clone(),
        (Value::String(kind), _) => kind.clone(),
        _ => panic!("not an answer: {answer:#}"),
    };
    match answer["vacuous"] == true {
        true => format!("{text}, vacuously"),
        false => text,
    }
}

/// What a file expects of a check that stands in it.
fn expected(row: &Row, model: &str) -> String {
    let checks = checks(model);
    let texts = checks.iter().map(|check| {
        let words: Vec<&str> = check.split_whitespace().collect();
        words.join(" ")
    });
    let start = format!("check {} expect ", row.check);
    let found = texts
        .into_iter()
        .find_map(|text| text.strip_prefix(&start).map(String::from));
    found.unwrap_or_else(|| panic!("{} has no `{start}…`", row.model))
}

/// The checks of a model: each begins a line, and goes on while lines are indented.
fn checks(model: &str) -> Vec<String> {
    let mut checks: Vec<String> = Vec::new();
    let mut open = false;
    for line in model.lines() {
        let code = line.split("//").next().unwrap_or_default();
        if code.starts_with("check ") {
            checks.push(code.to_string());
            open = true;
        } else if open && code.starts_with(' ') {
            checks.last_mut().expect("one is open").push_str(code);
        } else {
            open = false;
        }
    }
    checks
}

/// A model without its checks.
fn without_checks(model: &str) -> String {
    let mut open = false;
    let rest = model.lines().filter(|line| {
        open = line.starts_with("check ") || (open && line.starts_with(' '));
        !open
    });
    rest.map(|line| format!("{line}\n")).collect()
}

#[test]
fn checks_are_taken_apart() {
    let model =
        "node A { }\ncheck a for n = 2\n    expect holds // why\n\ncheck least x: b(x) expect 4\n";
    assert_eq!(without_checks(model), "node A { }\n\n");
    assert_eq!(checks(model).len(), 2);
    let row = |check| Row {
        question: "",
        model: "a.scrut",
        check,
        paper: "",
        erred: "",
        run: Run::Elsewhere,
    };
    assert_eq!(expected(&row("a for n = 2"), model), "holds");
    assert_eq!(expected(&row("least x: b(x)"), model), "4");
}
