//! Types: diagnostics about expected and found types.

use super::{check, fine, in_block, in_node};
use expect_test::expect;

#[test]
fn mismatches() {
    check(
        &in_block("leader = true; turn = role; role = 3; leader = 3"),
        expect![[r#"
            E0301 13:18 `true` `leader` is an option of an id; `true` is a `Bool`
            E0301 13:31 `role` `turn` is a number; `role` is a value of `Role`
            E0301 13:44 `3` `role` is a value of `Role`; `3` is a number
            E0301 13:56 `3` `leader` is an option of an id; `3` is a number
              = ids are no numbers: only their order is known; for numbers use a range such as `1..9`
        "#]],
    );
    check(
        &in_block("let x = if turn == 0 then id else role"),
        expect![[r#"
            E0301 13:17 `if turn == 0 then id else role` both branches of an `if` have one type; `id` is an id and `role` is a value of `Role`
        "#]],
    );
    check(
        &in_block("let x = { turn, role }"),
        expect![[r#"
        E0301 13:25 `role` the elements of a set have one type; `turn` is a number and `role` is a value of `Role`
    "#]],
    );
    check(
        &in_block("if turn is t { }"),
        expect![[r#"
        E0301 13:12 `turn` `is` asks an option for its value; `turn` is a number
          = to compare values, write `==`
    "#]],
    );
    check(
        &in_block("send Election { candidate: 3 } to next"),
        expect![[r#"
            E0301 13:36 `3` the field `candidate` of `Election` is an id; `3` is a number
              = ids are no numbers: only their order is known; for numbers use a range such as `1..9`
        "#]],
    );
}

#[test]
fn enum_values() {
    check(
        &in_block("role = leeder"),
        expect![[r#"
        E0312 13:16 `leeder` `role` can be Follower, Candidate or Leader; `leeder` is none of them (did you mean `Leader`?)
    "#]],
    );
    check(
        &in_block("if role == follower { }"),
        expect![[r#"
        E0312 13:20 `follower` `role` can be Follower, Candidate or Leader; `follower` is none of them (did you mean `Follower`?)
    "#]],
    );
    check(
        &in_block("role = Role"),
        expect![[r#"
            E0301 13:16 `Role` `role` is a value of `Role`; `Role` is a set of values of `Role`
        "#]],
    );
}

#[test]
fn conditions() {
    check(
        &in_block("if leader { }"),
        expect![[r#"
        E0302 13:12 `leader` `if` wants something true or false; `leader` is an option of an id
          = write `… != none`, or `… is x` to use its value
    "#]],
    );
    check(
        &in_block("assert turn and not role"),
        expect![[r#"
        E0302 13:16 `turn` `and` wants something true or false; `turn` is a number
        E0302 13:29 `role` `not` wants something true or false; `role` is a value of `Role`
    "#]],
    );
    check(
        &in_block("if neighbours { }"),
        expect![[r#"
        E0302 13:12 `neighbours` `if` wants something true or false; `neighbours` is a set of nodes
          = write `… != { }`, or `size(…) > 0`
    "#]],
    );
}

#[test]
fn ids() {
    check(
        &in_block("turn = id + 1"),
        expect![[r#"
            E0303 13:16 `id` `+` wants a number; `id` is an id, and of ids only the order is known
              = compare ids with each other; to calculate, use a range such as `1..9` instead of `Id`, for the constant and wherever its value is sent or kept
        "#]],
    );
    check(
        &in_block("if id > 3 { }"),
        expect![[r#"
        E0304 13:12 `id > 3` `id` is an id and `3` is a number: they cannot be compared
          = ids are no numbers: only their order is known; for numbers use a range such as `1..9`
    "#]],
    );
    check(
        &in_block("if id == self { }"),
        expect![[r#"
        E0304 13:12 `id == self` `id` is an id and `self` is a node: they cannot be compared
          = a node is not its id: write `k.id` for the id of k
    "#]],
    );
}

#[test]
fn comparisons() {
    check(
        &in_block("if role < Leader { }"),
        expect![[r#"
            E0304 13:12 `role < Leader` `role` is a value of `Role`: only numbers, times, counters and ids have an order
        "#]],
    );
    check(
        &in_block("if none == none { }"),
        expect![[r#"
        E0311 13:12 `none == none` nothing says what is compared here: both sides are empty
    "#]],
    );
    check(
        &in_block("if neighbours == self { }"),
        expect![[r#"
        E0304 13:12 `neighbours == self` `neighbours` is a set of nodes and `self` is a node: they cannot be compared
          = for an element of a set write `in`
    "#]],
    );
    check(
        &in_block("if turn in 3 { }"),
        expect![[r#"
        E0306 13:20 `3` `in` wants a set; `3` is a number
    "#]],
    );
    check(
        &in_block("if role in 0..3 { }"),
        expect![[r#"
        E0301 13:12 `role` an element of `0..3` is a number; `role` is a value of `Role`
    "#]],
    );
    check(
        &in_block("if neighbours subset 0..3 { }"),
        expect![[r#"
        E0304 13:12 `neighbours subset 0..3` `neighbours` is a set of nodes and `0..3` is a set of numbers: they cannot be compared
          = for an element of a set write `in`
    "#]],
    );
}

#[test]
fn numbers() {
    check(
        &in_block("turn = turn / 2"),
        expect![[r#"
        E0307 13:16 `turn / 2` `/` between numbers says nothing about the rest
          = write `floor(a / b)` or `ceil(a / b)`
    "#]],
    );
    check(
        &in_block("turn = floor(turn)"),
        expect![[r#"
        E0307 13:22 `turn` `floor` rounds one division, and there is none here
          = write `floor(a / b)`
    "#]],
    );
    check(
        &in_block("turn = role + 1"),
        expect![[r#"
        E0305 13:16 `role` `+` wants a number; `role` is a value of `Role`
    "#]],
    );
    check(
        "param big = 99999999999999999999",
        expect![[r#"
        E0317 1:13 `99999999999999999999` this number is too large
    "#]],
    );
    check(
        &in_block("turn = min(1, 2, 3)"),
        expect![[r#"
        E0316 13:16 `min(1, 2, 3)` `min` takes two values
    "#]],
    );
    fine(&in_block(
        "turn = floor(turn / 2) + ceil((turn / 3)) mod max(1, turn)",
    ));
}

#[test]
fn messages_and_nodes() {
    check(
        &in_block("send Election to next"),
        expect![[r#"
        E0308 13:14 `Election` `Election` needs a value for `candidate`
          = write `Election { candidate: … }`
    "#]],
    );
    check(
        &in_block("send Election { candidate: id, candidate: id } to next"),
        expect![[r#"
            E0308 13:40 `candidate` the field `candidate` is given twice
        "#]],
    );
    check(
        &in_block("send id to next"),
        expect![[r#"
        E0309 13:14 `id` `send` wants a message; `id` is an id
          = declare `message M { … }` and send `M { … }`
    "#]],
    );
    check(
        &in_block("send Ping to id"),
        expect![[r#"
            E0310 13:22 `id` a message goes to a node or to a set of nodes; `id` is an id
              = an id is no address: send to `next`, to `neighbours`, or to who sent the message: `on M as m from s { send … to s }`
        "#]],
    );
    check(
        &in_block("send Ping to 0..3"),
        expect![[r#"
        E0310 13:22 `0..3` a message goes to a node or to a set of nodes; `0..3` is a set of numbers
    "#]],
    );
}

#[test]
fn unclear() {
    check(
        &in_block("let x = none"),
        expect![[r#"
        E0311 13:17 `none` nothing says what `x` could hold: `none` is `none`
    "#]],
    );
    check(
        &in_block("choose x in { }"),
        expect![[r#"
        E0311 13:21 `{ }` this set is always empty
          = nothing says what its elements would be
    "#]],
    );
}

#[test]
fn ranges() {
    check(
        &in_node("var x: 0..3 = 4\nvar y: 3..0 = 1\nvar z: Option<Option<Id>> = none"),
        expect![[r#"
            E0313 13:15 `4` `x` is a number in 0..3; 4 is outside
            E0508 14:8 `3..0` the range 3..0 is empty: its first end is the larger one
            E0314 15:8 `Option<Option<Id>>` an option of an option is `none` in two ways
              = use one `Option`, or an enum that names the cases
        "#]],
    );
    check(
        &in_node("var x: 0..size(Member) = 0"),
        expect![[r#"
        E0318 13:16 `Member` `Member` is not known before anything runs: here only numbers, parameters and abbreviations of them can stand
    "#]],
    );
    check(
        "param n: 1..9 = 10\nparam m = k\nparam k = 3\nparam b: 1..n = 3",
        expect![[r#"
            E0505 1:17 `10` `n` is a number in 1..9; 10 is outside
            E0318 2:11 `k` the value of `m` cannot be computed here
              = a parameter may mention parameters above it, not those below
        "#]],
    );
}

#[test]
fn any() {
    check(
        &in_block("turn = any"),
        expect![[r#"
        E0319 13:16 `any` `any` is what a variable begins with, not a value
          = in a block, write `choose x in S` and use `x`
    "#]],
    );
    check(
        &in_node("var x: Option<0..3> = any in { 1, 2 }"),
        expect![[r#"
        E0301 13:30 `{ 1, 2 }` what `x` begins with is a set of options of a number; `{ 1, 2 }` is a set of numbers
    "#]],
    );
    fine(&in_node("var x: 0..3 = any in { 1, 2 }\nvar y: Role = any"));
}

#[test]
fn which_kind() {
    check(
        "node A { var x: Bool = false }\nnode B { var y: Bool = false }\n\
         claim c: always (all k in A union B: k.x)\n\
         claim d: always (A.x and not B.y and A != B)",
        expect![[r#"
            E0315 3:38 `k.x` `k` may be a node of any kind
              = only `A` has `x`: write `k in A`, as in `all k in A: … k.x …`
        "#]],
    );
}

#[test]
fn options_are_values_when_used() {
    fine(&in_block(
        "if leader == none or id > leader { leader = id } else if leader is l and l < id { leader = l }",
    ));
    fine(&in_node(
        "when late: leader is l and l > id { leader = none; assert l > id }",
    ));
    fine(&format!(
        "{}claim c: always (all k in Member: k.leader is l implies l >= k.id)\n",
        in_node("")
    ));
    check(
        &in_block("if leader is l or l == id { }"),
        expect![[r#"
        E0201 13:27 `l` there is no `l` here
    "#]],
    );
}
