//! `explain MODEL CLAIM`: the reason for each answer of a check.

use crate::calling::models::{says, says_not, with};
use crate::calling::{Done, call};

/// The result of `explain` for a model.
fn explained(name: &str, model: &str, args: &[&str]) -> Done {
    let folder = with(name, "m.scrut", model);
    call(&folder, &[&["explain", "m.scrut"], args].concat())
}

/// A node that counts to n.
const COUNT: &str = "\
param n: 1..3 = 1
node A {
    var x: 0..3 = 0
    when up: x < n { x = x + 1 }
}
claim low: always A.x < 3
claim lower: always A.x < 2
check low for n in 1..3
check lower for n = 1
check low for n = 3 expect fails
";

#[test]
fn every_answer_of_a_check_is_explained() {
    let done = explained("instances", COUNT, &["low"]);
    assert_eq!(done.code, 0, "{}", done.err);
    says(&done.out, "low   n = 1..2");
    says(&done.out, "What follows is about n = 1;");
    says(&done.out, "found nothing that speaks against it");
    says(&done.out, "low fails   n = 3");
    says(&done.out, "This run breaks it");
    says(&done.out, "here the claim is false:  A.x < 3");
}

#[test]
fn a_check_can_be_named() {
    let done = explained("check", COUNT, &["low", "--check", "3"]);
    says(&done.out, "low fails   n = 3");
    says_not(&done.out, "n = 1..2");
    let done = explained("check-none", COUNT, &["low", "--check", "4"]);
    assert_eq!(done.code, 2);
    says(&done.err, "there is no check 4: 3 checks");
}

#[test]
fn a_misspelt_claim_is_recognised() {
    let done = explained("misspelt", COUNT, &["lowr"]);
    assert_eq!(done.code, 2);
    says(&done.err, "no check asks about `lowr`; did you mean `low");
}

/// Votes of any number of nodes.
const VOTES: &str = "\
param n: 2..4 = 2
message Vote
node Member[n] {
    var votes: Set<Node> = {}
    var voted: Bool = false
    when vote: not voted { voted = true; broadcast Vote }
    on Vote from k { votes = votes union { k } }
}
network complete { channel fifo }
faults any nodes: crash any time
claim honest: always all i, j in Member: j in i.votes implies j.voted
claim heard: always all i, j in Member: j.voted implies j in i.votes
check honest, heard for every n
";

#[test]
fn a_run_of_one_size_decides_every_size() {
    let done = explained("every-fails", VOTES, &["heard"]);
    assert_eq!(done.code, 0, "{}", done.err);
    says(&done.out, "heard fails   n = 2\n");
    says(&done.out, "This run breaks it");
    says_not(&done.out, "not known");
}

#[test]
fn a_projection_is_explained() {
    let done = explained("every-holds", VOTES, &["honest"]);
    assert_eq!(done.code, 0, "{}", done.err);
    says(&done.out, "honest   n = 2, 3, …");
    says(&done.out, "From 2 nodes to any number");
    says(&done.out, "So n = 2 decides every larger n.");
}

#[test]
fn the_heading_of_a_threshold_says_its_side() {
    let model = "node A { var n: 0..1 = 0; every 4 ms { n = 1 } }\n\
                 claim by(t: Duration): always (now >= t implies A.n == 1)\ncheck least t: by(t)\n";
    let done = explained("threshold", model, &["by(t)"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    says(&done.out, "Why not less");
}
