//! The verifier rejects Machines that violate one of the numbered invariants in the documentation of `verifier.rs`.

use machine::{parse, verify};

/// A well-formed Machine, to which the tests add one item.
const SOUND: &str = "
    (ids 2)
    (enum Colour red green)
    (message A (x (int 0 3)))
    (struct P (left bool))
    (kind Left 2)
    (kind Right 1)
    (map next 2 1 3)
    (edges (1 2) (2 1))
    (channel fifo)
    (frozen Left id id arrangement)
    (frozen Right w (int 0 3) (given 2))
    (var Left x (int 0 3) (is 0))
    (var Left p (record P) (is (new P false)))
    (var Left a (array bool (int 0 1)) (is (fill bool 0)))
    (var Left o (option id) (is (none id)))
    (var Right y (int 0 3) (is 0))
    (ghost Left g (int 0 3) (is 0))
    ";

fn refusal(item: &str) -> Option<String> {
    let text = format!("{SOUND}{item}");
    let machine = parse(&text).unwrap_or_else(|e| panic!("{e}: {item}"));
    // The round trip through text also works for rejected Machines.
    assert_eq!(parse(&machine.to_string()).as_ref(), Ok(&machine), "{item}");
    verify(&machine).err().map(|e| e.to_string())
}

/// Checks for each (item, words) that the verifier rejects the item with a message that contains the words.
fn refused(items: &[(&str, &str)]) {
    for (item, words) in items {
        match refusal(item) {
            None => panic!("accepted: {item}"),
            Some(text) => assert!(text.contains(words), "{item}: {text}"),
        }
    }
}

fn accepted(items: &[&str]) {
    for item in items {
        assert_eq!(refusal(item), None, "{item}");
    }
}

#[test]
fn nothing_is_wrong_with_the_rest() {
    accepted(&[
        "",
        "(block Left b start (:= x (+ (var x self) 9)))",
        "(block Left b (on A (= (field A x message) 1)) (send message sender))",
        "(struct Outer (inner (record P)))",
        "(struct Forward (later (record Later))) (struct Later (x bool))",
    ]);
}

#[test]
fn invariant_1_numbers_exist() {
    refused(&[
        ("(edges (2 3) (3 4))", "leaves the network"),
        ("(edges (2 1))", "twice"),
        ("(map m 1 2)", "not a function"),
        ("(map m 1 2 4)", "not a function"),
        ("(initially (= (var #9 (node 1)) 1))", "no such variable"),
        ("(initially (= (frozen #9 (node 1)) 1))", "no such frozen"),
        ("(initially (= (map #9 (node 1)) (node 1)))", "no such map"),
        ("(initially (= (new #9) (new #9)))", "no such record"),
        ("(initially (= (size (nodes #9)) 0))", "no such kind"),
        ("(initially (= (node 4) (node 1)))", "no constant"),
        ("(initially (= (id 3) (id 1)))", "no constant"),
        ("(initially (= (id 0) (id 1)))", "no constant"),
        (
            "(initially (= (name #9 #0) (name Colour red)))",
            "no constant",
        ),
        (
            "(initially (= (name Colour #2) (name Colour red)))",
            "no constant",
        ),
        ("(initially (field 7 (new P true)))", "no such field"),
        ("(var #5 z bool any)", "no such kind"),
        ("(frozen #5 z bool every)", "no such kind"),
        ("(block #5 b start)", "no kind"),
        ("(var Left z (enum #5) any)", "no such enum"),
        ("(var Left z (record #5) any)", "no such record"),
        ("(var Left z (int 3 2) any)", "empty"),
        ("(message B (x (int 3 2)))", "empty"),
        ("(initially (is-some (none (enum #5))))", "no such enum"),
        (
            "(initially (= (size (values (record #5))) 0))",
            "no such record",
        ),
        (
            "(initially (locals (k (record #5))) true)",
            "no such record",
        ),
        ("(struct Q (again (option (record Q))))", "contains itself"),
        (
            "(struct Q (r (record R))) (struct R (q (set (record Q))))",
            "contains itself",
        ),
        ("(kind Many 4294967295)", "more nodes"),
        ("(block Left b start (:= #9 1))", "no such variable"),
        (
            "(block Left b start (:= (p (field 3)) true))",
            "no such field",
        ),
    ]);
}

#[test]
fn invariant_2_types_follow_from_parts() {
    refused(&[
        ("(initially 1)", "wanted"),
        ("(initially (+ 1 true))", "Add"),
        ("(initially (< (node 1) (node 2)))", "Lt"),
        ("(initially (< true false))", "Lt"),
        ("(initially (= 1 true))", "together"),
        ("(initially (in 1 2))", "in "),
        ("(initially (in true (.. 1 2)))", "together"),
        ("(initially (subset (nodes) (.. 1 2)))", "together"),
        ("(initially (and true 1))", "And"),
        ("(initially (not 1))", "wanted"),
        ("(initially (= (neg true) 1))", "integer"),
        ("(initially (= (size 1) 1))", "set"),
        ("(initially (is-some 1))", "option"),
        ("(initially (unwrap true))", "option"),
        ("(initially (if 1 true false))", "wanted"),
        ("(initially (= (if true 1 false) 1))", "together"),
        ("(initially (locals (k node)) (all k (node 1) true))", "set"),
        ("(initially (locals (k node)) (all k (nodes) 1))", "All"),
        (
            "(initially (locals (k node)) (= 1 (sum k (nodes) k)))",
            "Sum",
        ),
        (
            "(initially (locals (k node)) (= (node 1) (max-of k (nodes) k)))",
            "Max",
        ),
        (
            "(initially (locals (k node)) (= (node 1) (largest k (nodes) true)))",
            "order",
        ),
        (
            "(initially (= (index bool (var a (node 1)) 1) 0))",
            "wanted",
        ),
        (
            "(initially (= (index (int 0 1) (var a (node 1)) 1) 0))",
            "element",
        ),
        ("(initially (field P left (node 1)))", "field of"),
        ("(initially (= (new A) (new A)))", "other fields"),
        ("(initially (= (new A true) (new A 1)))", "wanted"),
        ("(initially (in 1 (set bool 1)))", "wanted"),
        ("(initially (halted 1))", "wanted"),
        ("(initially (= 0 (in-flight A 1 2)))", "wanted"),
        ("(initially (= (var x 1) 0))", "wanted"),
        ("(claim c (always (state 1)))", "wanted"),
        ("(possible c 1)", "wanted"),
        ("(block Left b (when 1))", "wanted"),
        ("(block Left b (on A 1))", "wanted"),
        ("(block Left b start (assert 1))", "wanted"),
        ("(block Left b start (if 1 (do)))", "wanted"),
        ("(block Left b start (send (new A 1) 1))", "a message to"),
        (
            "(claim c (locals (k (int 0 3))) (all k (.. 0 (var x (node 1))) (state true)))",
            "changes",
        ),
    ]);
}

#[test]
fn invariant_3_locals_are_bound_before_they_are_read() {
    refused(&[
        ("(initially (locals (k node)) (halted k))", "not bound"),
        (
            "(initially (locals (k node)) (and (all k (nodes) true) (halted k)))",
            "not bound",
        ),
        (
            "(initially (locals (k node)) (= (size (filter k (nodes) true)) (size (neighbours k))))",
            "not bound",
        ),
        (
            "(claim c (locals (k node))
            (and (all k (nodes) (state true)) (state (halted k))))",
            "not bound",
        ),
        (
            "(block Left b start (locals (self node) (k node))
            (for k (nodes)) (assert (= k self)))",
            "not bound",
        ),
        (
            "(block Left b start (locals (self node) (k node))
            (if true (do (let k self))) (assert (= k self)))",
            "not bound",
        ),
        (
            "(block Left b start (locals (self node) (k bool)) (let k self))",
            "is a",
        ),
        (
            "(block Left b start (locals (self node) (k bool)) (choose k (nodes)))",
            "is a",
        ),
        ("(block Left b start (locals (self bool)))", "is a"),
        (
            "(block Left b (on A) (locals (self node) (m (record P)) (s node)))",
            "is a",
        ),
        (
            "(block Left b (on A) (locals (self node)))",
            "no such local",
        ),
        (
            "(initially (locals (k node)) (all k (nodes) (all k (nodes) true)))",
            "bound twice",
        ),
        (
            "(block Left b start (locals (self node))
            (for self (nodes)))",
            "bound twice",
        ),
    ]);
    accepted(&[
        "(initially (locals (k node)) (and (all k (nodes) true) (exists k (nodes) (halted k))))",
        "(block Left b start (locals (self node) (k node)) (let k self) (let k (map next k)))",
    ]);
}

#[test]
fn invariant_4_code_assigns_what_is_its_own() {
    refused(&[
        ("(block Left b start (:= y 1))", "another kind"),
        ("(block Right b start (:= x 1))", "another kind"),
        ("(block Left b start (:= x true))", "wanted"),
        ("(block Left b start (:= (x (field 0)) 1))", "no such part"),
        (
            "(block Left b start (:= (a (index (int 0 1) 1)) 1))",
            "no such part",
        ),
        ("(block Left b start (:= (a (index bool 1)) 1))", "wanted"),
        ("(block Left b start (:= o (id 1)))", "wanted"),
        ("(initially (= (var y (node 1)) 0))", "another kind"),
        (
            "(initially (= (frozen id (node 3)) (id 1)))",
            "another kind",
        ),
        ("(var Left z bool (is 1))", "wanted"),
        ("(var Left z bool (any-in true))", "wanted"),
    ]);
}

#[test]
fn invariant_5_code_reads_what_code_may_read() {
    refused(&[
        ("(block Left b (when (= (var g self) 1)))", "only claims"),
        ("(block Left b (on A (= (var g self) 1)))", "only claims"),
        ("(block Left b start (:= x (var g self)))", "only claims"),
        (
            "(block Left b start (:= (a (index bool (= (var g self) 1))) 1))",
            "only claims",
        ),
        (
            "(block Left b start (if (halted self) (do)))",
            "only claims",
        ),
        ("(block Left b start (assert quiescent))", "only claims"),
        (
            "(block Left b start (send (new A (in-flight A self self)) self))",
            "only claims",
        ),
        (
            "(block Left b start (:= g (if quiescent 1 0)))",
            "only claims",
        ),
        (
            "(var Left z (int 0 3) (is (var x self)))",
            "reads the state",
        ),
        (
            "(var Left z bool (any-in (set bool quiescent)))",
            "reads the state",
        ),
    ]);
    accepted(&["(block Left b start (:= g (min 3 (+ 1 (var g self)))))"]);
}

#[test]
fn invariant_6_blocks_are_alone_and_messages_can_be_sent() {
    refused(&[
        ("(block Left b start) (block Left c start)", "twice"),
        (
            "(block Left b (every any)) (block Left c (every any))",
            "twice",
        ),
        ("(block Left b (on P))", "no message"),
        ("(block Left b (on #9))", "no message"),
        ("(block Left b start (send (var p self) self))", "is sent"),
        ("(block Left b start (send 1 self))", "is sent"),
        ("(kind Deaf 0 (ignores P))", "no message"),
        ("(lose of P)", "no message"),
        (
            "(initially (= 0 (in-flight P (node 1) (node 2))))",
            "no message",
        ),
    ]);
    accepted(&[
        "(block Left b start) (block Right c start)",
        "(block Left b (on A)) (block Left c (on A))",
        "(block Left b (when true)) (block Left c (when true))",
    ]);
}

#[test]
fn invariant_7_surroundings_fit() {
    refused(&[
        ("(channel instant) (block Left b (on A true))", "at once"),
        (
            "(channel instant) (block Left b start (send (new A 1) (node 1)))",
            "at once",
        ),
        ("(channel instant) (repeat)", "on no way"),
        ("(faulty of #5 off)", "no kind"),
        ("(block Left b (every 2 1 (first 0 1)))", "no gap"),
        (
            "(block Left b (every 1 2 (per-gap 1) (first 0 1)))",
            "empty",
        ),
        ("(block Left b (every 1 2 (first 2 1)))", "first"),
        ("(block Left b (every 1 2 (on-grid 0) (first 0 1)))", "grid"),
        (
            "(block Left b (every 1 2 (first 0 1))) (block Right c (every round 1))",
            "rounds and real times",
        ),
        ("(order (Left Left (gaps 1) 0 1))", "about nothing"),
        (
            "(order (Left Left (gaps 0) 0 1)) (block Left b (every 1 2 (first 0 1)))",
            "about nothing",
        ),
    ]);
    accepted(&[
        "(channel instant) (block Left b (on A)) (block Left c (when true) (send (new A 1) (node 2)))",
        "(faulty at-most 1 of Right mute)",
        "(block Left b (every 1 1 (on-grid 0.4) (first 0 period)))",
        "(order (Left Left (gaps 1 early) 0 1)) (block Left b (every 1 2 (first 0 1)))",
    ]);
}

#[test]
fn invariant_8_frozen_values_fit() {
    refused(&[
        ("(frozen Left w.2 (int 0 3) (given 1))", "do not fit"),
        ("(frozen Left w.2 (int 0 3) (given 1 4))", "do not fit"),
        ("(frozen Left w.2 (int 0 3) (given 1 true))", "do not fit"),
        (
            "(frozen Left w.2 (record P) (given (new #9) (new P true)))",
            "do not fit",
        ),
        (
            "(frozen Left w.2 node arrangement)",
            "other things than ids",
        ),
        (
            "(frozen Left w.2 (int 1 2) arrangement)",
            "other things than ids",
        ),
    ]);
}

#[test]
fn what_is_too_large_to_be_built() {
    refused(&[
        ("(kind Many 99999999)", "more than 100000 nodes"),
        (
            "(var Left many (array (int 0 99999999) bool) (is (fill (int 0 99999999) false)))",
            "more than 1000000 parts",
        ),
        (
            "(claim c (locals (i (int 0 1000000000))) (always (state (all i (.. 0 1000000000) true))))",
            "a set of up to 1000000001 elements",
        ),
        (
            "(claim c (always (state (> (size (.. 0 1000000000)) 3))))",
            "a set of up to 1000000001 elements",
        ),
    ]);
    let member = "(claim c (always (state (in 3 (.. 0 1000000000)))))";
    assert_eq!(refusal(member), None);
}

#[test]
fn records_that_double_are_counted_once_each() {
    let mut text = String::from("(struct R0 (a bool) (b bool))");
    for i in 1..60 {
        let inner = i - 1;
        text += &format!("(struct R{i} (a (record R{inner})) (b (record R{inner})))");
    }
    refused(&[(&text, "parts")]);
}
