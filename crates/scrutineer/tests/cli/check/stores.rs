//! The output with other ways to store visited states: compression, by option or if memory runs out, and hash
//! compaction, which proves nothing and reports the omission probability.

use crate::calling::models::says;
use crate::calling::schema::misfit;
use crate::calling::{Done, call, folder, root, without_times};
use serde_json::Value;

/// Nodes that count independently; each has 14 states.
const COUNTERS: &str = "\
param n: 1..8 = 4
param most: 1..40 = 12
node Member[n] {
    var count: 0..most = 0
    every any {
        if count < most { count = count + 1 }
        else { halt }
    }
}
network line(n) { }
claim small: always all k in Member: k.count <= most
claim short: always (sum k in Member: k.count) < n * most
claim done: eventually all k in Member: k.halted
";

fn checked(name: &str, checks: &str, args: &[&str]) -> Done {
    let folder = folder(name);
    let model = format!("{COUNTERS}{checks}\n");
    std::fs::write(folder.join("big.scrut"), model).expect("a file that can be written");
    call(&folder, &[&["check", "big.scrut"], args].concat())
}

/// The output without times and memory.
fn without_resources(done: &Done) -> String {
    let text = without_times(&done.out);
    let lines = text.lines().map(|line| match line.rsplit_once(", ") {
        Some((before, bytes)) if line.contains("transitions") && bytes.ends_with('B') => before,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn compressed_says_what_plain_says() {
    let checks = "check small, short, done";
    let by = |store| checked("stores-compressed", checks, &["-v", "--store", store]);
    let (plain, compressed) = (by("plain"), by("compressed"));
    assert_eq!(without_resources(&plain), without_resources(&compressed));
    assert_eq!((plain.code, compressed.code), (1, 1));
    assert_eq!(compressed.err, "");
}

#[test]
fn hashes_prove_nothing_and_say_so() {
    let args = ["--by", "states", "--store", "hashes"];
    let done = checked("stores-hashes", "check small, done expect holds", &args);
    assert_eq!(done.code, 3, "{}", done.out);
    assert_eq!(without_resources(&done), HASHES, "{}", done.out);
}

const HASHES: &str = "\
big.scrut
  ? small unknown                                n = 4, most = 12 (defaults) … s
      no run breaks it among 38416 visited states, but these were told apart only by 64 bits of a hash; the probability \
that one was missed is at most 1 in 24 thousand million, if hashes are like random numbers
  ? done unknown                                 n = 4, most = 12 (defaults)
      it is about runs that go on for ever: that takes states as they are, and of those that were visited only hashes \
are kept
      to be sure: `--store compressed` misses no state, and takes little more memory
    assumed: nothing is lost or reordered; a block is not interrupted; whatever stays possible happens some day; no node fails
    never asked: short (line 12)
1 check: unknown";

#[test]
fn runs_found_by_hashes_are_those_of_an_exact_search() {
    let by = |store| {
        let args = ["--by", "states", "--store", store];
        checked("stores-runs", "check short", &args)
    };
    let (plain, hashes) = (by("plain"), by("hashes:48"));
    assert_eq!((plain.code, hashes.code), (1, 1));
    assert_eq!(without_resources(&plain), without_resources(&hashes));
}

/// A small state space is stored plainly, whatever the option says, so hash compaction omits nothing.
#[test]
fn few_states_need_no_hashes() {
    let done = checked(
        "stores-few",
        "check small for n = 2 expect holds",
        &["--store", "hashes"],
    );
    assert_eq!(done.code, 0, "{}", done.out);
}

#[test]
fn more_states_have_room_when_they_are_compressed() {
    let args = ["--by", "states", "-v", "--memory", "500kB"];
    let by = |store: &[&str]| {
        let checks = "check small expect holds";
        checked("stores-memory", checks, &[&args[..], store].concat())
    };
    let plain = by(&["--store", "plain"]);
    assert_eq!(plain.code, 3, "{}", plain.out);
    assert!(
        plain.out.contains("memory limit of 500 kB reached"),
        "{}",
        plain.out
    );
    let enough = by(&[]);
    assert_eq!(enough.code, 0, "{}", enough.out);
    assert!(
        enough
            .out
            .contains("tree compression: there was no more memory for states as they are"),
        "{}",
        enough.out
    );
}

/// The search for fair cycles compresses the states only if it needs the memory.
#[test]
fn temporal_claims_have_room_when_states_are_compressed() {
    let mut made_room = 0;
    for megabytes in 4..16 {
        let limit = format!("{megabytes}MB");
        let by = |store: &[&str]| {
            let args = ["--by", "states", "-v", "--memory", &limit];
            let args = [&args[..], store].concat();
            checked("stores-temporal", "check done expect holds", &args)
        };
        let (plain, needed) = (by(&["--store", "plain"]), by(&[]));
        let compressed = needed.out.contains("tree compression: ");
        match (plain.code, needed.code) {
            (0, 0) => assert!(!compressed, "{limit}: {}", needed.out),
            (3, 0) => {
                assert!(compressed, "{limit}: {}", needed.out);
                made_room += 1;
            }
            (3, 3) => says(
                &needed.out,
                &format!("memory limit of {megabytes} MB reached"),
            ),
            codes => panic!("{limit}: {codes:?}\n{}{}", plain.out, needed.out),
        }
    }
    assert!(made_room > 0, "room was made for nobody");
}

#[test]
fn as_data() {
    let args = ["--by", "states", "--store", "hashes:40", "--json"];
    let done = checked("stores-data", "check small, done", &args);
    assert_eq!(done.code, 3, "{}", done.out);
    let value: Value = serde_json::from_str(&done.out).expect("JSON");
    let schema = std::fs::read_to_string(root().join("docs/schema/report.schema.json"));
    let schema: Value = serde_json::from_str(&schema.expect("a schema")).expect("JSON");
    assert_eq!(misfit(&schema, &schema, &value, ""), None);
    let omission = &value["files"][0]["checks"][0]["answers"][0]["hash_compaction"];
    assert_eq!(omission["hash_bits"], 40);
    assert_eq!(omission["states"], 38_416);
    let missed = omission["omission_probability_at_most"]
        .as_f64()
        .expect("a number");
    let exactly = 38_416.0 * 38_417.0 / 2f64.powi(41);
    assert!((missed / exactly - 1.0).abs() < 1e-6, "{missed}");
}

#[test]
fn what_cannot_be() {
    let refused = |args: &[&str]| {
        let done = checked("stores-refused", "check small", args);
        assert_eq!((done.code, &done.out[..]), (2, ""), "{}", done.err);
        done.err
    };
    assert_eq!(
        refused(&["--store", "hashes", "--checkpoint"]),
        "error: --store hashes: of visited states only hashes are kept, which is nothing to go on from; leave out \
         --checkpoint and --resume, or write --store compressed\n"
    );
    let bits = refused(&["--store", "hashes:8"]);
    assert!(
        bits.contains(
            "write plain, compressed, hashes, or hashes with a number of bits from 32 to 64"
        ),
        "{bits}"
    );
}
