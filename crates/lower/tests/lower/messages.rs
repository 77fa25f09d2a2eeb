//! Diagnostics that depend on parameter values, worlds or variants.

use super::Text;
use expect_test::{Expect, expect};

#[track_caller]
fn refused(text: &str, expected: Expect) {
    let text = Text::new(text);
    let requests = text.instances(0, &[]).expect("there are instances");
    let shown = match text.lower(&requests[0]) {
        Ok(_) => "fine".to_string(),
        Err(shown) => shown,
    };
    expected.assert_eq(&shown);
}

const NODE: &str = "param n = 3\nmessage M\nclaim c: always true\n\
    node A[n] { id: Id\n rank: 1..n\n var x: 0..n - 1 = 0\n start { broadcast M }\n on M { } }\n";

#[test]
fn numbers_of_nodes() {
    refused(
        &format!("{NODE}network ring(4) {{ }}\ncheck c"),
        expect![[r#"
        E0509 9: `ring(4)` the network has 4 nodes, but 3 are declared
    "#]],
    );
    refused(
        &format!("{NODE}network ring {{ }}\ncheck c for n = 0"),
        expect![[r#"
            E0509 4: `n` there would be 0 nodes of `A`
        "#]],
    );
    refused(
        &format!("{NODE}network ring {{ channel fifo(n - 3) }}\ncheck c"),
        expect![[r#"
            E0313 9: `n - 3` a channel has room for at least one message; this is 0
        "#]],
    );
}

#[test]
fn lists() {
    refused(
        &format!("{NODE}network ring {{ }}\ncheck c for ids = [1, 2]"),
        expect![[r#"
            E0504 10: `[1, 2]` one value per node: here are 2 values, and 3 are needed
        "#]],
    );
    refused(
        &format!("{NODE}network ring {{ }}\ncheck c for ids = [1, 2, n - 1]"),
        expect![[r#"
            E0503 10: `[1, 2, n - 1]` two nodes have the id 2: ids are all different
        "#]],
    );
    refused(
        &format!("{NODE}network ring {{ }}\ncheck c for rank = [1, 2]"),
        expect![[r#"
            E0504 10: `[1, 2]` one value per node with `rank`: here are 2 values, and 3 are needed
        "#]],
    );
    refused(
        &format!("{NODE}network ring {{ }}\ncheck c for rank = [1, 2, 4]"),
        expect![[r#"
            E0313 10: `4` with these parameters the value is outside its range
        "#]],
    );
    refused(
        &format!("{NODE}network ring {{ }}\ncheck c for n = 2, rank = [2, 2], ids = [7, 3]"),
        expect!["fine"],
    );
}

#[test]
fn worlds_and_variants() {
    refused(
        "message M\nnode A[3] { start { send M to next }\n on M { } }\nclaim c: always true\n\
         network ring { }\nworld W { network complete { } }\ncheck c in W",
        expect![[r#"
            E0402 2: `next` `next` and `previous` are neighbours on a ring, and the network here is none
        "#]],
    );
    refused(
        "message M\nnode A[3] { start { broadcast M }\n on M { } }\nclaim c: always true\n\
         world W { network complete { } }\ncheck c",
        expect![[r#"
            E0408 2: `broadcast M` sending needs a network, and here is none
        "#]],
    );
    refused(
        "node A[3] { }\nvariant V of A { var more: Bool = false }\nclaim c: always (all k in A: k.more)\ncheck c",
        expect![[r#"
            E0511 3: `k.more` in this check the nodes of `A` have no `more`
        "#]],
    );
}

#[test]
fn what_stands_in_for_a_refused_field_is_never_looked_at() {
    refused(
        "node A[3] { }\nvariant V of A { var more: 0..3 = 0 }\nlet high = { k in A: k.more > 2 }\n\
         claim c: always (all k in high: { k.more, 3 } subset 0..k.more)\ncheck c",
        expect![[r#"
            E0511 3: `k.more` in this check the nodes of `A` have no `more`
            E0511 4: `k.more` in this check the nodes of `A` have no `more`
            E0511 4: `k.more` in this check the nodes of `A` have no `more`
        "#]],
    );
}

#[test]
fn counting_without_end() {
    let node = "message M\nmessage N\nnode A[3] { start { broadcast M }\n on M { }\n on N { } }\nnetwork ring { }\n";
    for claim in [
        "all i, j in A: i.sent(M) == j.sent(M)",
        "all k in A: k.sent(M) <= k.sent(N)",
        "all k in A: k.sent(M) mod 2 == 0",
        "all i, j in A: i.sent(M) <= 3 implies j.sent(M) - i.sent(N) > 2",
        "all i, j in A: i.sent(M) <= 3 or i.sent(M) - j.sent(M) > 2",
        "all i, j in A: i.sent(M) >= 3 implies i.sent(M) - j.sent(M) > 2",
        "all k in A: k.sent(M) <= in_flight(M, k, k)",
        "exists k in A: (largest k in A by k.sent(M)) == k",
    ] {
        let text = Text::new(&format!("{node}claim c: always ({claim})\ncheck c"));
        let requests = text.instances(0, &[]).unwrap();
        let shown = text.lower(&requests[0]).expect_err(claim);
        assert!(shown.starts_with("E0512"), "{claim}: {shown}");
    }
    for claim in [
        "all k in A: k.sent(M) in 0..3",
        "all k in A: k.sent(M) - 1 <= 3",
        "all k in A: 5 - k.sent(M) > 0",
        "all i in 0..2, k in A: k.sent(M) > i",
        "(max k in A: k.sent(M)) < 4",
    ] {
        let claim = claim.replace("all i in 0..2, k in A:", "all i in 0..2: all k in A:");
        Text::new(&format!("{node}claim c: always ({claim})\ncheck c")).first(0);
    }
}

#[test]
fn constants_without_value() {
    refused(
        "param n = 3\nnode A[floor(9 / (n - 3))] { }\nclaim c: always true\ncheck c",
        expect![[r#"
            E0515 2: `floor(9 / (n - 3))` this divides by zero
        "#]],
    );
    refused(
        "param n = 3\nnode A { var x: n..2 = any }\nclaim c(y: 0..n): always true\ncheck c(n + 1)",
        expect![[r#"
            E0508 2: `n..2` with these parameters the range is 3..2, which is empty
            E0313 4: `n + 1` `y` cannot be 4: that is outside its range
        "#]],
    );
}

#[test]
fn ranges_that_are_too_large_to_go_through() {
    for text in [
        include_str!("../../../../tests/hostile/count-over-a-huge-range.scrut"),
        include_str!("../../../../tests/hostile/loop-over-a-huge-range.scrut"),
    ] {
        let text = Text::new(text);
        let requests = text.instances(0, &[]).expect("there are instances");
        let shown = text
            .lower(&requests[0])
            .expect_err("a range that is too large");
        assert!(shown.contains("E0317"), "{shown}");
        assert!(
            shown.contains("`0..1000000000` this range has up to 1000000001 numbers"),
            "{shown}"
        );
        assert_eq!(
            shown.lines().filter(|line| line.contains('E')).count(),
            1,
            "{shown}"
        );
    }
    refused(
        "node A { var x: 0..1 = 0 }\nclaim c: always (all a in A: a.x in 0..1000000000)\ncheck c",
        expect![[r#"fine"#]],
    );
}

#[test]
fn states_with_too_many_parts() {
    refused(
        "node A[100000] { var x: [Bool; Node] = false }\nclaim c: always true\ncheck c",
        expect![[r#"
            E0317 1: `x` with this variable a state has 10000100000 parts
        "#]],
    );
    refused(
        "struct S { a: [[Bool; 0..9000]; 0..9000] }\nnode A { var x: Option<S> = none }\nclaim c: always true\ncheck c",
        expect![[r#"
            E0317 1: `S` a value of `S` has more than 1000000 parts
        "#]],
    );
}
