//! Stories of runs: why a claim of any form fails, who sends what in which order, and what happens at the end.

use crate::calling::call;
use crate::calling::models::{says, says_not, with};

/// The output of `check` for a model.
fn checked(name: &str, model: &str) -> String {
    let folder = with(name, "m.scrut", model);
    let done = call(&folder, &["check", "m.scrut"]);
    assert_eq!(done.err, "");
    done.out
}

/// The output of `check` for a claim about a node that counts to 3 and changes y once.
fn fails(name: &str, claim: &str) -> String {
    let model = format!(
        "node A {{\n    var x: 0..3 = 0\n    var y: 0..1 = 0\n    when up: x < 3 {{ x = x + 1 }}\n    \
         when flip: y == 0 {{ y = 1 }}\n}}\nclaim c: {claim}\ncheck c\n"
    );
    let out = checked(name, &model);
    says(&out, "✗ c fails");
    out
}

#[test]
fn the_end_says_why_a_claim_of_any_form_is_false() {
    let out = fails("until", "A.x == 0 until A.x == 2");
    says(
        &out,
        "after event 1 the claim is false:  A.x == 0 until A.x == 2\n      A.x = 1\n",
    );
    let out = fails(
        "until-never",
        "A.x <= 3 until A.x == 3 and A.y == 0 and A.x == 0",
    );
    says(
        &out,
        "what never becomes true:  A.x == 3 and A.y == 0 and A.x == 0",
    );
    let out = fails(
        "not-eventually",
        "always (A.x == 1 implies not eventually A.x == 3)",
    );
    says(
        &out,
        "the claim is false:  not eventually A.x == 3\n      A.x = 3\n",
    );
    let out = fails("or", "(A.x == 0 until A.y == 1) or (eventually A.x == 5)");
    says(&out, "the claim is false:  A.x == 0 until A.y == 1");
    says(&out, "what never becomes true:  A.x == 5");
    let out = fails("not-always", "not always A.x < 5");
    says(&out, "what never becomes true:  not always A.x < 5");
    let out = fails(
        "nested",
        "always (A.x == 1 implies (A.x == 1 until A.y == 1))",
    );
    says(&out, "the claim is false:  A.x == 1 until A.y == 1");
    let out = fails("conjunct", "eventually (A.x == 5 and always A.y == 1)");
    says(&out, "what never becomes true:  A.x == 5");
}

#[test]
fn the_sender_is_named_if_another_one_has_a_message_on_the_way() {
    let out = checked(
        "senders",
        "message Ask\nnode Client[2] { var said: Bool = false; start { said = true; send Ask to Server } }\n\
         node Server { var n: 0..2 = 0; on Ask { n = n + 1 } }\nnetwork complete { channel fifo }\n\
         claim calm: always (Server.n == 0 or exists k in Client: not k.said)\ncheck calm\n",
    );
    says(&out, "gets Ask from node");
    says_not(&out, "gets Ask  ");
}

#[test]
fn messages_stand_in_the_order_of_the_code() {
    let out = checked(
        "order",
        "message A\nmessage B\nmessage C { x: 0..3 }\n\
         node P { start { send C { x: 1 } to Q; send B to Q; send A to Q; send C { x: 0 } to Q } }\n\
         node Q { var n: 0..4 = 0\n    on A { n = n + 1 }\n    on B { n = n + 1 }\n    on C { n = n + 1 } }\n\
         network complete { channel unordered }\nclaim few: always Q.n < 4\ncheck few\n",
    );
    says(&out, "starts    → C 1 to Q, → B to Q, → A to Q, → C 0 to Q");
}

#[test]
fn equal_messages_to_one_node_are_counted() {
    let out = checked(
        "twice",
        "message Ping\nnode A { start { send Ping to B; send Ping to B } }\n\
         node B { var y: 0..2 = 0; on Ping { y = y + 1 } }\n\
         network complete { channel fifo }\nclaim few: always B.y < 2\ncheck few\n",
    );
    says(&out, "→ Ping to B twice");
}

#[test]
fn an_equal_fact_is_told_once() {
    let out = checked(
        "fact",
        "node A { var n: 0..2 = 0; every 4 ms { n = min(n + 1, 2) } }\n\
         claim a: always (now >= 9 ms and now <= 9.5 ms implies A.n == 1)\ncheck a\n",
    );
    says(&out, "now = 9 ms, A.n = 2");
}

#[test]
fn a_loop_of_waiting_is_no_event() {
    let out = checked(
        "waiting",
        "message Req\nnode Lock {\n    var held: Bool = false\n    on Req { held = true }\n}\n\
         node Client { var done: Bool = false; start { send Req to Lock } }\n\
         network star { delivery within 1 ms .. 3 ms }\n\
         faults at most 1 Lock: stop any time, restart fresh within 5 ms .. 10 ms\n\
         claim all_done: eventually all k in Client: k.done\ncheck all_done\n",
    );
    says(&out, "from here on only time passes, for ever:");
    says_not(&out, "the last event repeats");
}

#[test]
fn a_run_for_every_argument_names_its_argument() {
    let out = checked(
        "argument",
        "node A { var x: 0..3 = 0; when go: x < 3 { x = x + 1 } }\n\
         claim low(m: 0..2): always A.x <= m\ncheck greatest m: low(m)\n",
    );
    says(&out, "low(m) fails for every value of m");
    says(&out, "with m = ");
}
