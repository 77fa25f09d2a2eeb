//! Removal of fields: which fields are removed, and that each condition of the pass is necessary.

use crate::compare::{compare, machine};
use passes::Removed;
use passes::defects::{Breaking, Defect};

/// Asserts that the reduced Machine has the same answers, and that this many fields are removed.
fn removes(text: &str, fields: usize) {
    let machine = machine(text);
    match compare(&machine, 20_000) {
        Ok(shrunk) => {
            let found = shrunk.removed.iter();
            let found = found.filter(|r| matches!(r, Removed::Field(..))).count();
            assert_eq!(found, fields, "{:?}", shrunk.removed);
        }
        Err(why) => panic!("{why}"),
    }
}

/// Asserts that this many fields are removed, and that the comparison fails if the pass does not check the condition.
fn needs(condition: Defect, text: &str, fields: usize) {
    removes(text, fields);
    let machine = machine(text);
    let _left_out = Breaking::rule(condition);
    let result = std::panic::catch_unwind(|| compare(&machine, 20_000));
    assert!(
        !matches!(result, Ok(Ok(_))),
        "{condition:?} is not detected"
    );
}

/// An election among periodic nodes. The field `role` of their messages is never read.
const ELECTION: &str = "
    (ids 2)
    (enum Role follower candidate leader)
    (message Hello (sender id) (role (enum Role)))
    (kind Elector 2)
    (frozen Elector id id arrangement)
    (edges (1 1) (1 2) (2 1) (2 2))
    (channel instant)
    (inbox one-from-each)
    (var Elector role (enum Role) any)
    (var Elector turn (int 0 1) any)
    (block Elector every (every round 1)
      (locals (self node) (m (record Hello)) (higher bool))
      (if (= (var turn self) 0)
        (do
          (let higher (exists m (inbox Hello self) (> (field Hello sender m) (frozen id self))))
          (clear-inbox)
          (if higher
            (do (:= role (name Role follower)))
            (do (if (= (var role self) (name Role follower))
              (do (:= role (name Role candidate)))
              (do (:= role (name Role leader))))))))
      (:= turn (mod (+ (var turn self) 1) 2))
      (send (new Hello (frozen id self) (var role self)) (nodes)))
    (claim never (locals (k node))
      (always (state (all k (nodes) (!= (var role k) (name Role leader))))))
    (claim some (locals (k node))
      (eventually (state (exists k (nodes) (= (var role k) (name Role leader))))))
    (possible both (= (var role (node 1)) (var role (node 2))))
";

#[test]
fn a_role_that_nobody_reads() {
    removes(ELECTION, 1);
    let small = compare(&machine(ELECTION), 20_000).expect("the same answers");
    let frozen = small.machine.frozen_choices().next().expect("an instance");
    let instance = machine::Instance {
        machine: &small.machine,
        frozen: &frozen,
    };
    let initial = instance.initial_states().expect("initial states");
    assert_eq!(initial.len(), 3 * 3 * 2 * 2);
}

/// A Machine with two nodes. The first sends two messages with the given fields; `more` contains the code of the
/// second.
fn two_messages(first: &str, second: &str, more: &str) -> String {
    format!(
        "(message M (body bool) (extra bool))
         (kind Left 1) (kind Right 1)
         (edges (1 2))
         (channel fifo)
         (block Left begin start (send (new M {first}) (node 2)) (send (new M {second}) (node 2)))
         {more}"
    )
}

#[test]
fn a_field_of_a_message_with_code() {
    let code = "
        (var Right x bool (is false))
        (block Right take (on M) (:= x (field M body message)))
        (claim stays (eventually (always (state (not (var x (node 2)))))))
        (claim comes (eventually (state (var x (node 2)))))";
    removes(&two_messages("true true", "false false", code), 1);
}

#[test]
fn a_field_that_is_read_stays() {
    needs(
        Defect::FieldsRead,
        "(message M (extra (int 0 1)))
         (kind Only 2) (edges (1 2)) (channel fifo)
         (var Only x (int 0 1) (is 0))
         (block Only begin start (send (new M 1) (neighbours self)))
         (block Only take (on M) (:= x (field M extra message)))
         (possible reached (= (var x (node 2)) 1))",
        0,
    );
}

/// If a field is not read, the values from which it is computed are not read either.
#[test]
fn a_field_that_only_it_depends_on() {
    removes(
        "(message M (hops (int 0 3)) (last bool))
         (kind Only 2)
         (map next 2 1)
         (edges (1 2) (2 1))
         (channel fifo)
         (var Only got bool (is false))
         (block Only begin start (if (= self (node 1)) (do (send (new M 0 false) (map next self)))))
         (block Only take (on M)
           (:= got true)
           (if (not (field M last message)) (do
             (send (new M (mod (+ (field M hops message) 1) 4) (var got self)) (map next self)))))
         (claim ends (locals (k node)) (eventually (state (all k (nodes) (var got k)))))",
        1,
    );
}

/// The cycle of the original needs four iterations until the removed field has its first value again.
#[test]
fn a_loop_in_which_the_field_goes_on() {
    removes(
        "(message M (hops (int 0 3)))
         (kind Only 2)
         (map next 2 1)
         (edges (1 2) (2 1))
         (channel fifo)
         (var Only got bool (is false))
         (block Only begin start (if (= self (node 1)) (do (send (new M 0) (map next self)))))
         (block Only take (on M)
           (:= got (not (var got self)))
           (send (new M (mod (+ (field M hops message) 1) 4)) (map next self)))
         (claim ends (eventually (always (state (var got (node 1))))))",
        1,
    );
}

#[test]
fn what_cannot_be_made_is_an_error_still() {
    let text = two_messages(
        "true true",
        "false (unwrap (none bool))",
        "
        (block Right take (on M))
        (possible ever false)",
    );
    needs(Defect::FailuresIgnored, &text, 1);
}

#[test]
fn what_is_read_of_another_kind_is_an_error_still() {
    let text = two_messages(
        "true true",
        "false (var x (map other self))",
        "
        (map other 2 1)
        (var Left x bool (is false))
        (block Right take (on M))
        (possible ever false)",
    );
    needs(Defect::FailuresIgnored, &text, 1);
}

#[test]
fn what_is_out_of_range_is_an_error_still() {
    needs(
        Defect::RangesIgnored,
        "(message M (extra (int 0 1)))
         (kind Only 2) (edges (1 2)) (channel fifo)
         (var Only x (int 0 1) any)
         (block Only begin start (send (new M (+ (var x self) 1)) (neighbours self)))
         (block Only take (on M))
         (possible ever false)",
        0,
    );
}

#[test]
fn messages_that_are_compared_stay_different() {
    let code = "
        (var Right kept (option (record M)) (is (none (record M))))
        (var Right same bool (is false))
        (block Right take (on M)
          (:= same (= (var kept self) (some message)))
          (:= kept (some message)))
        (possible twice (var same (node 2)))";
    needs(
        Defect::FieldsCompared,
        &two_messages("true true", "true false", code),
        0,
    );
}

#[test]
fn messages_are_kept_and_asked_for() {
    let code = "
        (var Right kept (option (record M)) (is (none (record M))))
        (block Right take (on M) (:= kept (some message)))
        (possible there (!= (var kept (node 2)) (none (record M))))
        (possible true (and (is-some (var kept (node 2))) (field M body (unwrap (var kept (node 2))))))";
    removes(&two_messages("true true", "true false", code), 1);
}

#[test]
fn sets_whose_elements_become_one_are_not_counted() {
    let code = "
        (var Right many bool (is false))
        (block Right look (when (= (size (inbox M self)) 2)) (:= many true) (halt))
        (possible two (var many (node 2)))";
    needs(
        Defect::FieldsCounted,
        &two_messages("true true", "true false", code),
        0,
    );
    let code = "
        (var Right many bool (is false))
        (block Right look (when (= (count m (inbox M self) (field M body m)) 2))
          (locals (self node) (m (record M))) (:= many true) (halt))
        (possible two (var many (node 2)))";
    needs(
        Defect::FieldsCounted,
        &two_messages("true true", "true false", code),
        0,
    );
    // If the inbox keeps copies, no messages are merged, and the count is the same before and after the reduction.
    let copies = format!("(inbox copies) {code}");
    removes(&two_messages("true true", "true false", &copies), 1);
    removes(&two_messages("true true", "true true", &copies), 1);
}

/// The latest message of a sender and type is still the latest after the reduction.
#[test]
fn only_the_latest_is_there() {
    let code = "
        (inbox latest)
        (var Right many (int 0 2) (is 0))
        (block Right look (when (exists m (inbox M self) (field M body m)))
          (locals (self node) (m (record M)))
          (:= many (count m (inbox M self) (field M body m))) (halt))
        (possible two (= (var many (node 2)) 2))
        (claim one (eventually (state (= (var many (node 2)) 1))))";
    removes(&two_messages("false true", "true false", code), 1);
}

#[test]
fn sets_are_gone_through_in_order() {
    let code = "
        (var Right x (int 0 2) (is 0))
        (block Right look (when (exists m (inbox M self) (field M body m)))
          (locals (self node) (m (record M)))
          (for m (inbox M self) (:= x (+ (var x self) 1))) (halt))
        (possible two (= (var x (node 2)) 2))";
    needs(
        Defect::FieldsInOrder,
        &two_messages("true true", "true false", code),
        0,
    );
    let code = "
        (inbox copies)
        (var Right x (int 0 3) (is 0))
        (block Right look (when (= (count m (inbox M self) true) 2))
          (locals (self node) (m (record M)))
          (for m (inbox M self) (:= x (+ (var x self) 1))) (halt))
        (possible two (= (var x (node 2)) 2))";
    removes(&two_messages("true true", "true false", code), 0);
    let chosen = "
        (var Right x bool (is false))
        (block Right look (when (exists m (inbox M self) (field M body m)))
          (locals (self node) (m (record M)))
          (choose m (inbox M self)) (:= x (field M body m)) (halt))
        (possible two (var x (node 2)))";
    needs(
        Defect::FieldsInOrder,
        &two_messages("true true", "true false", chosen),
        0,
    );
}

/// `exists` stops at the first element that satisfies the body. Which element comes first must make no difference.
#[test]
fn who_fails_must_not_depend_on_the_order() {
    let text = "
        (message M (extra bool) (body (int 0 1)))
        (kind Left 1) (kind Right 1)
        (edges (1 2))
        (channel fifo)
        (block Left begin start (send (new M true 0) (node 2)) (send (new M false 1) (node 2)))
        (var Right x bool (is false))
        (block Right look (when (exists m (inbox M self) (= (field M body m) 1)))
          (locals (self node) (m (record M)))
          (:= x (exists m (inbox M self) (= (floor 1 (field M body m)) 1))) (halt))
        (possible found (var x (node 2)))";
    needs(Defect::FailuresIgnored, text, 0);
}

/// An initial message may have been computed from an inbox that contained more messages than are possible after the
/// reduction.
#[test]
fn what_is_guessed_is_not_counted() {
    needs(
        Defect::FieldsGuessed,
        "(message M (extra bool)) (message N (many (int 0 3)))
         (kind Only 2) (edges (1 2)) (channel instant) (inbox latest one-from-each)
         (var Only x bool (is false))
         (block Only act (every any) (locals (self node) (m (record M)) (n (record N)))
           (if (exists n (inbox N self) (= (field N many n) 2)) (do (:= x true)))
           (clear-inbox)
           (send (new M true) (neighbours self))
           (send (new N (min 3 (count m (inbox M self) true))) (neighbours self)))
         (possible two (var x (node 2)))",
        0,
    );
}

/// A set that is never empty at a `send` may be empty in an initial message, whose parts are arbitrary.
#[test]
fn what_is_guessed_may_be_an_error() {
    needs(
        Defect::FieldsGuessed,
        "(message M (extra (set node)) (none bool))
         (kind Only 2) (edges (1 2)) (channel instant) (inbox latest one-from-each)
         (var Only x bool (is false))
         (block Only act (every any)
           (locals (self node) (m (record M)) (all (set (set node))) (s (set node)))
           (if (exists m (inbox M self) (field M none m)) (do (:= x true)))
           (let all (set (set node) (nodes)))
           (send (new M (intersect-of s all s) (= (size all) 0)) (neighbours self)))
         (possible none (var x (node 2)))",
        0,
    );
}

#[test]
fn bags_keep_what_is_different() {
    needs(
        Defect::FieldsInBags,
        "(message M (extra bool))
         (kind Only 1) (edges (1 1)) (channel unordered)
         (var Only x bool (is false))
         (block Only begin start (send (new M true) self) (send (new M false) self))
         (block Only take (on M) (:= x (not (var x self))) (send message self))
         (claim ends (eventually (always (state (var x (node 1))))))",
        0,
    );
}

#[test]
fn arrays_keep_their_elements() {
    needs(
        Defect::FieldsInKeys,
        "(struct S (a bool) (extra bool))
         (kind Only 1) (channel fifo)
         (var Only seen (array (record S) bool) (is (fill (record S) false)))
         (var Only x bool (is false))
         (block Only begin start
           (:= (seen (index (record S) (new S true true))) true)
           (:= x (index (record S) (var seen self) (new S true false))))
         (possible other (var x (node 1)))",
        0,
    );
}

#[test]
fn frozen_variables_stay_as_they_are() {
    needs(
        Defect::FieldsOfFrozen,
        "(struct S (a bool) (extra bool))
         (kind Only 1) (channel fifo)
         (frozen Only c (record S) every)
         (var Only x bool (is false))
         (block Only begin start (:= x (field S a (frozen c self))))
         (possible reached (var x (node 1)))",
        0,
    );
}

#[test]
fn a_node_that_is_off_begins_with_the_same() {
    needs(
        Defect::FieldsOfFirst,
        "(struct S (extra bool) (a bool))
         (kind Only 1) (channel fifo)
         (faulty off)
         (var Only s (record S) (any-in (set (record S) (new S true false) (new S false true))))
         (claim it (always (state (implies (off (node 1)) (field S a (var s (node 1)))))))",
        0,
    );
}

#[test]
fn what_reads_an_inbox_goes_on_reading_it() {
    needs(
        Defect::InboxesUnread,
        "(message M (extra bool)) (message N)
         (kind Left 1) (kind Right 1) (edges (1 2) (2 1)) (channel fifo)
         (block Left begin start (locals (self node) (n (record N)))
           (send (new M (exists n (inbox N self) true)) (node 2)))
         (block Right take (on M))
         (block Right go start (send (new N) (node 1)))
         (possible ever false)",
        0,
    );
}

/// Records are stored in variables and in sets. A field of these records that is never read is removed everywhere.
#[test]
fn a_field_of_stored_records() {
    let members = "
        (message Alive (heard (set node)) (proposal (set node)))
        (kind Member 2)
        (edges (1 2))
        (channel instant)
        (inbox latest one-from-each)
        (var Member said (record Alive) any)
        (var Member reading bool any)
        (block Member act (every round 1)
          (locals (self node) (told (set (record Alive))) (m (record Alive)))
          (if (var reading self) (do
            (let told (union (set (record Alive) (var said self)) (inbox Alive self)))
            (:= said (new Alive
              (union (set node self) (senders self))
              (intersect-of m (var-told) (field Alive heard m))))
            (clear-inbox)))
          (:= reading (not (var reading self)))
          (send (var said self) (neighbours self)))
        (claim heard (locals (k node))
          (eventually (always (state (all k (nodes) (= (field Alive heard (var said k)) (nodes)))))))
        (possible none (= (field Alive heard (var said (node 1))) (set node)))";
    removes(&members.replace("(var-told)", "told"), 1);
    // The intersection is over a set that the analysis cannot prove to be non-empty.
    removes(&members.replace("(var-told)", "(inbox Alive self)"), 0);
}
