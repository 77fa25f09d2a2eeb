//! The environment of nodes (networks, inboxes, faults), and sought values.

use super::{check, fine};
use expect_test::{Expect, expect};

#[test]
fn networks() {
    check(
        "node A { }\nnetwork complete { channel fifo; delivery instant; inbox all; inbox latest per sender }",
        expect![[r#"
            E0417 2:34 `delivery instant` a network says once how messages travel
              2: said here already
            E0417 2:63 `inbox latest per sender` a network says once what inboxes are
              2: said here already
        "#]],
    );
    check(
        "node A { }\nnetwork complete { delivery within 1 ms .. 2 ms }",
        expect![""],
    );
    check(
        "message M\nmessage N\nnode A[2] {\n var x: 0..1 = 0\n start { broadcast M }\n\
         on M when x == 0 { if x == 0 { broadcast N } }\n on N { }\n every any { broadcast M } }\n\
         network complete { delivery instant }\nfaults lose any messages\n\
         world W { faults none\n network ring { channel unordered } }\nclaim c: always true\ncheck c\ncheck c in W",
        expect![[r#"
            E0418 5:10 `broadcast M` with instant delivery nobody may send in `start`: others may not have started
              9: in this network delivery is instant
              = send in an `every` or `when` block
            E0418 6:11 `x == 0` a message that is delivered at once cannot wait for a condition
              9: in this network delivery is instant
              = put the condition inside the block: `if … { … }`
            E0418 6:32 `broadcast N` with instant delivery a block that takes a message may not send
              9: in this network delivery is instant
              = keep what is to be sent in a variable, and send in an `every` or `when` block
            E0418 10:1 `faults lose any messages` losing and repeating need messages that are on the way, and with instant delivery none is
              9: in this network delivery is instant
              = use `channel unordered` or `channel fifo`
        "#]],
    );
    // The guard is a mistake only in a network with instant delivery, and not with the variant.
    check(
        "message M\nnode A[2] { on M when true { }\n every any { broadcast M } }\nnetwork ring { }\n\
         world W { network ring { delivery instant } }\nvariant V of A { on M { } }\n\
         claim c: always true\ncheck c in W with V\ncheck c\ncheck c in W",
        expect![[r#"
            E0418 2:23 `true` a message that is delivered at once cannot wait for a condition
              5: in this network delivery is instant
              = put the condition inside the block: `if … { … }`
        "#]],
    );
}

#[test]
fn inboxes() {
    let node = |items: &str| {
        format!(
            "message M {{ x: 0..3 }}\nmessage N {{ y: 0..3 }}\nnetwork complete {{ delivery instant; inbox all }}\nnode A[2] {{ var s: 0..9 = 0\n var g: Set<Node> = {{}}\n {items} }}\n"
        )
    };
    fine(&node(
        "every any { s = min(sum m in inbox: m.x, 9); g = senders(inbox); for m in inbox { s = m.x }\n\
         if inbox == {} or (M { x: 1 }) in inbox { clear inbox }\n broadcast M { x: 1 } }",
    ));
    // A message with an `on` block is not in the inbox, and neither is a message that is sent only to other kinds.
    fine(&node(
        "on N as m { s = m.y }\n every any { s = max m in inbox: m.x; broadcast N { y: 1 }; broadcast M { x: 1 } }",
    ));
    fine(
        &(node("every any { s = max m in inbox: m.x; send N { y: 1 } to B }")
            + "node B { on N { }\n every any { send M { x: 2 } to A } }"),
    );
    check(
        &node("every any { s = max m in inbox: m.x; broadcast N { y: 1 }; broadcast M { x: 1 } }"),
        expect![[r#"
            E0331 6:36 `x` `m` is a message `M` or `N`: which?
              = tell them apart: `match m { M => …, N => … }`, or `m is M and …`
              = messages of one type alone are `inbox(M)`
        "#]],
    );
    check(
        &node("on M { }\n every any { broadcast M { x: size(inbox) } }"),
        expect![[r#"
            E0419 7:36 `inbox` nothing is ever in the inbox of `A`
              = a message is in the inbox if somebody sends it here and there is neither an `on` block nor `ignore` for it
        "#]],
    );
    check(
        &node(
            "every any { broadcast M { x: 1 }; g = senders(g); s = inbox; s = count m in inbox: m.y == 1 }",
        ),
        expect![[r#"
            E0316 6:40 `senders(g)` only the inbox knows who sent what is in it: write `senders(inbox)`
            E0301 6:56 `inbox` `s` is a number; `inbox` is a set of messages `M`
            E0203 6:87 `y` `M` has no field `y`: it has `x`
        "#]],
    );
    check(
        "message M\nnode A { var e: Bool = inbox == {}\n every any { broadcast M } }\nnetwork ring { }\n\
         let e = senders(inbox)\nclaim c: always inbox == {}",
        expect![[r#"
            E0413 2:24 `inbox` a first value cannot depend on the inbox: all begin at once
              = set the variable in a block
            E0409 3:14 `broadcast M` `M` is sent to nodes of `A`, which have no `on M`
              = when it arrives, that is an error; write `on M { … }` or `ignore M`
            E0403 5:9 `senders(inbox)` `inbox` belongs to a node's code; a claim looks at all nodes from outside
              = let the code keep what matters in a variable, and look at that: `k.x`
            E0403 6:17 `inbox` `inbox` belongs to a node's code; a claim looks at all nodes from outside
              = let the code keep what matters in a variable, and look at that: `k.x`
        "#]],
    );
    check(
        "message M\nnode A { every any { if inbox == {} { halt } } }",
        expect![[r#"
            E0408 2:25 `inbox` `inbox` needs a network, and the file declares none
              = declare who can send to whom, for example `network complete { channel fifo }`
        "#]],
    );
}

#[test]
fn faults_of_nodes() {
    check(
        "node A { }\nnode B[3] { }\nfaults at most 1 node: off, mute\nfaults any B: deaf, crash from start\n\
         faults any nodes: dead, isolatd from start\n\
         faults any C: off from start\nfaults any nodes: off any time\nfaults any nodes: off, deaf from start",
        expect![[r#"
            E0421 3:24 `off` `off` does not say when
              = write `from start` or `any time` behind the list
            E0421 3:29 `mute` `mute` does not say when
              = write `from start` or `any time` behind the list
            E0421 4:21 `crash` a node cannot `crash` before it runs
              = for a node that never does anything write `off from start`
            E0216 5:19 `dead` there is no fault `dead` (did you mean `deaf`?)
              = there are `off`, `mute`, `deaf`, `isolated`, `crash` and `stop`
            E0216 5:25 `isolatd` there is no fault `isolatd` (did you mean `isolated`?)
              = there are `off`, `mute`, `deaf`, `isolated`, `crash` and `stop`
            E0206 6:12 `C` there is no kind of node `C`
              = there are `A` and `B`
            E0421 7:19 `off` a node is `off` from the start or not at all
              = for a node that ends in the run write `crash any time`
        "#]],
    );
    check(
        "node A { var off: Bool = false\n every any { assert not self.mute } }\nclaim c: always (A.of or A.crashed)",
        expect![[r#"
            E0202 1:14 `off` every node has `off` already, for claims: choose another name
            E0410 2:30 `mute` `mute` is known to claims only: no node can see it
              = a node that has to know something keeps it in a variable
            E0203 3:20 `of` `A` has no variable or constant `of` (did you mean `off`?)
        "#]],
    );
}

/// Compares the diagnostics of this check in a small model with `expected`.
#[track_caller]
fn asked(line: &str, expected: Expect) {
    check(
        &format!(
            "param w: Duration = 1 ms\nparam n: 1..9 = 3\nparam b: Bool = true\nnode A[n] {{ every w {{ }} }}\n\
             claim c(a: 0..9): always (all k in A: k.activations <= a)\n\
             claim d(x: 0..9, t: Duration): always (w < t)\nclaim e: always true\n{line}\n"
        ),
        expected,
    );
}

#[test]
fn what_is_sought() {
    for line in [
        "check least a: c(a), d(a, 1 ms) expect 3, fails for every bound",
        "check greatest w: c(3), e for n in 2..3 expect below 47/3 ms",
        "check least t: d(3, t) expect above 2 ms",
        "check least n: c(n + 1) expect 4",
        "check least q: d(q, q * 1 ms) expect unknown",
        "check c(4), e for every n expect holds",
        "check e for w in { 1 ms, 2 ms }, n = 3",
    ] {
        asked(line, expect![""]);
    }
    asked(
        "check e for every graph",
        expect![[r#"
        E0210 8:13 `every graph` `every graph` goes through the networks of `network graphs`, and this check has none
    "#]],
    );
    asked(
        "check least a: c(4)",
        expect![[r#"
        E0519 8:13 `a` nothing here depends on `a`
          = `least x` looks for a parameter of the model, or for a value that the claim is given: `check least x: c(x)`
    "#]],
    );
    asked(
        "check least a: c(a), c(a + 1)",
        expect![[r#"
        E0519 8:22 `c(a + 1)` this claim is not given `a` itself: nothing says which values it can have
    "#]],
    );
    asked(
        "check least b: e",
        expect![[r#"
        E0519 8:13 `b` `b` is a `Bool`: only numbers and times are sought
    "#]],
    );
    asked(
        "check least n: c(1) for n = 3",
        expect![[r#"
        E0507 8:25 `n` `n` is sought, so it cannot be set
          8: sought here
    "#]],
    );
    asked(
        "check greatest a: c(a) expect holds",
        expect![[r#"
        E0502 8:31 `holds` `least` and `greatest` are answered by a value, `fails for every bound`, `error` or `unknown`
    "#]],
    );
    asked(
        "check greatest a: c(a) expect below 3",
        expect![[r#"
        E0502 8:31 `below` a number is attained or not at all: write it without `below` or `above`
    "#]],
    );
    asked(
        "check greatest t: d(1, t) expect above 3 ms",
        expect![[r#"
        E0502 8:34 `above` the greatest value that is not attained is approached from below: write `below`
    "#]],
    );
    asked(
        "check least t: d(1, t) expect 3",
        expect![[r#"
        E0320 8:31 `3` `t` is a time; `3` is a plain number
          = write its unit, as elsewhere in this file: `3 ms`
    "#]],
    );
    asked(
        "check least a: c(a) expect 3 ms, 4",
        expect![[r#"
        E0301 8:28 `3 ms` `a` is a number; `3 ms` is a time
        E0501 8:28 `3 ms, 4` 2 answers are expected of 1 claim
          = write one answer for all of them, or one for each
    "#]],
    );
    asked(
        "check e expect 3",
        expect![[r#"
        E0502 8:16 `3` a claim is answered by `holds`, `fails`, `error` or `unknown`
    "#]],
    );
    asked(
        "check e for every w, every q",
        expect![[r#"
        E0305 8:19 `w` `every` goes through numbers; `w` is a time
        E0210 8:28 `q` there is no parameter `q`
          = there are `w`, `n` and `b`
    "#]],
    );
    asked(
        "check e for w = 3, w in 1 ms .. 2 ms",
        expect![[r#"
        E0320 8:17 `3` `w` is a time; `3` is a plain number
          = write its unit, as elsewhere in this file: `3 ms`
        E0507 8:20 `w` this is set twice in one check
          8: first here
        E0305 8:25 `1 ms` a range wants a number; `1 ms` is a time
          = between two times there are too many: list those that are meant, `{ 1 ms, 2 ms }`
        E0305 8:33 `2 ms` a range wants a number; `2 ms` is a time
          = between two times there are too many: list those that are meant, `{ 1 ms, 2 ms }`
    "#]],
    );
    asked(
        "check d(1, 2)",
        expect![[r#"
        E0320 8:12 `2` `t` is a time; `2` is a plain number
          = write its unit, as elsewhere in this file: `2 ms`
    "#]],
    );
}
