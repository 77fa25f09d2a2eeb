//! Functions, actions, `match`, and messages that may be of several types: the diagnostics about mistakes.

use super::{check, fine, in_block, in_node};
use expect_test::expect;

/// A model with a node whose inbox can contain messages of two types; `block` is the body of its `every` block.
fn with_inbox(block: &str) -> String {
    format!(
        "message P {{ v: 0..3 }}\n\
         message Q {{ v: 0..3, w: Bool }}\n\
         message R\n\
         node A {{ start {{ broadcast P {{ v: 1 }}; broadcast Q {{ v: 1, w: true }} }} }}\n\
         node B {{\n\
         var x: 0..3 = 0\n\
         on R {{ }}\n\
         every any {{ {block} }}\n\
         }}\n\
         network complete {{ channel fifo }}\n"
    )
}

#[test]
fn functions() {
    let model = |text: &str| format!("{text}\nnode N {{ var x: 0..3 = 0 }}\n");
    fine(&model(
        "fn f(a: 0..3, b: Bool): 0..3 = if b then a else 0\nlet y = f(2, true)\nfn g(k: Node): Bool = f(k.x, true) == y",
    ));
    check(
        &model("fn f(a: 0..3): Bool = a\nlet y = f"),
        expect![[r#"
        E0301 1:23 `a` `f(…)` is a `Bool`; `a` is a number
        E0316 2:9 `f` `f` is a function: say what it is called with
          = write `f(…)`
    "#]],
    );
    check(
        &model("fn f(a: 0..3) = a == 1"),
        expect![[r#"
        E0109 1:4 `f` nothing says what `f` gives
          = write the type behind the parameters: `fn f(…): Bool = …`
    "#]],
    );
    check(
        &model("fn f(a: 0..3): 0..2 = 3\nlet y = f(4)"),
        expect![[r#"
            E0313 1:23 `3` `f(…)` is a number in 0..2; 3 is outside
            E0313 2:11 `4` the argument `a` of `f` is a number in 0..3; 4 is outside
        "#]],
    );
    check(
        &model("fn f(a: 0..3, a: Bool): 0..3 = 3"),
        expect![[r#"
        E0202 1:15 `a` the name `a` is used twice in this function
          1: first here
    "#]],
    );
    check(
        &model("fn f(a: 0..3): Bool = x == a"),
        expect![[r#"
        E0201 1:23 `x` there is no `x` here
          = every node of `N` has its own `x`: write `k.x`, behind `all k in N:` or `exists k in N:`
    "#]],
    );
    check(
        &model("fn f(): Bool = self == self"),
        expect![[r#"
        E0403 1:16 `self` `self` belongs to a node's code; a claim looks at all nodes from outside
          = name the node: `all k in Kind: … k …`
        E0403 1:24 `self` `self` belongs to a node's code; a claim looks at all nodes from outside
          = name the node: `all k in Kind: … k …`
    "#]],
    );
    check(
        &model("fn f(): Bool = always true"),
        expect![[r#"
        E0411 1:16 `always true` `always` speaks about whole runs; here something about one state is wanted
          = in a claim, `always`, `eventually`, `until`, `leads to` stand under each other and under `not and or implies all exists`
    "#]],
    );
    check(
        &model("fn small(a: 0..3): Bool = a < 2\nlet y = smal(1)"),
        expect![[r#"
            E0211 2:9 `smal` there is no function `smal` (did you mean `small`?)
        "#]],
    );
    check(
        &model("fn f(): Bool = g()\nfn g(): Bool = not f()"),
        expect![[r#"
            E0212 2:20 `f` `f` calls itself
              = a function stands for its text: it cannot contain itself, directly or through others
              = to go through a set write `all`, `exists`, `sum`, `max`, `count` … behind `=`; what needs several steps is a `for` in a block
        "#]],
    );
    check(
        &model("fn f(a: 0..3): Bool = a == 2\nlet y = f(2, 3)\nlet z = f(true)"),
        expect![[r#"
            E0316 2:9 `f(2, 3)` `f` is called with `a` (a number); here are 2 values
              1: defined here
            E0301 3:11 `true` the argument `a` of `f` is a number; `true` is a `Bool`
        "#]],
    );
    check(
        &model("fn f(k: N): Bool = k.y == 2"),
        expect![[r#"
        E0203 1:22 `y` `N` has no variable or constant `y`
    "#]],
    );
    check(
        "fn f(a: A): Bool = a.x == 2\n\
         node A[2] { var x: 0..3 = 0 }\n\
         node B { var x: 0..3 = 0 }\n\
         claim c: always f(B) and (all k in A union B: f(k)) and (all k in A: f(k))\n",
        expect![[r#"
            E0315 4:19 `B` the argument `a` of `f` is a node of `A`; `B` is a `B`
            E0315 4:49 `k` the argument `a` of `f` is a node of `A`; `k` may be a node of any kind
        "#]],
    );
}

#[test]
fn actions() {
    fine(&in_node(
        "action tell(v: 0..3, to: Node) { turn = v; send Ping to to }\nstart { tell(turn, next); again() }\naction again() { tell(1, next) }",
    ));
    check(
        &in_node("action f() { turn = 1 }\naction f() { turn = 2 }"),
        expect![[r#"
            E0407 14:8 `f` `Member` has two actions `f`
              13: first here
        "#]],
    );
    check(
        &in_node("action f() { g() }\naction g() { f() }"),
        expect![[r#"
            E0212 14:14 `f` the action `f` calls itself
              13: this action
              = an action stands for its statements: it cannot contain itself, directly or through others
              = to do something again and again, use `for x in S { … }`, or another event
        "#]],
    );
    check(
        &in_node("action tell(v: 0..3) { }\nstart { tel(1); tell(); tell(7); tell(id) }"),
        expect![[r#"
            E0211 14:9 `tel` there is no action `tel` (did you mean `tell`?)
            E0316 14:17 `tell()` `tell` is called with `v` (a number); here is nothing
              13: defined here
            E0313 14:30 `7` the argument `v` of `tell` is a number in 0..3; 7 is outside
            E0301 14:39 `id` the argument `v` of `tell` is a number; `id` is an id
              = ids are no numbers: only their order is known; for numbers use a range such as `1..9`
        "#]],
    );
    check(
        &in_node("action f(v: Duration) { }"),
        expect![[r#"
        E0900 13:13 `Duration` times that an action is called with: not in this version
    "#]],
    );
    check(
        &in_node("action f(v: 0..3) { v = 2 }"),
        expect![[r#"
        E0401 13:21 `v` `v` is a name for a value: only variables of the node itself can be set
          = declare `var x: T = …` in the node for what changes
    "#]],
    );
    check(
        &in_node("start { let y = 1; f() }\naction f() { turn = y }"),
        expect![[r#"
            E0201 14:21 `y` there is no `y` here
              = an action sees what the node has and what it is called with: give it the value, `action f(x: T) { … }`
        "#]],
    );
    check(
        &format!(
            "{}variant V of Member {{ action tell(v: Bool) {{ }}\nwithout action told }}\n",
            in_node("action tell(v: 0..3) { }\nstart { tell(2) }")
        ),
        expect![[r#"
            E0301 14:14 `2` the argument `v` of `tell` is a `Bool`; `2` is a number
            E0213 17:1 `without action told` `Member` has no such block: there is nothing to leave out
        "#]],
    );
}

#[test]
fn arms() {
    fine(&in_block(
        "match role { Follower or Candidate => turn = 1, Leader => { } }\nmatch leader { none => { }, l => leader = l }\nlet b = match turn == 1 { true => 1, false => 2 }",
    ));
    check(
        &in_block("match role { Follower => turn = 1 }"),
        expect![[r#"
            E0330 13:9 `match role` `match role` says nothing for `Candidate` and `Leader`
              = write an arm for it; `_` takes whatever is left: `_ => …`
        "#]],
    );
    check(
        &in_block("match role { Follower => turn = 1, Folower => turn = 2, _ => { } }"),
        expect![[r#"
            E0312 13:44 `Folower` `Folower` is no value of `role` (did you mean `Follower`?)
              = a new name for what was found begins with a small letter
        "#]],
    );
    check(
        &in_block("match role { Follower => turn = 1, _ => { }, Leader => turn = 2 }"),
        expect![[r#"
            E0330 13:54 `Leader` this arm is never taken
              = the arms above it take everything that it is for
        "#]],
    );
    check(
        &in_block(
            "match role { Follower => turn = 1, Follower or Leader => { }, Leader => turn = 2 }",
        ),
        expect![[r#"
            E0330 13:9 `match role` `match role` says nothing for `Candidate`
              = write an arm for it; `_` takes whatever is left: `_ => …`
            E0330 13:71 `Leader` this arm is never taken
              = the arms above it take everything that it is for
        "#]],
    );
    check(
        &in_block("match role { 1 => turn = 1, none => { }, _ => { } }"),
        expect![[r#"
            E0301 13:22 `1` `role` is a value of `Role`; `1` is a number
            E0301 13:37 `none` `role` is a value of `Role`: it is never `none`
        "#]],
    );
    check(
        &in_block("match turn { 0..1 => turn = 1, Leader => { }, x => turn = x, _ => { } }"),
        expect![[r#"
            E0301 13:40 `Leader` `turn` is a number; `Leader` is a value of `Role`
        "#]],
    );
    check(
        &in_block("match turn { turn => turn = 1, _ => { } }"),
        expect![[r#"
            E0330 13:22 `turn` `turn` has a value already, and an arm is for values that are known before anything runs
              = to compare with it, write `if … == … { … } else { … }`
              = to name what was found, take a name that is not used yet
        "#]],
    );
    check(
        &in_block("match leader { none => turn = 1 }"),
        expect![[r#"
            E0330 13:9 `match leader` `match leader` says nothing for other values
              = a name takes every value that is there, `_` whatever is left: `_ => …`
        "#]],
    );
    check(
        &in_block("match leader { l => turn = 1 }"),
        expect![[r#"
        E0330 13:9 `match leader` `match leader` says nothing for `none`
          = write an arm for it; `_` takes whatever is left: `_ => …`
    "#]],
    );
    check(
        &in_block("match id { none => turn = 1 }"),
        expect![[r#"
        E0301 13:20 `none` `id` is an id: it is never `none`
    "#]],
    );
    check(
        &in_block("turn = match role { Leader => 1, Follower => true, Candidate => 2 }"),
        expect![[r#"
            E0301 13:54 `true` the arms of a `match` have one type; `1` is a number and `true` is a `Bool`
        "#]],
    );
    check(
        &in_block("match none { none => turn = 1, _ => { } }"),
        expect![[r#"
            E0311 13:15 `none` nothing says what `none` could hold: `none` is `none`
        "#]],
    );
    check(
        &in_block("match nobody { none => turn = 1, _ => { } }"),
        expect![[r#"
            E0201 13:15 `nobody` there is no `nobody` here
        "#]],
    );
    check(
        &in_block("let x = match role { Leader => none, _ => none }"),
        expect![[r#"
            E0311 13:17 `match role { Leader => none, _ => none }` nothing says what `x` could hold: `match role { Leader => none, _ => none }` is `none`
        "#]],
    );
}

#[test]
fn several_types() {
    fine(&with_inbox(
        "if exists m in inbox: m is P and m.v == 1 { x = 1 }",
    ));
    fine(&with_inbox(
        "for m in inbox { match m { P => x = m.v, Q => { if m.w { x = 2 } } } }",
    ));
    fine(&with_inbox(
        "if inbox == {} or (P { v: 1 }) in inbox { x = size(inbox(Q)) }",
    ));
    fine(&with_inbox("for m in inbox { if m is Q { broadcast m } }"));
    check(
        &with_inbox("x = max m in inbox: m.v"),
        expect![[r#"
        E0331 8:35 `v` `m` is a message `P` or `Q`: which?
          = tell them apart: `match m { P => …, Q => … }`, or `m is P and …`
          = messages of one type alone are `inbox(P)`
    "#]],
    );
    check(
        &with_inbox("for m in inbox { broadcast m }"),
        expect![[r#"
        E0331 8:40 `m` `m` is a message `P` or `Q`: which?
          = tell them apart: `match m { P => …, Q => … }`, or `m is P and …`
          = messages of one type alone are `inbox(P)`
    "#]],
    );
    check(
        &with_inbox("for m in inbox { match m { P => x = m.w, Q => x = 1 } }"),
        expect![[r#"
            E0203 8:51 `w` `P` has no field `w`: it has `v`
        "#]],
    );
    check(
        &with_inbox("for m in inbox { match m { P => x = 1, R => x = 2 } }"),
        expect![[r#"
            E0301 8:52 `R` `m` is a message `P` or `Q`, never a message `R`
        "#]],
    );
    check(
        &with_inbox("for m in inbox { if m is R { x = 1 } }"),
        expect![[r#"
            E0301 8:33 `m is R` `m` is a message `P` or `Q`, never a message `R`
        "#]],
    );
    check(
        &with_inbox("for m in inbox { if not (m is P) { x = m.v } }"),
        expect![[r#"
            E0331 8:54 `v` `m` is a message `P` or `Q`: which?
              = tell them apart: `match m { P => …, Q => … }`, or `m is P and …`
              = messages of one type alone are `inbox(P)`
        "#]],
    );
    check(
        &with_inbox("x = size(inbox(R)) + size(inbox(P, Q)) + size(inbox(x))"),
        expect![[r#"
            E0419 8:28 `R` no `R` is ever in this inbox
              = a message is in the inbox if somebody sends it here and there is neither an `on` block nor `ignore` for it
            E0316 8:39 `inbox(P, Q)` `inbox(M)` is for the messages of one type; all of them are `inbox`
            E0204 8:65 `x` there is no message `x`
              = there are `P`, `Q` and `R`
        "#]],
    );
    check(
        &with_inbox("if A in senders(inbox(R)) { x = 1 }; if A in senders(inbox(Q)) { x = 2 }"),
        expect![[r#"
            E0419 8:35 `R` no `R` is ever in this inbox
              = a message is in the inbox if somebody sends it here and there is neither an `on` block nor `ignore` for it
        "#]],
    );
    check(
        &with_inbox(
            "for m in inbox(P) { match m { P => x = m.v } }; for m in inbox(P) { if m is Q { x = 1 } }",
        ),
        expect![[r#"
            E0301 8:84 `m is Q` `m` is a message `P`, never a message `Q`
        "#]],
    );
}
