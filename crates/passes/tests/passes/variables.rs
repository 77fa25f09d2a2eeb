//! Removal of variables: which variables are removed, and that each condition of the pass is necessary.

use crate::compare::{compare, machine, notices};
use machine::{BlockId, LocalId, RecordId, VarId};
use passes::Removed;
use passes::defects::Defect;

/// Asserts that the reduced Machine has the same answers, and that exactly these variables are removed.
fn removes(text: &str, names: &[&str]) {
    let machine = machine(text);
    let shrunk = compare(&machine, 20_000).unwrap_or_else(|why| panic!("{why}"));
    let name = |removed: &Removed| match removed {
        Removed::Var(var) => Some(machine.vars[var.index()].name.as_str()),
        _ => None,
    };
    let found: Vec<&str> = shrunk.removed.iter().filter_map(name).collect();
    assert_eq!(found, names);
}

/// Asserts that exactly these variables are removed, and that the comparison fails if the pass does not check the
/// condition.
fn needs(condition: Defect, text: &str, names: &[&str]) {
    removes(text, names);
    notices(condition, text);
}

#[test]
fn variables_that_only_depend_on_each_other() {
    removes(
        "(kind Only 2) (channel fifo)
         (var Only x (int 0 2) any) (var Only y (int 0 2) (is 0)) (var Only z bool (is false))
         (ghost Only g (int 0 3) (is 0))
         (block Only act (every any) (locals (self node) (old (int 0 2)))
           (let old (var x self))
           (if (= (var y self) 1) (do (:= x (mod (+ old 1) 3))))
           (:= y (var x self))
           (:= g (min 3 (+ (var g self) 1)))
           (:= z (not (var z self))))
         (claim again (always (eventually (state (var z (node 1))))))
         (claim stays (eventually (always (state (var z (node 1))))))",
        &["x", "y", "g"],
    );
}

#[test]
fn what_a_condition_reads_stays() {
    needs(
        Defect::VarsOfConditions,
        "(kind Only 1) (channel fifo)
         (var Only x (int 0 2) (is 0)) (var Only y bool any)
         (block Only act (every any) (:= x (mod (+ (var x self) 1) 3)))
         (initially (= (+ (var x (node 1)) 0) 0))
         (possible two (= (var x (node 1)) 2))",
        &["y"],
    );
}

#[test]
fn what_decides_stays() {
    needs(
        Defect::VarsOfBranches,
        "(kind Only 1) (channel fifo)
         (var Only x (int 0 2) (is 0)) (var Only done bool (is false))
         (block Only act (every any)
           (:= x (mod (+ (var x self) 1) 3))
           (if (= (var x self) 2) (do (:= done true))))
         (possible two (var done (node 1)))",
        &[],
    );
}

#[test]
fn what_is_sent_or_guarded_stays() {
    removes(
        "(message M (body bool))
         (kind Only 2) (edges (1 2)) (channel unordered)
         (var Only x bool any) (var Only y bool (is true)) (var Only z bool (is true))
         (block Only begin start (send (new M (var x self)) (neighbours self)))
         (block Only take (on M (var y self)) (:= y (field M body message)) (:= z (var y self)))
         (possible ever false)",
        &["z"],
    );
}

#[test]
fn an_assignment_that_may_be_an_error_stays() {
    let text = |value: &str| {
        format!(
            "(kind Only 1) (channel fifo)
             (var Only x (int 0 2) (is 0)) (var Only y (option (int 0 2)) (is (none (int 0 2))))
             (block Only act (every any) (:= x {value}))
             (possible ever false)"
        )
    };
    needs(Defect::RangesIgnored, &text("(+ (var x self) 1)"), &["y"]);
    needs(Defect::FailuresIgnored, &text("(unwrap (var y self))"), &[]);
    needs(
        Defect::FailuresIgnored,
        &text("(mod 2 (var x self))"),
        &["y"],
    );
    removes(&text("(max 2 (mod (var x self) 2))"), &["x", "y"]);
}

#[test]
fn a_branch_that_may_be_an_error_stays() {
    needs(
        Defect::FailuresIgnored,
        "(kind Only 1) (channel fifo)
         (var Only x bool (is false)) (var Only y (option bool) (is (none bool)))
         (block Only act (every any) (if (unwrap (var y self)) (do (:= x true))))
         (possible ever false)",
        &["x"],
    );
}

#[test]
fn without_an_initial_value_there_is_no_run() {
    needs(
        Defect::VarsWithoutBeginning,
        "(kind Only 1) (channel fifo)
         (var Only x bool (any-in (set bool))) (var Only y bool any)
         (possible ever true)",
        &["y"],
    );
}

#[test]
fn an_inbox_that_is_read_for_nothing_is_read() {
    needs(
        Defect::InboxesUnread,
        "(message M)
         (kind Only 2) (edges (1 2)) (channel fifo)
         (var Only x bool (is false))
         (block Only begin start (send (new M) (neighbours self)))
         (block Only look (every any) (locals (self node) (m (record M)))
           (:= x (exists m (inbox M self) true)))
         (possible ever false)",
        &[],
    );
}

/// The field of the message is not read. After its removal, the variable from which it is computed is not read either.
#[test]
fn one_pass_after_the_other() {
    removes(
        "(message M (body bool))
         (kind Only 2) (edges (1 2)) (channel fifo)
         (var Only x bool any) (var Only got bool (is false))
         (block Only begin start (send (new M (var x self)) (neighbours self)))
         (block Only take (on M) (:= got true))
         (claim comes (eventually (state (var got (node 2)))))",
        &["x"],
    );
}

/// Members exchange the sets of nodes that they have heard. A claim about the heard nodes needs neither the proposals
/// nor the variable `view`.
#[test]
fn one_claim_needs_less_than_another() {
    let text = |claimed: &str| {
        format!(
            "(message Alive (heard (set node)) (proposal (set node)))
             (kind Member 3)
             (edges (1 2) (1 3) (2 1) (2 3) (3 1) (3 2))
             (channel instant)
             (inbox latest one-from-each)
             (faulty off isolated mute)
             (var Member said (record Alive) any)
             (var Member view (set node) any)
             (var Member reading bool any)
             (block Member act (every 49 51 fixed (per-gap 1/2) (first 0 period))
               (locals (self node) (told (set (record Alive))) (m (record Alive)) (m.2 (record Alive)))
               (if (var reading self) (do
                 (let told (union (set (record Alive) (var said self)) (inbox Alive self)))
                 (if (all m told
                       (= (field Alive proposal m) (field Alive proposal (var said self))))
                   (do (:= view (field Alive proposal (var said self)))))
                 (:= said (new Alive
                   (union (set node self) (senders self))
                   (intersect-of m.2 told (field Alive heard m.2))))
                 (clear-inbox)))
               (:= reading (not (var reading self)))
               (send (var said self) (neighbours self)))
             (claim right (locals (k node)) (always (state (all k (nodes) (= {claimed} (nodes))))))"
        )
    };
    let (proposal, view) = (Removed::Field(RecordId(0), 1), Removed::Var(VarId(1)));
    let told = Removed::Name(BlockId(0), LocalId(1));
    let removed = |claimed: &str| passes::shrink(&machine(&text(claimed))).removed;
    assert_eq!(
        removed("(field Alive heard (var said k))"),
        [told, view, proposal]
    );
    assert_eq!(removed("(field Alive proposal (var said k))"), [told, view]);
    assert_eq!(removed("(var view k)"), [told]);
}
