//! What the output says besides the verdict: sentences, reasons, settings, and the files that it names.

use crate::calling::models::{says, with};
use crate::calling::{Done, call, folder, root};
use std::path::Path;

/// The result of `check` with these options on a model.
fn checked(name: &str, model: &str, options: &[&str]) -> Done {
    let folder = with(name, "m.scrut", model);
    call(&folder, &[&["check", "m.scrut"], options].concat())
}

fn says_not(text: &str, part: &str) {
    assert!(!text.contains(part), "{part}\nis in\n{text}");
}

#[test]
fn a_node_that_gets_a_message_at_once_sets_no_timer() {
    let found = root().join("tests/found/timer-of-another-node-expires.scrut");
    let model = std::fs::read_to_string(found).expect("a model");
    let done = checked("timer-of-another", &model, &[]);
    says(&done.out, "A: x 0 → 1   → M to A");
    says_not(&done.out, "A: sets t");
}

const COUNT: &str = "\
param x: 1..4 = 2
param y: 0..3 = 1
node A {
    var v: 0..9 = 0
    ghost var seen: 0..9 = 0
    when go: v < 9 { v = v + 1; seen = v }
}
node B {
    var w: 0..1 = 0
    when go: true { w = 1 }
}
variant Careful of A { when go: v < 9 { v = v + 1; seen = 0 } }
variant Tired of B { when go: true { w = 0 } }
network complete
claim low: always A.v < x
fn over(most: 0..9): Bool = exists k in A: k.v > most
claim few: always not (over(0) and over(1))
";

#[test]
fn several_variants_break_a_claim_together() {
    let model = format!("{COUNT}check low with Careful, Tired\ncheck low with Tired\n");
    let done = checked("variants", &model, &[]);
    says(&done.out, "Careful and Tired break low");
    says(&done.out, "Tired breaks low");
}

#[test]
fn defaults_are_named_once() {
    let model = format!("{COUNT}check low\ncheck low for y = 2\n");
    let done = checked("defaults", &model, &[]);
    says(&done.out, "x = 2, y = 1 (defaults)");
    says(&done.out, "y = 2, x = 2 (default)");
}

#[test]
fn ghosts_that_change_are_in_the_story() {
    let done = checked("ghosts", &format!("{COUNT}check low\n"), &[]);
    says(&done.out, "v 0 → 1, seen 0 → 1");
}

#[test]
fn parameters_of_functions_have_values_in_a_reason() {
    let done = checked("free-names", &format!("{COUNT}check few\n"), &[]);
    says(&done.out, "exists k in A: k.v > most (most = 0)");
    says(&done.out, "exists k in A: k.v > most (most = 1)");
}

#[test]
fn a_greatest_value_that_does_not_exist_fails() {
    let model = format!("{COUNT}check greatest x: low\n");
    let done = checked("no-greatest", &model, &[]);
    assert_eq!(done.code, 1, "{}", done.out);
    says(&done.out, "low fails for every value of x");
    says(&done.out, "A  does go  v 0 → 1");
    let model = format!("{COUNT}check greatest x: low expect fails for every bound\n");
    assert_eq!(checked("no-greatest-expected", &model, &[]).code, 0);
}

#[test]
fn a_headline_has_a_verb_whatever_the_name_of_the_variable() {
    let model = "node Backup {\n    var serves: Bool = false\n    every 5 ms .. 6 ms { serves = true }\n}\n\
        claim idle: always not Backup.serves\ncheck idle\n";
    let folder = with("headline", "m.scrut", model);
    call(&folder, &["check", "m.scrut"]);
    let page = std::fs::read_to_string(folder.join("scrutineer-out/m/1-idle.html"));
    says(&page.expect("a page"), "Backup now has serves = true");
}

#[test]
fn one_check_can_be_asked_alone() {
    let model = format!("{COUNT}check low\ncheck few\n");
    let done = checked("one-check", &model, &["--check", "2"]);
    says(&done.out, "few fails");
    says(&done.out, "1 check:");
    let done = checked("no-such-check", &model, &["--check", "3"]);
    assert_eq!(done.code, 2);
    says(&done.err, "there is no check 3: 2 checks");
}

/// The names of all files below the output folder.
fn stored(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for model in std::fs::read_dir(folder.join("scrutineer-out")).expect("outputs") {
        let model = model.expect("a folder").path();
        for file in std::fs::read_dir(&model).expect("a folder") {
            let path = file.expect("a file").path();
            let below = path.strip_prefix(folder).expect("below it");
            found.push(below.display().to_string());
        }
    }
    found.sort();
    found
}

#[test]
fn files_of_checks_that_are_gone_are_removed() {
    let folder = with(
        "stale",
        "m.scrut",
        &format!("{COUNT}check low\ncheck few\n"),
    );
    call(&folder, &["check", "m.scrut"]);
    assert!(stored(&folder).contains(&"scrutineer-out/m/2-few.run".into()));
    std::fs::write(folder.join("m.scrut"), format!("{COUNT}check few\n")).expect("a model");
    call(&folder, &["check", "m.scrut"]);
    let files = stored(&folder);
    let runs: Vec<&String> = files.iter().filter(|f| f.ends_with(".run")).collect();
    assert_eq!(runs, ["scrutineer-out/m/1-few.run"]);
}

#[test]
fn models_of_one_name_have_folders_of_their_own_and_files_no_absolute_paths() {
    let folder = folder("two-of-one-name");
    let model = format!("{COUNT}check low\n");
    for part in ["a", "b"] {
        std::fs::create_dir_all(folder.join(part)).expect("a folder");
        std::fs::write(folder.join(part).join("m.scrut"), &model).expect("a model");
    }
    let absolute = folder.join("a/m.scrut").display().to_string();
    let done = call(&folder, &["check", &absolute, "b/m.scrut"]);
    says(&done.out, "scrutineer-out/m/1-low.run");
    says(&done.out, "scrutineer-out/m-2/1-low.run");
    let again = call(&folder, &["check", "b/m.scrut"]);
    says(&again.out, "scrutineer-out/m-2/1-low.run");
    let here = folder.display().to_string();
    for file in stored(&folder) {
        let text = std::fs::read_to_string(folder.join(&file)).expect("a text");
        says_not(&text, &here);
        says_not(&file, "unfinished");
    }
}

/// One counter stays behind the others for ever.
const DRIFT: &str = "\
message Tick { time: Counter }
node P[2] {
    var clock: Counter = 0
    var heard: [Counter; Node] = 0
    when tick: true { clock = clock + 1; broadcast Tick { time: clock } }
    on Tick as m from s { clock = max(clock, m.time) + 1; heard[s] = m.time }
}
network complete { channel fifo(1) }
claim ahead: always all k in P: k.heard[k] <= k.clock
check ahead
";

#[test]
fn counters_that_grow_apart_are_named_and_a_limit_says_what_was_tried() {
    let done = checked("drift", DRIFT, &["--memory", "1MB"]);
    says(
        &done.out,
        "counters grow apart: of `clock` of P, `heard` of P",
    );
    says_not(&done.out, "what multiplies the states");
    says(&done.out, "tried: explicit search (");
    says(&done.out, "what to try next: more memory (`--memory`)");
}

#[test]
fn terms_of_the_field_are_explained_by_words_of_the_language() {
    let folder = folder("terms");
    let done = call(&folder, &["explain", "invariant"]);
    assert_eq!(done.code, 2);
    says(&done.err, "here an invariant is `claim NAME: always e`");
    let done = call(&folder, &["explain", "list"]);
    says(&done.err, "here a list is an array");
}

#[test]
fn the_start_of_a_vector_is_assumed() {
    let model = "message Pay\nnode Account[2] {\n    var money: 0..2 = 1\n    when pay: money > 0 { choose k in neighbours; \
        money = money - 1; send Pay to k }\n    on Pay { money = money + 1 }\n}\nnetwork complete\n";
    let folder = with("assumed-start", "m.scrut", model);
    let done = call(&folder, &["tests", "m.scrut"]);
    says(
        &done.out,
        "from an assumed start, line 5: an error in `money = money + 1`",
    );
    says(&done.out, "is assumed, not proved");
    let json = folder.join("scrutineer-out/m/Account/vectors.json");
    let json = std::fs::read_to_string(json).expect("vectors");
    says(&json, "\"starts\": \"assumed\"");
}
