//! The effect of partial-order reduction if a node collects messages with commuting updates.

use crate::sample::read;
use crate::searches::{not_applicable, run, run_partial_order};
use verdict::{Question, Unlimited};

/// The numbers of states of the full search and of partial-order reduction for a Machine in which four nodes send to
/// one node, which handles the messages by `update`.
fn collected(update: &str) -> (u64, u64) {
    let text = format!(
        "(message M (v (int 1 4))) (kind A 1) (kind B 4) (edges (2 1) (3 1) (4 1) (5 1)) (channel fifo)
         (frozen B w (int 1 4) (given 1 2 3 4))
         (var A x (int 0 4) (is 0)) (var A s (set (int 1 4)) (is (set (int 1 4))))
         (var B done bool (is false))
         (block A \"on M\" (on M) {update})
         (block B go start (:= done true) (send (new M (frozen w self)) (node 1)))
         (claim c (eventually (state (all k (nodes B) (not (waiting k))))))"
    );
    let text = text.replace("(claim c", "(claim c (locals (k node))");
    let machine = read(&text);
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let whole = run(&question, &Unlimited).expect("a report");
    let less = run_partial_order(&question, &Unlimited).expect("a report");
    assert_eq!(not_applicable(&less), None);
    assert_eq!(less.method, "explicit search with partial-order reduction");
    assert_eq!(whole.results, less.results, "{text}");
    (whole.counts.states, less.counts.states)
}

#[test]
fn updates_that_commute_need_one_order() {
    let commute = [
        "(:= s (union (var s self) (set (int 1 4) (field M v message))))",
        "(:= x (max (var x self) (field M v message)))",
        "(:= x (min (field M v message) (var x self)))",
        "(:= x (min (+ (var x self) 1) 3))",
        "(:= x 1)",
        "",
    ];
    // The start of a node is visible, so all orders of starts are visited. Each message is delivered right after it is
    // sent, or after all starts.
    for update in commute {
        let (_, less) = collected(update);
        assert_eq!(less, collected("").1, "{update}");
    }
    let disturb = [
        "(:= x (field M v message))",
        "(:= x (max (var x self) (field M v message))) (if (= (var x self) 1) (do (:= s (set (int 1 4)))))",
        "(:= x (min (+ (var x self) 1) 5))",
        "(:= x (min (+ (var x self) 1) 3)) (if (= (field M v message) 1) (do (:= x (min (+ (var x self) 1) 2))))",
    ];
    for update in disturb {
        let (whole, less) = collected(update);
        assert!(
            less > collected("").1 && less <= whole,
            "{update}: {less} of {whole}"
        );
    }
}
