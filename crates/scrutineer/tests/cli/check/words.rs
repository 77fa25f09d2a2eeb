//! What the output says besides the verdict: sentences, reasons, settings, and the files that it names.

use crate::calling::models::{says, says_not, with};
use crate::calling::{Done, call, folder, root};
use std::path::Path;

/// The result of `check` with these options on a model.
fn checked(name: &str, model: &str, options: &[&str]) -> Done {
    let folder = with(name, "m.scrut", model);
    call(&folder, &[&["check", "m.scrut"], options].concat())
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
    says(&done.out, "with x = ");
    says(&done.out, "A  does go  v 0 → 1");
    let model = format!("{COUNT}check greatest x: low expect fails for every bound\n");
    assert_eq!(checked("no-greatest-expected", &model, &[]).code, 0);
}

#[test]
fn a_run_of_a_claim_that_fails_for_every_value_names_its_value() {
    let model = "\
param slow: Duration = 12 ms
message Beat
node Sender { every 8 ms .. slow { broadcast Beat } }
node Watch {
    var alarm: Bool = false
    every 6 ms { alarm = not exists m in inbox: true; clear inbox }
}
network complete { delivery instant; inbox all, starts empty }
claim quiet: always (Watch.activations >= 2 implies not Watch.alarm)
claim calm: always (Watch.activations >= 3 implies not Watch.alarm)
check greatest slow: quiet, calm
";
    let done = checked("no-threshold", model, &[]);
    assert_eq!(done.code, 1, "{}", done.out);
    says(&done.out, "quiet fails for every value of slow");
    says(&done.out, "calm fails for every value of slow");
    assert_eq!(
        done.out.matches("with slow = 8 ms").count(),
        2,
        "{}",
        done.out
    );
}

/// The runs of the two claims are about different values, so that only one of them is shown.
#[test]
fn each_claim_has_its_own_least_value_of_a_parameter() {
    let model = "param K: 1..6 = 2\nnode A {\n    var v: 0..9 = 0\n    when go: v < 9 { v = min(v + K, 9) }\n}\n\
        network complete\nclaim three: always A.v != 3\nclaim four: always A.v != 4\ncheck least K: three, four\n";
    let done = checked("least-of-two", model, &[]);
    says(&done.out, "least K for three is 2");
    says(&done.out, "least K for four is 3");
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

/// One check of all that asks for a run.
#[test]
fn one_check_of_a_simulation_can_be_asked_alone() {
    let model = format!("{COUNT}check low\ncheck few\n");
    let folder = with("one-simulated", "m.scrut", &model);
    let done = call(&folder, &["simulate", "m.scrut", "--check", "3"]);
    assert_eq!(done.code, 2);
    says(&done.err, "there is no check 3");
}

#[test]
fn no_time_for_all_checks_leaves_all_unknown() {
    let model = format!("{COUNT}check low\ncheck few\n");
    let done = checked("total-time", &model, &["--total-time", "0.001ms"]);
    assert_eq!(done.code, 3, "{}", done.out);
    assert_eq!(done.out.matches("? ").count(), 2, "{}", done.out);
    let done = checked("total-time", &model, &["--total-time", "10min"]);
    assert_eq!(done.code, 1, "{}", done.out);
}

/// The names of all files below the output folder.
fn stored(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![folder.join("scrutineer-out")];
    while let Some(next) = left.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => left.push(path),
                false => {
                    let below = path.strip_prefix(folder).expect("below it");
                    found.push(below.display().to_string());
                }
            }
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

#[test]
fn every_command_marks_the_folder_of_its_files() {
    let folder = folder("marked");
    for part in ["a", "b"] {
        let model = format!("{COUNT}check low\n");
        std::fs::create_dir_all(folder.join(part)).expect("a folder");
        std::fs::write(folder.join(part).join("m.scrut"), model).expect("a model");
    }
    for command in [
        &["run", "--seed", "1"][..],
        &["simulate", "--runs", "10", "--seed", "1"],
        &["tests", "--node", "A"],
    ] {
        let _ = std::fs::remove_dir_all(folder.join("scrutineer-out"));
        for (model, out) in [("a/m.scrut", "m"), ("b/m.scrut", "m-2")] {
            let absolute = folder.join(model).display().to_string();
            let done = call(&folder, &[command, &[&absolute]].concat());
            assert!(done.code <= 1, "{}{}", done.out, done.err);
            let mark = folder.join("scrutineer-out").join(out).join("model.txt");
            let mark = std::fs::read_to_string(mark).expect("a mark");
            assert_eq!(mark, format!("../../{model}\n"), "{command:?}");
        }
        let here = folder.display().to_string();
        for file in stored(&folder) {
            let text = std::fs::read_to_string(folder.join(&file)).expect("a text");
            says_not(&text, &here);
        }
    }
}

#[test]
fn ghosts_are_in_states_and_traces() {
    let folder = with("ghost-states", "m.scrut", &format!("{COUNT}check low\n"));
    call(&folder, &["check", "m.scrut"]);
    let run = "scrutineer-out/m/1-low.run";
    let done = call(&folder, &["show", run, "--verbose", "--itf", "run.json"]);
    says(&done.out, "A: v = 1, seen = 1");
    let trace = std::fs::read_to_string(folder.join("run.json")).expect("a trace");
    says(&trace, "\"A.seen\"");
    says_not(&trace, "activations");
}

/// What the order of nodes could change is named with its line, and only if it is about nodes.
#[test]
fn the_line_that_tells_nodes_apart_is_named() {
    let model = |premise: &str| {
        format!(
            "node S[3] {{\n    var t: [0..2; 1..2] = 0\n    var at: 0..3 = 1\n    var turn: 0..9 = 0\n    \
             when go: true {{ choose a in {{ 1, 2 }}; at = a; t[a] = 1; turn = (turn + 1) mod 10 }}\n}}\nnetwork complete\n\
             claim c: always ({premise} implies\n    all j in S: j.t[1] <= 1)\ncheck c\n"
        )
    };
    let premise = "(exists i in 1..3:\n    exists j in S: j.t[j.at] == i)";
    let done = checked("node-order", &model(premise), &["-v"]);
    says(
        &done.out,
        "the condition of a quantifier in line 9 may be an error",
    );
    let premise = "(exists i in 1..2:\n    (count j in S: j.turn == 4 mod i) > 0)";
    let done = checked("node-order-numbers", &model(premise), &["-v"]);
    says(
        &done.out,
        "symmetry reduction: 6 permutations of nodes 1, 2, 3\n",
    );
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
    says(
        &done.out,
        "what to try next: a bound for what grows (see above)",
    );
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
fn a_vector_has_no_message_that_is_never_sent_to_its_node() {
    let model = "message M\nnode N[3] {\n    var odd: Bool = false\n    start { send M to next }\n    \
        on M from s { if s != previous { odd = true } }\n}\nnetwork ring\n";
    let folder = with("addressed-vectors", "m.scrut", model);
    let done = call(&folder, &["tests", "m.scrut"]);
    says(&done.out, "unreachable, line 5: `s != previous` holds");
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
    let coverage = folder.join("scrutineer-out/m/Account/coverage.txt");
    let coverage = std::fs::read_to_string(coverage).expect("coverage");
    says(
        &coverage,
        "an error in `money = money + 1`: vector 4, from an assumed start",
    );
}

#[test]
fn an_unknown_threshold_says_how_to_ask_for_single_times() {
    let model = "param wait: Duration = 8 ms\nnode A {\n    var late: Bool = false\n    timer t\n    \
        start { set t in wait }\n    on t { late = now_late(wait) }\n}\n\
        fn now_late(w: Duration): Bool = w > 9 ms\n\
        claim calm: always not A.late\ncheck greatest wait: calm\n";
    let done = checked("single-times", model, &[]);
    says(&done.out, "`for wait in { … }` asks for single times");
}

#[test]
fn the_outcomes_of_an_action_name_the_block_that_runs_it() {
    let model = "message M\nmessage K\nnode N[2] {\n    var x: 0..1 = 0\n    start { send M to next; send K to next }\n    \
        on M { add() }\n    on K { add() }\n    action add() {\n        if x > 1 { x = 0 }\n    }\n}\nnetwork ring\n";
    let folder = with("action-vectors", "m.scrut", model);
    let done = call(&folder, &["tests", "m.scrut"]);
    says(&done.out, "`x > 1` holds (in ");
}
