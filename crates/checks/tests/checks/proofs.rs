//! Stored proofs: the audit accepts each one as written, and refuses it after a change of any field, unless the changed
//! proof is valid too.

use checks::{Options, Proof, ProofFile, check, load_text};
use serde_json::Value;
use std::sync::atomic::AtomicBool;

/// Two equal bits in succession show that the ticker is much faster than the reader; a missing tick shows that it is
/// slower. With fixed periods the two cannot occur in one run. With free gaps they can.
const TICKER: &str = "
message Tick { bit: Bool }

node Ticker {
    var bit: Bool = any
    every 8 .. 12 fixed {
        bit = not bit
        broadcast Tick { bit: bit }
    }
}

node Listener {
    var last: Bool = any
    var absent: Bool = any
    var twice: Bool = any
    var before: Bool = any
    var earlier: Bool = any
    every 8 .. 12 fixed {
        earlier = before
        before = twice
        twice = exists m in inbox: m.bit == last
        absent = not (exists m in inbox: m.bit or not m.bit)
        if not absent { last = exists m in inbox: m.bit }
        clear inbox
    }
}

network complete {
    delivery instant
    inbox latest per sender, starts empty
}

claim steady(a: 0..20):
    always (Listener.activations >= a implies not (Listener.absent and Listener.before and Listener.earlier))

check steady(6) expect holds
";

/// All proofs of the claims of a model.
fn proofs(text: &str) -> Vec<Proof> {
    proofs_by(text, &Options::default())
}

/// All proofs of the claims of a model with some options.
pub fn proofs_by(text: &str, options: &Options) -> Vec<Proof> {
    let loaded = load_text("model.scrut", text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let stop = AtomicBool::new(false);
    let mut found = Vec::new();
    for number in 0..loaded.model.checks.len() {
        let report = check(&loaded, number, options, &stop, &mut |_| {});
        let report = report.expect("a model").expect("a check");
        for instance in report.instances {
            found.extend(instance.proofs.into_iter().flatten());
        }
    }
    found
}

/// A shipped model with its checks replaced.
pub fn shipped(name: &str, checks: &str) -> String {
    let path = format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a model");
    let lines: Vec<&str> = text.lines().collect();
    let mut kept = String::new();
    let mut in_check = false;
    for line in lines {
        // A check may continue on the next lines, which are then indented.
        in_check = line.starts_with("check") || (in_check && line.starts_with(' '));
        if !in_check {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept + checks
}

pub fn text_of(proof: &Proof) -> String {
    ProofFile::new("it holds".into(), proof).text()
}

/// Whether a text is a stored proof that the audit accepts. The error is the reason.
fn accepted(text: &str) -> Result<(), String> {
    let (_, proof) = ProofFile::parse(text)?;
    proof
        .audit(sat::Backend::BATSAT)
        .map(drop)
        .map_err(|why| why.0)
}

/// A path into a JSON value.
pub type Place = Vec<String>;

/// All single changes of a value: each leaf replaced by another value, and each list element removed. Each change comes
/// with its path.
pub fn changed(value: &Value, at: &Place) -> Vec<(Place, Value)> {
    let mut all = Vec::new();
    let below = |word: String| [&at[..], &[word]].concat();
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                for (place, new) in changed(inner, &below(name.clone())) {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), new);
                    all.push((place, Value::Object(fields)));
                }
            }
        }
        Value::Array(items) => {
            for (number, inner) in items.iter().enumerate() {
                let mut without = items.clone();
                without.remove(number);
                all.push((below(format!("without {number}")), Value::Array(without)));
                for (place, new) in changed(inner, &below(number.to_string())) {
                    let mut items = items.clone();
                    items[number] = new;
                    all.push((place, Value::Array(items)));
                }
            }
        }
        Value::Number(number) => {
            let number = number.as_i64().expect("whole numbers only");
            all.push((at.clone(), Value::from(number + 1)));
        }
        Value::String(text) => all.extend(other_texts(text).map(|new| (at.clone(), new.into()))),
        Value::Bool(b) => all.push((at.clone(), Value::Bool(!b))),
        Value::Null => all.push((at.clone(), Value::Array(Vec::new()))),
    }
    all
}

/// Variants of a text: each with one number increased, and the empty text.
fn other_texts(text: &str) -> impl Iterator<Item = String> {
    let digits = |c: char| c.is_ascii_digit();
    let starts = text
        .char_indices()
        .filter(|(at, c)| digits(*c) && !text[..*at].ends_with(digits));
    let mut others: Vec<String> = starts
        .map(|(at, _)| {
            let rest = &text[at..];
            let end = rest.find(|c| !digits(c)).unwrap_or(rest.len());
            let number: u64 = rest[..end].parse().expect("digits");
            format!("{}{}{}", &text[..at], number + 1, &rest[end..])
        })
        .collect();
    others.push(String::new());
    others.into_iter()
}

/// Changes every field of a stored proof in all ways. A change that the audit still accepts must be a valid proof.
/// Returns the number of refused and of accepted changes.
fn count_refused_changes(proof: &Proof) -> (usize, usize) {
    let text = text_of(proof);
    assert_eq!(accepted(&text), Ok(()));
    let mut file: Value = serde_json::from_str(&text).expect("JSON");
    // Title and labels are not part of the proof. Changes of the Machine have their own test.
    let words = ["title", "labels", "machine"];
    let fields: Vec<String> = file.as_object().expect("fields").keys().cloned().collect();
    let (mut refused, mut unneeded) = (0, 0);
    for field in fields.iter().filter(|field| !words.contains(&&field[..])) {
        let before = file[field].clone();
        for (place, new) in changed(&before, &vec![field.clone()]) {
            file[field] = new;
            if accepted(&file.to_string()).is_err() {
                refused += 1;
                continue;
            }
            // With more slack (`spare`) than necessary, the proof is still valid.
            if place.last().is_some_and(|word| word == "spare") {
                unneeded += 1;
                continue;
            }
            // If a changed order of events is accepted, the proof did not need it: it must also be accepted without it.
            let orders = ["no_error", "filled", "for_ever"];
            let in_orders = place.iter().any(|word| orders.contains(&&word[..]));
            assert!(in_orders, "{place:?} is changed, and the proof is accepted");
            file[field] = without(&before, &place[1..]);
            assert_eq!(accepted(&file.to_string()), Ok(()), "{place:?}");
            unneeded += 1;
        }
        file[field] = before;
    }
    (refused, unneeded)
}

/// The value without the order of events at this path.
fn without(value: &Value, place: &[String]) -> Value {
    let mut value = value.clone();
    let last = place
        .iter()
        .rposition(|word| word == "round" || word == "sum")
        .unwrap_or(place.len());
    // In the path, the index of the element comes just before its kind (`round` or `sum`). If there is no kind, the
    // last element of the path was removed.
    let (list, element) = match last == place.len() {
        true => (&place[..place.len() - 1], &place[place.len() - 1]),
        false => (&place[..last - 1], &place[last - 1]),
    };
    let mut at = &mut value;
    for word in list {
        at = match word.parse::<usize>() {
            Ok(number) => &mut at[number],
            Err(_) => &mut at[word],
        };
    }
    let number = element.trim_start_matches("without ").parse::<usize>();
    at.as_array_mut()
        .expect("a list")
        .remove(number.expect("a number"));
    value
}

#[test]
fn what_is_learned_about_three_nodes_is_checked() {
    let checks = "check view_right(7) in Silent for p = 3 expect holds";
    let found = proofs(&shipped("membership.scrut", checks));
    let [proof] = &found[..] else {
        panic!("one proof");
    };
    assert!(
        text_of(proof).contains("\"round\""),
        "something was learned"
    );
    let (refused, unneeded) = count_refused_changes(proof);
    println!("{refused} refused, {unneeded} not needed");
    // The proof by case distinction has only about twenty numbers that can be changed.
    assert!(refused > 15);
}

#[test]
fn what_is_learned_about_fixed_periods_is_checked() {
    let found = proofs(TICKER);
    let [proof] = &found[..] else {
        panic!("one proof");
    };
    assert!(text_of(proof).contains("\"sum\""), "something was added up");
    let (refused, unneeded) = count_refused_changes(proof);
    println!("{refused} refused, {unneeded} not needed");
    assert!(refused > 30);
}

#[test]
fn another_machine_is_not_proved() {
    let checks = "check elected(4) for p = 3 expect holds";
    let found = proofs(&shipped("thales-election.scrut", checks));
    let text = ProofFile::new("elected(4)".into(), &found[0]);
    let machine = text.machine.clone();
    // The changes: the claim for 3, longer gaps, more jitter, and a node that reads at every activation.
    let changes = [
        ("(var activations k.2) 4)", "(var activations k.2) 3)"),
        ("(every 49 51", "(every 49 151"),
        ("(per-gap 1/2)", "(per-gap 24)"),
        ("(var turn self) 1) 2))", "(var turn self) 1) 1))"),
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

#[test]
fn a_file_that_is_cut_off_or_of_another_version_is_refused() {
    let found = proofs(TICKER);
    let text = text_of(&found[0]);
    for part in [0, 1, text.len() / 2, text.len() - 1] {
        assert!(accepted(&text[..part]).is_err());
    }
    let other = text.replace("\"scrutineer_proof\":2", "\"scrutineer_proof\":3");
    let why = accepted(&other).expect_err("another version");
    assert_eq!(why, "it has format 3, and this version reads format 2");
}

/// The audit accepts the proofs of all claims of the shipped models that hold by the order of events.
#[test]
fn shipped_models_are_proved() {
    let some = [
        (
            "thales-election.scrut",
            "check least a: elected(a), others_follow(a), boss_leads(a) for p in 2..4",
        ),
        (
            "thales-election.scrut",
            "check least a: elected(a), others_follow(a) in Fresh for p = 2",
        ),
        (
            "thales-election.scrut",
            "check least a: elected(a) in Leftovers for p = 2",
        ),
        (
            "thales-election.scrut",
            "check one_leader(6) for p = 2, reads_every in 2..3, wobble = 25 ms",
        ),
        (
            "membership.scrut",
            "check least a: heard_right(a), proposal_right(a), view_right(a) in Silent for p = 3",
        ),
        (
            "membership.scrut",
            "check least a: heard_right(a), proposal_right(a), view_right(a) in SilentAnything",
        ),
        (
            "membership.scrut",
            "check least a: heard_right(a), proposal_right(a), view_right(a) with Linked in Deaf",
        ),
    ];
    let mut many = 0;
    for (name, checks) in some {
        for proof in proofs(&shipped(name, checks)) {
            assert_eq!(accepted(&text_of(&proof)), Ok(()), "{name}: {checks}");
            many += 1;
        }
    }
    assert_eq!(many, 9 + 2 + 1 + 2 + 3 + 3 + 3);
}
