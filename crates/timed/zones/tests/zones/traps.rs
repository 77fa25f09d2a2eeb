//! Machines on which a zone graph with a plausible mistake gives wrong answers, each with its true answers.

use machine::Machine;
use verdict::{Answer, Question, StateLimited, Unlimited};

/// A Machine with the answers to its properties, in their order.
pub struct Trap {
    pub name: &'static str,
    pub text: &'static str,
    pub answers: &'static [&'static str],
}

/// The kind of an answer.
pub fn kind(answer: &Answer) -> &'static str {
    match answer {
        Answer::Holds => "holds",
        Answer::Fails(_) => "fails",
        Answer::Possible(_) => "possible",
        Answer::Impossible => "impossible",
        Answer::Error(_) => "error",
        Answer::Unknown(_) => "unknown",
        Answer::Value(..) | Answer::Time(..) | Answer::NoBound(_) => "value",
    }
}

pub fn parsed(text: &str) -> Machine {
    let machine = machine::parse(text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    machine::verify(&machine).unwrap_or_else(|e| panic!("{e}\n{text}"));
    machine
}

impl Trap {
    /// The wrong answers.
    pub fn check(&self) -> Result<(), String> {
        let machine = parsed(self.text);
        let question = Question {
            machine: &machine,
            fair: false,
        };
        let limited = StateLimited::attempt(&Unlimited, 5_000);
        let report = zones::answer(&question, &limited);
        let report = report.map_err(|why| format!("{}: {why:?}", self.name))?;
        let answers: Vec<&str> = report.answers().map(kind).collect();
        match answers == self.answers {
            true => Ok(()),
            false => Err(format!(
                "{}: {answers:?}, not {:?}: {report:#?}",
                self.name, self.answers
            )),
        }
    }
}

pub const TRAPS: &[Trap] = &[
    Trap {
        name: "a message that is due before its receiver halts, and one that is not",
        text: "(message M) (kind A 1) (kind B 1) (edges (1 2)) (channel unordered) (delay 4 5)
            (timer A t) (timer A w) (timer B a) (timer B b) (var B got bool (is false))
            (block A go start (locals (self node) (k (int 0 1)))
              (choose k (.. 0 1))
              (if (= k 0) (do (set-timer w (time 0) (time 0))) (do (set-timer t (time 3) (time 3)))))
            (block A ring (timer w) (set-timer t (time 0) (time 0)))
            (block A fire (timer t) (send (new M) (neighbours self)))
            (block B gob start (set-timer a (time 3) (time 3)))
            (block B again (timer a) (set-timer b (time 1) (time 1)))
            (block B stop (timer b) (halt))
            (block B take (on M) (:= got true))
            (possible got (var got (node 2)))",
        answers: &["possible"],
    },
    Trap {
        name: "a constant that only the claim has",
        text: "(kind P 1) (block P tick (every 1 1 (first 0 0)))
            (claim c (always (state (now <= 10)))) (possible p (now = 9.5)) (possible q (and (now > 9) (now < 10)))",
        answers: &["fails", "possible", "possible"],
    },
    Trap {
        name: "a timer that is set to longer and longer times",
        text: "(kind P 1) (kind Q 1) (edges (1 2)) (message M) (channel unordered) (delay 0 0)
            (timer P t) (timer Q u) (var P k (int 1 5) (is 1)) (var Q late bool (is false))
            (block P go start (set-timer t (time 0 ((var k self) 1)) (time 0 ((var k self) 1)))
              (send (new M) (neighbours self)))
            (block P ring (timer t)
              (if (< (var k self) 5) (do (:= k (+ (var k self) 1))
                (set-timer t (time 0 ((var k self) 1)) (time 0 ((var k self) 1)))
                (send (new M) (neighbours self)))))
            (block Q take (on M) (set-timer u (time 9/2) (time 9/2)))
            (block Q ringq (timer u) (:= late true))
            (possible late (and (var late (node 2)) (timer-set t (node 1))))
            (claim early (always (state (implies (timer-set t (node 1)) (not (var late (node 2)))))))
            (possible never (and (var late (node 2)) (< (var k (node 1)) 5)))",
        answers: &["possible", "fails", "impossible"],
    },
    Trap {
        name: "a timer that is set to a longer time than at first",
        text: "(kind P 1) (kind Q 1) (timer P t) (timer Q x) (timer Q w) (timer Q u) (var P n (int 0 2) (is 0))
            (block P go start (set-timer t (time 1) (time 1)))
            (block P ring (timer t) (:= n (+ (var n self) 1))
              (if (= (var n self) 1) (do (set-timer t (time 5) (time 5)))))
            (block Q goq start (locals (self node) (k (int 0 1)))
              (choose k (.. 0 1))
              (if (= k 0) (do (set-timer x (time 3) (time 3))) (do (set-timer w (time 3) (time 3)))))
            (block Q ringx (timer x) (set-timer w (time 2) (time 2)))
            (block Q ringw (timer w) (set-timer u (time 2) (time 2)))
            (block Q ringu (timer u))
            (possible a (and (= (var n (node 1)) 2) (timer-set u (node 2))))",
        answers: &["possible"],
    },
    Trap {
        name: "the last moment of a node",
        text: "(kind P 1) (var P n (int 0 2) (is 0))
            (block P tick (every 10 10 (first 0 0)) (:= n (+ (var n self) 1)) (if (= (var n self) 2) (do (halt))))
            (claim a (always (state (or (halted (node 1)) (now <= 10)))))
            (claim b (always (state (or (halted (node 1)) (now < 10)))))
            (possible c (and (halted (node 1)) (now > 1000)))
            (possible d (and (halted (node 1)) (now < 10)))",
        answers: &["holds", "fails", "possible", "impossible"],
    },
    Trap {
        name: "the newest message is not the last to arrive",
        text: LATEST,
        answers: &["fails"],
    },
    Trap {
        name: "a state that lasts for a moment",
        text: "(message M) (kind A 1) (kind B 1) (edges (1 2)) (channel unordered) (delay 1 1)
            (timer B z) (var B x bool (is false))
            (block A go start (send (new M) (neighbours self)))
            (block B take (on M) (:= x true) (set-timer z (time 0) (time 0)))
            (block B clear (timer z) (:= x false))
            (claim c (always (state (not (var x (node 2))))))
            (possible d (and (var x (node 2)) (now > 1)))",
        answers: &["fails", "impossible"],
    },
    Trap {
        name: "a heartbeat and a timer at the same moment",
        text: HEARTBEAT,
        answers: &["fails"],
    },
    Trap {
        name: "a response that a halted node owes",
        text: "(kind P 1) (var P p bool (is false)) (timer P t)
            (block P go start (set-timer t (time 1) (time 2)))
            (block P ring (timer t) (:= p true) (halt))
            (response (var p (node 1)) false 5) (claim c (always (state (not (overdue 0)))))
            (possible late (and (overdue 0) (now <= 6))) (possible first (and (overdue 0) (now < 7)))",
        answers: &["fails", "impossible", "possible"],
    },
    Trap {
        name: "a response that comes too late, and one at the last moment",
        text: "(kind P 1) (kind Q 1) (var P q bool (is false)) (var Q r bool (is false)) (timer P t) (timer Q u)
            (block P go start (set-timer t (time 5) (time 5)))
            (block P ring (timer t) (:= q true))
            (block Q goq start (set-timer u (time 3) (time 3)))
            (block Q ringq (timer u) (:= r true))
            (response true (var q (node 1)) 3) (response true (var r (node 2)) 3)
            (claim a (always (state (not (overdue 0))))) (claim b (always (state (not (overdue 1)))))
            (possible after (and (overdue 0) (var q (node 1))))",
        answers: &["fails", "holds", "possible"],
    },
    Trap {
        name: "constants of more than 32 bits",
        text: "(kind P 1) (var P n (int 0 2) (is 0))
            (block P tick (every 3000000000 5000000001 (first 0 0)) (:= n (min 2 (+ (var n self) 1))))
            (claim a (always (state (implies (= (var n (node 1)) 2) (now >= 3000000000)))))
            (claim b (always (state (implies (= (var n (node 1)) 2) (now > 3000000000)))))
            (claim c (always (state (or (= (var n (node 1)) 2) (now <= 5000000001)))))
            (claim d (always (state (or (= (var n (node 1)) 2) (now <= 5000000000)))))",
        answers: &["holds", "fails", "holds", "fails"],
    },
    Trap {
        name: "constants of more than 64 bits",
        text: "(kind P 1) (block P tick (every 100000000000000000 100000000000000000 (first 0 0)))
            (claim a (always (state (now != 1/1000000))))",
        answers: &["unknown"],
    },
    Trap {
        name: "both orders at one moment, and one order at two",
        text: "(kind P 3) (var P done bool (is false)) (timer P t)
            (block P go start (if (= self (node 3)) (do (set-timer t (time 3) (time 3))) (do (set-timer t (time 2) (time 2)))))
            (block P ring (timer t) (:= done true))
            (possible a (and (var done (node 1)) (not (var done (node 2)))))
            (possible b (and (var done (node 2)) (not (var done (node 1)))))
            (possible c (and (var done (node 3)) (not (var done (node 1)))))",
        answers: &["possible", "possible", "impossible"],
    },
    Trap {
        name: "restarts take time",
        text: "(kind P 1) (persistent P n (int 0 2) (is 0)) (timer P t)
            (runtime-fault at-most 1 (stop fresh 2 3))
            (block P go start (:= n (min 2 (+ (var n self) 1))) (set-timer t (time 1) (time 1)))
            (possible a (and (= (var n (node 1)) 2) (now < 2)))
            (possible b (and (= (var n (node 1)) 2) (now = 2)))
            (possible c (and (= (var n (node 1)) 2) (and (timer-set t (node 1)) (now = 3))))
            (block P ring (timer t))",
        answers: &["impossible", "possible", "possible"],
    },
    Trap {
        name: "first activations after a restart",
        text: "(kind P 1) (var P n (int 0 9) (is 0))
            (runtime-fault at-most 1 (stop fresh 1 1))
            (block P tick (every 5 5 (first 2 2)) (:= n (min 9 (+ (var n self) 1))))
            (possible a (and (= (var n (node 1)) 1) (now < 2)))
            (possible b (and (= (var n (node 1)) 2) (now < 7)))
            (possible c (and (= (var n (node 1)) 0) (and (now > 7) (now < 10))))",
        answers: &["impossible", "impossible", "possible"],
    },
    Trap {
        name: "starts are at time 0",
        text: "(kind P 2) (var P s bool (is false)) (block P go start (:= s true)) (block P tick (every 1 1 (first 0 1)))
            (possible a (and (waiting (node 1)) (now > 0))) (possible b (and (var s (node 2)) (waiting (node 1))))
            (claim c (always (state (implies (not (var s (node 1))) (now = 0)))))",
        answers: &["impossible", "possible", "holds"],
    },
    Trap {
        name: "of two equal messages the first one leaves",
        text: "(message M) (kind A 1) (kind B 1) (edges (1 2)) (channel unordered) (delay 0 5)
            (timer A t) (var A sent (int 0 2) (is 0)) (var B got (int 0 2) (is 0))
            (block A go start (set-timer t (time 0) (time 0)))
            (block A ring (timer t) (send (new M) (neighbours self)) (:= sent (+ (var sent self) 1))
              (if (= (var sent self) 1) (do (set-timer t (time 4) (time 4)))))
            (block B take (on M) (:= got (+ (var got self) 1)))
            (possible a (and (= (var got (node 2)) 1) (now = 9)))
            (possible b (and (= (var got (node 2)) 1) (now > 9)))
            (possible c (and (= (var got (node 2)) 0) (now > 5)))",
        answers: &["possible", "impossible", "impossible"],
    },
    Trap {
        name: "code that causes itself again at the same moment",
        text: "(kind P 1) (timer P t) (block P go start (set-timer t (time 0) (time 0)))
            (block P ring (timer t) (set-timer t (time 0) (time 0)))
            (claim a (always (state (now <= 5)))) (possible b (now = 0))",
        answers: &["unknown", "possible"],
    },
    Trap {
        name: "a claim about whole runs",
        text: "(kind P 1) (var P n bool (is false)) (block P tick (every 1 1 (first 0 0)) (:= n true))
            (claim a (eventually (state (var n (node 1))))) (claim b (always (state (not (var n (node 1))))))",
        answers: &["unknown", "fails"],
    },
    Trap {
        name: "a period that is fixed and not known",
        text: "(kind P 1) (var P n bool (is false)) (block P tick (every 1 2 fixed (first 0 0)) (:= n true))
            (claim b (always (state (not (var n (node 1))))))",
        answers: &["unknown"],
    },
];

const LATEST: &str =
    "(message M (n (int 1 2))) (kind S 1) (kind R 1) (edges (1 2)) (channel unordered) (delay 0 10)
    (inbox latest) (timer S t) (timer R r) (var S n (int 1 2) (is 1)) (var R ok bool (is true))
    (block S go start (set-timer t (time 0) (time 0)))
    (block S ring (timer t) (send (new M (var n self)) (neighbours self))
      (if (= (var n self) 1) (do (:= n 2) (set-timer t (time 1) (time 1)))))
    (block R gor start (set-timer r (time 20) (time 20)))
    (block R read (timer r) (locals (self node) (m (record M)))
      (:= ok (all m (inbox M self) (= (field M n m) 2))))
    (claim c (always (state (var ok (node 2)))))";

const HEARTBEAT: &str = "(message Beat) (kind Member 2) (edges (1 2) (2 1)) (channel unordered) (delay 1 3)
    (runtime-fault at-most 1 crash) (timer Member silence per-node) (var Member suspects (set node) (is (set node)))
    (block Member start start (locals (self node) (k node))
      (for k (minus (nodes Member) (set node self)) (set-timer silence (time 7) (time 7) k)))
    (block Member tick (every 4 5 (first 0 0)) (send (new Beat) (neighbours self)))
    (block Member beat (on Beat) (locals (self node) (message (record Beat)) (k node))
      (:= suspects (minus (var suspects self) (set node k)))
      (set-timer silence (time 7) (time 7) k))
    (block Member silence (timer silence per-node) (locals (self node) (k node))
      (:= suspects (union (var suspects self) (set node k))))
    (claim accurate (locals (i node) (j node))
      (always (state (all i (nodes Member) (all j (nodes Member) (implies (in j (var suspects i)) (crashed j)))))))";

/// What the answers of two traps become if times are changed.
const CHANGED: &[(&str, &str, &str, &str)] = &[
    (LATEST, "(delay 0 10)", "(delay 0 1/2)", "holds"),
    (HEARTBEAT, "7", "8", "holds"),
];

#[test]
fn every_trap_is_passed() {
    let wrong = TRAPS.iter().filter_map(|trap| trap.check().err());
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn other_times_have_other_answers() {
    for (text, from, to, expected) in CHANGED {
        let machine = parsed(&text.replace(from, to));
        let question = Question {
            machine: &machine,
            fair: false,
        };
        let report = zones::answer(&question, &Unlimited).expect("a report");
        let answers: Vec<&str> = report.answers().map(kind).collect();
        assert_eq!(answers, [*expected], "{to}");
    }
}
