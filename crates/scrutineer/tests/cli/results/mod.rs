//! `docs/results.md` agrees with the tool. The questions are in `rows.rs`, and the answers are computed.
//!
//! `UPDATE_EXPECT=1 cargo test` rewrites the page. A question that takes long is a check in its model file with an
//! `expect`, and another test runs it; here only the text of the check is compared.

mod rows;
use self::rows::{Row, Run, STUDIES, Study};
use crate::calling::{call, folder, root};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/results.md";

const HEAD: &str = "\
<!-- Made from crates/scrutineer/tests/cli/results by `UPDATE_EXPECT=1 cargo test -p scrutineer results`. -->
# Results

Published protocols, what was asked of them, what came out, and what their papers had. A test asks these questions of the
models and compares the answers with this page. To see the runs, with times and pictures, use `scrutineer check` on the
model; if a check does not stand in it, add it at the end.

† is for checks that take long. Their answers are not asked anew for this page: they are what the check in the file
expects, and it is run whenever `models/` is checked or, for files of `tests/long`, by `cargo xtask long`.

A link behind an answer leads to the run that shows it, told as the tool tells it. The run itself is stored beside that page:
`scrutineer show` replays it on the reference interpreter and draws it.

*Erred* says where a paper is wrong, or where its method could not have noticed. There are no times here: they depend on
the machine.
";

#[test]
fn the_page_says_what_the_runs_say() {
    let page = page();
    compare(PAGE, &page);
    for study in STUDIES {
        for row in study.rows.iter().filter(|row| !row.shown.is_empty()) {
            compare(&format!("docs/runs/{}.md", row.shown), &story(row));
        }
    }
}

/// Whether the pages are to be rewritten.
fn is_updated() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

/// Compares a page with its file, or rewrites the file.
fn compare(name: &str, page: &str) {
    let path = root().join(name);
    if is_updated() {
        std::fs::write(&path, page).expect("a page that can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let mut differing = page
        .lines()
        .zip(written.lines().chain(std::iter::repeat("")));
    let first = differing.find(|(run, written)| run != written);
    assert!(
        page == written,
        "{name} is not what the runs say; the first difference (run, written):\n{first:#?}\n\
         UPDATE_EXPECT=1 writes it anew"
    );
}

/// The page about a stored run, with the output of `show`.
fn story(row: &Row) -> String {
    let run = format!("docs/runs/{}.run", row.shown);
    let done = call(&root(), &["show", &run]);
    assert_eq!(done.code, 0, "{run}: {}", done.err);
    let Row {
        question, check, ..
    } = row;
    format!(
        "<!-- Made from {run} by the test of the page of results. -->\n# {question}\n\n\
         From [{model}](../../{model}), `check {check}`. [Results](../results.md) says what the paper has.\n\n\
         ```text\n{story}```\n\n\
         `scrutineer show {run} --html page.html` makes a picture of it, with every event.\n",
        model = row.model,
        story = done.out,
    )
}

/// Copies the first run that a check stored to `docs/runs`.
fn keep(out: &Path, name: &str) {
    let files = std::fs::read_dir(out).expect("runs");
    let mut runs: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    runs.retain(|path| path.extension() == Some("run".as_ref()));
    runs.sort();
    let to = root().join("docs/runs").join(name).with_extension("run");
    std::fs::copy(&runs[0], to).expect("a run that can be stored");
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

/// The answer to a question, in bold.
fn answer(row: &Row) -> String {
    let path = root().join(row.model);
    let model = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", row.model));
    let answer = match row.run {
        Run::Here => format!("**{}**", asked(row, &model)),
        Run::Elsewhere => format!("**{}** †", expected(row, &model)),
    };
    match row.shown {
        "" => answer,
        name => format!("{answer} ([run](runs/{name}.md))"),
    }
}

/// The answer of the tool to the check of a row.
fn asked(row: &Row, model: &str) -> String {
    let folder = folder("results");
    let text = format!("{}\ncheck {}\n", without_checks(model), row.check);
    std::fs::write(folder.join("asked.scrut"), text).expect("a model");
    let done = call(&folder, &["check", "asked.scrut", "--json"]);
    if is_updated() && !row.shown.is_empty() {
        call(&folder, &["check", "asked.scrut", "--out", "runs"]);
        keep(&folder.join("runs/asked"), row.shown);
    }
    let output: Value = serde_json::from_str(&done.out)
        .unwrap_or_else(|e| panic!("{}: {e}\n{}{}", row.check, done.out, done.err));
    let answers = output["files"][0]["checks"][0]["answers"].as_array();
    let answers = answers.unwrap_or_else(|| panic!("no answers to {}:\n{output:#}", row.check));
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

/// One answer as text.
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

/// The `expect` of the check in its model file.
fn expected(row: &Row, model: &str) -> String {
    let checks = checks(model);
    let texts = checks.iter().map(|check| {
        let words: Vec<&str> = check.split_whitespace().collect();
        words.join(" ")
    });
    let asked = format!("check {}", row.check);
    let begins = |text: &str| match asked.strip_suffix('…') {
        Some(beginning) => text.starts_with(beginning),
        None => text
            .strip_prefix(&asked[..])
            .is_some_and(|rest| rest.starts_with(" expect ")),
    };
    let found = texts.into_iter().find(|text| begins(text));
    let found = found.unwrap_or_else(|| panic!("{} has no `{asked} expect …`", row.model));
    let (_, expected) = found.rsplit_once(" expect ").expect("what is expected");
    expected.to_string()
}

/// The texts of the checks of a model. Each starts a line and may continue on indented lines.
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
        shown: "",
    };
    assert_eq!(expected(&row("a for n = 2"), model), "holds");
    assert_eq!(expected(&row("least x: b(x)"), model), "4");
}
