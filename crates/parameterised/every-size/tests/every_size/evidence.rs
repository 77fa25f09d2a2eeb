//! The audit of proofs: each is accepted, and each that claims something else is rejected.

use crate::protocols::{BEATS, ELECTION, analysis, protocol};
use every_size::Answer;
use machine::OpenMachine;
use verdict::EverySizeProof;

fn proof_of(open: &OpenMachine, claim: usize) -> EverySizeProof {
    match analysis(open, &open.base.properties)
        .answers
        .swap_remove(claim)
    {
        Answer::Holds(proof) => proof,
        other => panic!("{other:?}"),
    }
}

fn accepts(open: &OpenMachine, claim: usize, proof: &EverySizeProof) -> bool {
    let claims = &open.base.properties;
    audit::every_size(open, claims, claim, proof, cadical::BACKEND).is_ok()
}

/// Every number and time in the stored form of a proof, changed by one in both directions, every truth value, and every
/// list without one element.
fn changed(
    value: &serde_json::Value,
    path: &str,
    found: &mut Vec<(String, serde_json::Value)>,
    root: &serde_json::Value,
) {
    use serde_json::Value;
    match value {
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                changed(item, &format!("{path}/{i}"), found, root);
            }
            for i in 0..items.len() {
                let mut fewer = items.clone();
                fewer.remove(i);
                found.push((
                    format!("{path} without {i}"),
                    with(root, path, Value::Array(fewer)),
                ));
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                changed(field, &format!("{path}/{name}"), found, root);
            }
        }
        Value::Number(number) => {
            let number = number.as_u64().expect("numbers are counts");
            let mut others = vec![number + 1];
            others.extend(number.checked_sub(1));
            for other in others {
                found.push((format!("{path} = {other}"), with(root, path, other.into())));
            }
        }
        Value::String(time) => {
            let time: rational::Rational = time.parse().unwrap();
            let one = rational::Rational::from(1u32);
            for other in [&time - &one, &time + &one] {
                let other = other.to_string();
                found.push((format!("{path} = {other}"), with(root, path, other.into())));
            }
        }
        Value::Bool(flag) => found.push((
            format!("{path} = {}", !flag),
            with(root, path, (!flag).into()),
        )),
        Value::Null => {}
    }
}

fn with(root: &serde_json::Value, path: &str, value: serde_json::Value) -> serde_json::Value {
    let mut root = root.clone();
    *root.pointer_mut(path).expect("the path exists") = value;
    root
}

fn every_change_is_rejected(open: &OpenMachine, claim: usize) {
    let proof = proof_of(open, claim);
    assert!(accepts(open, claim, &proof));
    let stored = serde_json::to_value(&proof).unwrap();
    let mut changes = Vec::new();
    changed(&stored, "", &mut changes, &stored);
    assert!(changes.len() > 10);
    for (what, change) in changes {
        let Ok(proof) = serde_json::from_value(change) else {
            continue;
        };
        assert!(!accepts(open, claim, &proof), "{what}");
    }
}

#[test]
fn a_proof_with_one_change_is_rejected() {
    every_change_is_rejected(&protocol(ELECTION, &[]), 0);
    let claim = "(claim heard (locals (k node) (x node)) (always (state (all k (nodes Node) \
        (implies (and (not (fault off k)) (>= (var activations k) 2)) (and (var flag k) (all x (nodes Node) \
        (implies (not (or (fault off x) (fault mute x))) (or (= x k) (in x (var heard k)))))))))))";
    every_change_is_rejected(&protocol(&format!("{BEATS}{claim}"), &[]), 0);
}

#[test]
fn a_proof_of_another_claim_or_protocol_is_rejected() {
    let open = protocol(ELECTION, &[]);
    let proof = proof_of(&open, 0);
    for (old, new) in [
        (
            "(>= (var activations k.2) 4)",
            "(>= (var activations k.2) 3)",
        ),
        ("(per-gap 1/2)", "(per-gap 16)"),
        ("(all-but 0 1)\n", ""),
        ("one-from-each", "anything"),
    ] {
        assert!(
            !accepts(&protocol(ELECTION, &[(old, new)]), 0, &proof),
            "{new}"
        );
    }
}

#[test]
fn a_proof_with_late_times_or_many_steps_says_nothing_about_other_values() {
    let open = protocol(ELECTION, &[]);
    let proof = proof_of(&open, 0);
    assert!(every_size::is_stable(&open, &proof));
    let mut late = proof.clone();
    // So many gaps that a sum of them has more declared bounds than are counted.
    late.steps[0].from = rational::Rational::from(100_000_000_000_i64);
    assert!(!every_size::is_stable(&open, &late));
    let mut long = proof.clone();
    long.steps = vec![proof.steps[0].clone(); 10_000_000];
    assert!(!every_size::is_stable(&open, &long));
}
