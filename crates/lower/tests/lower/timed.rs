//! Machines with delays, timers, faults during the run, `now` and deadlines.

use super::Text;
use expect_test::{Expect, expect};
use model::Constant;

const AGREEMENT: &str = include_str!("../../../syntax/tests/data/agreement.scrut");
const POLLING: &str = include_str!("../../../syntax/tests/data/polling.scrut");

/// Compares the Machine of a check, printed without origins, with `expected`.
#[track_caller]
fn machine(text: &str, check: usize, expected: Expect) {
    let text = Text::new(text);
    let shown = text.first(check).machine.to_string();
    let shown = shown.lines().map(|line| {
        let words = line.split(' ').filter(|word| !word.starts_with('@'));
        format!("{}\n", words.collect::<Vec<_>>().join(" "))
    });
    expected.assert_eq(&shown.collect::<String>());
}

/// Compares the lines of the Machine of a check that contain one of these words with `expected`.
#[track_caller]
fn lines(text: &str, check: usize, words: &[&str], expected: Expect) {
    let text = Text::new(text);
    let shown = text.first(check).machine.to_string();
    let plain = shown.lines().map(|line| {
        let words = line.split(' ').filter(|word| !word.starts_with('@'));
        words.collect::<Vec<_>>().join(" ")
    });
    let wanted = plain.filter(|line| words.iter().any(|word| line.contains(word)));
    let wanted: Vec<String> = wanted.map(|line| format!("{}\n", line.trim())).collect();
    expected.assert_eq(&wanted.concat());
}

#[track_caller]
fn refused(text: &str, expected: Expect) {
    let text = Text::new(text);
    let requests = text.instances(0, &[]).unwrap_or_else(|e| panic!("{e}"));
    let shown = text.lower(&requests[0]).expect_err("this is wrong");
    expected.assert_eq(&shown);
}

#[test]
fn agreement() {
    machine(
        AGREEMENT,
        0,
        expect![[r#"
        (message Alive)
        (message Round (r (int 0 6)))
        (kind Proc 3)
        (edges (1 2) (1 3) (2 1) (2 3) (3 1) (3 2))
        (channel unordered)
        (delay 0 1)
        (runtime-fault at-most 1 crash-during)
        (var Proc input (int 0 1) any)
        (var Proc r (int 0 6) (is 0))
        (var Proc decision (option (int 0 1)) (is (none (int 0 0))))
        (var Proc got (array (int 0 6) (set node)) (is (fill (int 0 6) (set node))))
        (var Proc fresh (set node) (is (set node)))
        (var Proc missed (array node (int -1 4)) (is (fill node (neg 1))))
        (var Proc gone (set node) (is (set node)))
        (block Proc "on Alive"
          (on Alive)
          (locals (self node) (message (record Alive)) (s node))
          (:= fresh (union (var fresh self) (set node s))))
        (block Proc "on Round"
          (on Round)
          (locals (self node) (m (record Round)) (s node))
          (:=
            (got (index (int 0 6) (field Round r m)))
            (union (index (int 0 6) (var got self) (field Round r m)) (set node s))))
        (block Proc "every 1 .. 2"
          (every 1 2 (first 0 0))
          (locals (self node) (j node) (q (int 0 6)) (v (int 0 1)) (j.2 node))
          (send (new Alive) (neighbours self))
          (for j
            (minus (nodes Proc) (set node self))
            (:=
              (missed (index node j))
              (min (+ (index node (var missed self) j) 1) (+ 3 1)))
            (if
              (in j (var fresh self))
              (do (:= (missed (index node j)) 0))
              (do
                (if
                  (= (index node (var missed self) j) (+ 3 1))
                  (do (:= gone (union (var gone self) (set node j))))))))
          (:= fresh (set node))
          (if
            (and (= (var r self) 0) (= (var input self) 1))
            (do
              (let q 0)
              (send (new Round q) (neighbours self))
              (:=
                (got (index (int 0 6) q))
                (union (index (int 0 6) (var got self) q) (set node self)))
              (:= r 1))
            (do
              (if
                (= (var r self) 0)
                (do
                  (let q 1)
                  (send (new Round q) (neighbours self))
                  (:=
                    (got (index (int 0 6) q))
                    (union (index (int 0 6) (var got self) q) (set node self)))
                  (let v 0)
                  (:= decision (some v))
                  (halt))
                (do
                  (if
                    (!= (index (int 0 6) (var got self) (var r self)) (set node))
                    (do
                      (let q (var r self))
                      (send (new Round q) (neighbours self))
                      (:=
                        (got (index (int 0 6) q))
                        (union (index (int 0 6) (var got self) q) (set node self)))
                      (:= r (+ (var r self) 1)))
                    (do
                      (if
                        (all j.2
                          (nodes Proc)
                          (or
                            (in j.2 (var gone self))
                            (in j.2
                              (index (int 0 6) (var got self) (- (var r self) 1)))))
                        (do
                          (let q (within (int 0 6) (+ (var r self) 1)))
                          (send (new Round q) (neighbours self))
                          (:=
                            (got (index (int 0 6) q))
                            (union (index (int 0 6) (var got self) q) (set node self)))
                          (let v (mod (var r self) 2))
                          (:= decision (some v))
                          (halt))))))))))
        (claim agreement
          (locals (i node) (j node))
          (always
            (state
              (all i
                (nodes Proc)
                (all j
                  (nodes Proc)
                  (implies
                    (and
                      (!= (var decision i) (none (int 0 0)))
                      (!= (var decision j) (none (int 0 0))))
                    (= (var decision i) (var decision j))))))))
        (claim validity
          (locals (i node) (j node))
          (always
            (state
              (all i
                (nodes Proc)
                (implies
                  (!= (var decision i) (none (int 0 0)))
                  (exists j (nodes Proc) (= (var decision i) (some (var input j)))))))))
        (claim "in_time(14)"
          (locals (i node))
          (always
            (state
              (implies
                (exists i (nodes Proc) (and (not (halted i)) (not (crashed i))))
                (now <= 14)))))
    "#]],
    );
    let text = Text::new(AGREEMENT);
    let request = &text.instances(1, &[]).unwrap()[0];
    let asked = request.with(&text.model, &[Constant::Int(7)]).unwrap();
    let machine = text.lower(&asked).unwrap().machine;
    let property = machine.properties[0].name.as_str();
    assert_eq!(property, "in_time(7)");
    assert!(machine.has_time());
}

#[test]
fn polling() {
    machine(
        POLLING,
        1,
        expect![[r#"
        (message Ask (seq (int 0 1)))
        (message Reply (seq (int 0 1)) (value (int 0 3)))
        (kind Controller 1)
        (kind Sensor 1)
        (edges (1 2) (2 1))
        (channel unordered)
        (delay 1 20)
        (lose at-most 3)
        (runtime-fault at-most 1 of Sensor (stop fresh 0 50))
        (timer Controller retry)
        (var Controller seq (int 0 1) (is 0))
        (var Controller left (int 0 3) (is 3))
        (var Controller shown (option (int 0 3)) (is (none (int 0 0))))
        (persistent Sensor reading (int 0 3) any)
        (block Controller start start
          (send (new Ask (var seq self)) (nodes Sensor))
          (set-timer retry (time 90) (time 110)))
        (block Controller "on Reply"
          (on Reply)
          (locals (self node) (r (record Reply)) (sender node))
          (if
            (= (field Reply seq r) (var seq self))
            (do
              (cancel-timer retry)
              (:= shown (some (field Reply value r)))
              (:= seq (- 1 (var seq self)))
              (:= left 3)
              (send (new Ask (var seq self)) (nodes Sensor))
              (set-timer retry (time 90) (time 110)))))
        (block Controller "on retry"
          (timer retry)
          (if (= (var left self) 0) (do (:= shown (none (int 0 0))) (halt)))
          (:= left (- (var left self) 1))
          (send (new Ask (var seq self)) (nodes Sensor))
          (set-timer retry (time 90) (time 110)))
        (block Sensor "on Ask"
          (on Ask)
          (locals (self node) (a (record Ask)) (c node) (v (int 0 3)))
          (choose v (.. 0 3))
          (:= reading v)
          (send (new Reply (field Ask seq a) v) c))
        (response
          (= (var left (node 1)) 0)
          (or (halted (node 1)) (= (var left (node 1)) 3))
          130)
        (claim gives_up_late (always (state (implies (halted (node 1)) (now >= 360)))))
        (claim answered (always (state (not (overdue 0)))))
    "#]],
    );
    let text = Text::new(POLLING);
    expect!["start, on Reply, on retry, on Ask"].assert_eq(&text.first(1).labels.blocks.join(", "));
}

#[test]
fn delays() {
    let model = |delivery: &str| {
        format!(
            "param d: Duration = 5\nmessage M\nnode A {{ start {{ send M to B }} }}\nnode B {{ on M {{ }} }}\n\
             network complete {{ {delivery} }}\nclaim c: always true\ncheck c for d = 3"
        )
    };
    let words = &["delay", "channel", "deliver"];
    lines(
        &model("delivery within d .. 2 * d"),
        0,
        words,
        expect![[r#"
        (channel unordered)
        (delay 3 6)
    "#]],
    );
    lines(
        &model("delivery within 0.5 .. d, fifo"),
        0,
        words,
        expect![[r#"
            (channel fifo)
            (delay 1/2 3)
        "#]],
    );
    lines(
        &model("delivery before next activation"),
        0,
        words,
        expect![[r#"
            (channel unordered)
            (delay before-next)
        "#]],
    );
    refused(
        &model("delivery within 4 .. d"),
        expect![[r#"
        E0420 5: `4 .. d` with these parameters a message would travel for 4 to 3: the first end is the larger one
    "#]],
    );
    refused(
        &model("delivery within d - 4 .. d"),
        expect![[r#"
        E0420 5: `d - 4 .. d` with these parameters a message would travel for -1, which is less than no time
    "#]],
    );
}

#[test]
fn times_of_timers() {
    let model = |interval: &str| {
        format!(
            "param k: 0..9 = 2\nenum E {{ X, Y }}\nlet base = 2 * k * 1 ms\n\
             fn longer(i: 0..3, by: Duration): Duration = i * by + base\n\
             node A {{ var left: 0..3 = 3; var e: E = X; timer t; timer l[Node]\n\
             start {{ {interval} }} }}\nclaim c: always true\ncheck c"
        )
    };
    let set = |interval: &str, expected: Expect| {
        let machine = Text::new(&model(interval)).first(0).machine.to_string();
        let begin = machine.find("(block A start").expect("a block");
        let block = &machine[begin..];
        let end = block[1..].find("(block").map_or(block.len(), |end| end + 1);
        let words = block[..end].split_whitespace();
        let words: Vec<&str> = words
            .map(|word| word.trim_start_matches('('))
            .zip(block[..end].split_whitespace())
            .filter(|(bare, _)| !bare.starts_with('@'))
            .map(|(_, word)| word)
            .collect();
        expected.assert_eq(&words.join(" "));
    };
    set(
        "set t in base",
        expect!["(block A start start (set-timer t (time 4) (time 4)))"],
    );
    set(
        "set t in left * 10 ms .. left * 12 ms + base",
        expect![
            "(block A start start (set-timer t (time 0 (var left self) 10)) (time 4 (var left self) 12))))"
        ],
    );
    set(
        "set t in (left + 1) * base / 4 .. left * left * 10 ms",
        expect![
            "(block A start start (set-timer t (time 0 (+ (var left self) 1) 1)) (time 0 (* (var left self) (var left self)) 10))))"
        ],
    );
    set(
        "set t in if left > 1 then left * 1 ms else 3 ms .. 10 ms",
        expect![
            "(block A start start (set-timer t (time 0 ((if (> (var left self) 1) (var left self) 0) 1) ((if (> (var left self) 1) 0 1) 3)) (time 0 ((if (> (var left self) 1) (var left self) 0) 1) ((if (> (var left self) 1) 0 1) 10))))"
        ],
    );
    set(
        "set t in (if left > 1 then 1 ms else 2 ms) ± 1 %",
        expect![
            "(block A start start (set-timer t (time 0 ((if (> (var left self) 1) 1 0) 1) ((if (> (var left self) 1) 0 1) 2) ((if (> (var left self) 1) 1 0) -1/100) ((if (> (var left self) 1) 0 1) -1/50)) (time 0 ((if (> (var left self) 1) 1 0) 1) ((if (> (var left self) 1) 0 1) 2) ((if (> (var left self) 1) 1 0) 1/100) ((if (> (var left self) 1) 0 1) 1/50))))"
        ],
    );
    set(
        "set t in match e { X => 1 ms, Y => left * 3 ms } .. 9 ms",
        expect![
            "(block A start start (locals (self node) (e (enum E))) (set-timer t (time 0 ((let e (var e self) (if (= e (name E X)) 0 (var left self))) 3) ((let e (var e self) (if (= e (name E X)) 1 0)) 1)) (time 9)))"
        ],
    );
    set(
        "set t in min(left * 1 ms, 2.5 ms) .. max(left * 1 ms, base)",
        expect![
            "(block A start start (set-timer t (time 0 ((if (<= (* (var left self) 2) 5) (var left self) 0) 1) ((if (<= (* (var left self) 2) 5) 0 1) 5/2)) (time 0 ((if (>= (var left self) 4) (var left self) 0) 1) ((if (>= (var left self) 4) 0 1) 4))))"
        ],
    );
    set(
        "set t in longer(left, 3 ms)",
        expect![
            "(block A start start (locals (self node) (i (int 0 3))) (set-timer t (time 4 ((let i (var left self) i) 3)) (time 4 ((let i (var left self) i) 3))))"
        ],
    );
    set(
        "let x = left * 2 ms; left = 0; set t in x .. x + 1 ms",
        expect![
            "(block A start start (locals (self node) (x (int 0 3))) (let x (var left self)) (:= left 0) (set-timer t (time 0 (x 2)) (time 1 (x 2))))"
        ],
    );
    set(
        "set l[self] in 1 ms; cancel l[self]; cancel t",
        expect![
            "(block A start start (set-timer l (time 1) (time 1) self) (cancel-timer l self) (cancel-timer t))"
        ],
    );
    lines(
        &model("if left * 2 ms > 5 ms and t is set { left = floor((left * 2 ms + 1 ms) / 3 ms) }"),
        0,
        &["if", "(>", "floor", "timer", "set"],
        expect![[r#"
            (channel fifo)
            (timer A t)
            (timer A l per-node)
            (if
            (and (> (* (var left self) 2) 5) (timer-set t self))
            (do (:= left (floor (+ (* (var left self) 2) 1) 3)))))
            (block A "on t" (timer t))
            (block A "on l" (timer l per-node))
        "#]],
    );
    refused(
        &model("set t in 1 ms / left"),
        expect![[r#"
        E0900 6: `left` dividing a time by a number that varies: not in this version
    "#]],
    );
    refused(
        &model("set t in base .. 3 ms"),
        expect![[r#"
        E0420 6: `base .. 3 ms` with these parameters the timer would run for 4 ms to 3 ms: the first end is the larger one
    "#]],
    );
    refused(
        &model("set t in base - 5 ms .. left * 1 ms"),
        expect![[r#"
        E0420 6: `base - 5 ms .. left * 1 ms` with these parameters the timer would run for -1 ms, which is less than no time
    "#]],
    );
}

#[test]
fn what_claims_ask() {
    let model = |claim: &str| {
        format!(
            "param d: Duration = 5\nlet late = now > d\nfn before(u: Duration): Bool = now < u\n\
             node A[2] {{ var x: 0..3 = 0; timer t; timer l[Node] }}\n\
             faults at most 1 node: crash any time\nclaim c: {claim}\ncheck c"
        )
    };
    let asked = |claim: &str, expected: Expect| {
        let text = Text::new(&model(claim));
        let machine = text.first(0).machine.to_string();
        let begin = machine
            .find("(claim")
            .or(machine.find("(property"))
            .unwrap_or(0);
        let responses = machine.find("(respon").unwrap_or(begin).min(begin);
        let shown = machine[responses..].lines().map(|line| {
            let words = line.split(' ').filter(|word| !word.starts_with('@'));
            format!("{}\n", words.collect::<Vec<_>>().join(" "))
        });
        expected.assert_eq(&shown.collect::<String>());
    };
    asked(
        "always (late or before(d + 1) or 7 >= now or now == 0)",
        expect![[r#"
            (claim c
              (always
                (state (or (or (or (now > 5) (now < 6)) (now <= 7)) (now = 0)))))
        "#]],
    );
    asked(
        "always (all k in A: k.crashed or k.stopped or k.faultless or k.t is set or k.l[k] is set)",
        expect![[r#"
            (claim c
              (locals (k node))
              (always
                (state
                  (all k
                    (nodes A)
                    (or
                      (or (or (or (crashed k) (stopped k)) (faultless k)) (timer-set t k))
                      (timer-set l k k))))))
        "#]],
    );
    asked(
        "all k in A: always (k.x == 1 leads to k.x == 2 within d)",
        expect![[r#"
            (response (= (var x (node 1)) 1) (= (var x (node 1)) 2) 5)
            (response (= (var x (node 2)) 1) (= (var x (node 2)) 2) 5)
            (claim c (always (state (and (not (overdue 0)) (not (overdue 1))))))
        "#]],
    );
    asked(
        "always ((all k in { j in A: not j.off }: (k.x == 1 leads to k.x == 2 within d)) and late)",
        expect![[r#"
            (response (= (var x (node 1)) 1) (= (var x (node 1)) 2) 5)
            (response (= (var x (node 2)) 1) (= (var x (node 2)) 2) 5)
            (claim c
              (locals (j node))
              (always
                (state
                  (and
                    (and
                      (implies
                        (in (node 1) (filter j (nodes A) (not (fault off j))))
                        (not (overdue 0)))
                      (implies
                        (in (node 2) (filter j (nodes A) (not (fault off j))))
                        (not (overdue 1))))
                    (now > 5)))))
        "#]],
    );
    asked(
        "(all i in 1..2: (exists k in A: k.x == i) leads to (all k in A: k.x > i) within 2 * d) and eventually late",
        expect![[r#"
            (response
              (locals (k node) (k.2 node))
              (exists k (nodes A) (= (var x k) 1))
              (all k.2 (nodes A) (> (var x k.2) 1))
              10)
            (response
              (locals (k node) (k.2 node))
              (exists k (nodes A) (= (var x k) 2))
              (all k.2 (nodes A) (> (var x k.2) 2))
              10)
            (claim c
              (and
                (always (state (and (not (overdue 0)) (not (overdue 1)))))
                (eventually (state (now > 5)))))
        "#]],
    );
}

#[test]
fn what_cannot_be() {
    let round = |rest: &str, check: &str| {
        format!(
            "message M\nnode A[2] {{ every round {{ broadcast M }}\non M {{ }}\n{rest} }}\n\
             network complete {{ channel fifo }}\n\
             world Delayed {{ network complete {{ delivery within 1 .. 2 }} }}\n\
             world Stopping {{ faults any nodes: stop any time, restart fresh within 1 .. 2 }}\n\
             world Twice {{ faults any nodes: stop any time, restart fresh; faults at most 1 A: stop any time, restart fresh }}\n\
             world Broken {{ faults any nodes: crash any time, during broadcast }}\n\
             claim c: always true\nclaim t: always (now <= 5)\n\
             claim w: always (false leads to true within 5)\n\
             claim s: always (all k in A: k.sent(M) <= 2)\n{check}"
        )
    };
    refused(
        &round("", "check c in Delayed"),
        expect![[r#"
        E0518 2: `every round` in one check there are rounds or real times; here are rounds
    "#]],
    );
    refused(
        &round("", "check c in Stopping"),
        expect![[r#"
        E0518 2: `every round` in one check there are rounds or real times; here are rounds
    "#]],
    );
    refused(
        &round("", "check t"),
        expect![[r#"
        E0518 2: `every round` in one check there are rounds or real times; here are rounds
    "#]],
    );
    refused(
        &round("", "check w"),
        expect![[r#"
        E0518 2: `every round` in one check there are rounds or real times; here are rounds
    "#]],
    );
    refused(
        &round("timer t", "check c"),
        expect![[r#"
        E0518 2: `every round` in one check there are rounds or real times; here are rounds
    "#]],
    );
    refused(
        &round("", "check c in Twice"),
        expect![[r#"
        E0900 8: `faults at most 1 A: stop any time, restart fresh` two `faults` lines with `stop` for the same nodes: not in this version
    "#]],
    );
    refused(
        &round("", "check s in Broken"),
        expect![[r#"
        E0900 14: `check s in Broken` `sent(M)` of nodes that may crash during a broadcast: not in this version
    "#]],
    );
    refused(
        "node A { }\nvariant V of A { timer t }\nclaim c: always (A.t is set)\ncheck c",
        expect![[r#"
            E0511 3: `(A.t is set)` in this check the nodes of `A` have no `t`
        "#]],
    );
}
