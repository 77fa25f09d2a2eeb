//! The HTML page of a run in a real browser: at each step it shows the state of the run. Skipped without Chromium.

use crate::calling::{call, folder, root};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time after which the browser is killed.
const PATIENCE: Duration = Duration::from_secs(40);

/// The DOM of a page after its script has run, with a URL fragment such as `#step=5`; `None` without a browser.
fn dom(page: &Path, fragment: &str) -> Option<String> {
    let browser = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| {
            let version = Command::new(name).arg("--version").output();
            version.is_ok_and(|output| output.status.success())
        });
    let Some(browser) = browser else {
        eprintln!("SKIPPED: no Chromium is installed");
        return None;
    };
    let profile = page.with_extension("profile");
    let mut child = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
        ])
        .args(["--disable-sync", "--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}{fragment}", page.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the browser can be called");
    let mut pipe = child.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).map(|_| text)
    });
    let since = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if since.elapsed() > PATIENCE {
            // If the browser does not respond, this says nothing about the page, so the test is skipped.
            let _ = child.kill();
            let _ = child.wait();
            eprintln!("SKIPPED: the browser did not answer in {PATIENCE:?}");
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let dom = reader.join().expect("the reader").expect("UTF-8");
    let _ = std::fs::remove_dir_all(profile);
    assert!(dom.contains("</html>"), "the browser gave no page");
    Some(dom)
}

/// The folder with the pages of the runs of a shipped model.
fn pages(test: &str, model: &str) -> PathBuf {
    let folder = folder(test);
    let model = root().join("models").join(model);
    call(&folder, &["check", &model.display().to_string()]);
    folder
        .join("scrutineer-out")
        .join(model.file_stem().expect("a name"))
}

/// The text between the first occurrence of `before` and the next occurrence of `after`.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let from = text
        .find(before)
        .unwrap_or_else(|| panic!("{before} is not there"))
        + before.len();
    let length = text[from..].find(after).expect("its end");
    &text[from..from + length]
}

/// The JSON data in the script of the page.
fn data(page: &str) -> serde_json::Value {
    serde_json::from_str(between(page, "id=\"run\">", "</script>")).expect("JSON")
}

/// The cells of the displayed state: the value, and whether it is marked as changed.
fn cells(dom: &str) -> Vec<(String, bool)> {
    let table = between(dom, "<table class=\"now\">", "</table>");
    let cells = table.split("<td data-row=\"").skip(1);
    cells
        .map(|cell| {
            let value = between(cell, ">", "</td>");
            (
                value.to_string(),
                between(cell, "", ">").contains("changed"),
            )
        })
        .collect()
}

fn step(dom: &str) -> usize {
    between(dom, "data-step=\"", "\"")
        .parse()
        .expect("a number")
}

/// Asserts that the page shows the state at a step, and marks the differences to the previous state.
fn shows(dom: &str, wanted: usize) {
    assert_eq!(step(dom), wanted);
    let data = data(dom);
    let values = |step: usize| -> Vec<String> {
        let values = data["values"][step].as_array().expect("values");
        let texts = values.iter().map(|v| v.as_str().expect("a text"));
        texts
            .map(|t| t.replace('&', "&amp;").replace('<', "&lt;"))
            .collect()
    };
    let now = values(wanted);
    let before = values(wanted.saturating_sub(1));
    let expected = now.iter().zip(&before).map(|(n, b)| (n.clone(), n != b));
    assert_eq!(cells(dom), expected.collect::<Vec<_>>());
    let current = between(dom, "aria-current=\"step\"", "</a>");
    assert!(current.contains(&format!(">{wanted}</span>")), "{current}");
    assert!(between(dom, "id=\"said\"", "</p>").contains(&format!("Step {wanted}: ")));
}

#[test]
fn steps_show_the_states_of_the_run() {
    let page = pages("browser-steps", "ring-mutants.scrut").join("4-agreement.html");
    let text = std::fs::read_to_string(&page).expect("a page");
    let events = data(&text)["events"].as_u64().expect("a number") as usize;
    assert!(events >= 6, "{events}");
    let Some(opened) = dom(&page, "") else { return };
    shows(&opened, events);
    for (fragment, wanted) in [
        ("#step=0", 0),
        ("#step=5", 5),
        ("#step=999", events),
        ("#keys=RRRL", 2),
        ("#keys=LL", 0),
        ("#keys=ELL", events - 2),
        ("#keys=EHR", 1),
        ("#keys=ER", events),
    ] {
        let Some(dom) = dom(&page, fragment) else {
            return;
        };
        shows(&dom, wanted);
    }
}

#[test]
fn a_loop_goes_round() {
    let page = pages("browser-loop", "ring-mutants.scrut").join("3-termination.html");
    let text = std::fs::read_to_string(&page).expect("a page");
    let from = data(&text)["loop"].as_u64().expect("a loop") as usize;
    if let Some(dom) = dom(&page, "#keys=ER") {
        shows(&dom, from + 1);
    }
}

#[test]
fn what_does_not_matter_can_be_hidden() {
    let folder = folder("browser-pale");
    let model = "
        param n: 2..9 = 5
        node Member[n] {
            var turn: 0..1 = 0
            var done: Bool = false
            every any { turn = 1 - turn }
        }
        network line
        claim all_done: eventually all k in Member: k.done
        check all_done expect fails
        ";
    std::fs::write(folder.join("turns.scrut"), model).expect("a model");
    call(&folder, &["check", "turns.scrut"]);
    let page = folder.join("scrutineer-out/turns/1-all_done.html");
    let text = std::fs::read_to_string(&page).expect("a page");
    let matters = data(&text)["matters"].as_array().expect("a list").clone();
    let matters: Vec<bool> = matters
        .iter()
        .map(|m| *m == serde_json::json!(true))
        .collect();
    let count = matters.iter().filter(|m| **m).count();
    assert!(0 < count && count < matters.len(), "{matters:?}");
    let Some(all) = dom(&page, "#keys=") else {
        return;
    };
    assert!(!between(&all, "<html", ">").contains("mattering"));
    let few = dom(&page, "#keys=A").expect("a browser");
    assert!(between(&few, "<html", ">").contains("mattering"));
    let last = matters.iter().rposition(|m| *m).expect("something matters");
    let dom = dom(&page, &format!("#keys=A{}", "R".repeat(count))).expect("a browser");
    shows(&dom, last + 1);
}

#[test]
fn the_page_needs_nothing_else() {
    let folder = pages("browser-alone", "ring-mutants.scrut");
    let page = std::fs::read_to_string(folder.join("4-agreement.html")).expect("a page");
    assert!(page.contains("Content-Security-Policy\" content=\"default-src 'none'"));
    for address in ["http:", "https:", "src=", "url(", "<link"] {
        assert!(!page.contains(address), "{address}");
    }
    // Without its script, the page contains the story, the chart, the claim, and all states.
    let still = &page[..page.find("<script").expect("a script")];
    for part in [
        "<svg",
        "gets Elected",
        "<u title",
        "all states",
        "id=\"step=0\"",
    ] {
        assert!(still.contains(part), "{part}");
    }
}
