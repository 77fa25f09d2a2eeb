//! Shortcuts that look right and are wrong: each is a side condition of the rule. The rule without the condition proves
//! a bound that a run of a small network breaks; the rule with it does not.

use crate::protocols::{BEATS, ELECTION, answers, direct, protocol};
use machine::OpenMachine;
use one_node::defects::{Breaking, Defect};

/// Beats with a claim about every running node, for each bound from 1 to 8.
fn beats(claim: &str, replaced: &[(&str, &str)]) -> OpenMachine {
    let mut text = BEATS.to_string();
    for (old, new) in replaced {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    for bound in 1..=8 {
        text += &format!(
            "(claim bound{bound} (locals (k node) (x node) (y node)) (always (state (all k (nodes Node) \
             (implies (and (not (fault off k)) (>= (var activations k) {bound})) {claim})))))\n"
        );
    }
    text += "(claim flags (locals (k node)) (always (state (all k (nodes Node) \
             (implies (and (not (fault off k)) (>= (var activations k) 9)) (var flag k))))))";
    protocol(&text, &[])
}

/// The least bound from which on the claims are proved.
fn least(open: &OpenMachine) -> Option<u32> {
    let proved = &answers(open)[..8];
    let unproved = proved
        .iter()
        .rposition(|proved| !proved)
        .map_or(0, |last| last + 1);
    (unproved < proved.len()).then_some(unproved as u32 + 1)
}

/// A defect makes the rule prove a smaller bound, which a network of `n` nodes breaks.
fn is_a_trap(defect: Defect, open: &OpenMachine, n: u32) {
    let sound = least(open);
    let wrong = {
        let _breaking = Breaking::rule(defect);
        least(open)
    };
    let wrong = wrong.unwrap_or_else(|| panic!("{defect:?}: nothing is proved"));
    assert!(
        sound.is_none_or(|sound| wrong < sound),
        "{defect:?}: {wrong} and {sound:?}"
    );
    let broken = (2..=n).any(|n| direct(open, n, wrong as usize - 1) == Some(false));
    assert!(
        broken,
        "{defect:?}: no run breaks {wrong}; the rule proves {sound:?}"
    );
    if let Some(sound) = sound {
        for n in 2..=n {
            assert_ne!(
                direct(open, n, sound as usize - 1),
                Some(false),
                "{defect:?}: {sound}"
            );
        }
    }
}

const SENDING: &str = "(= (var heard k) (filter x (nodes Node) (or (= x k) (not (or (fault off x) (fault mute x))))))";

#[test]
fn inboxes_that_begin_empty() {
    let all_heard = "(all x (nodes Node) (implies (not (or (fault off x) (fault mute x))) (or (= x k) (in x (var heard k)))))";
    let open = beats(all_heard, &[("one-from-each", "anything")]);
    is_a_trap(Defect::FilledThoughNot, &open, 2);
    let none_else = "(all x (var heard k) (or (= x k) (not (or (fault off x) (fault mute x)))))";
    let open = beats(none_else, &[("one-from-each", "anything")]);
    is_a_trap(Defect::LeftoversOfSilentForgotten, &open, 2);
}

#[test]
fn messages_of_nodes_that_do_not_send() {
    let open = beats("(= (var heard k) (filter x (nodes Node) true))", &[]);
    is_a_trap(Defect::SilentNodesSend, &open, 2);
}

#[test]
fn a_part_is_right_later_than_its_time() {
    is_a_trap(Defect::RightAtOnce, &beats("(var good k)", &[]), 2);
}

#[test]
fn an_inbox_that_holds_all_messages() {
    let open = beats("(var good k)", &[("latest one", "one")]);
    is_a_trap(Defect::AllIsLatest, &open, 2);
}

#[test]
fn contents_are_those_where_the_send_stands() {
    let sent = "(send (new Beat self (var flag self)) (neighbours self))";
    let head = "(:= activations (min (+ (var activations self) 1) 9))";
    let first = format!("{head} {sent}");
    let open = beats("(var good k)", &[(sent, ""), (head, &first)]);
    is_a_trap(Defect::ContentsAfterBlock, &open, 2);
}

#[test]
fn the_first_activation_after_a_cut() {
    let every = "(:= reading (not (var reading self)))";
    let open = beats(
        SENDING,
        &[
            (every, "(:= reading true)"),
            ("(first 0 11)", "(first 0 1)"),
        ],
    );
    is_a_trap(Defect::FirstNotWidened, &open, 2);
}

#[test]
fn messages_that_take_time() {
    let open = beats(
        SENDING,
        &[("(channel instant)", "(channel unordered)\n(delay 0 8)")],
    );
    is_a_trap(Defect::DelaysForgotten, &open, 2);
}

#[test]
fn both_directions_of_an_equality() {
    let heard = "(:= heard (union (set node self) (senders self)))";
    let open = beats(SENDING, &[(heard, "(:= heard (set node self))")]);
    is_a_trap(Defect::OneDirection, &open, 2);
}

#[test]
fn nodes_of_a_claim_that_are_the_same() {
    let open = beats("(all x (var heard k) (!= x k))", &[]);
    is_a_trap(Defect::NamesDiffer, &open, 2);
}

#[test]
fn limits_that_depend_on_the_size() {
    let missing = "(all x (nodes Node) (all y (nodes Node) (implies \
        (and (not (in x (var heard k))) (not (in y (var heard k)))) (= x y))))";
    let spared = [
        ("(faulty off mute)", "(faulty off)"),
        ("(joined complete)", "(joined complete)\n(all-but 0 1)"),
    ];
    is_a_trap(Defect::LimitOfLeastSize, &beats(missing, &spared), 3);
}

#[test]
fn a_claim_without_its_beginning() {
    let read = "(:= flag true)";
    let kept = "(:= flag (exists m (inbox Beat self) (field Beat flag m)))";
    let good = "(:= good (all m (inbox Beat self) (field Beat flag m)))";
    // Never a flag: kept by every step, and false.
    let from_empty = [(read, ""), (good, kept), ("one-from-each", "")];
    let open = beats("(not (var flag k))", &from_empty);
    is_a_trap(Defect::StartNotLookedAt, &open, 2);
    is_a_trap(Defect::Circular, &open, 2);
    // Leftovers carry any flag.
    let leftovers = [
        (read, ""),
        (good, kept),
        ("flag bool any", "flag bool (is false)"),
    ];
    is_a_trap(
        Defect::LeftoversAreRight,
        &beats("(not (var flag k))", &leftovers),
        2,
    );
}

#[test]
fn errors_are_no_answers() {
    let open = protocol(ELECTION, &[("(all-but 0 1)\n", "")]);
    assert_eq!(answers(&open), [false]);
    let _breaking = Breaking::rule(Defect::ErrorsIgnored);
    assert_eq!(answers(&open), [true]);
}

#[test]
fn a_field_that_names_a_node_is_not_its_sender() {
    let text = BEATS.replace(
        "(var Node flag bool any)",
        "(var Node flag bool any)\n(var Node parent node any)",
    );
    let text = text.replace("(new Beat self", "(new Beat (var parent self)");
    let open = protocol(&text, &[]);
    let refused = every_size::analyse(&open, &[], cadical::BACKEND, &verdict::Unlimited);
    assert!(refused.unwrap_err().what.contains("a node without a name"));
}

/// The number of nodes that a node misses: the steps of the loop share a count, and only some of them have a name.
#[test]
fn a_loop_whose_steps_depend_on_each_other() {
    let missing = "(:= heard (union (set node self) (senders self)))";
    let count = |step: &str| {
        let step = step.to_string();
        let code = format!("(:= missing 0) (for x (nodes Node) {step})");
        move |claim: &str| {
            beats(
                claim,
                &[
                    (missing, &code),
                    ("(m (record Beat)))", "(m (record Beat)) (x node) (y node))"),
                    (
                        "(var Node good bool any)",
                        "(var Node good bool any)\n(var Node missing (int 0 7) any)\n(var Node lost (array node (int 0 2)) any)",
                    ),
                ],
            )
        }
    };
    let more =
        "(if (not (in x (senders self))) (do (:= missing (min 7 (+ (var missing self) 1)))))";
    let open = count(more)("(<= (var missing k) 5)");
    let refused = |open: &OpenMachine| {
        let found = every_size::analyse(open, &[], cadical::BACKEND, &verdict::Unlimited);
        found.map_or_else(|why| why.what, |_| "nothing".into())
    };
    let of_all = "a loop over nodes that changes more than the element of each node";
    assert_eq!(refused(&open), of_all);
    let own = "(:= (lost (index node x)) (min 2 (var missing self)))";
    assert_eq!(refused(&count(own)("(var good k)")), "nothing");
    let of_one = "(:= (lost (index node self)) 0)";
    assert_eq!(refused(&count(of_one)("(var good k)")), of_all);
    let of_others = "(if (exists y (nodes Node) (= (index node (var lost self) y) 1)) (do (:= (lost (index node x)) 0)))";
    let reads = "a loop over nodes whose steps read what other steps change";
    assert_eq!(refused(&count(of_others)("(var good k)")), reads);
    let cleared = "(clear-inbox)";
    let does = "a loop over nodes that does more than to change sets and arrays";
    assert_eq!(refused(&count(cleared)("(var good k)")), does);
    let messages = count("(:= (lost (index node x)) 0)")("(var good k)").to_string();
    let messages = messages.replace("(for x (nodes Node)", "(for m (inbox Beat self)");
    let messages = messages.replace("(lost (index node x))", "(lost (index node self))");
    let messages = machine::parse_open(&messages).expect("a protocol");
    assert_eq!(
        refused(&messages),
        "a loop over messages of an unknown number"
    );
    let _breaking = Breaking::rule(Defect::StepsDepend);
    let proved = answers(&open)[..8].iter().any(|proved| *proved);
    assert!(proved, "the defect proves nothing");
    assert_eq!(direct(&open, 5, 7), Some(true));
    assert_eq!(direct(&open, 6, 7), Some(false));
}
