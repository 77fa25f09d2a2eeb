//! Results as data: verdicts, judgements, coverage, evidence, and the serialised form.

use crate::examples::charged_once;
use scrutineer::{Judgement, Model, Options, PropertyKind, Verdict};

const COUNTING: &str = "param n: 1..4 = 2
node Member[n] { var done: Bool = false; when act: not done { done = true } }
claim ends: eventually all k in Member: k.done
claim never: always all k in Member: not k.done
check ends, never for n in 1..3 expect holds, fails
check possible: exists k in Member: k.done
";

#[test]
fn every_claim_and_every_choice_of_parameters_has_a_result() {
    let model = Model::parse(COUNTING).expect("a model");
    assert_eq!(model.claims(), ["ends", "never"]);
    let [claims, possible] = model.checks()[..] else {
        panic!("two checks");
    };
    assert_eq!(claims.asks(), ["ends", "never"]);
    assert_eq!((claims.number(), claims.line()), (1, 5));
    let report = claims.run(&Options::default()).expect("a report");
    assert!(report.is_good());
    assert!(
        report.assumed.contains("not interrupted"),
        "{}",
        report.assumed
    );
    let found: Vec<(&str, &str, &Verdict)> = { report.properties.iter() }
        .map(|p| (&p.claim[..], &p.parameters[0].value[..], &p.verdict))
        .collect();
    let expected =
        ["1", "2", "3"].map(|n| [("ends", n, &Verdict::Holds), ("never", n, &Verdict::Fails)]);
    assert_eq!(found, expected.concat());
    let [holds, fails, ..] = &report.properties[..] else {
        panic!("six results");
    };
    assert!(holds.is_proved() && holds.witness.is_none() && holds.counts.states > 1);
    assert_eq!(holds.covers, "n = 1");
    assert!(!fails.is_proved() && fails.witness.is_some());
    assert_eq!(fails.judgement, Judgement::Good, "the model expects it");
    let report = possible.run(&Options::default()).expect("a report");
    let [only] = &report.properties[..] else {
        panic!("one result");
    };
    assert_eq!(
        (only.kind, &only.verdict),
        (PropertyKind::Possible, &Verdict::Possible)
    );
}

#[test]
fn parameters_and_a_claim_are_chosen_by_options() {
    let model = Model::parse(COUNTING).expect("a model");
    let options = Options::default().set("n", 4).claim("never");
    let report = model.checks()[0].run(&options).expect("a report");
    let [only] = &report.properties[..] else {
        panic!("one result: {report:?}");
    };
    assert_eq!(
        (&only.claim[..], &only.parameters[0].value[..]),
        ("never", "4")
    );
    // Without `expect`, a claim that fails is judged as bad.
    assert_eq!(only.judgement, Judgement::Bad);
}

#[test]
fn results_are_serialised() {
    let result = charged_once().expect("a result");
    let data = serde_json::to_value(&result).expect("plain data");
    assert_eq!(data["claim"], "charged_once");
    assert_eq!(data["verdict"]["is"], "fails");
    assert_eq!(data["judgement"], "bad");
    assert_eq!(data["witness"]["run"]["ending"], "open");
    let events = data["witness"]["run"]["events"].as_array().expect("events");
    assert_eq!(
        events.len(),
        result.witness.expect("a run").run.events.len()
    );
    assert!(data["evidence"].is_null());
}

#[test]
fn evidence_is_audited_again() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/thales-election.scrut"
    );
    let model = Model::read(path).expect("a model");
    let checks = model.checks();
    let mut checks = checks.iter();
    let check = checks.find(|check| check.asks().contains(&"boss_stands(a)".to_string()));
    let report = check
        .expect("the check")
        .run(&Options::default().claim("boss_stands"));
    let report = report.expect("a report");
    let [only] = &report.properties[..] else {
        panic!("one result: {report:?}");
    };
    assert_eq!(only.kind, PropertyKind::Least);
    let Verdict::Value { text, number, .. } = &only.verdict else {
        panic!("a value: {only}");
    };
    assert_eq!((&text[..], *number), ("2", Some(2)));
    let evidence = only.evidence.as_ref().expect("a proof");
    evidence.audit().expect("sound evidence");
    let text = evidence.to_proof_text();
    assert!(text.contains("boss_stands(a) holds for a = 2"), "{text}");
}
