//! Projection: claims of which few nodes decide, and traps: claims that hold for few nodes and fail for more. Each trap is
//! refused because of one condition, and a projection that does not check it would be wrong.

use machine::{Machine, OpenMachine, parse_open, verify_open};
use passes::defects::{Breaking, Projecting};
use passes::projection;
use verdict::{Answer, Question, Unlimited};

fn open(text: &str) -> OpenMachine {
    let head = "(every n 1) (open N) (joined complete) (kind N 0)";
    let open = parse_open(&format!("{head}\n{text}")).unwrap_or_else(|e| panic!("{e}"));
    verify_open(&open).unwrap_or_else(|e| panic!("{e}"));
    open
}

/// The answer to the only claim, for so many nodes.
fn answer(open: &OpenMachine, n: u32) -> Answer {
    let machine: Machine = open.at(n);
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let options = explicit::Options::default();
    let report = explicit::run(&question, &options, &Unlimited).expect("it can be searched");
    report.results[0].answer.clone()
}

/// The number of nodes that decide.
fn decide(open: &OpenMachine) -> Result<u32, String> {
    let found = projection(open, &open.base.properties[0]);
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
