//! Models by hand with answers derived by hand. They contain cases that a shortcut in the unbounded proof rule or in
//! the handling of message contents would get wrong, and models that notice a seeded defect.

use crate::order_models::comparison::{Outcome, machines, outcome};
use Outcome::{Fails, Holds};
use checks::load_text;
use order::defects::{Breaking, Defect};
use strategy::{Method, answer_by};
use verdict::{Question, Unlimited};

/// The answers of the order-of-events engine to each claim of a model. Asserts that the audit confirms its runs.
fn by_order(text: &str) -> Vec<Outcome> {
    let loaded = load_text("by-hand.scrut", text);
    assert!(!loaded.has_errors(), "{:?}\n{text}", loaded.diagnostics);
    let outcomes = machines(&loaded).into_iter().map(|machine| {
        let question = Question {
            machine: &machine,
            fair: true,
        };
        let report = answer_by(Method::Order, &question, &Unlimited).expect("a report");
        let answer = &report.results[0].answer;
        audit::confirm(&question, 0, answer).expect("a run that stands up");
        outcome(answer)
    });
    outcomes.collect()
}

/// A sends to B at every activation. B counts its own activations since the last message, in `x`.
///
/// The gaps of A are 10 to 12 and those of B at most 4, so B has at least two activations between two activations of A.
/// The first of these sets x to 0, and the others increment it. Hence x is at least 1 *when* A is activated for the
/// second time, or later. So `counts` would hold if only the first moment with two activations of A were considered.
/// But it fails: A is activated at 0 and 10, the next activation of B finds the new message and sets x to 0, and A
/// still has two activations.
///
/// From one activation of A to the next, both ends included, B has at most five activations (at 0, 3, 6, 9 and 12), so
/// the maximum of x is 4. Hence `at_most(4)` holds and `at_most(3)` fails.
const FIRST_MOMENT: &str = "
message Tick
node A {
    every 10 .. 12 { broadcast Tick }
    ignore Tick
}
node B {
    var x: 0..5 = any
    every 3 .. 4 {
        let told = exists m in inbox: true
        clear inbox
        if told { x = 0 } else { x = min(x + 1, 5) }
    }
}
network complete { delivery instant; inbox latest per sender }
claim counts: always (A.activations >= 2 implies B.x >= 1)
claim at_most(n: 0..5): always (A.activations >= 2 implies B.x <= n)
check counts
check at_most(4)
check at_most(3)
";

/// A sends 1, whatever x is before the block, and x is 2 after it. The reads of B are at least 5 apart and the gaps of
/// A at most 4, so a message arrives between any two reads. So from its second activation on, B has read a 1, and never
/// a 2.
const AT_THE_SEND: &str = "
message Note { v: 0..2 }
node A {
    var x: 0..2 = 0
    every 3 .. 4 {
        x = 1
        broadcast Note { v: x }
        x = 2
    }
    ignore Note
}
node B {
    var one: Bool = false
    var two: Bool = false
    every 5 .. 6 {
        one = exists m in inbox: m.v == 1
        two = exists m in inbox: m.v == 2
        clear inbox
    }
}
network complete { delivery instant; inbox latest per sender }
claim sees_one: always (B.activations >= 2 implies B.one)
claim sees_no_one: always (B.activations >= 2 implies not B.one)
claim sees_two: always (B.activations >= 2 implies B.two)
claim sees_no_two: always (B.activations >= 2 implies not B.two)
check sees_one
check sees_no_one
check sees_two
check sees_no_two
";

/// On a ring each node sends to the next one only, so that nothing from the next one is ever there, whatever is there at
/// first. Where a local says to whom it is sent, there may be something at first.
const ADDRESSED: &str = "
message Note
node P[3] {
    var strange: Bool = false
    every 3 .. 4 {
        strange = not senders(inbox) subset { previous }
        CODE
    }
}
network ring { delivery instant; inbox latest per sender, starts with anything }
claim addressed: always all k in P: k.activations >= 1 implies not k.strange
check addressed
";

/// Like `FIRST_MOMENT`, but messages take 3 to 6. So two arrivals are 10 - 3 to 12 + 3 apart. Let B find a message at
/// time 0. If the next message arrives just after 15, B is activated at 0, 3, 6, 9, 12 and 15 before it finds that
/// message: at most six activations. So the maximum of x is 5.
const AGE: &str = "
message Tick
node A {
    every 10 .. 12 { broadcast Tick }
    ignore Tick
}
node B {
    var x: 0..7 = any
    every 3 .. 4 {
        let told = exists m in inbox: true
        clear inbox
        if told { x = 0 } else { x = min(x + 1, 7) }
    }
}
network complete { delivery within 3 .. 6; inbox latest per sender }
claim at_most(n: 0..7): always (A.activations >= 3 implies B.x <= n)
check at_most(5)
check at_most(4)
";

/// A counts from 0 to 5 cyclically and sends its count; messages take 23. The last message that B has read was sent
/// between 23 and 33 ago (33 only if B is activated before A at that time). Since then A has been activated two or
/// three times, and may be activated once more before B reads again. A increments after it sends, so it is 3 to 5 ahead
/// of the value that B has. The first message arrives at 33 at the latest, and the fifth activation of B is at 40 at
/// the earliest. The third activation of B may be at 20, before any message arrives.
const LAG: &str = "
message Note { v: 0..5 }
node A {
    var x: 0..5 = 0
    every 10 {
        broadcast Note { v: x }
        x = (x + 1) mod 6
    }
    ignore Note
}
node B {
    var y: 0..5 = 0
    every 10 {
        if exists m in inbox: true { y = max m in inbox: m.v }
    }
}
network complete { delivery within 23; inbox latest per sender }
claim behind(n: 0..9, least: 0..5, most: 0..5):
    always (B.activations >= n implies ((A.x + 6 - B.y) mod 6 >= least and (A.x + 6 - B.y) mod 6 <= most))
check behind(5, 3, 5)
check behind(5, 3, 4)
check behind(5, 4, 5)
check behind(3, 3, 5)
";

/// A sends every 2, messages take up to 1, and B reads every 7, say at r and r + 7. A message sent at r may arrive
/// before the first read, and one sent at r + 6 after the second. Those sent at r + 2 and r + 4 arrive between the
/// reads. So B finds a message after one loss, but not after two.
const LOST: &str = "
param lost: 0..3 = 0
message Tick
node A {
    every 2 { broadcast Tick }
    ignore Tick
}
node B {
    var told: Bool = false
    every 7 {
        told = exists m in inbox: true
        clear inbox
    }
}
network complete { delivery within 0 .. 1; inbox all }
faults lose at most lost messages
claim hears: always (B.activations >= 2 implies B.told)
check hears for lost = 0
check hears for lost = 1
check hears for lost = 2
";

/// The value that A sends grows from 0 to 3 and stays at 3. The value that B has never decreases, because messages
/// arrive in order.
const IN_ORDER: &str = "
message Note { v: 0..3 }
node A {
    var x: 0..3 = 0
    every 2 {
        broadcast Note { v: x }
        x = min(x + 1, 3)
    }
    ignore Note
}
node B {
    var y: 0..3 = 0
    var less: Bool = false
    every 3 {
        if exists m in inbox: true {
            let v = max m in inbox: m.v
            less = v < y
            y = v
        }
    }
}
network complete { delivery within 0 .. 5, fifo; inbox latest per sender }
claim grows: always (B.activations >= 1 implies not B.less)
check grows
";

/// A message that has arrived stays in the inbox, because B does not clear it.
const STAYS: &str = "
message Tick
node A {
    every 9 { broadcast Tick }
    ignore Tick
}
node B {
    var seen: Bool = false
    var gone: Bool = false
    every 2 {
        let there = exists m in inbox: true
        gone = seen and not there
        seen = there
    }
}
network complete { delivery within 0 .. 8; inbox all }
claim stays: always (B.activations >= 1 implies not B.gone)
check stays
";

#[test]
fn messages_that_take_time() {
    assert_eq!(by_order(AGE), [Holds, Fails]);
    assert_eq!(by_order(LAG), [Holds, Fails, Fails, Fails]);
    assert_eq!(by_order(LOST), [Holds, Holds, Fails]);
    assert_eq!(by_order(IN_ORDER), [Holds]);
    assert_eq!(by_order(STAYS), [Holds]);
}

/// Seeded defects that allow impossible orders of events: the engine then fails to prove a claim that holds.
#[test]
fn models_by_hand_notice_orders_that_cannot_be() {
    for (rule, text) in [
        (Defect::ArrivedAndGone, STAYS),
        (Defect::FifoOvertakes, IN_ORDER),
    ] {
        let breaking = Breaking::rule(rule);
        let outcomes = by_order(text);
        drop(breaking);
        assert_ne!(outcomes, [Holds], "{rule:?}");
    }
}

/// The engine gives no answer if messages may overtake each other and the inbox keeps only the latest.
#[test]
fn overtaking_is_not_answered() {
    let unordered = IN_ORDER.replace(", fifo", "");
    assert_eq!(by_order(&unordered), [Outcome::Open]);
}

#[test]
fn not_only_the_first_moment_counts() {
    assert_eq!(by_order(FIRST_MOMENT), [Fails, Holds, Fails]);
    let fixed = ADDRESSED.replace("CODE", "send Note to next");
    assert_eq!(by_order(&fixed), [Holds]);
    let local = ADDRESSED.replace("CODE", "let to_whom = next; send Note to to_whom");
    assert_eq!(by_order(&local), [Fails]);
}

#[test]
fn messages_say_what_is_so_at_the_send() {
    assert_eq!(by_order(AT_THE_SEND), [Holds, Fails, Fails, Holds]);
}

/// Models that need more activations than the engine unrolls, because one node is activated often while the other
/// waits, or because the claim counts that far. The engine gives no answer, rather than one for fewer activations.
#[test]
fn too_many_activations_are_no_answer() {
    let latest = "network complete { delivery instant; inbox latest per sender }";
    let tell = "        broadcast Note { v: x }";
    let reads = "        y = if exists m in inbox: true then 1 else 0\n        clear inbox";
    for (b, claim) in [
        ("1000", "B.activations < 2 or B.y == 1"),
        ("2", "B.activations < 450 or B.y == 1"),
    ] {
        let text = pair("1", tell, b, reads, latest, claim);
        assert_eq!(by_order(&text), [Outcome::Open], "{text}");
    }
}

/// A model in which A sends its value and B reads its inbox, with the claim `always claim`. `a` and `b` are the
/// timings, `says` and `reads` the code, and `world` is the network.
fn pair(a: &str, says: &str, b: &str, reads: &str, world: &str, claim: &str) -> String {
    format!(
        "message Note {{ v: 0..3 }}\n\
         node A {{\n    var x: 0..3 = 0\n    every {a} {{\n{says}\n    }}\n    ignore Note\n}}\n\
         node B {{\n    var y: 0..2 = 0\n    every {b} {{\n{reads}\n    }}\n}}\n\
         {world}\nclaim c: always ({claim})\ncheck c\n"
    )
}

/// Nodes are on or off from the start, independently of the order of their ids.
const LARGER_ARE_ON: &str = "
node N[2] {
    id: Id
    var on: Bool = any
    var shown: Bool = any
    every 5 {
        if on { shown = true } else { shown = false }
    }
}
network complete { delivery instant }
claim c: always (all a in N: all b in N: a.id < b.id and a.on and a.shown implies b.on)
check c
";

/// Models in which a claim fails, each with a seeded defect with which the claim would hold.
fn models() -> Vec<(Defect, String)> {
    let latest = "network complete { delivery instant; inbox latest per sender }";
    let all = "network complete { delivery instant; inbox all }";
    let anything =
        "network complete { delivery instant; inbox latest per sender, starts with anything }";
    let one_each = "network complete { delivery instant; inbox latest per sender, starts with one from each sender }";
    let tell = "        broadcast Note { v: x }";
    let goes_round = "        broadcast Note { v: x }\n        x = (x + 1) mod 4";
    let is_there = "        y = if exists m in inbox: true then 1 else 0\n        clear inbox";
    let is_full = "        y = if all v in 0..3: exists m in inbox: m.v == v then 1 else 0\n        clear inbox";
    let are_both = "        y = if (exists m in inbox: m.v == 1) and (exists m in inbox: m.v == 2) then 1 else 0";
    let with = |world: &str, faults: &str| format!("{world}\nfaults at most 1 {faults} from start");
    let takes = |time: &str| {
        format!("network complete {{ delivery within {time}; inbox latest per sender }}")
    };
    let lossy = |lost: &str| format!("{}\nfaults lose {lost} messages", takes("0"));
    let (slow, fast) = ("5, first 5 .. 5", "2");
    vec![
        (Defect::ContentsAfterBlock, AT_THE_SEND.into()),
        (Defect::FirstMomentOnly, FIRST_MOMENT.into()),
        // B reads at 5, 10, 15; A sends at 0, 9, 18. At 10 B finds the message of 9, and at 15 none. With the defect, A
        // is activated immediately after an arbitrary start, so every read finds a message.
        (
            Defect::FirstNotWidened,
            pair("9, first 0 .. 0", tell, slow, is_there, latest, "B.activations < 1 or B.y == 1"),
        ),
        // The first activation of both nodes is at 4. B may come first and find no message. Later it always finds one.
        (
            Defect::TiesOneWay,
            pair("2, first 4 .. 4", tell, "5, first 4 .. 4", is_there, latest, "B.activations < 1 or B.y == 1"),
        ),
        // B clears its inbox, so it finds each message only once, and A sends much less often than B reads.
        (
            Defect::ClearedStays,
            pair("9", tell, "2 .. 3", is_there, latest, "B.activations < 8 or B.y == 1"),
        ),
        // From the second read on, there is a message unless A is mute or B is deaf.
        (
            Defect::OffNodesSend,
            pair(fast, tell, slow, is_there, &with(latest, "A: mute"), "B.activations < 2 or B.y == 1"),
        ),
        (
            Defect::DeafNodesHear,
            pair(fast, tell, slow, is_there, &with(latest, "B: deaf"), "B.activations < 2 or B.y == 1"),
        ),
        (
            Defect::OffNodesHoldTime,
            pair(fast, tell, slow, is_there, &with(latest, "A: off"), "B.activations < 2 or B.y == 1"),
        ),
        // A is mute, and at its first read B finds the initial message from A.
        (
            Defect::LeftoversForgotten,
            pair("9", tell, fast, is_there, &with(anything, "A: mute"), "B.activations < 1 or not A.mute or B.y == 0"),
        ),
        // Only the first read finds no message.
        (
            Defect::StartNotLookedAt,
            pair("2, first 2 .. 2", tell, "5, first 0 .. 0", is_there, latest, "B.activations < 1 or B.y == 1"),
        ),
        // B sends to A after a read, and then A restarts its count from 0. The first message to B after that contains
        // 0, and the last one before B reads does not.
        (
            Defect::FirstIsLatest,
            pair(
                fast,
                "        x = if exists m in inbox: true then 0 else min(x + 1, 2)\n        clear inbox\n        broadcast Note { v: x }",
                slow,
                "        y = if exists m in inbox: m.v > 0 then 1 else 0\n        clear inbox\n        broadcast Note { v: 0 }",
                latest,
                "B.activations < 2 or B.y == 0",
            )
            .replace("    ignore Note\n", ""),
        ),
        (
            Defect::ReachOneLess,
            pair(fast, tell, slow, is_there, latest, "not B.activations > 1 or B.y == 0"),
        ),
        // The value of A grows to 3.
        (
            Defect::VariablesAsAtFirst,
            pair(fast, "        x = min(x + 1, 3)\n        broadcast Note { v: x }", fast, is_there, latest, "A.x < 3"),
        ),
        // A sends 1 and 2 in turn, and B keeps both, although they do not both arrive between two reads.
        (
            Defect::InboxesAsAtFirst,
            pair("9", "        x = if x == 1 then 2 else 1\n        broadcast Note { v: x }", fast, are_both, all, "B.activations < 1 or B.y == 0"),
        ),
        // Between two reads of B, A has four activations and sends each of the four numbers once.
        (
            Defect::HorizonShort,
            pair(fast, goes_round, "8", is_full, all, "B.activations < 2 or B.y == 0"),
        ),
        // The message that A sends at 0 arrives at 20. An engine that forgets messages in transit sees no arrival
        // between two reads.
        (
            Defect::OnTheWayForgotten,
            pair("100, first 0 .. 0", tell, "5", is_there, &takes("20"), "B.activations < 2 or B.y == 0"),
        ),
        // Two messages arrive between two reads, but both may be lost.
        (
            Defect::LostArrives,
            pair(fast, tell, slow, is_there, &lossy("any"), "B.activations < 2 or B.y == 1"),
        ),
        // One message arrives between two reads, and one message may be lost at any time, not only at the start.
        (
            Defect::LossesUsedUp,
            pair("4", tell, slow, is_there, &lossy("at most 1"), "B.activations < 2 or B.y == 1"),
        ),
        // A may be late, so that B reads twice between two sends.
        (
            Defect::LemmaTooStrong,
            pair("3 .. 4", tell, "2 .. 3", is_there, latest, "B.activations < 2 or B.y == 1"),
        ),
        // There is an initial message. After that, A sends much less often than B reads.
        (
            Defect::FilledThoughNot,
            pair("9", tell, "2 .. 3", is_there, one_each, "B.activations < 3 or B.y == 1"),
        ),
        (Defect::PhasesInOrder, LARGER_ARE_ON.into()),
    ]
}

#[test]
fn models_by_hand_notice() {
    let mut wrong = Vec::new();
    for (rule, text) in models() {
        let truth = by_order(&text);
        if !truth.contains(&Fails) {
            wrong.push(format!("{rule:?}: {truth:?} without it\n{text}"));
        }
        let breaking = Breaking::rule(rule);
        let outcomes = by_order(&text);
        drop(breaking);
        let noticed =
            |(truth, outcomes): (&Outcome, &Outcome)| (*truth, *outcomes) == (Fails, Holds);
        if !truth.iter().zip(&outcomes).any(noticed) {
            wrong.push(format!("{rule:?}: not noticed, {truth:?}, {outcomes:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
