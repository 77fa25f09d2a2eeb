//! Claims that are proved only with lemmas. The audit refuses such evidence if it has one defect.

use crate::circuits::{by, machines, word};
use machine::Machine;
use strategy::{Method, answer_by};
use verdict::{Evidence, Exhausted, Induction, Invariant, Proved, Question, Relying, Unlimited};

/// Two numbers that cycle together, so their difference is always 0 and never 130. Without this lemma, k-induction
/// needs a depth of about 200, because a path of unreachable states with difference 130 reaches x = 150 only after up
/// to 199 steps.
const TOGETHER: &str = "
node One {
    var x: 0 .. 199 = 0
    var y: 0 .. 199 = 0
    when step: true { x = (x + 1) mod 200; y = (y + 1) mod 200 }
}
claim together: always One.x == One.y
claim never:    always not (One.x == 150 and One.y == 20)
claim not_both: always (One.x < 150 or One.y > 20)
claim wrong:    always One.x == 2 * One.y
check together, never
check never, together
check never
check wrong
check together, never, not_both
";

fn induction() -> Option<invariants::Method> {
    Some(invariants::Method::Induction)
}

/// The Machine with one claim of the first check, and the evidence for it.
fn claim(place: usize) -> (Machine, Evidence) {
    let whole = machines(TOGETHER, 0).remove(0);
    let report = by(&whole, induction());
    let alone = Machine {
        properties: vec![whole.properties[place].clone()],
        ..whole
    };
    let evidence = report.results[place].evidence.clone();
    (alone, evidence.expect("evidence"))
}

fn never() -> (Machine, Relying) {
    let (machine, evidence) = claim(1);
    let Evidence::Relying(relying) = evidence else {
        panic!("it relies on the other one: {evidence:?}");
    };
    (machine, relying)
}

#[test]
fn an_induction_needs_what_was_proved_before() {
    let alone = machines(TOGETHER, 2).remove(0);
    assert_eq!(word(&by(&alone, induction()).results[0].answer), "unknown");
    let both = machines(TOGETHER, 0).remove(0);
    let report = by(&both, induction());
    let words: Vec<String> = report.answers().map(word).collect();
    assert_eq!(words, ["holds", "holds"]);
    assert!(matches!(
        &report.results[0].evidence,
        Some(Evidence::Induction(Induction { k: 1, .. }))
    ));
    let (machine, relying) = never();
    assert_eq!(
        (relying.before.len(), &relying.relies_on[..]),
        (1, &[1][..])
    );
    let Evidence::Induction(inner) = &*relying.evidence else {
        panic!("an induction");
    };
    assert_eq!(inner.k, 0);
    let checked = audit::evidence(&machine, &Evidence::Relying(relying), sat::Backend::BATSAT)
        .expect("a proof");
    let audit::Checked::Circuit(checked) = checked else {
        panic!("by a circuit");
    };
    assert_eq!(checked.before, both.properties[..1]);
}

#[test]
fn what_is_asked_first_is_helped_by_what_comes_later() {
    let machine = machines(TOGETHER, 1).remove(0);
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let report = answer_by(Method::Circuits(induction()), &question, &Unlimited).expect("a report");
    let words: Vec<String> = report.answers().map(word).collect();
    assert_eq!(words, ["holds", "holds"]);
    assert!(matches!(
        &report.results[0].evidence,
        Some(Evidence::Relying(_))
    ));
    assert!(matches!(
        &report.results[1].evidence,
        Some(Evidence::Induction(_))
    ));
}

#[test]
fn what_is_not_needed_is_not_relied_on() {
    let machine = machines(TOGETHER, 4).remove(0);
    let report = by(&machine, None);
    for (p, property) in machine.properties.iter().enumerate().skip(1) {
        match &report.results[p].evidence {
            Some(Evidence::Relying(relying)) => {
                assert_eq!(relying.before.len(), 1, "{}", property.name);
                assert!(relying.before[0].claim.contains("together"));
            }
            Some(_) => {}
            None => panic!("no evidence for {}", property.name),
        }
    }
}

/// The reason for which the audit refuses the evidence.
fn refused(machine: &Machine, relying: &Relying) -> String {
    audit::evidence(
        machine,
        &Evidence::Relying(relying.clone()),
        cadical::BACKEND,
    )
    .expect_err("wrong evidence")
    .0
}

/// Asserts that the audit refuses the evidence after a change, for a reason that contains `why`.
fn changed(change: impl Fn(&mut Relying), why: &str) {
    let (machine, mut relying) = never();
    change(&mut relying);
    let answers = refused(&machine, &relying);
    assert!(answers.contains(why), "{answers}");
}

#[test]
fn what_is_relied_on_is_proved_before() {
    let missing = "which is not proved before it";
    changed(|r| r.before.clear(), missing);
    changed(|r| r.relies_on = vec![2], missing);
    changed(|r| r.relies_on = vec![0], missing);
    // A lemma that relies on itself, and two lemmas that rely on each other.
    changed(|r| r.before[0].relies_on = vec![1], missing);
    changed(
        |r| {
            let first = r.before[0].clone();
            r.before[0].relies_on = vec![2];
            r.before.push(Proved {
                relies_on: vec![1],
                ..first
            });
        },
        missing,
    );
    // The claim itself as a lemma under another name.
    let (machine, relying) = never();
    let round = Relying::on(
        &machine,
        &[(&machine.properties[0], &relying.evidence)],
        (*relying.evidence).clone(),
    );
    assert!(
        refused(&machine, &round).contains("claim 1 that it relies on: the claim can be broken")
    );
}

#[test]
fn what_is_relied_on_has_its_own_proof() {
    changed(|r| r.relies_on.clear(), "the claim can be broken after");
    let by = |k: u32| {
        Evidence::Induction(Induction {
            k,
            strengthening: Invariant {
                room: 2,
                clauses: Vec::new(),
            },
        })
    };
    changed(
        |r| r.before[0].evidence = by(0),
        "claim 1 that it relies on: the claim can be broken after",
    );
    changed(
        |r| r.before[0].claim = r.before[0].claim.replace("(=", "(!="),
        "claim 1 that it relies on: the claim is broken before",
    );
    changed(
        |r| r.before[0].claim = "(claim together (always (state true)))".into(),
        "the claim can be broken after",
    );
    changed(
        |r| r.before[0].claim = "(claim together".into(),
        "claim 1 that it relies on",
    );
    changed(
        |r| {
            r.before[0]
                .claim
                .push_str("(claim more (always (state true)))")
        },
        "it is 2 claims",
    );
    changed(|r| r.before[0].claim.clear(), "it is 0 claims");
    changed(
        |r| r.before[0].claim.push_str("(kind Other 1)"),
        "it says more than a claim",
    );
    changed(
        |r| *r.evidence = Evidence::Relying(r.clone()),
        "of another kind",
    );
    changed(
        |r| {
            let inner = Evidence::Relying(r.clone());
            r.before[0].evidence = inner;
        },
        "of another kind",
    );
    // From a false lemma every claim would follow.
    let wrong = machines(TOGETHER, 3).remove(0);
    let (machine, relying) = never();
    let helped = Relying::on(
        &machine,
        &[(&wrong.properties[0], &by(1))],
        (*relying.evidence).clone(),
    );
    assert!(refused(&machine, &helped).contains("claim 1 that it relies on"));
}

#[test]
fn what_several_rely_on_is_said_once() {
    let (machine, relying) = never();
    let helper = verdict::claim_of(&machine, &relying.before[0].claim).expect("a claim");
    let first = relying.before[0].evidence.clone();
    let second = Evidence::Relying(relying.clone());
    let known = [(&machine.properties[0], &second), (&helper, &first)];
    let whole = Relying::on(&machine, &known, (*relying.evidence).clone());
    assert_eq!(whole.before.len(), 2);
    assert_eq!(whole.before[1].relies_on, [1]);
    assert_eq!(whole.relies_on, [2, 1]);
    audit::evidence(&machine, &Evidence::Relying(whole), sat::Backend::BATSAT).expect("a proof");
}

#[test]
fn huge_numbers_are_refused_before_anything_is_made() {
    let (machine, _) = never();
    let evidence = |k: u32, room: u32| {
        Evidence::Induction(Induction {
            k,
            strengthening: Invariant {
                room,
                clauses: Vec::new(),
            },
        })
    };
    let why = |evidence: Evidence| {
        audit::evidence(&machine, &evidence, cadical::BACKEND)
            .expect_err("huge")
            .0
    };
    assert!(why(evidence(u32::MAX, 2)).contains("more moments than anybody"));
    assert!(why(evidence(1, u32::MAX)).contains("room for more messages than anybody"));
    let events = u32::MAX;
    let exhausted = Evidence::Exhausted(Exhausted { room: 2, events });
    assert!(why(exhausted).contains("more moments than anybody"));
}
