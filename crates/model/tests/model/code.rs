//! Rules of node code and of claims: the diagnostics about violations.

use super::{check, fine, in_block, in_node};
use expect_test::expect;

#[test]
fn assignments() {
    check(
        &in_block("id = id"),
        expect![[r#"
            E0401 13:9 `id` `id` is a constant of the node: it never changes
              7: declared here
              = what changes is a variable: `var x: …`, perhaps with `id` as its first value
        "#]],
    );
    check(
        &in_block("n = 3"),
        expect![[r#"
        E0401 13:9 `n` `n` is a parameter of the model: only variables of the node itself can be set
          = declare `var x: T = …` in the node for what changes
    "#]],
    );
    check(
        &in_block("let x = 1; x = 2; Leader = Follower; next.turn = 3; tunr = 1"),
        expect![[r#"
            E0401 13:20 `x` `x` is a name for a value: only variables of the node itself can be set
              = declare `var x: T = …` in the node for what changes
            E0401 13:27 `Leader` `Leader` is no variable: only variables of the node itself can be set
              = declare `var x: T = …` in the node for what changes
            E0401 13:46 `next.turn` `next.turn` is not this node's variable: only variables of the node itself can be set
              = declare `var x: T = …` in the node for what changes
            E0201 13:61 `tunr` there is no `tunr` here (did you mean `turn`?)
        "#]],
    );
    check(
        &in_node("on Election as m when true { m.candidate = id }"),
        expect![[r#"
            E0401 13:30 `m.candidate` `m` is a name for a value, which stays as it is
              = make a new one with what is different, `Election { candidate: … }`, or keep it in a variable of the node and change that
        "#]],
    );
    fine(&in_block("self.turn = 2"));
}

#[test]
fn next_needs_a_ring() {
    check(
        "message M\nnode A[3] { start { send M to next }\n on M { } }\nnetwork complete { channel fifo }",
        expect![[r#"
            E0402 2:31 `next` `next` is the neighbour on a ring, and this network is none
              4: the network
              = use `neighbours`, or declare `network ring`
        "#]],
    );
    fine(
        "message M\nnode A[3] { start { send M to next }\n on M { } }\nnetwork complete { }\nworld W { network ring { } }",
    );
}

#[test]
fn words_of_nodes_and_of_claims() {
    check(
        &format!(
            "{}claim c: always (self.turn == 0 and size(neighbours) == 2 and next.turn == 1)\n",
            in_node("")
        ),
        expect![[r#"
            E0403 15:18 `self` `self` belongs to a node's code; a claim looks at all nodes from outside
              = name the node: `all k in Kind: … k …`
            E0403 15:42 `neighbours` `neighbours` belongs to a node's code; a claim looks at all nodes from outside
              = name the node: `all k in Kind: … k.neighbours …`
            E0403 15:63 `next` `next` belongs to a node's code; a claim looks at all nodes from outside
              = name the node: `all k in Kind: … k …`
        "#]],
    );
    check(
        &in_block(
            "if self.halted or quiescent or self.sent(Ping) > 1 or in_flight(Ping, self, next) > 0 { }",
        ),
        expect![[r#"
            E0410 13:17 `halted` `halted` is known to claims only: no node can see it
              = a node that has to know something keeps it in a variable
            E0410 13:27 `quiescent` `quiescent` is known to claims only: no node can see it
              = a node that has to know something keeps it in a variable
            E0410 13:40 `self.sent(Ping)` `sent` is known to claims only: no node can see it
              = a node that has to know something keeps it in a variable
            E0410 13:63 `in_flight(Ping, self, next)` `in_flight` is known to claims only: no node can see it
              = a node that has to know something keeps it in a variable
        "#]],
    );
    check(
        &in_block("if next.turn == 3 or self.turn == 2 { }"),
        expect![[r#"
            E0404 13:12 `next.turn` a node cannot look into another: `next.turn`
              = only claims see all nodes; in node code, let the other node send what is needed, and take it with `on M as m { … m.field … }`
        "#]],
    );
    check(
        &format!(
            "let first = smallest k in Member by k.id\n{}",
            in_block("if first == self { }")
        ),
        expect![[r#"
            E0404 14:12 `first` `first` looks into nodes, and a node knows only itself and what it is told
              1: defined here
              = claims may use it; in node code, send what is needed in a message
        "#]],
    );
}

#[test]
fn runs_and_states() {
    check(
        &in_block("assert always turn < 3"),
        expect![[r#"
        E0405 13:16 `always turn < 3` `always` speaks about whole runs; a node knows only the present
          = write it in a `claim`
    "#]],
    );
    check(
        &format!("{}claim c: all k in Member: k.turn < 3\n", in_node("")),
        expect![[r#"
            E0406 15:10 `all k in Member: k.turn < 3` the claim `c` is about one state; a claim speaks about whole runs
              = say when it should be true: `always (…)` or `eventually (…)`
        "#]],
    );
    check(
        &format!(
            "{}claim c: (count k in Member: eventually k.halted) == 3\n",
            in_node("")
        ),
        expect![[r#"
            E0411 15:30 `eventually k.halted` `eventually` speaks about whole runs; here something about one state is wanted
              = in a claim, `always`, `eventually`, `until`, `leads to` stand under each other and under `not and or implies all exists`
        "#]],
    );
    check(
        &format!(
            "{}claim c: all k in {{ j in Member: j.turn > 0 }}: always k.turn < 3\n",
            in_node("")
        ),
        expect![[r#"
            E0411 15:19 `{ j in Member: j.turn > 0 }` `{ j in Member: j.turn > 0 }` may change during a run, so it is not clear who is meant under `always`
              = range over the kind and put the condition inside: `all k in Kind: always (… implies …)`
        "#]],
    );
    check(
        &format!(
            "{}check possible: eventually all k in Member: k.halted\n",
            in_node("")
        ),
        expect![[r#"
            E0411 15:17 `eventually all k in Member: k.halted` `eventually` speaks about whole runs; here something about one state is wanted
              = in a claim, `always`, `eventually`, `until`, `leads to` stand under each other and under `not and or implies all exists`
        "#]],
    );
    fine(&format!(
        "{}claim c: all k in {{ j in Member: j.id > smallest.id }}: always (k.turn == 1 leads to k.turn == 2 until k.halted)\nlet smallest = smallest k in Member by k.id\n",
        in_node("")
    ));
}

#[test]
fn blocks() {
    check(
        &in_node(
            "start { }\nstart { }\nevery any { }\nevery any { }\nwhen a: true { }\nwhen a: false { }\nignore Ping\nwithout on Ping",
        ),
        expect![[r#"
            E0407 14:1 `start` `Member` starts twice
              13: first here
            E0407 16:1 `every any` `Member` has two rhythms: `every` can stand once
              15: first here
            E0407 18:1 `when a: false` `Member` has two blocks `when a`
              17: first here
            E0407 19:8 `Ping` `Member` both ignores `Ping` and does something with it
              12: first here
            E0213 20:1 `without on Ping` `without` is for variants: here the block can simply be left out
        "#]],
    );
}

#[test]
fn networks() {
    check(
        "message M\nnode A[3] { start { broadcast M }\n on M { } }",
        expect![[r#"
            E0408 2:21 `broadcast M` `broadcast` needs a network, and the file declares none
              = declare who can send to whom, for example `network complete { channel fifo }`
        "#]],
    );
    check(
        "network ring { }\nnetwork ring(3) { }\nnetwork line(2, 3) { }",
        expect![[r#"
            E0414 2:9 `ring(3)` there is one network; this is a second one
              1: the first
              = a `world` can have another network
            E0414 3:9 `line(2, 3)` there is one network; this is a second one
              2: the first
              = a `world` can have another network
        "#]],
    );
}

#[test]
fn unhandled_messages_are_a_warning() {
    check(
        "message M\nnode A { start { send M to B } }\nnode B { }\nnode C { start { send M to D } }\nnode D { ignore M }\nnetwork complete { }",
        expect![[r#"
            E0409 2:18 `send M to B` `M` is sent to nodes of `B`, which have no `on M`
              = when it arrives, that is an error; write `on M { … }` or `ignore M`
        "#]],
    );
}

#[test]
fn one_id() {
    check(
        &in_node("other: Id"),
        expect![[r#"
        E0412 13:1 `other` a node has one id, and this would be its second
          7: the first
          = for another number that a node knows from the start use a range such as `1..9`
    "#]],
    );
}

#[test]
fn first_values() {
    check(
        &in_node("var a: 0..3 = turn\nvar b: Option<Id> = id"),
        expect![[r#"
            E0413 13:15 `turn` a first value cannot depend on the variable `turn`: all variables begin at once
              = use constants here, or set the variable in `start`; `initially` can relate variables
        "#]],
    );
}

#[test]
fn ghosts() {
    check(
        &in_node("ghost var seen: 0..3 = 0\nstart { seen = seen + 1; turn = seen }"),
        expect![[r#"
            E0415 14:33 `seen` `seen` is a ghost: only claims read it, and assignments to ghosts
        "#]],
    );
}

#[test]
fn variants() {
    check(
        &format!(
            "{}variant V of Member {{ var leader: Bool = false; id: 1..3 }}\n",
            in_node("")
        ),
        expect![[r#"
            E0416 15:27 `leader` claims name `leader` whatever the variant: in `V` it would be a `Bool`, elsewhere it is an option of an id
              10: elsewhere
              = a variant may change the range and first value of a variable; for another kind of value choose another name
            E0416 15:49 `id` claims name `id` whatever the variant: in `V` it would be a number, elsewhere it is an id
              7: elsewhere
              = a variant may change the range and first value of a variable; for another kind of value choose another name
        "#]],
    );
    fine(&format!(
        "{}variant V of Member {{ var turn: 0..7 = 0; var more: Bool = any; without on Ping; on Election as m {{ more = true; turn = 7 }} }}\nclaim c: always (all k in Member: k.more)\n",
        in_node("")
    ));
    // A mistake in code that a variant inherits is reported once.
    check(
        &format!(
            "{}variant V of Member {{ }}\nvariant W of Member {{ }}\n",
            in_block("turn = oops")
        ),
        expect![[r#"
            E0201 13:16 `oops` there is no `oops` here
        "#]],
    );
}
