//! The root election of FTSP from few initial states: the least number of rounds, by trying values and by the longest
//! path; the id of a dead root; and the staleness at the end of a line. `examples/ftsp.rs` starts from every initial
//! state.

use enumerator::{
    Answer, Most, Setup, ask, invariant, least, most_activations, reachable, read, read_condition,
    read_topology,
};
use syntax::ast;

const MODEL: &str = "\
param enough = 3
param ignore = 2
param give_up = 8
message Beacon { root: Id, seq: Counter }
timing beat: round
node Mote {
    id: Id
    var beats: 0..give_up = any
    var entries: 0..enough = any
    var root: Option<Id> = any
    var seq: Counter = any in 0..12
    every beat {
        if beats >= give_up {
            if root != id { beats = 0; seq = seq + 1 }
            root = id
        }
        beats = min(beats + 1, give_up)
        if root == id { broadcast Beacon { root: id, seq: seq }; seq = seq + 1 }
        else if root is r and entries >= enough { broadcast Beacon { root: r, seq: seq } }
    }
    on Beacon as m {
        let better = root == none or m.root < root
        let newer  = root == m.root and m.seq > seq
        if (better and not (beats < ignore and root == id)) or newer {
            root = m.root
            seq  = m.seq
            if m.root < id { beats = 0 }
            entries = min(entries + 1, enough)
        }
    }
}
network line(2) { delivery instant }
let first = smallest k in Mote by k.id
claim one_root(N: 0..200): always ((all k in Mote: k.activations >= N)
                                   implies all k in Mote: k.root == first.id)
claim one_root_soon(N: 0..200): always ((exists k in Mote: k.activations >= N)
                                        implies all k in Mote: k.root == first.id)
";

fn condition(text: &str) -> ast::Expr {
    read_condition(text).expect("a condition")
}

fn assuming(start: &str) -> Setup {
    Setup {
        assuming: Some(condition(start)),
        limit: 3_000_000,
        ..Setup::default()
    }
}

/// The model with fewer initial values.
fn model(beats: &str, entries: &str, root: &str, seq: &str) -> ast::File {
    let text = MODEL
        .replace("give_up = any", &format!("give_up = any in {beats}"))
        .replace("enough = any", &format!("enough = any in {entries}"))
        .replace("Option<Id> = any", &format!("Option<Id> = {root}"))
        .replace("any in 0..12", seq);
    read(&text).expect("the model can be read")
}

#[test]
fn one_edge_from_the_worst_start() {
    // The start: node 1 with beats 6, entries 3, root 2, seq 0; node 2 with beats 0, entries 2, root 1, seq 12.
    let file = model("{ 0, 6 }", "{ 2, 3 }", "any", "any in { 0, 12 }");
    let start = "(all k in Mote: if k == first then k.beats == 6 and k.entries == 3 and k.root != first.id and k.root != none \
                 and k.seq == 0 else k.beats == 0 and k.entries == 2 and k.root == first.id and k.seq == 12)";
    let setup = assuming(start).ids(&[1, 2]);
    let tried = |claim| least(&file, &setup, "N", &condition(claim));
    assert_eq!(tried("one_root(N)"), Ok(Some(11)));
    assert_eq!(tried("one_root_soon(N)"), Ok(Some(12)));
    let apart = condition("exists k in Mote: k.root != first.id");
    let (most, _) = most_activations(&file, &setup, &apart).unwrap();
    let expected = Most::Number {
        every: 10,
        some: 11,
    };
    assert_eq!(most, expected);
}

#[test]
fn the_id_of_a_dead_root_is_passed_on_for_ever() {
    let file = model("0..give_up", "{ 3 }", "any", "0");
    let ghost = "all k in Mote: k.root != none and k.root < first.id";
    let setup = assuming(ghost).strangers(1);
    let apart = condition("exists k in Mote: k.root != first.id");
    let (most, _) = most_activations(&file, &setup, &apart).unwrap();
    assert_eq!(most, Most::Unbounded);
    let long = condition("one_root(60)");
    assert_eq!(ask(&file, &setup, &long), Ok(Answer::Fails));
    // If all ids belong to nodes, no id is less than that of `first`, so there is no initial state.
    assert_eq!(ask(&file, &assuming(ghost), &long), Ok(Answer::Error));
}

#[test]
fn the_end_of_an_agreed_line_of_k_waits_k_beats() {
    for k in 2..=4 {
        let file = model("{ 0 }", "{ 3 }", "first.id", "0");
        let line = read_topology(&format!("line({k})")).unwrap();
        let ids: Vec<i128> = (1..=k).collect();
        let setup = assuming("true").topology(line).ids(&ids);
        let last = format!("all m in Mote: distance(first, m) == {} implies", k - 1);
        let at_most = |beats| condition(&format!("{last} m.beats <= {beats}"));
        assert_eq!(invariant(&file, &setup, &at_most(k)), Ok(true), "{k}");
        assert_eq!(invariant(&file, &setup, &at_most(k - 1)), Ok(false), "{k}");
        let lost = condition("exists m in Mote: m.root != first.id");
        assert_eq!(reachable(&file, &setup, &lost), Ok(false), "{k}");
    }
}
