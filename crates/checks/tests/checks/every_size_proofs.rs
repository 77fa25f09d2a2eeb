//! Stored proofs for every size: the audit accepts each one as written, and refuses it after one change of any field of
//! the evidence. The changes that it accepts are listed with their reasons: what is left is a proof as well.

use crate::proofs::{Place, changed, proofs_by, shipped, text_of};
use checks::{Options, Proof, ProofFile};
use serde_json::Value;
use strategy::Method;

/// Whose element a field is, and why a change of it can be a proof as well. The other fields have no such change.
const OTHER_PROOFS: [(&str, &str); 6] = [
    ("k", "a longer induction proves the claim as well"),
    ("room", "channels may have more room than events need"),
    (
        "clauses",
        "an invariant may have clauses that are not needed",
    ),
    ("claim", "the proof of one claim may prove another one"),
    ("invariants", "a lemma that the claim does not need"),
    ("steps", "a lemma that the claim does not need"),
];

fn accepted(text: &str) -> Result<(), String> {
    let (_, proof) = ProofFile::parse(text)?;
    let audited = proof.audit(cadical::BACKEND);
    audited.map(drop).map_err(|why| why.0)
}

/// All changes of a value: those of `changed`, and each number decreased by one.
fn all_changes(value: &Value) -> Vec<(Place, Value)> {
    let mut all = changed(value, &Vec::new());
    let mut decreased = Vec::new();
    for (place, new) in &all {
        let path = format!("/{}", place.join("/"));
        let Some(number) = value.pointer(&path).and_then(Value::as_u64) else {
            continue;
        };
        if let Some(less) = number.checked_sub(1) {
            let mut new = new.clone();
            *new.pointer_mut(&path).expect("the same form") = less.into();
            decreased.push((place.clone(), new));
        }
    }
    all.append(&mut decreased);
    all
}

/// Changes every field of the evidence once. Returns the number of refused changes, and the fields of the others.
fn changes(proof: &Proof) -> (usize, Vec<String>) {
    let text = text_of(proof);
    assert_eq!(accepted(&text), Ok(()), "{text}");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let mut refused = 0;
    let mut others = Vec::new();
    for (place, new) in all_changes(&file["evidence"]) {
        let mut file = file.clone();
        file["evidence"] = new;
        if accepted(&file.to_string()).is_err() {
            refused += 1;
            continue;
        }
        let known = OTHER_PROOFS
            .iter()
            .find(|(field, _)| place.iter().any(|word| word == field));
        let Some((field, why)) = known else {
            panic!(
                "{place:?} is changed, and the proof is accepted\n{}",
                file["evidence"]
            );
        };
        println!("{place:?}: {why}");
        // A lemma can be left out only as a whole.
        let whole = place.last().is_some_and(|word| word.starts_with("without"));
        assert!(
            !["steps", "invariants"].contains(field) || whole,
            "{place:?}"
        );
        others.push(field.to_string());
    }
    others.sort();
    others.dedup();
    (refused, others)
}

/// The proofs of a shipped model with one check.
fn of(model: &str, check: &str) -> Vec<Proof> {
    let found = proofs_by(&shipped(model, check), &Options::default());
    assert!(!found.is_empty(), "{check}");
    found
}

#[test]
fn a_proof_from_the_code_of_one_node_with_one_change_is_refused() {
    let checks = [
        ("thales-election.scrut", "check elected(4) for every p", 20),
        ("suspicion.scrut", "check complete(3) for every p", 10),
        ("gossip.scrut", "check real for every p", 5),
        ("gossip.scrut", "check known(3) for every p", 10),
        ("standby.scrut", "check stands(3) for every p", 5),
        (
            "membership.scrut",
            "check heard_right(2) in Silent for every p",
            10,
        ),
    ];
    for (model, check, least) in checks {
        for proof in of(model, check) {
            let (refused, others) = changes(&proof);
            assert!(refused >= least, "{check}: {refused}");
            let lemmas = others.iter().all(|field| field == "invariants");
            assert!(lemmas, "{check}: {others:?}");
        }
    }
}

/// In a check of several claims the proofs share their steps, and the claim is one of several.
#[test]
fn a_proof_of_one_of_several_claims_with_one_change_is_refused() {
    let check = "check accurate(3), complete(3) for every p";
    for proof in of("suspicion.scrut", check) {
        let (refused, others) = changes(&proof);
        assert!(refused >= 10, "{refused}");
        let known = |field: &String| ["claim", "steps"].contains(&&field[..]);
        assert!(others.iter().all(known), "{others:?}");
    }
}

const TOLD: &str = "
param n: 2..4 = 2
message Hi
node Member[n] {
    var heard: Set<Node> = {}
    var told: Bool = false
    when tell: not told { told = true; broadcast Hi }
    on Hi from k { heard = heard union { k } }
}
network complete { channel unordered }
claim told: always all i, j in Member: j in i.heard implies j.told
check told for every n expect holds
";

#[test]
fn a_proof_by_projection_with_one_change_is_refused() {
    for method in [invariants::Method::Induction, invariants::Method::Pdr] {
        let options = Options {
            by: Some(Method::Circuits(Some(method))),
            ..Options::default()
        };
        let found = proofs_by(TOLD, &options);
        let [proof] = &found[..] else {
            panic!("one proof by {method:?}");
        };
        let (refused, others) = changes(proof);
        assert!(refused >= 5, "{refused}");
        let known = |field: &String| ["k", "room", "clauses"].contains(&&field[..]);
        assert!(others.iter().all(known), "{others:?}");
    }
}

#[test]
fn another_machine_of_every_size_is_not_proved() {
    let found = of("thales-election.scrut", "check elected(4) for every p");
    let file = ProofFile::new("elected(4)".into(), &found[0]);
    let machine = file.machine.clone();
    // The changes: the claim for 3, more jitter, a node that reads at every activation, any number of nodes off, and inboxes
    // that begin with anything.
    let changes = [
        ("(var activations k.2) 4)", "(var activations k.2) 3)"),
        ("(per-gap 1/2)", "(per-gap 16)"),
        ("(var turn self) 1) 2))", "(var turn self) 1) 1))"),
        ("(all-but 0 1)\n", ""),
        ("one-from-each", "anything"),
    ];
    for (old, new) in changes {
        assert!(machine.contains(old), "{old} is in\n{machine}");
        let changed = ProofFile {
            machine: machine.replace(old, new),
            ..ProofFile::new("elected(4)".into(), &found[0])
        };
        assert!(accepted(&changed.text()).is_err(), "{old} is now {new}");
    }
}
