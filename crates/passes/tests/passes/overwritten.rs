//! Reset of overwritten variables: which variables are reset, and that each condition of the pass is necessary.

use crate::compare::{compare, machine, notices};
use passes::Removed;
use passes::defects::Defect;

/// Asserts that the reduced Machine has the same answers, and that exactly these variables are reset between events.
fn sets_back(text: &str, names: &[&str]) {
    let machine = machine(text);
    let shrunk = compare(&machine, 20_000).unwrap_or_else(|why| panic!("{why}"));
    let name = |removed: &Removed| match removed {
        Removed::Between(var) => Some(machine.vars[var.index()].name.as_str()),
        _ => None,
    };
    let found: Vec<&str> = shrunk.removed.iter().filter_map(name).collect();
    assert_eq!(found, names);
}

/// Asserts that exactly these variables are reset, and that the comparison fails if the pass does not check the
/// condition.
fn needs(condition: Defect, text: &str, names: &[&str]) {
    sets_back(text, names);
    notices(condition, text);
}

/// A Machine in which a node chooses a number `k` and runs `code`, which may assign `x` and send it to another node.
fn with_scratch(code: &str, rest: &str) -> String {
    format!(
        "(message M (body (int 0 2)))
         (kind Only 2) (edges (1 2)) (channel instant)
         (var Only x (int 0 2) any) (var Only got (int 0 2) (is 0))
         (block Only act (every any) (locals (self node) (k (int 0 2)) (n node) (i (int 1 2)))
           (choose k (.. 0 2)) {code})
         (block Only take (on M) (:= got (field M body message)))
         (possible two (= (var got (node 2)) 2))
         (claim stays (eventually (always (state (= (var got (node 2)) 0)))))
         {rest}"
    )
}

const TELL: &str = "(send (new M (var x self)) (neighbours self))";

#[test]
fn a_value_that_is_only_used_in_the_block() {
    let text = with_scratch(&format!("(:= x k) {TELL}"), "");
    sets_back(&text, &["x"]);
    let machine = machine(&text);
    let states = |machine: &machine::Machine| {
        let frozen = machine.frozen_choices().next().expect("one");
        let instance = machine::Instance {
            machine,
            frozen: &frozen,
        };
        let all = testkit::explore(instance, 10_000).expect("states");
        all.states.len()
    };
    // Before the first message, x of node 1 has 3 values and `got` is 0. Afterwards x of node 1 equals `got`, which
    // adds 2 states. In each of these, x of node 2 has 3 values.
    assert_eq!(states(&machine), (3 + 2) * 3);
    assert_eq!(states(&passes::shrink(&machine).machine), 3);
}

#[test]
fn what_a_condition_reads_is_kept() {
    needs(
        Defect::OverwrittenUnseen,
        &with_scratch(
            &format!("(:= x k) {TELL}"),
            "(possible last (= (var x (node 1)) 2))",
        ),
        &[],
    );
}

#[test]
fn what_is_read_first_is_kept() {
    needs(
        Defect::OverwrittenLate,
        &with_scratch(&format!("{TELL} (:= x k)"), ""),
        &[],
    );
    // The same if another block reads the variable without assigning it first.
    needs(
        Defect::OverwrittenLate,
        &with_scratch(
            "(:= x k)",
            &format!("(block Only tell (every any) {TELL})").replace("every any", "when true"),
        ),
        &[],
    );
}

#[test]
fn both_branches_must_overwrite_it() {
    let branch = |otherwise: &str| {
        with_scratch(
            &format!("(if (= k 1) (do (:= x 1)) (do {otherwise})) {TELL}"),
            "",
        )
    };
    needs(Defect::OverwrittenPerhaps, &branch(""), &[]);
    sets_back(&branch("(:= x 2)"), &["x"]);
}

#[test]
fn a_branch_that_halts_needs_no_assignment() {
    let text = with_scratch(
        &format!("(if (= k 1) (do (:= x 1)) (do (if (= k 2) (do (:= x 2))) (halt))) {TELL}"),
        "",
    );
    needs(Defect::OverwrittenNotAtHalt, &text, &["x"]);
}

#[test]
fn a_loop_may_run_for_nobody() {
    needs(
        Defect::OverwrittenInLoops,
        &with_scratch(
            &format!("(for i (.. 1 k) (:= x i)) (if (= k 0) (do {TELL}))"),
            "",
        ),
        &[],
    );
    sets_back(
        &with_scratch(&format!("(for n (nodes) (:= x k) {TELL})"), ""),
        &["x"],
    );
}

#[test]
fn an_assignment_to_a_part_reads_the_rest() {
    let both = |first: &str| {
        with_scratch(
            &format!(
                "{first} (:= (s (field S left)) (= k 1))
                 (if (and (field S left (var s self)) (field S right (var s self)))
                   (do (send (new M 2) (neighbours self))))"
            ),
            "(struct S (left bool) (right bool)) (var Only s (record S) any)",
        )
    };
    needs(Defect::OverwrittenInParts, &both(""), &[]);
    sets_back(&both("(:= s (new S false (= k 1)))"), &["s"]);
}

/// A value outside the type of the variable is an error at its assignment, whether the variable is read or not.
#[test]
fn an_error_stays_an_error() {
    sets_back(&with_scratch(&format!("(:= x (+ k 1)) {TELL}"), ""), &["x"]);
    sets_back(&with_scratch("(:= x (+ k 1))", ""), &["x"]);
}

/// Another node can read the value that the variable has between events.
#[test]
fn what_others_look_at_is_kept() {
    sets_back(
        &with_scratch(
            "(:= x k) (for n (nodes) (if (= (var x n) 2) (do (send (new M 2) (neighbours self)))))",
            "",
        ),
        &[],
    );
}

#[test]
fn a_node_that_is_off_rests_as_well() {
    sets_back(
        &with_scratch(&format!("(:= x k) {TELL}"), "(faulty off mute)"),
        &["x"],
    );
}

/// The possible initial contents of an inbox do not depend on the initial value of the variable.
#[test]
fn what_is_guessed_for_inboxes_stays() {
    sets_back(
        "(message M (body (int 0 2)))
         (kind Only 2) (edges (1 2) (2 1)) (channel instant) (inbox one-from-each)
         (var Only x (int 0 2) (is 0)) (var Only two bool (is false))
         (block Only act (every any) (locals (self node) (m (record M)))
           (if (exists m (inbox M self) (= (field M body m) 2)) (do (:= two true)))
           (clear-inbox)
           (:= x 1)
           (send (new M (var x self)) (neighbours self)))
         (possible both (and (var two (node 1)) (var two (node 2))))",
        &["x"],
    );
}
