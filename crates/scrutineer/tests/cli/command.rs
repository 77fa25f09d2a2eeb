//! The command-line program: exit codes, wrong calls, stored runs, limits.

use crate::calling::{Done, call, folder, root};
use std::path::{Path, PathBuf};

/// An election on a ring, with a claim that holds and a claim that fails.
const RING: &str = "\
param n: 1..12 = 3
message Election { candidate: Id }
node Member[n] {
    id: Id
    var won: Bool = false
    start { send Election { candidate: id } to next }
    on Election as m {
        if m.candidate > id { send m to next }
        else if m.candidate == id { won = true }
    }
}
network ring { channel fifo }
claim elected: eventually exists k in Member: k.won
claim nobody:  always all k in Member: not k.won
";

/// A folder with a model that ends with these checks.
fn with_model(name: &str, checks: &str) -> PathBuf {
    let folder = folder(name);
    write(&folder, "ring.scrut", &format!("{RING}{checks}\n"));
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a file that can be written");
}

#[track_caller]
fn says(text: &str, part: &str) {
    assert!(text.contains(part), "`{part}` is not said:\n{text}");
}

#[test]
fn code_0_all_is_as_expected() {
    let folder = with_model(
        "code-0",
        "check elected expect holds\ncheck nobody expect fails",
    );
    let done = call(&folder, &["check", "ring.scrut"]);
    assert_eq!((done.code, &done.err[..]), (0, ""));
    says(&done.out, "2 checks: as expected");
    assert!(folder.join("scrutineer-out/ring/2-nobody.run").is_file());
}

#[test]
fn code_1_a_claim_fails_or_an_answer_differs() {
    let folder = with_model("code-1", "check nobody");
    let done = call(&folder, &["check", "ring.scrut"]);
    assert_eq!(done.code, 1);
    says(&done.out, "nobody fails");
    let folder = with_model("code-1-expected", "check elected expect fails");
    let done = call(&folder, &["check", "ring.scrut"]);
    assert_eq!(done.code, 1);
    says(&done.out, "`expect` says fails");
}

#[test]
fn code_2_the_model_is_wrong_and_the_others_are_checked() {
    let folder = with_model("code-2", "check elected expect holds");
    write(&folder, "broken.scrut", "check nothing\n");
    let done = call(&folder, &["check", "."]);
    assert_eq!(done.code, 2);
    says(&done.err, "there is nothing to check");
    says(&done.out, "✓ elected");
}

#[test]
fn code_3_a_limit_is_reached() {
    let folder = with_model("code-3", "check elected for n = 8 expect holds");
    for limit in [["--time", "300ms"], ["--memory", "10kB"]] {
        let done = call(&folder, &["check", "ring.scrut", limit[0], limit[1]]);
        assert_eq!(done.code, 3, "{}", done.out);
        says(&done.out, "? elected unknown");
        says(&done.out, "limit of");
        says(&done.out, "1 check: unknown");
    }
}

/// Initial states are generated one by one, and their memory counts from the start.
#[test]
fn code_3_a_limit_is_reached_while_initial_states_are_made() {
    let folder = folder("code-3-start");
    let text = "node K[4] {\n    var a: 0..9 = any\n    every any { a = 0 }\n}\nnetwork line(4) { }
claim calm: eventually always all k in K: k.a == 0\ncheck calm expect holds\n";
    write(&folder, "start.scrut", text);
    let done = call(&folder, &["check", "start.scrut", "--memory", "20kB"]);
    assert_eq!(done.code, 3, "{}", done.out);
    says(&done.out, "? calm unknown");
    says(&done.out, "memory limit of 20 kB reached after ");
    says(
        &done.out,
        "at depth 0; nothing is known of runs that go on for ever",
    );
    let done = call(&folder, &["check", "start.scrut", "--memory", "20MB"]);
    assert_eq!(done.code, 0, "{}", done.out);
}

#[test]
fn files_that_cannot_be_read() {
    let folder = folder("files");
    let done = call(&folder, &["check", "nowhere.scrut"]);
    assert_eq!(done.code, 2);
    says(&done.err, "error: cannot read nowhere.scrut:");
    let done = call(&folder, &["check", "."]);
    assert_eq!(done.code, 2);
    says(&done.err, "error: there is no .scrut file in .");
    std::fs::write(folder.join("latin.scrut"), b"// fine\n// caf\xe9\n").expect("a file");
    let done = call(&folder, &["check", "latin.scrut"]);
    assert_eq!(done.code, 2);
    says(
        &done.err,
        "latin.scrut is not a text file: line 2 is not UTF-8",
    );
}

#[test]
fn calls_that_are_wrong() {
    let folder = with_model("calls", "check elected expect holds");
    let wrong = |args: &[&str]| -> Done {
        let done = call(&folder, &[&["check", "ring.scrut"], args].concat());
        assert_eq!(done.code, 2, "{args:?}\n{}{}", done.out, done.err);
        done
    };
    says(&wrong(&["-D", "m=3"]).err, "there is no parameter `m`");
    says(&wrong(&["-D", "sizes=3"]).err, "; it has `n`");
    says(&wrong(&["-D", "n=many"]).err, "many");
    says(&wrong(&["-D", "n=13"]).err, "13");
    says(&wrong(&["-D", "n"]).err, "write it as -D n=5");
    says(&wrong(&["--time", "soon"]).err, "ms, s, min or h");
    says(&wrong(&["--memory", "8"]).err, "such as 8GB");
    assert_eq!(call(&folder, &["chekc", "ring.scrut"]).code, 2);
    assert_eq!(call(&folder, &["explain", "E9999"]).code, 2);
}

#[test]
fn one_claim_alone() {
    let folder = with_model(
        "claims",
        "check elected expect holds\ncheck nobody expect fails",
    );
    let done = call(&folder, &["check", "ring.scrut", "--claim", "elected"]);
    assert_eq!(done.code, 0);
    says(&done.out, "1 check: as expected");
    let done = call(&folder, &["check", "ring.scrut", "--claim", "electde"]);
    assert_eq!(done.code, 2, "a misspelt claim is no success");
    says(
        &(done.out + &done.err),
        "no check asks about a claim `electde`",
    );
}

#[test]
fn an_output_folder_that_cannot_be_written() {
    let folder = with_model(
        "out",
        "check nobody expect fails\ncheck elected expect holds",
    );
    write(&folder, "taken", "a file in the way");
    let done = call(&folder, &["check", "ring.scrut", "--out", "taken"]);
    assert_eq!(done.code, 2);
    says(&done.err, "error: cannot write taken/ring/1-nobody.run");
    says(&done.out, "✓ as expected: nobody fails");
    says(&done.out, "✓ elected");
}

#[test]
fn stored_runs_are_told_again() {
    let folder = with_model("stored", "check nobody expect fails");
    call(&folder, &["check", "ring.scrut"]);
    let run = "scrutineer-out/ring/1-nobody.run";
    let done = call(&folder, &["show", run]);
    assert_eq!((done.code, &done.err[..]), (0, ""));
    says(&done.out, "nobody fails");
    says(&done.out, "won");
    says(&call(&folder, &["show", "-v", run]).out, "at first");
}

/// Stores a run, changes its file, and shows it. Returns the error message.
fn damaged(name: &str, change: impl Fn(String) -> String) -> String {
    let folder = with_model(name, "check nobody expect fails");
    call(&folder, &["check", "ring.scrut"]);
    let path = folder.join("scrutineer-out/ring/1-nobody.run");
    let text = std::fs::read_to_string(&path).expect("a stored run");
    write(&folder, "changed.run", &change(text));
    let done = call(&folder, &["show", "changed.run"]);
    assert_eq!((done.code, &done.out[..]), (2, ""), "{}", done.err);
    done.err
}

#[test]
fn damaged_runs_are_not_believed() {
    let json = |text: String| -> serde_json::Value { serde_json::from_str(&text).expect("JSON") };
    let err = damaged("truncated", |text| text[..text.len() / 2].to_string());
    says(&err, "error: changed.run is not a stored run");
    let err = damaged("version", |text| {
        let mut run = json(text);
        run["scrutineer_run"] = 99.into();
        run.to_string()
    });
    says(&err, "it has format 99, and this version reads format 2");
    let err = damaged("machine", |text| {
        let mut run = json(text);
        run["machine"] = "(ids".into();
        run.to_string()
    });
    says(&err, "its machine:");
    let err = damaged("shortened", |text| {
        let mut run = json(text);
        run["run"]["choices"].as_array_mut().expect("choices").pop();
        run.to_string()
    });
    says(&err, "changed.run: the run does not show what it says");
    let err = damaged("answer", |text| {
        let mut run = json(text);
        run["answer"] = "holds".into();
        run.to_string()
    });
    says(&err, "cannot have the answer `holds`");
    let err = damaged("property", |text| {
        let mut run = json(text);
        run["property"] = serde_json::Value::Null;
        run.to_string()
    });
    says(&err, "it has an answer, and nothing that was asked");
    // A run that answers no question must still be a run of the Machine.
    let err = damaged("own-sake", |text| {
        let mut run = json(text);
        run["answer"] = "run".into();
        run["run"]["ending"] = "StandsStill".into();
        run["run"]["choices"].as_array_mut().expect("choices").pop();
        run.to_string()
    });
    says(&err, "stands still although something can happen");
}

#[test]
fn nothing_is_coloured_on_a_pipe() {
    let folder = with_model("colours", "check nobody");
    write(&folder, "broken.scrut", "check nothing\n");
    let done = call(&folder, &["check", "."]);
    assert!(!done.out.contains('\x1b') && !done.err.contains('\x1b'));
    assert!(!done.err.contains('\r'), "no progress on a pipe");
}

#[test]
fn print_gives_the_machine_of_a_check() {
    let folder = with_model("print", "check elected expect holds");
    let done = call(&folder, &["print", "ring.scrut", "-D", "n=2"]);
    assert_eq!(done.code, 0);
    says(&done.out, "(kind Member 2)");
    let done = call(&folder, &["print", "ring.scrut", "--check", "2"]);
    assert_eq!(done.code, 2);
    says(&done.err, "there is no check 2");
}

/// The horizon up to which rounds cover the declared times.
#[test]
fn print_says_how_far_numbers_of_activations_differ() {
    let folder = folder("horizons");
    let printed = |first: &str, nodes: u32| {
        let text = format!(
            "node Poll[{nodes}] {{ every 29.7 s .. 30.3 s{first} {{ }} }}\nclaim c: always true\ncheck c\n"
        );
        write(&folder, "poll.scrut", &text);
        call(&folder, &["print", "poll.scrut"]).out
    };
    for (first, horizons) in [
        (", first 29.7 s .. 30.3 s", [50, 100, 151]),
        (", first 0 s", [51, 101, 152]),
        ("", [1, 51, 101]),
    ] {
        let out = printed(first, 2);
        says(
            &out,
            ";; By their times alone, numbers of activations of nodes that run differ\n",
        );
        for (lead, most) in (1..).zip(horizons) {
            says(
                &out,
                &format!(";;   by at most {lead} while nobody has made more than {most}\n"),
            );
        }
    }
    assert!(!printed("", 1).contains("numbers of activations"));
}

#[test]
fn every_code_is_listed_and_explained() {
    let done = call(&root(), &["explain"]);
    assert_eq!(done.code, 0);
    for line in done.out.lines() {
        let code = line.split(':').next().expect("a code");
        let page = call(&root(), &["explain", &code.to_lowercase()]);
        assert_eq!(page.code, 0, "{code}");
        says(&page.out, line);
    }
}

#[test]
fn words_are_explained_too() {
    let done = call(&root(), &["explain", "fifo"]);
    assert_eq!((done.code, &done.err[..]), (0, ""));
    says(&done.out, "Networks and faults\n");
    says(
        &done.out,
        "  channel fifo(c)\n      the same, and at most c",
    );
    says(&call(&root(), &["explain", "outbox"]).out, "there is room");
    says(
        &call(&root(), &["explain", "leads", "to"]).out,
        "p leads to q",
    );
    let done = call(&root(), &["explain", "fifoo"]);
    assert_eq!(done.code, 2);
    says(&done.err, "did you mean `fifo`?");
}

/// Ctrl-C during a long check leads to a report and exit code 3.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_in_a_report() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    let folder = with_model("interrupt", "check elected for n = 10 expect holds");
    let mut child = crate::calling::command(&folder)
        .args(["check", "ring.scrut"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command can be called");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut first = String::new();
    // When the file name is printed, the handler of Ctrl-C is already installed.
    out.read_line(&mut first).expect("a first line");
    std::thread::sleep(std::time::Duration::from_millis(200));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill can be called").success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("a report");
    let status = child.wait().expect("an end");
    assert_eq!(status.code(), Some(3), "{first}{rest}");
    says(&rest, "? elected unknown");
    says(&rest, "interrupted");
}
