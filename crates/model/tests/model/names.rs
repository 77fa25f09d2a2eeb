//! Names that are unknown, declared twice or defined by themselves.

use super::{check, fine, in_block, in_node};
use expect_test::expect;

#[test]
fn unknown_names() {
    check(
        &in_block("turn = trun"),
        expect![[r#"
        E0201 13:16 `trun` there is no `trun` here (did you mean `turn`?)
    "#]],
    );
    check(
        &in_block("leader = winner"),
        expect![[r#"
        E0201 13:18 `winner` there is no `winner` here
    "#]],
    );
    check(
        &format!("{}claim c: always leader != none\n", in_node("")),
        expect![[r#"
            E0201 15:17 `leader` there is no `leader` here
              = every node of `Member` has its own `leader`: write `k.leader`, behind `all k in Member:` or `exists k in Member:`
        "#]],
    );
}

#[test]
fn unknown_fields() {
    check(
        &in_node("on Ping when true { }\non Election as m { leader = m.candidat }"),
        expect![[r#"
            E0203 14:31 `candidat` `Election` has no field `candidat`: it has `candidate` (did you mean `candidate`?)
        "#]],
    );
    check(
        &format!(
            "{}claim c: always (all k in Member: k.leadr != none)\n",
            in_node("")
        ),
        expect![[r#"
            E0203 15:37 `leadr` `Member` has no variable or constant `leadr` (did you mean `leader`?)
        "#]],
    );
    check(
        &in_block("send Election { candidat: id } to next"),
        expect![[r#"
            E0203 13:25 `candidat` `Election` has no field `candidat`: it has `candidate` (did you mean `candidate`?)
        "#]],
    );
}

#[test]
fn unknown_messages_types_and_functions() {
    check(
        &in_node("on Electoin { }"),
        expect![[r#"
        E0204 13:4 `Electoin` there is no message `Electoin` (did you mean `Election`?)
    "#]],
    );
    check(
        &in_block("send Pong to next"),
        expect![[r#"
        E0201 13:14 `Pong` there is no `Pong` here (did you mean `Ping`?)
    "#]],
    );
    check(
        &in_block("send Pong { x: 1 } to next"),
        expect![[r#"
        E0204 13:14 `Pong` there is no message `Pong` (did you mean `Ping`?)
    "#]],
    );
    check(
        &in_node("var x: Int = 0\nvar y: Rol = Follower\nvar z: Member = self"),
        expect![[r#"
            E0205 13:8 `Int` there is no type `Int`
              = numbers have a range here: write for example `0..7`; for one that grows for ever there is `Counter`
            E0205 14:8 `Rol` there is no type `Rol` (did you mean `Role`?)
            E0205 15:8 `Member` there is no type `Member`
              = a kind of node is a type for parameters of actions and functions only; elsewhere nodes have the type `Node`
        "#]],
    );
    check(
        &in_block("turn = maxx(1, 2)"),
        expect![[r#"
        E0211 13:16 `maxx` there is no function `maxx` (did you mean `max`?)
    "#]],
    );
    check(
        &in_block("tell(3)"),
        expect![[r#"
        E0211 13:9 `tell` there is no action `tell`
    "#]],
    );
    check(
        &format!(
            "{}claim c: always (all k in Member: k.send(Ping) < 2)\n",
            in_node("")
        ),
        expect![[r#"
            E0211 15:37 `send` nothing can be asked with `.send(…)` (did you mean `sent`?)
        "#]],
    );
}

#[test]
fn unknown_kinds_claims_variants_worlds() {
    check(
        &format!(
            "{}variant V of Membre {{ }}\nclaim c: always true\ncheck c with V\n",
            in_node("")
        ),
        expect![[r#"
            E0206 15:14 `Membre` there is no kind of node `Membre` (did you mean `Member`?)
        "#]],
    );
    check(
        &format!(
            "{}claim agreement: always true\ncheck agrement, agreement with Silent in Lossy\n",
            in_node("")
        ),
        expect![[r#"
            E0207 16:7 `agrement` there is no claim `agrement` (did you mean `agreement`?)
            E0208 16:32 `Silent` there is no variant `Silent`
            E0209 16:42 `Lossy` there is no world `Lossy`
        "#]],
    );
    check(
        &format!(
            "{}claim c: always true\ncheck c for m = 3, N in 1..2\n",
            in_node("")
        ),
        expect![[r#"
            E0210 16:13 `m` there is no parameter `m`
              = the only parameter is `n`
            E0210 16:20 `N` there is no parameter `N` (did you mean `n`?)
        "#]],
    );
    check(
        &format!(
            "{}variant V of Member {{ without on Nothing; without start }}\n",
            in_node("")
        ),
        expect![[r#"
            E0213 15:23 `without on Nothing` `Member` has no such block: there is nothing to leave out
            E0213 15:43 `without start` `Member` has no such block: there is nothing to leave out
        "#]],
    );
}

#[test]
fn duplicates() {
    check(
        "param n = 1\nlet n = 2\nenum E { A, A }\nmessage Bool",
        expect![[r#"
            E0202 2:5 `n` the name `n` is used twice at the top level
              1: first here
            E0202 3:13 `A` the name `A` is used twice at the top level
              3: first here
            E0202 4:9 `Bool` `Bool` is a type of the language itself: choose another name
        "#]],
    );
    check(
        &in_node("var id: 0..1 = 0\nvar halted: Bool = false"),
        expect![[r#"
            E0202 13:5 `id` the name `id` is used twice in `Member`
              7: first here
            E0202 14:5 `halted` every node has `halted` already, for claims: choose another name
        "#]],
    );
    check(
        "message M { a: Bool, a: Id }\nclaim c: always true\nclaim c: always true",
        expect![[r#"
            E0202 1:22 `a` the name `a` is used twice in `M`
              1: first here
            E0202 3:7 `c` the name `c` is used twice for claims
              2: first here
        "#]],
    );
    check(
        &format!(
            "{}variant V of Member {{ }}\nvariant V of Member {{ }}\nworld W {{ }}\nworld W {{ }}\nclaim c(x: 0..1, x: 0..1): always true\n",
            in_node("")
        ),
        expect![[r#"
            E0202 16:9 `V` the name `V` is used twice for variants
              15: first here
            E0202 18:7 `W` the name `W` is used twice for worlds
              17: first here
            E0202 19:18 `x` the name `x` is used twice in this claim
              19: first here
        "#]],
    );
}

#[test]
fn circles() {
    check(
        "let a = b + 1\nlet b = a - 1",
        expect![[r#"
        E0212 2:9 `a` `a` is defined by itself
          = an abbreviation stands for its text: it cannot contain itself, directly or through others
    "#]],
    );
    fine("let b = a - 1\nlet a = 4");
}

#[test]
fn topologies() {
    check(
        "network rng { channel fifo }",
        expect![[r#"
            E0214 1:9 `rng` there is no topology `rng` (did you mean `ring`?)
              = there are `ring`, `complete`, `line`, `star`, `grid(a, b)`, `torus(a, b)`, `tree(d, h)`, `edges(1 - 2, …)` and `graphs`
        "#]],
    );
}

#[test]
fn very_long_names_are_not_compared() {
    let long = "y".repeat(1_000_000);
    assert_eq!(model::nearest(&long, [&format!("{long}x")[..], "y"]), None);
    assert_eq!(
        model::nearest("lenght", [&long[..], "length"]),
        Some("length")
    );
}
