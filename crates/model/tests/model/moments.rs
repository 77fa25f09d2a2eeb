//! Time and faults during the run: delays, timers, `now`, deadlines, crashes, restarts.

use super::{check, fine};
use expect_test::{Expect, expect};

/// A small model with a node that has two timers and contains these items.
fn in_node(items: &str) -> String {
    format!(
        "message Ask\n\
         network complete {{ channel fifo }}\n\
         node A[2] {{\n\
         var left: 0..3 = 3\n\
         var other: Option<Node> = none\n\
         timer retry\n\
         timer lease[Node]\n\
         on Ask {{ }}\n\
         {items}\n\
         }}\n\
         claim c: always (now <= 5 ms or true)\n"
    )
}

#[track_caller]
fn node(items: &str, expected: Expect) {
    check(&in_node(items), expected);
}

#[track_caller]
fn block(statements: &str, expected: Expect) {
    check(&in_node(&format!("start {{ {statements} }}")), expected);
}

/// Compares the diagnostics of a small model with these claims with `expected`.
#[track_caller]
fn claim(text: &str, expected: Expect) {
    check(
        &format!(
            "param d: Duration = 5 ms\nparam n = 3\nlet late = now > d\n\
             node A[2] {{ var x: 0..3 = 0; var done: Bool = false; timer t; timer l[Node]\n\
             every 1 ms {{ }} }}\n{text}\n"
        ),
        expected,
    );
}

#[track_caller]
fn faults(text: &str, expected: Expect) {
    check(
        &format!("node A[2] {{ every 1 ms {{ }} }}\nfaults {text}\n"),
        expected,
    );
}

#[test]
fn what_is_fine() {
    fine(&in_node(
        "start { set retry in left * 10 ms .. left * 12 ms; set lease[self] in 5 ms ± 1 % }\n\
         every 5 ms .. 6 ms {\n\
           for j in A minus { self } { if lease[j] is set { cancel lease[j] } }\n\
           if not (retry is set) { set retry in if left > 1 then 5 ms else 3 ms .. 10 ms }\n\
           set retry in (if left > 1 then 5 ms else 3 ms) .. 10 ms\n\
           cancel retry\n\
         }\n\
         on retry { left = 0 }\n\
         on lease[j] { other = j }",
    ));
    fine(
        "param D: Duration = 5\n\
         message M\n\
         node A[2] { persistent var x: 0..3 = 0; ghost var y: 0..1 = 0; timer t\n\
         every 1 .. 2, first 0 { broadcast M }\n on M { x = 1; set t in D .. 2 * D }; on t { } }\n\
         network complete { delivery within 0 .. D }\n\
         world Ordered { network complete { delivery within 1 .. 2, fifo } }\n\
         world Next { network complete { delivery before next activation } }\n\
         faults at most 1 A: crash, stop any time, restart fresh within 0 .. 50\n\
         faults any nodes: crash any time, during broadcast\n\
         faults any nodes: stop any time, restart keeping state\n\
         fn early(u: Duration): Bool = now < u\n\
         let late = now > D\n\
         claim a(u: Duration): always ((exists k in A: not k.halted and not k.crashed and not k.stopped) implies now <= u)\n\
         claim b(u: Duration): all k in A: always ((k.faultless and k.t is set leads to k.x == 1 within u + 3) and k.x < 3)\n\
         claim c: always (late or early(3) or A == A)\n\
         check a(D), b(3), c expect holds\n\
         check least u: a(u) expect 14\n\
         check least u: b(u) in Next expect above 47/3\n\
         check possible: now >= 3 for D = 0 expect possible\n",
    );
}

#[test]
fn timers() {
    node(
        "timer retry\nvar lease: Bool = false\ntimer Ask\ntimer halted\ntimer many[0..3]\ntimer of[A]",
        expect![[r#"
            E0202 9:7 `retry` the name `retry` is used twice in `A`
              6: first here
            E0202 10:5 `lease` the name `lease` is used twice in `A`
              7: first here
            E0202 11:7 `Ask` `Ask` is a message: `on Ask` would mean two things
              1: the message
              = timers are written small, messages with a capital letter
            E0202 12:7 `halted` every node has `halted` already, for claims: choose another name
            E0423 13:12 `0..3` there is one timer `many`, or one for each node (`timer many[Node]`), but not one for each value of something else
            E0205 14:10 `A` there is no type `A`
              = a kind of node is a type for parameters of actions and functions only; elsewhere nodes have the type `Node`
        "#]],
    );
    node(
        "on retry { }\non retry { }\non lease { }\non retri { }",
        expect![[r#"
            E0407 10:1 `on retry` `A` has two blocks `on retry`: when a timer expires, one of them runs
              9: first here
            E0423 11:4 `lease` there is one timer `lease` for each node: say how that node is called (write `on lease[j]`)
            E0423 12:4 `retri` there is no timer `retri` (did you mean `retry`?)
        "#]],
    );
    node(
        "on retry[j] { }\non lease[j] as m from s { }\non Ask[j] { }",
        expect![[r#"
            E0423 9:10 `j` there is only one timer `retry`: it has no index
              6: declared here
              = for one for each node declare `timer retry[Node]`
            E0423 10:16 `m` `lease` is a timer: it brings no message and has no sender
            E0423 10:23 `s` `lease` is a timer: it brings no message and has no sender
            E0423 11:8 `j` `Ask` is a message: only timers have an index
              = who sent it is named so: `on M from s { … }`
        "#]],
    );
    node(
        "on lease[j] when left > 0 { }",
        expect![[r#"
        E0422 9:18 `left > 0` a timer that expires cannot wait for a condition
          = put the condition inside the block: `if … { … }`
    "#]],
    );
    block(
        "set left in 1 ms; set retry[self] in 1 ms; set lease in 1 ms; set rety in 1 ms; cancel other",
        expect![[r#"
            E0423 9:13 `left` `set` is for timers, and `left` is none
              = a variable is set with `=`: `left = …`; a timer is declared in the node: `timer t`
            E0423 9:37 `self` there is only one timer `retry`: it has no index
              6: declared here
              = for one for each node declare `timer retry[Node]`
            E0423 9:56 `lease` there is one timer `lease` for each node: say for which (write `lease[j]`)
              7: declared here
            E0423 9:75 `rety` there is no timer `rety` (did you mean `retry`?)
            E0423 9:96 `other` `cancel` is for timers, and `other` is none
              = a timer is declared in the node: `timer t`
        "#]],
    );
    block(
        "retry = 5 ms; left = retry; retry(); set lease[3] in 1 ms; let retry = 3; cancel retry",
        expect![[r#"
            E0423 9:9 `retry` `retry` is a timer: it has no value
              6: declared here
              = `set retry in 10 ms .. 12 ms` starts it, `cancel retry` stops it, `retry is set` asks for it
            E0423 9:30 `retry` `retry` is a timer: it has no value
              6: declared here
              = `set retry in 10 ms .. 12 ms` starts it, `cancel retry` stops it, `retry is set` asks for it
            E0423 9:37 `retry` `retry` is a timer: it has no value
              6: declared here
              = `set retry in 10 ms .. 12 ms` starts it, `cancel retry` stops it, `retry is set` asks for it
            E0310 9:56 `3` there is one timer `lease` for each node; `3` is a number
            E0423 9:90 `retry` `cancel` is for timers, and `retry` is none
              = a timer is declared in the node: `timer t`
        "#]],
    );
    block(
        "set retry in 5; set retry in left; set retry in 5 ms .. 1 ms; set retry in -1 ms; set retry in true",
        expect![[r#"
            E0320 9:22 `5` the time of a timer is a time; `5` is a plain number
              = write its unit, as elsewhere in this file: `5 ms`
            E0320 9:38 `left` the time of a timer is a time; `left` is a plain number
              = write its unit, as elsewhere in this file: `left * 1 ms`
            E0420 9:57 `5 ms .. 1 ms` the timer would run for 5 ms to 1 ms: the first end is the larger one
            E0420 9:84 `-1 ms` the timer would run for -1 ms, which is less than no time
            E0301 9:104 `true` the time of a timer is a time; `true` is a `Bool`
        "#]],
    );
    block(
        "if left is set { }; if lease is set { }; if retry[self] is set { }; if unknown is set { }; if retry is r { }",
        expect![[r#"
            E0423 9:12 `left` `is set` is asked of a timer, and `left` is none
              = whether an option has a value is asked with `x != none` or `x is r`
            E0423 9:32 `lease` there is one timer `lease` for each node: say for which (write `lease[j]`)
              7: declared here
            E0423 9:59 `self` there is only one timer `retry`: it has no index
              6: declared here
              = for one for each node declare `timer retry[Node]`
            E0201 9:80 `unknown` there is no `unknown` here
            E0423 9:103 `retry` `retry` is a timer: it has no value
              6: declared here
              = `set retry in 10 ms .. 12 ms` starts it, `cancel retry` stops it, `retry is set` asks for it
        "#]],
    );
    block("if other is set { send Ask to set }", expect![""]);
    check(
        "node A { start { set t in 1 ms }; on t { } }",
        expect![[r#"
            E0423 1:22 `t` there is no timer `t`
              = declare it in the node: `timer t`
        "#]],
    );
    check(
        "node A { timer t }\nvariant V of A { timer t[Node] }\nvariant W of A { on t { }; start { set t in 1 ms } }",
        expect![[r#"
            E0416 2:24 `t` in `V` there is one for each node of `t`, elsewhere there is one
              1: elsewhere
              = choose another name for it
        "#]],
    );
}

#[test]
fn timers_in_claims() {
    claim(
        "claim c: always (t is set)",
        expect![[r#"
        E0423 6:18 `t` there is no timer `t` here
          = every node of `A` has its own `t`: write `k.t is set`, behind `all k in A:` or `exists k in A:`
    "#]],
    );
    claim(
        "claim c: all k in A: always (k.l is set)",
        expect![[r#"
            E0423 6:30 `k.l` there is one timer `l` for each node: say for which (write `k.l[j]`)
              4: declared here
        "#]],
    );
    claim(
        "claim c: all k in A: always (k.t[k] is set)",
        expect![[r#"
        E0423 6:34 `k` there is only one timer `t`: it has no index
          4: declared here
          = for one for each node declare `timer t[Node]`
    "#]],
    );
    claim(
        "claim c: all k in A: always (k.x is set)",
        expect![[r#"
        E0423 6:30 `k.x` `is set` is asked of a timer, and `k.x` is none
          = whether an option has a value is asked with `x != none` or `x is r`
    "#]],
    );
    claim(
        "claim c: all k in A: always (k.t == 3)",
        expect![[r#"
            E0203 6:32 `t` `A` has no variable or constant `t`
              = `t` is a timer, which has no value: what can be asked is `k.t is set`
        "#]],
    );
    claim("claim c: all k in A: always (k.l[k] is set)", expect![""]);
}

#[test]
fn now() {
    claim(
        "claim c: always (now <= 5)",
        expect![[r#"
        E0304 6:18 `now <= 5` `now` is a time and `5` is a number: they cannot be compared
          = a time has a unit: `5 ms`
    "#]],
    );
    claim(
        "claim c: always (now + 5 ms <= d)",
        expect![[r#"
        E0424 6:18 `now` `now` is compared with a time, and nothing else is done with it
          = write `now <= 5 ms`; what would be added to `now` is taken from the other side
    "#]],
    );
    claim(
        "claim c: always (all k in A: now <= k.x * 1 ms)",
        expect![[r#"
            E0424 6:37 `k.x` `now` is compared with a time that is known before anything runs; `k.x` is not
              = times between two moments of a run are for `p leads to q within x`
        "#]],
    );
    claim(
        "claim c: always (all i in 0..3: now <= i * 1 ms)",
        expect![[r#"
            E0424 6:40 `i * 1 ms` `now` is compared with a time that is known before anything runs; `i * 1 ms` is not
              = times between two moments of a run are for `p leads to q within x`
        "#]],
    );
    claim(
        "claim c: always (now == now)",
        expect![[r#"
        E0424 6:18 `now` `now` is compared with a time that is known before anything runs; `now` is not
          = times between two moments of a run are for `p leads to q within x`
        E0424 6:25 `now` `now` is compared with a time that is known before anything runs; `now` is not
          = times between two moments of a run are for `p leads to q within x`
    "#]],
    );
    claim(
        "let x = now",
        expect![[r#"
        E0424 6:9 `now` `now` is compared with a time, and nothing else is done with it
          = write `now <= 5 ms`; what would be added to `now` is taken from the other side
    "#]],
    );
    claim(
        "initially late",
        expect![[r#"
        E0424 6:11 `late` `initially` is about the start, and there `now` is always 0
    "#]],
    );
    claim(
        "claim c: always true\ncheck c assuming now == 0 ms",
        expect![[r#"
            E0424 7:18 `now` `assuming` is about the start, and there `now` is always 0
        "#]],
    );
    claim(
        "claim c: all k in { j in A: not late }: always k.x < 3",
        expect![[r#"
            E0411 6:19 `{ j in A: not late }` `{ j in A: not late }` may change during a run, so it is not clear who is meant under `always`
              = range over the kind and put the condition inside: `all k in Kind: always (… implies …)`
        "#]],
    );
    claim(
        "param e: Duration = now",
        expect![[r#"
        E0318 6:21 `now` `now` is not known before anything runs: here only numbers, parameters and abbreviations of them can stand
    "#]],
    );
    claim(
        "fn f(u: Duration): Bool = now < u\nnode B { var b: Bool = late\n start { b = now < d; b = f(d) } }",
        expect![[r#"
            E0410 7:24 `late` `late` asks for `now`, which no node can see
              3: defined here
              = a node measures time with a timer: `timer t` in the node, `set t in 10 ms .. 12 ms`, and `on t { … }`
            E0410 8:14 `now` `now` is known to claims only: no node can see it
              = a node measures time with a timer: `timer t` in the node, `set t in 10 ms .. 12 ms`, and `on t { … }`
            E0410 8:27 `f` `f` asks for `now`, which no node can see
              6: defined here
              = a node measures time with a timer: `timer t` in the node, `set t in 10 ms .. 12 ms`, and `on t { … }`
        "#]],
    );
    claim(
        "claim c(u: Duration): always (now <= u + d)\ncheck c(n) \ncheck c(now)",
        expect![[r#"
            E0320 7:9 `n` `u` is a time; `n` is a plain number
              = write its unit, as elsewhere in this file: `n * 1 ms`
            E0318 8:9 `now` `now` is not known before anything runs: here only numbers, parameters and abbreviations of them can stand
        "#]],
    );
}

#[test]
fn deadlines() {
    claim(
        "claim c: not (late leads to late within d)",
        expect![[r#"
        E0424 6:15 `late` `leads to … within` counts the time itself: beside it nothing asks for `now`
          = for one time of the whole run write `always (… implies now <= x)`
        E0424 6:29 `late` `leads to … within` counts the time itself: beside it nothing asks for `now`
          = for one time of the whole run write `always (… implies now <= x)`
    "#]],
    );
    let under = |rest: &str| format!("claim c: all k in A: {rest}");
    claim(
        &under("eventually (k.x == 1 leads to k.x == 2 within d)"),
        expect![[r#"
            E0900 6:33 `(k.x == 1 leads to k.x == 2 within d)` `leads to … within` under `eventually`: not in this version
              = it counts from every moment of the run, so it stands alone or under `always`, `and` and `all`; a claim of its own can say the rest
        "#]],
    );
    claim(
        &under("not (k.x == 1 leads to k.x == 2 within d)"),
        expect![[r#"
            E0900 6:26 `(k.x == 1 leads to k.x == 2 within d)` `leads to … within` under `not`: not in this version
              = it counts from every moment of the run, so it stands alone or under `always`, `and` and `all`; a claim of its own can say the rest
        "#]],
    );
    claim(
        &under("(k.x == 1 leads to k.x == 2 within d) implies always k.done"),
        expect![[r#"
            E0900 6:22 `(k.x == 1 leads to k.x == 2 within d)` `leads to … within` under `implies`: not in this version
              = it counts from every moment of the run, so it stands alone or under `always`, `and` and `all`; a claim of its own can say the rest
        "#]],
    );
    claim(
        &under("always ((k.x == 1 leads to k.x == 2 within d) or k.done)"),
        expect![[r#"
            E0900 6:30 `(k.x == 1 leads to k.x == 2 within d)` `leads to … within` under `or`: not in this version
              = it counts from every moment of the run, so it stands alone or under `always`, `and` and `all`; a claim of its own can say the rest
        "#]],
    );
    claim(
        &under("(k.x == 1 leads to (k.x == 2 leads to k.done within d))"),
        expect![[r#"
            E0900 6:41 `(k.x == 2 leads to k.done within d)` `leads to … within` under `leads to`: not in this version
              = it counts from every moment of the run, so it stands alone or under `always`, `and` and `all`; a claim of its own can say the rest
        "#]],
    );
    claim(
        &under("(always k.done) leads to k.x == 2 within d"),
        expect![[r#"
            E0900 6:22 `(always k.done)` something about whole runs beside `leads to … within`: not in this version
        "#]],
    );
    claim(
        &under("k.x == 1 leads to k.x == 2 within k.x * 1 ms"),
        expect![[r#"
            E0318 6:56 `k.x` a deadline is known before anything runs; `k.x` is not
        "#]],
    );
    claim(
        &under("k.x == 1 leads to k.x == 2 within 5"),
        expect![[r#"
        E0320 6:56 `5` what stands behind `within` is a time; `5` is a plain number
          = write its unit, as elsewhere in this file: `5 ms`
    "#]],
    );
    claim(
        &under("k.x == 1 leads to k.x == 2 within -5 ms"),
        expect![[r#"
            E0420 6:56 `-5 ms` a deadline of -5 ms is over before it begins
        "#]],
    );
    claim(
        "claim c: exists k in A: k.x == 1 leads to k.done within d",
        expect![[r#"
            E0900 6:25 `k.x == 1 leads to k.done within d` `leads to … within` under `exists`: not in this version
              = it counts from every moment of the run, so it stands alone or under `always`, `and` and `all`; a claim of its own can say the rest
        "#]],
    );
}

#[test]
fn values_of_times() {
    let model = "param d: Duration = 1\nnode A { }\nclaim c: always now <= d\n";
    fine(&format!("{model}check c for d in {{ 0, 1, 0.5 }}"));
    check(
        &format!("{model}check c for d in 0..3"),
        expect![[r#"
        E0301 4:18 `0..3` what `d` goes through is a set of times; `0..3` is a set of numbers
          = between two times there are too many: list those that are meant, `{ 1, 2 }`
    "#]],
    );
    check(
        &format!("{model}check c for d in {{ 0, 1 }}\nlet e = 1 ms"),
        expect![[r#"
            E0320 1:21 `1` `d` is a time; `1` is a plain number
              = write its unit, as elsewhere in this file: `1 ms`
            E0301 4:18 `{ 0, 1 }` what `d` goes through is a set of times; `{ 0, 1 }` is a set of numbers
              = list times, with their unit: `{ 1 ms, 2 ms }`
        "#]],
    );
}

#[test]
fn delays() {
    let network = |inside: &str| {
        format!("message M\nnode A {{ on M {{ }} }}\nnetwork complete {{ {inside} }}\n")
    };
    check(
        &network("delivery within 20 ms .. 1 ms"),
        expect![[r#"
            E0420 3:36 `20 ms .. 1 ms` a message would travel for 20 ms to 1 ms: the first end is the larger one
        "#]],
    );
    check(
        &network("delivery within -1 ms .. 1 ms"),
        expect![[r#"
            E0420 3:36 `-1 ms .. 1 ms` a message would travel for -1 ms, which is less than no time
        "#]],
    );
    check(
        &network("delivery within 3 ms; delivery before next activation"),
        expect![[r#"
            E0417 3:42 `delivery before next activation` a network says once how messages travel
              3: said here already
        "#]],
    );
    check(
        "message M\nnode A { on M { } }\nnetwork complete { delivery within 3 }\nlet t = 3 ms",
        expect![[r#"
            E0320 3:36 `3` a delay is a time; `3` is a plain number
              = write its unit, as elsewhere in this file: `3 ms`
        "#]],
    );
    check(
        "message M\nnode A { var x: Bool = false\non M when x { } }\n\
         network complete { delivery before next activation }\n\
         world W { network complete { delivery within 1 ms .. 2 ms } }\n\
         claim c: always true\ncheck c in W",
        expect![[r#"
            E0422 3:11 `x` a message that has to be handed over in time cannot wait for a condition
              4: in this network it is handed over before the next activation of its sender
              = put the condition inside the block: `if … { … }`; what comes too early is kept in a variable
            E0422 3:11 `x` a message that has to be handed over in time cannot wait for a condition
              5: in this network it is handed over within a time
              = put the condition inside the block: `if … { … }`; what comes too early is kept in a variable
        "#]],
    );
    check(
        "message M\nnode A { on M { } }\nnetwork complete { channel fifo }\nfaults any nodes: stop any time, restart fresh within 2 ms .. 1 ms",
        expect![[r#"
            E0420 4:55 `2 ms .. 1 ms` the node would be stopped for 2 ms to 1 ms: the first end is the larger one
        "#]],
    );
}

#[test]
fn faults_in_the_run() {
    faults(
        "any nodes: crash any time, restart fresh",
        expect![[r#"
        E0425 2:19 `crash` `restart` belongs to `stop`, not to `crash`
          = a node that crashes is gone for good; for one that comes back write `stop any time, restart …`
    "#]],
    );
    faults(
        "any nodes: stop any time",
        expect![[r#"
        E0425 2:19 `stop` a node that stops comes back, and nothing says how
          = write `stop any time, restart fresh`, with first values, or `restart keeping state`
          = for a node that never comes back write `crash any time`
    "#]],
    );
    faults(
        "any nodes: stop any time, during broadcast, restart fresh",
        expect![[r#"
            E0425 2:19 `stop` `during broadcast` belongs to `crash`, not to `stop`
              = write it behind `crash`: `crash any time, during broadcast`; a node that stops does so between events
        "#]],
    );
    faults(
        "any nodes: off from start, restart fresh",
        expect![[r#"
        E0425 2:19 `off` `restart` belongs to `stop`, not to `off`
          = for a node that ends and comes back write `stop any time, restart …`
    "#]],
    );
    faults(
        "any nodes: mute, during broadcast, crash any time",
        expect![[r#"
            E0900 2:19 `mute` `mute any time`: not in this version
        "#]],
    );
    faults(
        "any nodes: off from start, crash any time",
        expect![[r#"
        E0421 2:35 `crash` a list of faults is `from start` or `any time`, not both
          = write two `faults` lines: they add up
    "#]],
    );
    faults(
        "any nodes: crash, crash any time",
        expect![[r#"
        E0425 2:26 `crash` `crash` stands twice in this list
    "#]],
    );
    faults(
        "any nodes: deaf any time",
        expect![[r#"
        E0900 2:19 `deaf` `deaf any time`: not in this version
    "#]],
    );
    faults(
        "any nodes: off any time",
        expect![[r#"
        E0421 2:19 `off` a node is `off` from the start or not at all
          = for a node that ends in the run write `crash any time`
    "#]],
    );
    faults(
        "any nodes: crash",
        expect![[r#"
        E0421 2:19 `crash` `crash` does not say when
          = write `from start` or `any time` behind the list
    "#]],
    );
    faults(
        "at most 1 node: stop any time, restart fresh within 5",
        expect![[r#"
            E0320 2:60 `5` how long a node is stopped is a time; `5` is a plain number
              = write its unit, as elsewhere in this file: `5 ms`
        "#]],
    );
}
