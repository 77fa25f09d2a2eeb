//! Times, rhythms, inboxes, faults of nodes, and what is sought.

use super::{check, fine};
use expect_test::{Expect, expect};

/// A node with this rhythm, in a file with units.
#[track_caller]
fn rhythm(every: &str, expected: Expect) {
    let text = format!(
        "param w: Duration = 1 ms\nparam n = 3\ntiming beat: 49 ms .. 51 ms\n\
         node A {{ every {every} {{ }} }}\n"
    );
    check(&text, expected);
}

/// Parameters and abbreviations in a file with units.
#[track_caller]
fn value(items: &str, expected: Expect) {
    check(
        &format!("param w: Duration = 1 ms\nparam n = 3\n{items}\n"),
        expected,
    );
}

#[test]
fn rhythms_that_are_fine() {
    for every in [
        "any",
        "round",
        "round(n)",
        "beat",
        "w",
        "50 ms",
        "49 ms .. 51 ms",
        "50 ms ± 1 ms",
        "50 ms ± 1 %",
        "50 ms ± 100 ppm fixed",
        "50 ms ± 0.5 %, first w",
        "n * w .. 2 * n * w fixed",
        "49 ms .. 51 ms fixed, jitter ± w per gap, first 0 ms .. period",
        "50 ms, jitter ± 0.5 ms on the grid, first period",
        "1 s .. 1 min, first 0 s .. 1 h",
        "max(w, 1 us) .. 1 s / 3",
    ] {
        fine(&format!(
            "param w: Duration = 1 ms\nparam n = 3\ntiming beat: 49 ms .. 51 ms\n\
             node A {{ every {every} {{ }} }}\n"
        ));
    }
    fine(
        "param c = 2\nparam d: Duration = 0.5\nnode A { every c .. c + d, first 0 { } }\nlet e = floor(3 / d)",
    );
}

#[test]
fn rhythms_that_cannot_be() {
    rhythm(
        "51 ms .. 49 ms",
        expect![[r#"
        E0420 4:16 `51 ms .. 49 ms` the gap would be from 51 ms to 49 ms: the first end is the larger one
    "#]],
    );
    rhythm(
        "0 ms",
        expect![[r#"
        E0420 4:16 `0 ms` the least gap is 0 ms; it must be more than nothing
    "#]],
    );
    rhythm(
        "50 ms ± 50 ms",
        expect![[r#"
        E0420 4:16 `50 ms ± 50 ms` the least gap is 0 ms; it must be more than nothing
    "#]],
    );
    rhythm(
        "50 ms, jitter ± 25 ms on the grid",
        expect![[r#"
        E0420 4:16 `50 ms` the least gap, jitter included, is 0 ms; it must be more than nothing
    "#]],
    );
    rhythm(
        "49 ms .. 51 ms, jitter ± 1 ms on the grid",
        expect![[r#"
        E0420 4:32 `jitter ± 1 ms on the grid` a jitter on the grid is around a strict beat, and here the gaps vary freely
    "#]],
    );
    rhythm(
        "50 ms, jitter ± -1 ms per gap",
        expect![[r#"
        E0420 4:23 `jitter ± -1 ms per gap` a jitter of ± -1 ms is negative
    "#]],
    );
    rhythm(
        "50 ms, jitter 1 ms per gap",
        expect![[r#"
        E0420 4:30 `1 ms` a jitter goes both ways: it is written with `±`
          = write `jitter ± 0.5 ms per gap`, without a middle
    "#]],
    );
    rhythm(
        "50 ms, jitter ± 1 % per gap",
        expect![[r#"
        E0900 4:30 `± 1 %` a jitter as a part of the period: not in this version
    "#]],
    );
    rhythm(
        "50 ms, first -1 ms",
        expect![[r#"
        E0420 4:29 `-1 ms` the first activation would be at -1 ms, before the start
    "#]],
    );
    rhythm(
        "49 ms .. 51 ms fixed, first 50 ms .. period",
        expect![[r#"
        E0420 4:44 `50 ms .. period` the first activation would be from 50 ms to 49 ms: the first end is the larger one
    "#]],
    );
    rhythm(
        "50 ms, first period / 2",
        expect![[r#"
        E0900 4:29 `period` `period`: not in this version
    "#]],
    );
    rhythm(
        "round(0)",
        expect![[r#"
        E0420 4:22 `0` nobody could begin: a node must be able to be one ahead of the others
    "#]],
    );
    rhythm(
        "round, first 0 ms",
        expect![[r#"
        E0420 4:16 `round` `round` has no times: `fixed`, `jitter` and `first` belong to gaps
          = gaps are written as times: `every 49 ms .. 51 ms fixed`
    "#]],
    );
    rhythm(
        "any fixed",
        expect![[r#"
        E0420 4:16 `any` `any` has no times: `fixed`, `jitter` and `first` belong to gaps
          = gaps are written as times: `every 49 ms .. 51 ms fixed`
    "#]],
    );
    rhythm(
        "beat, first 0 ms",
        expect![[r#"
        E0420 4:16 `beat` the timing `beat` says everything itself
          = write `every` and its name alone; `fixed`, `jitter` and `first` stand where gaps are given
    "#]],
    );
    rhythm(
        "baet",
        expect![[r#"
        E0215 4:16 `baet` there is no timing `baet` (did you mean `beat`?)
    "#]],
    );
    rhythm(
        "n",
        expect![[r#"
        E0320 4:16 `n` a gap is a time; `n` is a plain number
          = write its unit, as elsewhere in this file: `n * 1 ms`
    "#]],
    );
    rhythm(
        "5 .. 6",
        expect![[r#"
        E0320 4:16 `5` a gap is a time; `5` is a plain number
          = write its unit, as elsewhere in this file: `5 ms`
        E0320 4:21 `6` a gap is a time; `6` is a plain number
          = write its unit, as elsewhere in this file: `6 ms`
    "#]],
    );
    rhythm(
        "true",
        expect![[r#"
        E0301 4:16 `true` a gap is a time; `true` is a `Bool`
    "#]],
    );
}

#[test]
fn timings() {
    check(
        "timing beat: round\ntiming beat: any\ntiming other: beat\ntiming third: unknown\n\
         world W { timing beat: any; timing beat: round; timing pulse: any }\n\
         node A { var beat: 0..1 = 0\n every beat { beat = 1 - beat } }\nlet x = beat",
        expect![[r#"
            E0202 2:8 `beat` the name `beat` is used twice at the top level
              1: first here
            E0420 3:15 `beat` the timing `beat` says everything itself
              = write `every` and its name alone; `fixed`, `jitter` and `first` stand where gaps are given
            E0215 4:15 `unknown` there is no timing `unknown`
              = there are `beat`, `other` and `third`
            E0202 5:36 `beat` the name `beat` is used twice for timings of this world
              5: first here
            E0215 5:56 `pulse` there is no timing `pulse`
              = there are `beat`, `other` and `third`
            E0301 8:9 `beat` `beat` is a timing, and here a value is wanted
              = a timing stands behind `every`: `every beat { … }`
        "#]],
    );
    check(
        "node A { every tick { } }",
        expect![[r#"
        E0215 1:16 `tick` there is no timing `tick`
          = declare it, `timing tick: 49 ms .. 51 ms`, or write `every any`, `every round` or times
    "#]],
    );
}

#[test]
fn numbers_and_times() {
    value(
        "let a = w + 3",
        expect![[r#"
        E0320 3:13 `3` what `+` puts beside a time is a time; `3` is a plain number
          = write its unit, as elsewhere in this file: `3 ms`
    "#]],
    );
    value(
        "let a = n - w",
        expect![[r#"
        E0320 3:9 `n` what `-` puts beside a time is a time; `n` is a plain number
          = write its unit, as elsewhere in this file: `n * 1 ms`
    "#]],
    );
    value(
        "let a = w * w",
        expect![[r#"
        E0305 3:9 `w * w` `w` and `w` are times: one of them must be a number
    "#]],
    );
    value("let a = 2 * w / n + 1 ms", expect![]);
    value(
        "let a = w / w",
        expect![[r#"
        E0307 3:9 `w / w` `/` between times says nothing about the rest
          = how often one is in the other is `floor(a / b)` or `ceil(a / b)`
    "#]],
    );
    value(
        "let a = n / w",
        expect![[r#"
        E0305 3:9 `n / w` `w` is a time: nothing but a time is divided by it
          = for a fraction of a time write the time first: `47 ms / 3`
    "#]],
    );
    value(
        "let a = 47/3 ms",
        expect![[r#"
        E0305 3:9 `47/3 ms` `3 ms` is a time: nothing but a time is divided by it
          = for a fraction of a time write the time first: `47 ms / 3`
    "#]],
    );
    value(
        "let a = floor(w / 3)",
        expect![[r#"
        E0307 3:15 `w / 3` `floor` gives a whole number, and a part of a time is a time
          = divide by a time, `floor(a / 5 ms)`, or leave out `floor`
    "#]],
    );
    value("let a = floor(w / 3 ms) + 1", expect![]);
    value(
        "let a = w mod 3",
        expect![[r#"
        E0305 3:9 `w` `mod` wants a number; `w` is a time
    "#]],
    );
    value(
        "let a = w < 3",
        expect![[r#"
        E0304 3:9 `w < 3` `w` is a time and `3` is a number: they cannot be compared
          = a time has a unit: `3 ms`
    "#]],
    );
    value("let a = w == 3 ms and max(w, 2 ms) >= -w", expect![]);
    value(
        "let a = if n > 2 then w else 3",
        expect![[r#"
        E0301 3:9 `if n > 2 then w else 3` both branches of an `if` have one type; `w` is a time and `3` is a number
    "#]],
    );
    value(
        "let a = w ± 1 ms",
        expect![[r#"
        E0321 3:9 `w ± 1 ms` `±` makes an interval, and here one value is wanted
          = intervals stand behind `every`, `timing t:`, `jitter` and `first`
    "#]],
    );
    value(
        "let a = 0.5",
        expect![[r#"
        E0307 3:9 `0.5` numbers are whole here
          = fractions are for times only, and those have a unit: `0.5 ms`
    "#]],
    );
    value(
        "let a = now",
        expect![[r#"
        E0900 3:9 `now` `now`: not in this version
    "#]],
    );
    value(
        "let a = size(1 ms .. 3 ms)",
        expect![[r#"
        E0305 3:14 `1 ms` a range wants a number; `1 ms` is a time
          = between two times there are too many: list those that are meant, `{ 1 ms, 2 ms }`
        E0305 3:22 `3 ms` a range wants a number; `3 ms` is a time
          = between two times there are too many: list those that are meant, `{ 1 ms, 2 ms }`
    "#]],
    );
    value(
        "param v: Duration = 3",
        expect![[r#"
        E0320 3:21 `3` `v` is a time; `3` is a plain number
          = write its unit, as elsewhere in this file: `3 ms`
    "#]],
    );
    value(
        "param v: 0..9 = 3 ms",
        expect![[r#"
        E0301 3:17 `3 ms` `v` is a number; `3 ms` is a time
    "#]],
    );
    value(
        "message M { t: Duration }\nnode A { t: Duration\n var s: Option<Duration> = none }",
        expect![[r#"
            E0900 3:16 `Duration` times in messages: not in this version
            E0900 4:13 `Duration` times that a node keeps: not in this version
            E0900 5:9 `Option<Duration>` times that a node keeps: not in this version
        "#]],
    );
    // Without units a number is a time where one is wanted.
    check(
        "param c: Duration = 1\nlet a = c + 3\nlet b = c < 2\nlet d = if b then 1 else c",
        expect![],
    );
}

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
        expect![[r#"
            E0900 2:20 `delivery within 1 ms .. 2 ms` `delivery within`: not in this version
        "#]],
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
    // Another network makes it a mistake.
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
    // A type with code of its own is not there, nor one that only others get.
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
            E0900 6:27 `inbox` an `inbox` with messages of several types (`M` and `N`): not in this version
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
            E0900 7:19 `off` `off any time`: not in this version
        "#]],
    );
    check(
        "node A { var off: Bool = false\n every any { assert not self.mute } }\nclaim c: always (A.of or A.crashed)",
        expect![[r#"
            E0202 1:14 `off` every node has `off` already, for claims: choose another name
            E0410 2:30 `mute` `mute` is known to claims only: no node can see it
              = a node that has to know something keeps it in a variable
            E0203 3:20 `of` `A` has no variable or constant `of`
        "#]],
    );
}

/// A check of a small model.
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
