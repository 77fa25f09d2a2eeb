//! Checks: questions, settings and expected answers.

use super::{check, fine, in_node};
use expect_test::{Expect, expect};

#[track_caller]
fn checking(line: &str, expected: Expect) {
    let text = format!(
        "{}claim a: always true\nclaim b(x: 0..9, r: Role): always (all k in Member: k.turn < x)\n\
         variant V of Member {{ rank: 1..3 }}\nvariant W of Member {{ }}\n{line}\n",
        in_node("rank: 1..3")
    );
    check(&text, expected);
}

#[test]
fn claims_with_values() {
    checking(
        "check b(3, Leader), a(1), b, b(10, leader), 3 + 4",
        expect![[r#"
            E0513 19:21 `a(1)` the claim `a` has no parameters
              = write `a` alone, or declare what it is given: `claim a(x: 0..9): …`
            E0513 19:27 `b` the claim `b` needs values: `b(x, r)`
            E0313 19:32 `10` `x` is a number in 0..9; 10 is outside
            E0312 19:36 `leader` `r` can be Follower, Candidate or Leader; `leader` is none of them (did you mean `Leader`?)
            E0207 19:45 `3 + 4` a check names claims, and this is no name
              = write `claim c: …` and `check c`, or `check possible: …` for a state to reach
        "#]],
    );
}

#[test]
fn settings() {
    checking(
        "check a for n = 3, n in 1..2",
        expect![[r#"
        E0507 19:20 `n` this is set twice in one check
          19: first here
    "#]],
    );
    checking(
        "check a for n = 20",
        expect![[r#"
        E0313 19:17 `20` `n` is a number in 1..9; 20 is outside
    "#]],
    );
    checking(
        "check a for id = [1, 2, 3]",
        expect![[r#"
        E0210 19:13 `id` `id` is the id of the nodes: of ids only the order is given (write `ids = [ … ]`)
    "#]],
    );
    checking(
        "check a for rank = 3",
        expect![[r#"
        E0210 19:13 `rank` `rank` is a constant of every node of `Member`: give one value per node, `rank = [ … ]`
    "#]],
    );
    checking(
        "check a for ranks = [1, 2, 3], n = [1, 2]",
        expect![[r#"
        E0210 19:13 `ranks` no node has a constant `ranks` (did you mean `rank`?)
        E0210 19:32 `n` no node has a constant `n`
          = `n` is a parameter: write `n = v` or `n in { … }`
    "#]],
    );
    checking(
        "check a for rank = [1, 2, 4], n = Leader",
        expect![[r#"
        E0313 19:27 `4` `rank` is a number in 1..3; 4 is outside
        E0301 19:35 `Leader` `n` is a number; `Leader` is a value of `Role`
    "#]],
    );
    checking(
        "check a for n in 3",
        expect![[r#"
        E0301 19:18 `3` what `n` goes through is a set of numbers; `3` is a number
    "#]],
    );
    checking(
        "check a for ids = [1, 1, 3]",
        expect![[r#"
            E0503 19:23 `1` two nodes have the id 1: ids are all different
              19: the other one
              = give the nodes different ids; for numbers that may be equal, use a range such as `1..9` instead of `Id`, for the constant and wherever its value is sent or kept, and set `id = [ … ]`
        "#]],
    );
}

#[test]
fn variants() {
    checking(
        "check a with V, W",
        expect![[r#"
        E0506 19:17 `W` `V` and `W` are both variants of `Member`: a node is one of them
    "#]],
    );
}

#[test]
fn expectations() {
    checking(
        "check a, b(1, Leader) expect holds, fails, holds",
        expect![[r#"
            E0501 19:30 `holds, fails, holds` 3 answers are expected of 2 claims
              = write one answer for all of them, or one for each
        "#]],
    );
    checking(
        "check a expect possible",
        expect![[r#"
        E0502 19:16 `possible` a claim is answered by `holds`, `fails`, `error` or `unknown`
    "#]],
    );
    checking(
        "check possible: true expect holds",
        expect![[r#"
        E0502 19:29 `holds` `check possible` is answered by `possible`, `impossible`, `error` or `unknown`
    "#]],
    );
    checking(
        "check a expect 14",
        expect![[r#"
        E0502 19:16 `14` a claim is answered by `holds`, `fails`, `error` or `unknown`
    "#]],
    );
    checking("check a, a expect error, unknown", expect![]);
}

#[test]
fn ids_of_nodes_without_id() {
    check(
        "node A[2] { }\nclaim a: always true\ncheck a for ids = [1, 2]",
        expect![[r#"
            E0210 3:13 `ids` no node has an id that could be given
              = declare the constant `id: Id` in the node
        "#]],
    );
}

#[test]
fn nothing_to_check() {
    check(
        "claim a: always true\ncheck a",
        expect![[r#"
        E0514 2:1 `check a` there is nothing to check: the file declares no `node`
    "#]],
    );
}

#[test]
fn the_ring_is_fine() {
    fine(include_str!("../../../../models/chang-roberts.scrut"));
}

#[test]
fn less_than_no_time() {
    check(
        "node A { }\nclaim a(u: Duration): always now >= u\ncheck a(-5)\ncheck a(2 - 3)\ncheck a(0)",
        expect![[r#"
            E0420 3:9 `-5` `u` is -5, which is less than no time
            E0420 4:9 `2 - 3` `u` is -1, which is less than no time
        "#]],
    );
}
