//! Checks for every number of nodes: which run decides, and which size the answer names.

use crate::calling::models::{says, says_not, with};
use crate::calling::{call, without_times};

/// Each of n nodes says something to all others, and the third message is an error.
const ASSERTS: &str = "\
param n: 2..5 = 2
message V
node M[n] {
    var flag: Bool = false
    var got: 0..2 = 0
    start { broadcast V }
    on V { assert not flag; flag = true; got = got + 1 }
}
network complete { channel fifo }
claim fine: always all i in M: i.got <= 2
claim quiet: always all i in M: i.got == 0
";

#[test]
fn an_error_at_one_size_is_the_answer() {
    let model = format!("{ASSERTS}check fine for every n expect error\n");
    let folder = with("error", "m.scrut", &model);
    let done = call(&folder, &["check", "m.scrut"]);
    assert_eq!(done.code, 0, "{}", done.out);
    says(
        &without_times(&done.out),
        "✓ as expected: fine: error in a run            n = 3 … s",
    );
    says(&done.out, "here the run ends in an error");
    says_not(&done.out, "no run decides it");
    let json = call(&folder, &["check", "m.scrut", "--json"]).out;
    says(&json, "\"answer\": \"error\"");
    says(&json, "\"covers\": \"n = 3\"");
}

#[test]
fn a_claim_that_fails_at_one_size_fails_whatever_ends_in_an_error_at_another() {
    let model = format!("{ASSERTS}check quiet for every n expect fails\n");
    let folder = with("fails", "m.scrut", &model);
    let done = call(&folder, &["check", "m.scrut"]);
    assert_eq!(done.code, 0, "{}", done.out);
    says(&without_times(&done.out), "n = 2 … s");
}

#[test]
fn a_failure_names_the_size_of_its_run() {
    let model = "param n: 2..4 = 2\nmessage V\n\
                 node M[n] { var c: 0..3 = 0; start { broadcast V }; on V { c = min(c + 1, 3) } }\n\
                 network complete { channel fifo }\nclaim one: always all i in M: i.c <= 1\ncheck one for every n\n";
    let folder = with("names", "m.scrut", model);
    let done = call(&folder, &["check", "m.scrut"]);
    assert_eq!(done.code, 1, "{}", done.out);
    says(
        &without_times(&done.out),
        "one fails                                    n = 3 … s",
    );
    let done = call(&folder, &["run", "m.scrut", "--check", "1", "--seed", "1"]);
    says(&done.out, "with n = 2\n");
}

#[test]
fn each_line_has_the_time_of_its_instances() {
    let model = "param n: 1..3 = 1\nnode A { var x: 0..3 = 0; when up: x < n { x = x + 1 } }\n\
                 claim low: always A.x < 3\ncheck low for n in 1..3\n";
    let folder = with("times", "m.scrut", model);
    let out = call(&folder, &["check", "m.scrut"]).out;
    let timed = out.lines().filter(|line| line.ends_with(" s")).count();
    assert_eq!(timed, 2, "{out}");
}
