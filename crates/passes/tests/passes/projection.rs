//! Projection: claims of which few nodes decide, and traps: claims that hold for few nodes and fail for more. Each trap is
//! refused because of one condition, and a projection that does not check it would be wrong.

use machine::{Machine, OpenMachine, parse_open, verify_open};
use passes::defects::{Breaking, Projecting};
use passes::projection;
use verdict::{Answer, Question, Unlimited};

fn open(text: &str) -> OpenMachine {
    joined("(joined complete)", text)
}

fn joined(edges: &str, text: &str) -> OpenMachine {
    let head = format!("(every n 1) (open N) {edges} (kind N 0)");
    let open = parse_open(&format!("{head}\n{text}")).unwrap_or_else(|e| panic!("{e}"));
    verify_open(&open).unwrap_or_else(|e| panic!("{e}"));
    open
}

/// The answer to the only claim about fair runs, for so many nodes.
fn answer(open: &OpenMachine, n: u32) -> Answer {
    answer_about(open, n, true)
}

/// The answer to the only claim about fair runs or about all runs, for so many nodes.
fn answer_about(open: &OpenMachine, n: u32, fair: bool) -> Answer {
    let machine: Machine = open.at(n);
    let question = Question {
        machine: &machine,
        fair,
    };
    let options = explicit::Options::default();
    let report = explicit::run(&question, &options, &Unlimited).expect("it can be searched");
    report.results[0].answer.clone()
}

/// The number of nodes that decide about fair runs.
fn decide(open: &OpenMachine) -> Result<u32, String> {
    decide_about(open, true)
}

/// The number of nodes that decide about fair runs or about all runs.
fn decide_about(open: &OpenMachine, fair: bool) -> Result<u32, String> {
    let found = projection(open, &open.base.properties[0], fair);
    found.map(|found| found.nodes).map_err(|not| not.what)
}

const HELLO: &str = "(channel fifo) (message Hello)
    (block N start start (send (new Hello) (neighbours self)))";

/// Each node notes from which others it has heard.
const HEARD: &str = "(var N heard (set node) (is (set node)))
    (block N \"on Hello\" (on Hello) (:= heard (union (var heard self) (set node sender))))";

const NEVER: &str = "(var N bad bool (is false)) (claim c (locals (k node)) (always (state (all k (nodes N) (not (var bad k))))))";

#[test]
fn two_nodes_decide_what_is_used_element_by_element() {
    let claim =
        "(claim c (locals (i node) (j node)) (always (state (all i (nodes N) (all j (nodes N)
        (implies (in j (var heard i)) (not (in i (var heard i)))))))))";
    let open = open(&format!("{HELLO} {HEARD} {claim}"));
    assert_eq!(decide(&open), Ok(2));
    for n in 1..=4 {
        assert_eq!(answer(&open, n), Answer::Holds);
    }
}

#[test]
fn a_variable_that_nothing_depends_on_is_ignored() {
    let claim =
        "(claim c (locals (i node)) (always (state (all i (nodes N) (not (in i (var heard i)))))))";
    let extra = "(var N last bool (is false))";
    let block = "(block N \"on Hello\" (on Hello) (:= last true)
        (:= heard (union (var heard self) (set node sender))))";
    let heard = "(var N heard (set node) (is (set node)))";
    let open_ = open(&format!("{HELLO} {heard} {extra} {block} {claim}"));
    assert_eq!(decide(&open_), Ok(2));
    let reads = claim.replace("(not (in i (var heard i)))", "(not (var last i))");
    let refused = decide(&open(&format!("{HELLO} {heard} {extra} {block} {reads}")));
    assert!(
        refused
            .expect_err("a third node matters")
            .contains("`last`")
    );
}

/// A claim that holds for all sizes up to the one that decides if `rule` is not checked, and not for one more.
fn trap(rule: Projecting, why: &str, text: &str, block: &str) {
    let open = open(&format!("{text} {block}"));
    let refused = decide(&open).expect_err("a trap");
    assert!(refused.contains(why), "{refused}");
    let _broken = Breaking::rule(rule);
    let nodes = decide(&open).expect("without the condition there is a projection");
    for n in 1..=nodes {
        assert_eq!(answer(&open, n), Answer::Holds, "{n}");
    }
    assert_ne!(answer(&open, nodes + 1), Answer::Holds);
}

#[test]
fn others_touch_more_than_their_elements() {
    let text = format!(
        "{HELLO} (var N hits (int 0 2) (is 0))
        (block N \"on Hello\" (on Hello) (:= hits (min (+ (var hits self) 1) 2)))
        (claim c (locals (k node)) (always (state (all k (nodes N) (< (var hits k) 2)))))"
    );
    trap(Projecting::Focus, "an assignment to `hits`", &text, "");
}

#[test]
fn elements_are_counted() {
    let when = "(block N look (when (and (not (var bad self)) (> (size (var heard self)) 1))) (:= bad true))";
    let text = format!("{HELLO} {HEARD} {NEVER}");
    trap(Projecting::Counts, "the number of elements", &text, when);
}

#[test]
fn sets_are_compared() {
    let when = "(block N look (when (and (not (var bad self)) (and (!= (var heard self) (set node))
        (!= (var heard self) (minus (nodes N) (set node self)))))) (:= bad true))";
    let text = format!("{HELLO} {HEARD} {NEVER}");
    trap(Projecting::Compares, "a comparison of sets", &text, when);
}

#[test]
fn code_quantifies_over_nodes() {
    let when = "(block N look (when (and (not (var bad self)) (and
          (exists k (nodes N) (and (!= k self) (in k (var heard self))))
          (exists k (nodes N) (and (!= k self) (not (in k (var heard self))))))))
        (locals (self node) (k node)) (:= bad true))";
    let text = format!("{HELLO} {HEARD} {NEVER}");
    trap(
        Projecting::Quantifiers,
        "a quantifier over nodes",
        &text,
        when,
    );
}

#[test]
fn all_but_one_may_have_a_fault() {
    let text = "(all-but 0 1) (channel fifo) (faulty mute)
        (claim c (locals (i node) (j node)) (always (state (all i (nodes N) (all j (nodes N)
            (or (= i j) (not (and (fault mute i) (fault mute j)))))))))";
    trap(Projecting::Limits, "a limit of faults", text, "");
}

#[test]
fn another_node_causes_an_error() {
    let text = format!("{HELLO} {NEVER} (block N \"on Hello\" (on Hello) (assert false))");
    let open = open(&text);
    assert_eq!(decide(&open), Ok(2));
    let _broken = Breaking::rule(Projecting::Errors);
    assert_eq!(decide(&open), Ok(1));
    assert_eq!(answer(&open, 1), Answer::Holds);
    assert!(matches!(answer(&open, 2), Answer::Error(_)));
}

#[test]
fn what_may_depend_on_others_is_refused_by_name() {
    let with = |what: &str| decide(&open(&format!("{HELLO} {HEARD} {what}")));
    let cases = [
        (
            "(claim c (eventually (state (all k (nodes N) (in k (var heard k))))))",
            "a quantifier over nodes where",
        ),
        (
            "(claim c (always (state (exists k (nodes N) (in k (var heard k))))))",
            "a quantifier over nodes",
        ),
        (
            "(claim c (always (state (> (size (nodes N)) 0))))",
            "the number of elements",
        ),
    ];
    for (claim, why) in cases {
        let claim = claim.replacen("(claim c", "(claim c (locals (k node))", 1);
        let refused = with(&claim).expect_err(why);
        assert!(refused.contains(why), "{refused}");
    }
}

/// In the end one of two nodes is done.
const DONE: &str = "(claim c (locals (i node) (j node)) (all i (nodes N) (all j (nodes N)
    (or (state (= i j)) (eventually (state (or (var done i) (var done j))))))))";

#[test]
fn without_fairness_others_may_run_for_ever() {
    let open = open(&format!(
        "(channel fifo) (var N done bool (is false)) {DONE}
        (block N fin (when (not (var done self))) (:= done true))
        (block N spin (when (var done self)) (:= done true))"
    ));
    assert_eq!(decide(&open), Ok(2));
    let refused = decide_about(&open, false).expect_err("a trap");
    assert!(refused.contains("without fairness"), "{refused}");
    let _broken = Breaking::rule(Projecting::Fairness);
    assert_eq!(decide_about(&open, false), Ok(2));
    assert_eq!(answer_about(&open, 2, false), Answer::Holds);
    assert_ne!(answer_about(&open, 3, false), Answer::Holds);
    // What a finite part of a run breaks does not need fairness.
    let safe = self::open(&format!("{HELLO} {HEARD} {NEVER}"));
    assert_eq!(decide_about(&safe, false), Ok(2));
}

/// A block that takes messages of all senders under a condition: with two nodes it has to take the only one in the end, with
/// three those of the third node satisfy fairness.
#[test]
fn a_block_with_a_condition_is_fair_to_messages_of_others() {
    let machine = |condition: &str| {
        joined(
            "(joined complete to-self)",
            &format!(
                "(channel fifo) (message A) (message Back) (frozen N w bool every)
        (var N t bool (is false)) (var N got (set node) (is (set node)))
        (block N start start (send (new A) (nodes N)))
        (block N flip (when true) (:= t (not (var t self))))
        (block N \"on A\" (on A {condition})
            (:= got (union (var got self) (set node sender))) (send (new Back) sender))
        (block N \"on Back\" (on Back) (if (frozen w self) (do (send (new A) sender))))
        (claim c (locals (i node) (j node)) (all i (nodes N) (all j (nodes N) (or
            (state (or (= i j) (or (frozen w i) (frozen w j))))
            (eventually (state (or (in i (var got i)) (in j (var got i)))))))))"
            ),
        )
    };
    assert_eq!(decide(&machine("")), Ok(2));
    let open = machine("(= (= sender self) (var t self))");
    let refused = decide(&open).expect_err("a trap");
    assert!(refused.contains("under a condition"), "{refused}");
    let _broken = Breaking::rule(Projecting::Fairness);
    assert_eq!(decide(&open), Ok(2));
    assert_eq!(answer(&open, 2), Answer::Holds);
    assert_ne!(answer(&open, 3), Answer::Holds);
}

/// Timers about other nodes that expire at once, again and again, without time passing.
#[test]
fn timers_about_others_that_expire_at_once_are_refused_for_claims_about_the_end() {
    let text = |from: &str, claim: &str| {
        format!(
            "(channel instant) (timer N t per-node) (var N done bool (is false)) {claim}
        (block N start start (locals (self node) (k node))
            (for k (neighbours self) (set-timer t (time {from}) (time 2) k)))
        (block N \"t\" (timer t per-node) (locals (self node) (k node))
            (set-timer t (time {from}) (time 2) k))"
        )
    };
    let refused = decide(&open(&text("0", DONE))).expect_err("time need not pass");
    assert!(refused.contains("expire at once"), "{refused}");
    assert_eq!(decide(&open(&text("1", DONE))), Ok(2));
}

#[test]
fn lost_messages_are_refused_only_for_claims_about_the_end() {
    let text =
        |claim: &str| format!("{HELLO} (lose of Hello) (var N done bool (is false)) {claim}");
    let refused = decide(&open(&text(DONE))).expect_err("a lost message satisfies fairness");
    assert!(refused.contains("lost or repeated"), "{refused}");
    let never = "(claim c (locals (k node)) (always (state (all k (nodes N) (not (var done k))))))";
    assert_eq!(decide(&open(&text(never))), Ok(2));
}

#[test]
fn an_array_is_out_of_range_because_of_a_third_node() {
    let text = "(channel fifo) (message A (go bool)) (frozen N w bool every)
        (var N e (array node (int 0 5)) (is (fill node 0)))
        (var N f (array node (array node (int 0 2))) (is (fill node (fill node 0))))
        (block N start start (send (new A (frozen w self)) (neighbours self)))
        (claim c (locals (i node)) (always (state (all i (nodes N) (or (frozen w i) (not (frozen w i)))))))";
    let block = "(block N \"on A\" (on A) (locals (self node) (m (record A)) (k node))
        (if (field A go m) (do (:= (e (index node k)) 5))
            (do (if (and (<= (index node (var e self) k) 2) (<= (index node (var e self) self) 2))
                (do (:= (f (index node k)) (var e self)))))))";
    trap(Projecting::Ranges, "out of range", text, block);
    // What fits in any case is no trap.
    let wide = text.replace(
        "(array node (array node (int 0 2)))",
        "(array node (array node (int 0 5)))",
    );
    assert_eq!(decide(&open(&format!("{wide} {block}"))), Ok(2));
}
