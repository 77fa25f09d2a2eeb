//! Blocks and statements: choices, guards, errors, variants, and further parts of the language.

use super::{count, count_in, refusal};
use enumerator::{Setup, invariant, reachable, read, read_condition};

#[test]
fn independent_nodes() {
    // States: all 4 values of (x, done). `flip` is always enabled, `go` while `done` is false.
    let text = "node A { var x: Bool = false\n when flip: true { x = not x } }\n\
                node B { var done: Bool = false\n when go: not done { done = true } }\n";
    assert_eq!(count(text), (1, 4, 6, 0, 0));
    let file = read(text).unwrap();
    let done = read_condition("B.done and A.x").unwrap();
    assert_eq!(reachable(&file, &Setup::default(), &done), Ok(true));
    assert_eq!(invariant(&file, &Setup::default(), &done), Ok(false));
}

#[test]
fn each_chosen_value_is_a_transition() {
    // States: x = 0, 1, 2. Three transitions from 0, one of them back to 0.
    let text = "node A { var x: 0..2 = 0\n when roll: x == 0 { choose v in 0..2; x = v } }\n";
    assert_eq!(count(text), (1, 3, 3, 0, 2));
    // The second choice depends on the first. (v, w) is (1, 0), (2, 0) or (2, 1), so x becomes 1, 2 or 3.
    let text = "node A { var x: 0..3 = 0\n when roll: x == 0 {\n\
                choose v in 1..2\n choose w in 0..v-1\n x = v + w } }\n";
    assert_eq!(count(text), (1, 4, 3, 0, 3));
    // One of three choices is an error. States: x = 0, 1, 2.
    let text = "node A { var x: 0..2 = 0\n when roll: x == 0 { choose v in 1..3; x = v } }\n";
    assert_eq!(count(text), (1, 3, 3, 1, 2));
}

#[test]
fn errors_are_transitions_to_no_state() {
    // States: x = 0, 1, 2. From 2 there is an error, so 2 is not final.
    let text = "node A { var x: 0..2 = 0\n every any { x = x + 1 } }\n";
    assert_eq!(count(text), (1, 3, 3, 1, 0));
    let one_error = |body: &str| {
        let text = format!(
            "message M\n enum E {{ Red, Green }}\n node A {{ var x: Option<0..2> = none\n \
             var y: 0..2 = 0\n var s: Set<0..2> = {{}}\n every any {{ {body} }} }}\n\
             node B {{ }}\n"
        );
        assert_eq!(count(&text), (1, 1, 1, 1, 0), "{body}");
    };
    for body in [
        "assert y == 1",
        "choose v in s",
        "y = x",
        "y = max z in s: z",
        "y = the z in 0..2: z > 2",
        "y = largest z in s by z",
        "y = 1 mod y",
        "y = floor(1 / y)",
        "y = -1",
        "send M to B",
        "send M to self",
        "if x < 1 { y = 1 }",
        "s = { 3 }",
        "s = intersect z in s: s",
    ] {
        one_error(body);
    }
    // The evaluation of a guard may be an error, too.
    let text = "node A { var x: Option<0..2> = none\n when go: x > 0 { x = none } }\n";
    assert_eq!(count(text), (1, 1, 1, 1, 0));
}

#[test]
fn halt_ends_the_block() {
    // States: running with x = 0, halted with x = 1.
    let text = "node A { var x: 0..2 = 0\n every any { x = 1; if x == 1 { halt }\n x = 2 } }\n";
    assert_eq!(count(text), (1, 2, 1, 0, 1));
}

#[test]
fn is_binds_in_the_chain_and_in_the_block() {
    // States: x = none, 0, 1, 2.
    let text = "node A { var x: Option<0..2> = none\n every any {\n\
                if x is r and r < 2 { x = r + 1 } else if x == none { x = 0 } } }\n";
    assert_eq!(count(text), (1, 4, 4, 0, 0));
    // As a guard: the state x = 2 is final.
    let text = "node A { var x: Option<0..2> = 0\n when up: x is r and r < 2 { x = r + 1 } }\n";
    assert_eq!(count(text), (1, 3, 2, 0, 1));
}

#[test]
fn ghosts_are_not_counted() {
    // States: x = false, true.
    let text = "node A { ghost var g: 0..3 = any\n var x: Bool = false\n \
                every any { g = if x then 3 else 1\n x = not x } }\n";
    assert_eq!(count(text), (1, 2, 2, 0, 0));
    let file = read(text).unwrap();
    let seen = read_condition("A.g == 3 and not A.x").unwrap();
    assert_eq!(reachable(&file, &Setup::default(), &seen), Ok(true));
    let invisible = read_condition("A.x implies A.g == 1").unwrap();
    assert_eq!(invariant(&file, &Setup::default(), &invisible), Ok(true));
}

#[test]
fn variants() {
    let text = "message P\n node A { var x: 0..3 = 0\n\
                when up: x < 1 { x = x + 1 }\n when down: x == 1 { x = 0 }\n on P { } }\n\
                variant Higher of A { when up: x < 3 { x = x + 1 } }\n\
                variant Up of A { without when down }\n\
                variant More of A { when jump: x == 0 { x = 3 } }\n\
                variant Late of A { var x: 0..3 = 3\n without on P }\n\
                variant Wrong of A { without start }\n";
    let with = |names: &[&str]| {
        let setup = names
            .iter()
            .fold(Setup::default(), |s, name| s.variant(name));
        count_in(text, &setup)
    };
    // States: x = 0, 1.
    assert_eq!(with(&[]), (1, 2, 2, 0, 0));
    // States: x = 0, 1, 2, 3; three transitions by `up`, one by `down`.
    assert_eq!(with(&["Higher"]), (1, 4, 4, 0, 1));
    assert_eq!(with(&["Up"]), (1, 2, 1, 0, 1));
    // States: x = 0, 1, 3.
    assert_eq!(with(&["More"]), (1, 3, 3, 0, 1));
    assert_eq!(with(&["Late"]), (1, 1, 0, 0, 1));
    assert_eq!(with(&["Higher", "Up"]), (1, 4, 3, 0, 1));
    let file = read(text).unwrap();
    assert!(enumerator::enumerate(&file, &Setup::default().variant("Wrong")).is_err());
}

#[test]
fn arrays_structs_match_for_fn_action() {
    // Each execution of `go` increments `seen` for A and B, but not for Z.
    let text = "enum Colour { Red, Green, Blue }\n struct Pair { a: 0..3, c: Colour }\n\
        fn turn(c: Colour): Colour = match c { Red => Green, Green => Blue, Blue => Red }\n\
        node A { var p: Pair = Pair { a: 0, c: Red }\n\
          var seen: [0..2; Node] = 0\n var by: [Bool; Colour] = false\n\
          when go: p.a < 2 { for k in Node minus { Z } { bump(k) }\n p.a = p.a + 1\n\
            p.c = turn(p.c)\n by[p.c] = true\n\
            match p.c { Green => { assert seen[self] == 1 }\n _ => { halt } } }\n\
          action bump(k: Node) { seen[k] = seen[k] + 1 } }\n\
        node B { }\n node Z { }\n";
    // States: p.a = 0, 1, 2.
    assert_eq!(count(text), (1, 3, 2, 0, 1));
    let file = read(text).unwrap();
    let end = read_condition(
        "A.halted implies A.seen[A] == 2 and A.seen[B] == 2 and A.seen[Z] == 0 \
         and A.p.c == Blue and A.by[Green] and A.by[Blue] and not A.by[Red]",
    )
    .unwrap();
    assert_eq!(invariant(&file, &Setup::default(), &end), Ok(true));
    let halted = read_condition("A.halted").unwrap();
    assert_eq!(reachable(&file, &Setup::default(), &halted), Ok(true));
}

#[test]
fn what_it_does_not_know_it_names() {
    let names = |text: &str, word: &str| {
        let said = refusal(text);
        assert!(said.contains(word), "{said:?} names {word:?}");
    };
    names("node A { timer t }\n", "times");
    names("node A { every round(0) { } }\n", "rounds");
    names(
        "node A { every round { } }\n node B { every any { } }\n",
        "rounds",
    );
    names("node A { every 1 .. 2 { } }\n", "times");
    names("node A { }\n network torus(2)\n", "`torus` with 1 sizes");
    names("node A { }\n network graphs\n", "graphs");
    names(
        "node A { }\n network complete { delivery within 1 .. 2 }\n",
        "times",
    );
    names("node A { every 1 .. 2 fixed { } }\n", "fixed");
    names("node A { every 2, jitter ± 1 on the grid { } }\n", "grid");
    names("node A { every 2, jitter ± 2 per gap { } }\n", "positive");
    names(
        "node A { every 2 { } }\n node B { every round { } }\n",
        "rounds",
    );
    names(
        "node A { }\n faults at most 1 nodes: deaf any time\n",
        "`deaf`",
    );
    names(
        "node A { }\n faults any nodes: crash from start\n",
        "`crash`",
    );
    names(
        "message P\n node A { on P when true { } }\n network complete { delivery within 1 }\n",
        "guard",
    );
    names(
        "node A { }\n network complete { delivery instant }\n faults lose any messages\n",
        "lost",
    );
    names("node A { var x: Counter = any }\n", "Counter");
    // `y` is local, so its type is not declared.
    names(
        "message M { v: 0..3 }\n node A { var x: 0..3 = 0\n every any {\n let y = x\n broadcast M { v: y }\n\
         x = size(inbox) } }\n\
         network complete { to self; inbox all, starts with anything }\n",
        "`y`",
    );
}
