//! Results of the parser: precedence, line breaks, braces, and words that are keywords in some contexts only.

use crate::text;

use expect_test::{Expect, expect};
use text::compact;

/// Parses an expression, which must have no errors, and compares its compact form with `expected`.
fn reads(expression: &str, expected: &str) {
    let model = format!("let it = {expression}\n");
    let parsed = text::parse(&model);
    let said = text::messages(&model, &parsed.diagnostics);
    assert!(said.is_empty(), "{expression}\n{said}");
    let shown = compact::file(&parsed.file);
    let shown = shown.trim_end().strip_prefix("(let it ").unwrap();
    assert_eq!(shown.strip_suffix(')').unwrap(), expected, "{expression}");
}

/// Parses a file, which must have no errors, and compares its compact form with `expected`.
fn file_reads(model: &str, expected: Expect) {
    let parsed = text::parse(model);
    let said = text::messages(model, &parsed.diagnostics);
    assert!(said.is_empty(), "{model}\n{said}");
    expected.assert_eq(&compact::file(&parsed.file));
}

#[test]
fn operators_bind_by_precedence() {
    for (text, reading) in [
        ("a + b * c", "(+ a (* b c))"),
        ("a - b - c", "(- (- a b) c)"),
        ("-a.b * c", "(* (neg (. a b)) c)"),
        ("- a + b", "(+ (neg a) b)"),
        ("a mod 2 == 0", "(== (mod a 2) 0)"),
        ("a .. b + 1", "(.. a (+ b 1))"),
        ("x in 1..3 union s", "(in x (union (.. 1 3) s))"),
        ("a union b minus c", "(minus (union a b) c)"),
        ("a union b subset c", "(subset (union a b) c)"),
        ("not a == b", "(not (== a b))"),
        ("not a and b", "(and (not a) b)"),
        ("not not a", "(not (not a))"),
        ("a and b or c and d", "(or (and a b) (and c d))"),
        ("a or b until c or d", "(until (or a b) (or c d))"),
        ("a implies b implies c", "(implies a (implies b c))"),
        ("a until b implies c", "(implies (until a b) c)"),
        ("a implies b leads to c", "(leads-to (implies a b) c)"),
        ("p leads to q within 3 ms", "(leads-to p q within=3ms)"),
        ("p leads to q within x + y", "(leads-to p q within=(+ x y))"),
        ("always p implies q", "(always (implies p q))"),
        ("p and always q or r", "(and p (always (or q r)))"),
        ("always eventually p", "(always (eventually p))"),
        ("all k in S: p and q", "(all [k] S (and p q))"),
        (
            "r or all k in S: p implies q",
            "(or r (all [k] S (implies p q)))",
        ),
        (
            "all i, j in A union B: i != j",
            "(all [i j] (union A B) (!= i j))",
        ),
        ("a is r and r > 3", "(and (is a r) (> r 3))"),
        ("t is set", "(is t set)"),
        ("a[i].b(j)[k]", "([] (.b! ([] a i) j) k)"),
        ("k.sent(M) <= 1", "(<= (.sent! k M) 1)"),
        ("max(a, b) + max x in S: x", "(+ (max! a b) (max [x] S x))"),
        (
            "a union union m in S: m.t",
            "(union a (union [m] S (. m t)))",
        ),
        (
            "{ a } intersect intersect m in S: m",
            "(intersect {a} (intersect [m] S m))",
        ),
        ("max union min", "(union max min)"),
        ("count k in S: k.x == 1", "(count [k] S (== (. k x) 1))"),
        ("largest k in S by k.id", "(largest k S (. k id))"),
        ("if a then b else c + 1", "(if a b (+ c 1))"),
        ("{}", "{}"),
        ("{ a, b, }", "{a b}"),
        ("{ x in S: x > 1 }", "{x in S: (> x 1)}"),
        ("{ x in S union T: x }", "{x in (union S T): x}"),
        ("{ x in S and y, z }", "{(and (in x S) y) z}"),
        ("M { a: 1, b: x }", "M{a:1 b:x}"),
        ("any in 0..12", "(any-in (.. 0 12))"),
        ("30 s ± 1 %", "(± 30s 1 1/100)"),
        ("30 s ± 100 ppm", "(± 30s 100 1/1000000)"),
        ("± x", "(± _ x)"),
        ("0.5 ms", "1/2ms"),
        ("3 min", "3min"),
        ("(1..6)", "<(.. 1 6)>"),
        ("match x { A => 1, B => 2 }", "(match x [A 1] [B 2])"),
        (
            "first + period + next + line + ring",
            "(+ (+ (+ (+ first period) next) line) ring)",
        ),
        (
            "set + send + timer + on + every",
            "(+ (+ (+ (+ set send) timer) on) every)",
        ),
    ] {
        reads(text, reading);
    }
}

#[test]
fn lines_end_statements() {
    for (body, reading) in [
        ("a = 1\nb = 2", "{(= a 1) (= b 2)}"),
        ("a = 1; b = 2;", "{(= a 1) (= b 2)}"),
        ("a =\n1", "{(= a 1)}"),
        ("a = 1 +\n 2", "{(= a (+ 1 2))}"),
        ("a = 1\n + 2", "{(= a (+ 1 2))}"),
        ("a = b\n and c", "{(= a (and b c))}"),
        ("a = b\n union c", "{(= a (union b c))}"),
        ("a = (b\n - c)", "{(= a <(- b c)>)}"),
        ("a = b\n .c", "{(= a (. b c))}"),
        ("a = f(b,\n c\n)", "{(= a (f! b c))}"),
        ("a = {\n b,\n c\n}", "{(= a {b c})}"),
        ("a = M {\n b: 1,\n c: 2,\n}", "{(= a M{b:1 c:2})}"),
        ("a = 3\ns = 4", "{(= a 3) (= s 4)}"),
        (
            "if a\n{ b = 1 }\nelse\n{ b = 2 }",
            "{(if a {(= b 1)} else {(= b 2)})}",
        ),
        (
            "if a { b = 1 }\nelse if c { b = 2 }",
            "{(if a {(= b 1)} else {(if c {(= b 2)})})}",
        ),
        ("if a == M { halt }", "{(if (== a M) {(halt)})}"),
        (
            "if (a == M { x: 1 }) { halt }",
            "{(if <(== a M{x:1})> {(halt)})}",
        ),
        (
            "for j in S minus { self } { f(j) }",
            "{(for j (minus S {self}) {(f! j)})}",
        ),
        ("if x in { a } { halt }", "{(if (in x {a}) {(halt)})}"),
        (
            "match x {\n A => halt\n B => { y = 1 }\n else => { }\n}",
            "{(match x [A {(halt)}] [B {(= y 1)}] [_ {}])}",
        ),
        (
            "send m to next\nsend M { a: 1 } to k",
            "{(send m next) (send M{a:1} k)}",
        ),
        (
            "set t in 1 ms .. 2 ms\nset u[j] in 5",
            "{(set t (.. 1ms 2ms)) (set ([] u j) 5)}",
        ),
        (
            "set = 1\nsend = 2\nhalt = 3",
            "{(= set 1) (= send 2) (= halt 3)}",
        ),
        ("x[i].y = 1", "{(= (. ([] x i) y) 1)}"),
        (
            "cancel t\nclear inbox\nassert a == b\nf()",
            "{(cancel t) (clear) (assert (== a b)) (f! )}",
        ),
        (
            "choose v in 0..3 // why\n// comment\nlet w = v",
            "{(choose v (.. 0 3)) (let w v)}",
        ),
    ] {
        let model = format!("node N {{ start {{\n{body}\n}} }}\n");
        let parsed = text::parse(&model);
        let said = text::messages(&model, &parsed.diagnostics);
        assert!(said.is_empty(), "{body}\n{said}");
        let expected = format!("(node N (start {reading}))\n");
        assert_eq!(compact::file(&parsed.file), expected, "{body}");
    }
}

#[test]
fn minus_parenthesis_and_bracket_begin_a_line_of_their_own() {
    for line in ["- b", "(b)", "[b]"] {
        let model = format!("node N {{ start {{\na = c\n{line}\n}} }}\n");
        let parsed = text::parse(&model);
        let shown = compact::file(&parsed.file);
        assert!(shown.contains("(= a c)"), "{shown}");
        assert_eq!(parsed.diagnostics.len(), 1, "{line}");
    }
}

#[test]
fn items() {
    file_reads(
        "param n = 3\nparam x: Duration = 0.5 ms\nlet first = smallest k in M by k.id\n\
         fn f(a: 0..3, b: Id): Bool = a == 1\nenum E { A, B }\nstruct S { a: [Set<Node>; 0..n-1] }\n\
         message Alive\nmessage M { o: Option<-1..n>,\n  i: Id }\ntiming t: round\ntiming u: round(2)\n\
         timing v: 30 s ± 1 %, first 0 s\ninitially n == 3\n",
        expect![[r#"
            (param n 3)
            (param x:Duration 1/2ms)
            (let first (smallest k M (. k id)))
            (fn f(a:0..3 b:Id):Bool (== a 1))
            (enum E A B)
            (struct S a:[Set<Node>; 0..(- n 1)])
            (message Alive )
            (message M o:Option<(neg 1)..n> i:Id)
            (timing t round)
            (timing u round2)
            (timing v gap (± 30s 1 1/100) first=0s)
            (initially (== n 3))
        "#]],
    );
}

#[test]
fn parts_of_nodes() {
    file_reads(
        "node N[2 * n] {\n id: Id; c: 0..3\n var x: 0..3 = any in 1..2\n persistent var y: Bool = true\n\
         ghost var z: Counter = 0\n timer t\n timer u[Node]\n on M as m from s when m.x == 1 { }\n\
         on u[j] { }\n every a .. b fixed, jitter ± j on the grid, first 0 ms .. period { }\n\
         when go: not done { halt }\n action f(a: 0..1) { }\n ignore Foo, Bar\n}\n\
         variant V of N { without on M; without every\n without start\n without when go\n without action f\n start { } }\n\
         node O { every any { } }\nnode P { every beat\n { } }\n",
        expect![[r#"
            (node N n=(* 2 n) (const id:Id) (const c:0..3) (var x:0..3 (any-in (.. 1 2))) (persistent var y:Bool true) (ghost var z:Counter 0) (timer t) (timer u over=Node) (on M as=m from=s when=(== (. m x) 1) {}) (on u index=j {}) (every gap (.. a b) fixed jitter=(± _ j)/grid first=(.. 0ms period) {}) (when go g=(not done) {(halt)}) (action f(a:0..1) {}) (ignore Foo) (ignore Bar))
            (variant V of N (without on M) (without every ) (without start) (without when go) (without action f) (start {}))
            (node O (every any {}))
            (node P (every named:beat {}))
        "#]],
    );
}

#[test]
fn networks_and_faults() {
    file_reads(
        "network ring { channel fifo(1); to self }\nnetwork grid(2, 3) { channel unordered }\nnetwork edges(1 - 2, n to 3) { }\n\
         network graphs where (all k in M: distance(first, k) < K) { delivery before next activation, fifo }\n\
         network complete {\n delivery within 1 ms .. 2 ms, unordered\n inbox latest per sender, starts with one from each sender\n}\n\
         network star { inbox all, starts with anything }\nnetwork line { inbox all, starts empty }\n\
         faults at most p - 1 nodes: off from start\nfaults any nodes: off, isolated, mute from start\n\
         faults at most f nodes: crash any time, during broadcast\n\
         faults at most 1 Sensor: stop any time, restart fresh within 0 ms .. 50 ms\n\
         faults at most 1 node: stop any time, restart keeping state\n\
         faults lose at most 3 messages\nfaults repeat any messages of M\nfaults none\n",
        expect![[r#"
            (network ring() (fifo c=1) (to-self))
            (network grid(2 3) (unordered))
            (network edges((- 1 2) n to=3) )
            (network graphs() where=<(all [k] M (< (distance! first k) K))> (before-next Some(true)))
            (network complete() (within (.. 1ms 2ms) Some(false)) (inbox latest OneFromEachSender))
            (network star() (inbox all Anything))
            (network line() (inbox all Empty))
            (faults at-most=(- p 1) [off from-start])
            (faults [off, isolated, mute from-start])
            (faults at-most=f [crash any-time during-broadcast])
            (faults at-most=1 kind=Sensor [stop any-time restart=fresh within=(.. 0ms 50ms)])
            (faults at-most=1 [stop any-time restart=keeping])
            (lose at-most=3)
            (repeat of=M)
            (no-faults)
        "#]],
    );
}

#[test]
fn checks() {
    file_reads(
        "check a, b(4),\n c in W with V, X for n in 2..6, f = 1, ids = [3, 1], strangers = 1, line(4), every p, every graph\n\
         \x20 assuming (x in S) and all k in T: k.y\n unfair expect holds, fails for every bound, 47/3 ms\n\
         check possible: exists k in M: k.halted and k.x in W expect impossible\n\
         check least a: c(a), d(a) expect -2, 5 for n = 3\n\
         check greatest w: c(w) for p in 2..3 in Leftovers expect below 0.5 ms\n\
         check c assuming all k in M: k.a == 1 in W expect error\n\
         check first expect above 3\ncheck least expect unknown\n",
        expect![[r#"
            (check a (b! 4) c in=W with=[V, X] for=[n in (.. 2 6), f=1, ids=[3 1], strangers=1, line(4), every p, every graph] assuming=(and <(in x S)> (all [k] T (. k y))) unfair expect=[holds, fails-for-every-bound, 47/3ms])
            (check possible (exists [k] M (and (. k halted) (. k x))) in=W expect=[impossible])
            (check least a: (c! a) (d! a) for=[n=3] expect=[-2, 5])
            (check greatest w: (c! w) in=Leftovers for=[p in (.. 2 3)] expect=[below 1/2ms])
            (check c in=W assuming=(all [k] M (== (. k a) 1)) expect=[error])
            (check first expect=[above 3])
            (check least expect=[unknown])
        "#]],
    );
}
