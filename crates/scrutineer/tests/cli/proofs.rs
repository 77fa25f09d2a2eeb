//! Stored proofs on the command line: `check` writes them, `audit` and `explain` read them.

use crate::calling::{call, folder, root};
use std::path::PathBuf;

/// A new folder, and the path of a proof that `check` stored in it.
fn stored(name: &str) -> (PathBuf, PathBuf) {
    let folder = folder(name);
    let model = root().join("models/thales-election.scrut");
    let model = model.to_str().expect("UTF-8");
    let done = call(&folder, &["check", model, "--claim", "boss_stands"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.contains("1 proof: scrutineer audit"),
        "{}",
        done.out
    );
    let proof = folder.join("scrutineer-out/thales-election/2-boss_stands-a.proof");
    assert!(proof.exists());
    (folder, proof)
}

#[test]
fn a_stored_run_is_no_proof_and_is_recognised() {
    let model = "node A { var x: 0..1 = 0; when go: x == 0 { x = 1 } }\nclaim low: always A.x == 0\ncheck low\n";
    let folder = crate::calling::models::with("run-for-proof", "m.scrut", model);
    call(&folder, &["check", "m.scrut"]);
    let done = call(&folder, &["audit", "scrutineer-out/m/1-low.run"]);
    crate::calling::models::says(
        &done.err,
        "it is a stored run, which `scrutineer show` tells",
    );
}

#[test]
fn a_proof_is_checked_again_and_explained() {
    let (folder, proof) = stored("proofs-checked");
    let proof = proof.to_str().expect("UTF-8");
    let done = call(&folder, &["audit", proof]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.contains("boss_stands(a) holds for a = 2"),
        "{}",
        done.out
    );
    let done = call(&folder, &["explain", proof]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.contains("at least 48.5 ms and at most 51.5 ms"),
        "{}",
        done.out
    );
}

#[test]
fn what_is_no_proof_is_refused_with_one_message() {
    let (folder, proof) = stored("proofs-refused");
    let text = std::fs::read_to_string(&proof).expect("a proof");
    let cut = &text[..text.len() / 2];
    let other = text.replace("\"scrutineer_proof\":2", "\"scrutineer_proof\":7");
    for (what, code) in [(cut, 1), (&other, 1), ("{}", 1), ("", 1)] {
        let path = folder.join("changed.proof");
        std::fs::write(&path, what).expect("a file");
        let done = call(&folder, &["audit", "changed.proof"]);
        assert_eq!(
            (done.code, done.err.matches("error").count()),
            (code, 1),
            "{}",
            done.err
        );
        assert_eq!(done.out, "");
    }
    let done = call(&folder, &["audit", "missing.proof"]);
    assert_eq!(done.code, 2, "{}", done.err);
}

#[test]
fn a_search_says_that_it_visited_every_state() {
    let folder = folder("proofs-search");
    let model = root().join("models/chang-roberts.scrut");
    let model = model.to_str().expect("UTF-8");
    let done = call(&folder, &["explain", "agreement", model, "-D", "n=3"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("visited every one of"), "{}", done.out);
    let done = call(&folder, &["explain", "agremeent", model]);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("no check asks about `agremeent`"),
        "{}",
        done.err
    );
}
