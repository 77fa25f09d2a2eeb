//! Verdicts and counts of TChecker v0.8, measured with breadth-first search, for small systems of one construct each.

use std::path::Path;
use tck::{Progress, Reached, Subsumption, System, Unknown, cycle, parse, reach};

/// File, labels, verdict; stored states, visited states and transitions of `covreach` and `aLU-covreach`; visited states
/// and transitions of `reach`.
type Row = (&'static str, &'static str, bool, [usize; 3], [usize; 2]);

const ROWS: &[Row] = &[
    ("v1_bounds", "", false, [2, 2, 1], [2, 1]),
    ("v1_bounds", "good", true, [2, 2, 1], [2, 1]),
    ("v1_bounds", "bad", false, [2, 2, 1], [2, 1]),
    ("v2_committed", "", false, [4, 4, 3], [4, 3]),
    ("v2_committed", "after,done", true, [4, 4, 3], [4, 3]),
    ("v2_committed", "between", false, [4, 4, 3], [4, 3]),
    ("v2_committed", "inC", true, [2, 2, 1], [2, 1]),
    ("v3_urgent", "", false, [6, 6, 6], [6, 6]),
    ("v3_urgent", "qu", true, [6, 4, 5], [4, 5]),
    ("v3_urgent", "late", true, [6, 6, 6], [6, 6]),
    ("v4_weak", "", false, [4, 4, 3], [4, 3]),
    ("v4_weak", "p1,q0", false, [4, 4, 3], [4, 3]),
    ("v4_weak", "p1,q1", true, [4, 4, 3], [4, 3]),
    ("v4_weak", "p1,q2", true, [3, 2, 2], [2, 2]),
    ("v5_allweak", "", false, [2, 2, 2], [2, 2]),
    ("v5_allweak", "p1,q1", true, [2, 2, 1], [2, 1]),
    ("v6_range", "", false, [6, 6, 6], [6, 6]),
    ("v6_range", "top,two", true, [6, 6, 6], [6, 6]),
    ("v7_program", "", false, [3, 3, 2], [3, 2]),
    ("v7_program", "ok", true, [3, 3, 2], [3, 2]),
    ("v7_program", "no", false, [3, 3, 2], [3, 2]),
    ("v8_extra", "", false, [2, 5, 5], [5, 5]),
    ("v8_extra", "far", true, [2, 5, 5], [5, 5]),
    ("v9_init_labels", "", false, [4, 4, 6], [8, 8]),
    ("v9_init_labels", "p1,q1", true, [4, 4, 5], [5, 5]),
    ("v9_init_labels", "any", true, [3, 2, 2], [2, 2]),
    ("v10_live", "", false, [3, 3, 3], [3, 3]),
    ("v10_live", "trap", true, [3, 3, 3], [3, 3]),
];

fn read(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    std::fs::read_to_string(folder.join(format!("{file}.tck"))).expect("a vector")
}

fn system(file: &str) -> System {
    parse(&read(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn run(system: &System, labels: &str, subsumption: Subsumption) -> Result<Reached, Unknown> {
    let labels: Vec<&str> = labels
        .split(',')
        .filter(|label| !label.is_empty())
        .collect();
    let query = system.query(&labels).expect("known labels");
    reach(system, &query, subsumption, &mut |_| true)
}

#[test]
fn reachability_has_the_verdicts_and_counts_of_the_tool() {
    let mut wrong = Vec::new();
    for (file, labels, verdict, with_subsumption, with_equality) in ROWS {
        let system = system(file);
        for subsumption in [
            Subsumption::Inclusion,
            Subsumption::Alu,
            Subsumption::Equality,
        ] {
            let found = run(&system, labels, subsumption).expect("a result");
            let mut counts = vec![found.stored, found.visited, found.transitions];
            let expected = match subsumption {
                Subsumption::Equality => {
                    counts.remove(0);
                    with_equality.to_vec()
                }
                _ => with_subsumption.to_vec(),
            };
            if (found.is_reachable, &counts) != (*verdict, &expected) {
                wrong.push(format!(
                    "{file} {labels} {subsumption:?}: {found:?}, not {expected:?}"
                ));
            }
        }
    }
    // The tool counts a self-loop of the synchronisation in which no process takes part.
    let known =
        |line: &String| line.starts_with("v5_allweak  ") && line.contains("transitions: 1,");
    wrong.retain(|line| !known(line));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_synchronisation_without_participants_is_no_transition() {
    let system = system("v5_allweak");
    for subsumption in [
        Subsumption::Inclusion,
        Subsumption::Alu,
        Subsumption::Equality,
    ] {
        let found = run(&system, "", subsumption).expect("a result");
        let counts = (found.stored, found.visited, found.transitions);
        assert_eq!((found.is_reachable, counts), (false, (2, 2, 1)));
    }
}

#[test]
fn errors_of_the_model_are_reported_with_their_position() {
    let error = parse(&read("v4e_weak_guard")).expect_err("a guard over a weak event");
    assert_eq!((error.line, error.column), (13, 25));
    assert_eq!(
        error.message,
        "an edge over a weakly synchronised event must not have a guard"
    );
    let found = run(&system("v6e_range"), "", Subsumption::Inclusion);
    let Err(Unknown::Fault(error, Some(path))) = found else {
        panic!("{found:?}");
    };
    assert_eq!(error.to_string(), "9:19: the value 3 is not in 0..2");
    assert_eq!(&read("v6e_range")[error.offset..][..1], "i");
    let run = path.run(&system("v6e_range"), &[]).expect("a run");
    assert_eq!(run.end.ints[0].1, 2);
}

#[test]
fn cycles_have_the_verdicts_of_the_tool() {
    let system = system("v10_live");
    for (label, exists) in [("go", true), ("trap", false)] {
        let query = system.query(&[label]).expect("a label");
        let found = cycle(&system, &[query], &mut |_| true).expect("a result");
        assert_eq!(
            (found.exists, found.stored, found.transitions),
            (exists, 3, 3)
        );
    }
}

#[test]
fn a_search_ends_when_its_budget_is_used_up() {
    let system = system("v8_extra");
    for most in 0..6 {
        let query = system.query(&[]).expect("no label");
        let mut polls = 0;
        let mut may_continue = |_: &Progress| {
            polls += 1;
            polls <= most
        };
        let found = reach(&system, &query, Subsumption::Equality, &mut may_continue);
        assert_eq!(found, Err(Unknown::Cancelled), "{most}");
    }
    assert_eq!(system.query(&["far", "near"]).err(), Some("near"));
}
