//! The coverage and the assumptions of answers, and the stored files of their runs.

use crate::calling::models::{says, with};
use crate::calling::{call, without_times};

/// The product a · b, which is 0 if and only if a or b is 0.
const PRODUCT: &str = "\
param a: 0..2 = 0
param b: 0..2 = 0
param c = a + 1
node N {
    var x: 0..4 = 0
    start { x = a * b }
}
claim small: always N.x == 0
claim below(most: 0..4): always N.x < most
";

/// The output of `check` for a model, without times.
fn output(name: &str, model: &str, args: &[&str]) -> String {
    let folder = with(name, "m.scrut", model);
    let done = call(&folder, &[&["check", "m.scrut"], args].concat());
    assert_eq!(done.err, "");
    without_times(&done.out)
}

#[test]
fn a_line_covers_what_it_says_and_no_more() {
    let model = format!("{PRODUCT}check small for a in 0..2, b in 0..2\n");
    let out = output("covers", &model, &[]);
    says(
        &out,
        "✓ small                                        a = 0, b = 0..2; a = 1..2, b = 0; c = a + 1 (default)",
    );
    says(
        &out,
        "✗ small fails                                  a = 1..2, b = 1..2, c = a + 1 (default)",
    );
    let model = format!("{PRODUCT}check small for a in 0..2, b in 0..a\n");
    let out = output("covers-less", &model, &[]);
    says(&out, "a = 0..2, b = 0, c = a + 1 (default)");
    says(&out, "a = 1, b = 1; a = 2, b = 1..2; c = a + 1 (default)");
}

/// A model that loses as many messages as the parameter allows.
const LOSSY: &str = "\
param losses: 0..2 = 0
param room: 1..3 = 1
message M
node A { start { send M to B; send M to B } }
node B { on M { } }
network complete { channel fifo(room) }
faults lose at most losses messages
faults repeat at most 1 message of M
claim fine: always true
";

#[test]
fn what_is_assumed_has_the_numbers_of_all_instances() {
    let model = format!("{LOSSY}check fine for losses in 0..2, room in {{ 1, 3 }}\n");
    says(
        &output("assumes", &model, &[]),
        "assumed: nothing is reordered, at most 0..2 messages are lost, at most 1 M message is repeated, a sender \
         waits while its channel is full (1, 3 messages);",
    );
    let model = format!("{LOSSY}check fine for losses = 1\n");
    let out = output("assumes-one", &model, &[]);
    says(&out, "at most 1 message is lost");
    says(&out, "its channel is full (1 message);");
    let folder = with(
        "assumes-json",
        "m.scrut",
        &model.replace("losses = 1", "losses in 1..2"),
    );
    let done = call(&folder, &["check", "m.scrut", "--json"]);
    says(&done.out, "at most 1..2 messages are lost");
}

#[test]
fn every_story_has_a_file_of_its_own() {
    let model = format!(
        "{PRODUCT}check below(1), below(2) for a in 1..2, b in 1..2 expect fails\n\
         check small for a in 0..2, b = 1 expect unknown\n"
    );
    let folder = with("stories", "m.scrut", &model);
    let stored = |args: &[&str]| -> Vec<String> {
        let done = call(&folder, &[&["check", "m.scrut"], args].concat());
        let files = std::fs::read_dir(folder.join("scrutineer-out/m")).expect("a folder");
        let mut files: Vec<String> = files
            .map(|f| f.expect("a file").file_name().into_string().expect("UTF-8"))
            .filter(|f| f.ends_with(".run"))
            .collect();
        files.sort();
        for file in &files {
            says(&done.out, file);
        }
        files
    };
    let all = ["1-below-1.run", "1-below-2.run", "2-small.run"];
    assert_eq!(stored(&[]), all);
    // Files that an earlier call stored for the same questions are removed.
    assert_eq!(
        stored(&["-D", "a=1", "-D", "b=1"]),
        ["1-below-1.run", "2-small.run"]
    );
}

/// A claim that fails in one instance and ends in an error in another.
const MIXED: &str = "\
param top: 1..3 = 1
node N {
    var x: 0..1 = 0
    var y: 0..1 = 0
    when up:   x < 1 { x = x + 1 }
    when over: x == 1 and top > 1 { x = x + 1 }
}
claim low: always N.x == 0 or top == 3
claim still: always N.y == 0
claim sound: eventually N.y == 0 or top < 3
";

#[test]
fn two_stories_of_one_claim_do_not_overwrite_each_other() {
    let model = format!("{MIXED}check low for top in 1..3\n");
    let out = output("two-stories", &model, &[]);
    says(&out, "scrutineer-out/m/1-low.run");
    says(&out, "scrutineer-out/m/1-low@top=3.run");
    let folder = with("two-stories-shown", "m.scrut", &model);
    call(&folder, &["check", "m.scrut"]);
    let show = |file: &str| call(&folder, &["show", &format!("scrutineer-out/m/{file}")]).out;
    says(&show("1-low.run"), "low fails");
    says(&show("1-low@top=3.run"), "low: error in a run");
}

#[test]
fn an_error_is_told_once() {
    let model = format!("{MIXED}check low, still, sound for top in 2..3\n");
    let out = output("told-once", &model, &[]);
    let told = out.matches("here the run ends in an error").count();
    assert_eq!(told, 1, "{out}");
    says(
        &out,
        "the same run as for low: scrutineer show scrutineer-out/m/1-low@top=3.run",
    );
}

#[test]
fn json_stores_nothing_and_says_so() {
    let folder = with("json-out", "m.scrut", &format!("{PRODUCT}check small\n"));
    let done = call(&folder, &["check", "m.scrut", "--json", "--out", "x"]);
    assert_eq!(done.code, 2);
    says(&done.err, "--out");
    assert!(!folder.join("x").exists());
}

#[test]
fn a_parameter_that_is_not_there_is_said_once() {
    let model = format!("param items: 1..3 = 1\n{PRODUCT}check small\ncheck small for a = 1\n");
    let folder = with("no-param", "m.scrut", &model);
    let done = call(&folder, &["check", "m.scrut", "-D", "itms=1"]);
    assert_eq!((done.code, &done.out[..]), (2, ""));
    assert_eq!(
        done.err,
        "error: -D itms=1: there is no parameter `itms` in m.scrut; did you mean `items`?\n"
    );
}

#[test]
fn one_state_is_not_states() {
    let model = "node N { var x: 0..1 = 0 }\nclaim c: always N.x == 0\ncheck c\n";
    let out = output("plural", model, &["-v"]);
    says(&out, "1 instance, 1 initial state, 1 state, 0 transitions");
    assert!(!out.contains(" 0 kB"), "{out}");
}

#[test]
fn a_variable_that_is_to_blame_is_shown_with_its_value() {
    let model = "node N { var wrong: Bool = false; start { wrong = true } }\n\
                 claim right: always not N.wrong\ncheck right\n";
    says(&output("to-blame", model, &[]), "N.wrong = true\n");
}

#[test]
fn what_waits_for_room_was_not_sent() {
    let model = "\
message M
node A {
    var n: 0..3 = 0
    when go: n < 3 { n = n + 1; send M to B }
}
node B {
    var open: Bool = false
    on M when open { }
}
network complete { channel fifo(1) }
claim thrice: eventually A.n == 3
check thrice
";
    let folder = with("outbox", "m.scrut", model);
    let out = without_times(&call(&folder, &["check", "m.scrut"]).out);
    says(
        &out,
        "does go  n 1 → 2, keeps M for B in its outbox: the channel is full",
    );
    assert_eq!(out.matches("→ M to B").count(), 1, "{out}");
    says(&out, "A wants to send M to B, but the channel stays full");
    let page = folder.join("scrutineer-out/m/1-thrice.html");
    let page = std::fs::read_to_string(page).expect("a page");
    let chart = &page[page.find("id=\"all-lines\"").expect("a chart")..];
    let chart = &chart[..chart.find("</svg>").expect("its end")];
    // The chart contains the text that the run ends here, and why.
    says(chart, ">nothing can happen any more</text>");
    says(chart, "but the channel stays full</text>");
    says(&page, "\"empty\"");
    assert!(!page.contains("\"–\""), "an empty channel is called empty");
}

/// If one period makes the first gap of A short, it also ends the second gap before the third tick of R. No order rule
/// about two nodes excludes this, so it is unknown whether the premise is reachable.
#[test]
fn an_undecided_premise_is_reported() {
    let model = "\
message Tick
node A {
    var ticks: 0..3 = 0
    var short: Bool = false
    every 10 .. 20 fixed, first 0 .. 0 { if ticks == 0 { short = true } else { short = false } }
    on Tick { if ticks < 3 { ticks = ticks + 1 } }
}
node R { every 7, first 11 .. 11 { broadcast Tick } }
network complete { delivery instant }
claim c: always (A.short and A.ticks == 3 and A.activations == 2 implies A.ticks > 2)
claim never: always (A.activations == 3 and R.activations == 0 implies A.activations > 2)
check c expect holds
check never expect holds
";
    let out = output("premises", model, &[]);
    says(&out, "? c ");
    says(
        &out,
        "it holds, but it is not known whether its premise can ever be true",
    );
    says(&out, "✗ never says nothing");
    says(&out, "2 checks: 1 failed, 1 unknown");
}

/// A claim about all nodes is searched node by node. The status of its premise is the same as without this, and a bound
/// at which a search stopped is not printed as an exact count.
#[test]
fn claims_about_all_nodes_keep_their_premise() {
    let model = "
message Hi { n: 0..1 }
node W[3] {
    var x: 0..3 = 0
    var y: 0..3 = any
    every any {
        if exists m in inbox: m.n == 1 { y = 0 }
        clear inbox
        if x < 2 { x = x + 1 }
        broadcast Hi { n: 0 }
    }
}
network complete { delivery instant; inbox all, starts with one from each sender }
claim pairs: always (all i, j in W: (i.x == 3 and j.x == 3) implies i.y <= 3)
claim nobody: always all i in {k in W: k.x == 3}: i.y == 3
claim idle: always (all k in W: k.activations >= 1 implies k.x == 0)
check pairs expect holds
check nobody expect holds
check idle expect fails
";
    let out = output("node-by-node", model, &[]);
    says(&out, "✗ pairs says nothing");
    says(&out, "✓ nobody");
    says(&out, "activations = 1 or more");
}

/// For a vacuous claim, the output says what to ask and why its `expect` is not met.
#[test]
fn what_to_do_about_a_premise_that_is_never_true() {
    let model = "
node W[2] {
    var x: 0..3 = 0
    every any { if x < 2 { x = x + 1 } }
}
claim ok: always (all k in W: k.x == 3 implies
    k.x > 1)
claim given(a: 0..3): always (all k in W: k.x > a implies k.x == 3)
claim bounded: always all k in W: k.x <= 2
claim odd: always all k in W: k.x != 1
check ok expect holds
check given(2)
check bounded expect holds
";
    let out = output("premise-to-mend", model, &[]);
    says(
        &out,
        "vacuous: its premise is true in no state, so the claim says nothing, and `expect holds` is not met",
    );
    says(
        &out,
        "`check possible: exists k in W: k.x == 3` asks for a state in which it is true",
    );
    says(&out, "`check possible: …` asks");
    says(&out, "never asked: odd (line 10)");
    assert!(!out.contains("bounded (line"), "{out}");
    let out = output("premise-to-mend", model, &["--claim", "bounded"]);
    assert!(!out.contains("never asked"), "{out}");
}

/// An error message names the code to be fixed, both for channels and for instant delivery.
#[test]
fn a_message_without_code_names_the_receivers_kind() {
    for how in ["channel fifo", "delivery instant"] {
        let model = format!(
            "
message Dist {{ d: 0..3 }}
node Root {{
    var done: Bool = false
    when telling: not done {{ done = true; broadcast Dist {{ d: 1 }} }}
}}
node Worker[2] {{ var d: 0..3 = 0 }}
node Deaf {{ ignore Dist }}
network complete {{ {how} }}
claim told: eventually all w in Worker: w.d == 1
check told
"
        );
        let out = output("receiver", &model, &[]);
        says(
            &out,
            "nothing in the code of Worker handles Dist: write `on Dist { … }` in `node Worker`, or `ignore Dist`",
        );
    }
}

/// The story shows the part of the claim that stays false for ever, not the one that was false first.
#[test]
fn what_fails_for_every_bound_is_told_by_what_repeats() {
    let up = "\
node A {
    var x: 0..3 = 0
    every any { if x < 2 { x = x + 1 } }
}
claim three_from(a: 0..9): always (A.activations >= a implies A.x == 3)
check least a: three_from(a) expect fails for every bound
";
    let out = output("for-ever", up, &[]);
    says(&out, "from here on this repeats for ever:");
    says(&out, "the last event repeats for ever: A wakes up");
    says(
        &out,
        "all the while the claim is false:  A.activations >= a implies A.x == 3",
    );
    says(&out, "A.activations = 1 or more, A.x = 2");
    says(
        &out,
        "A.x stays 2 and never becomes 3: no number of activations helps",
    );
    // A stored run contains the property that it is about.
    let folder = with("for-ever-shown", "m.scrut", up);
    assert_eq!(call(&folder, &["check", "m.scrut"]).code, 0);
    let shown = call(&folder, &["show", "scrutineer-out/m/1-three_from-a.run"]);
    says(
        &shown.out,
        "A.x stays 2 and never becomes 3: no number of activations helps",
    );
    let blinks = "\
node A {
    var on: Bool = false
    every any { on = not on }
}
claim on_from(a: 0..9): always (A.activations >= a implies A.on)
check least a: on_from(a) expect fails for every bound
";
    let out = output("again-and-again", blinks, &[]);
    says(
        &out,
        "and again in every round, the claim is false:  A.activations >= a implies A.on",
    );
    says(
        &out,
        "as it is false again in every round, no number of activations helps",
    );
    says(&out, "A's on goes false → true → false");
}

/// The story names events that are enabled in the cycle of a lasso but never fire, whether they are enabled
/// continuously or infinitely often.
#[test]
fn what_a_loop_leaves_out_is_named() {
    let model = "\
node B {
    var open: Bool = false
    var done: Bool = false
    when flip: true { open = not open }
    when go: open and not done { done = true }
    when sleep: not done { done = true }
}
claim b_gets_done: eventually B.done
check b_gets_done unfair expect fails
";
    let out = output("left-out", model, &[]);
    says(&out, "B could do sleep all the time, and never does");
    says(&out, "B could do go after event 1, but not after event 2");
}

/// If a claim does not mention activations, the output does not say that no number of activations helps.
#[test]
fn other_loops_say_nothing_of_activations() {
    let model = "\
node A {
    var x: 0..1 = 0
    every any { x = 1 - x }
}
claim stays: eventually (always A.x == 0)
check stays expect fails
";
    let out = output("no-bound", model, &[]);
    says(&out, "the last 2 events repeat for ever: A wakes up");
    assert!(!out.contains("no number of"), "{out}");
}

/// A node that is off or deaf is not reported as waiting for a message.
#[test]
fn faulty_nodes_do_not_wait() {
    let model = |fault: &str| {
        format!(
            "message Tick\n\
             node A {{ start {{ send Tick to B }} }}\n\
             node B {{ var got: Bool = false\n on Tick {{ got = true }} }}\n\
             network complete {{ channel fifo }}\n\
             faults at most 1 B: {fault} from start\n\
             claim arrives: eventually B.got\n\
             check arrives expect fails\n"
        )
    };
    let out = output("off-waits", &model("off"), &[]);
    assert!(!out.contains("waits for"), "{out}");
    let out = output("deaf-waits", &model("deaf"), &[]);
    says(&out, "B is deaf: Tick never reaches it");
    assert!(!out.contains("nobody sends"), "{out}");
}

/// An answer to a check without `expect` is not reported as expected.
#[test]
fn an_answer_without_an_expectation_is_only_an_answer() {
    let model = format!("{PRODUCT}check possible: N.x == 4\n");
    let out = output("nothing-expected", &model, &[]);
    says(&out, "impossible: N.x == 4");
    says(&out, "1 check: answered (without `expect`)");
    let out = output(
        "something-expected",
        &model.replace("== 4\n", "== 4 expect impossible\n"),
        &[],
    );
    says(&out, "1 check: as expected");
    let out = output("it-holds", &format!("{PRODUCT}check small\n"), &[]);
    says(&out, "1 check: as expected");
}

#[test]
fn nothing_is_proved_where_no_run_begins() {
    let model = |first: &str, restriction: &str| {
        format!(
            "\
message Hi
node K[2] {{
    w: 0..1
    var x: 0..2 = {first}
    every 10 ms .. 11 ms {{
        if size(inbox) == 0 {{ x = 0 }}
        clear inbox
        broadcast Hi
    }}
}}
network complete {{ delivery instant; inbox all }}
{restriction}
claim small: always (all k in K: k.x <= 2)
check small
"
        )
    };
    let cases = [
        ("0", "initially all k in K: k.x == 1", "E0516"),
        ("w + 2", "", "E0517"),
        (
            "any",
            "initially (min k in { j in K: j.x == 1 }: k.x) == 1",
            "E0517",
        ),
    ];
    for (first, restriction, code) in cases {
        let folder = with("begins", "m.scrut", &model(first, restriction));
        let done = call(&folder, &["check", "m.scrut"]);
        assert_eq!(done.code, 2, "{first} {restriction}: {}", done.out);
        says(&done.err, code);
    }
}

/// A condition under nested quantifiers has hundreds of instances, mostly with equal texts. Equal texts are printed
/// once.
#[test]
fn conditions_that_say_the_same_are_one() {
    let model = "\
node N[5] {
    var done: Bool = false
    when finish: not done { done = true }
}
claim ends: all a in N: all b in N: exists c in N: all d in N: eventually (d.done or c.done)
claim never: all a in N: exists b in N: all c in N: not eventually c.done
check ends
check never
";
    let out = output("conditions", model, &["--by", "states"]);
    says(&out, "✓ ends");
    says(&out, "✗ never fails");
}
