//! Vectors of shipped and of small models: their coverage, proofs that branches are unreachable, and the mutants that
//! they kill.

mod mutants;

use bits::Branch;
use machine::random::Rng;
use machine::{
    Choice, ErrorKind, Expr, Frozen, Instance, KindId, Machine, Origin, State, StepError, Stmt,
    StmtKind, Value,
};
use mutants::{differs, kills, mutants};
use std::path::{Path, PathBuf};
use vectors::{End, Fate, Refused, Suite, coverage};

/// Lowers the first check of a model.
fn lowered(name: &str, text: &str) -> lower::Lowered {
    let mut loaded = checks::load_text(name, text);
    assert!(!loaded.has_errors(), "{name}: {:?}", loaded.diagnostics);
    let setup = checks::setup(&mut loaded, &checks::Wanted::default());
    let setup = setup.unwrap_or_else(|why| panic!("{name}: {why:?}"));
    let lowered = setup.lower(&loaded, &setup.requests[0]);
    lowered.unwrap_or_else(|problems| panic!("{name}: {problems:?}"))
}

fn suite(lowered: &lower::Lowered, kind: usize) -> Result<Suite, Refused> {
    let kind = KindId(kind as u32);
    let by = |backend| {
        let instances = lowered.instance_restrictions;
        Suite::of(&lowered.machine, kind, instances, backend)
    };
    let suite = by(cadical::BACKEND)?;
    assert_eq!(
        Ok(&suite),
        by(sat::Backend::BATSAT).as_ref(),
        "another solver, other vectors"
    );
    Ok(suite)
}

fn models() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let entries = std::fs::read_dir(folder).expect("the models");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("a name");
        (
            name.to_string(),
            std::fs::read_to_string(path).expect("a text"),
        )
    };
    paths.iter().map(read).collect()
}

/// The suite of every node kind of every shipped model that is supported.
fn suites() -> Vec<(String, lower::Lowered, Suite)> {
    let mut found = Vec::new();
    let mut refused = Vec::new();
    for (name, text) in models() {
        let lowered = lowered(&name, &text);
        for kind in 0..lowered.machine.kinds.len() {
            let named = format!("{name} {}", lowered.machine.kinds[kind].name);
            match suite(&lowered, kind) {
                Ok(suite) => found.push((named, lowered.clone(), suite)),
                Err(Refused::Unsupported(why)) => refused.push(format!("{named}: {why}")),
                Err(other) => panic!("{named}: {other:?}"),
            }
        }
    }
    assert_eq!(refused, ["ftsp Mote: a counter without bounds: `seq`"]);
    found
}

#[test]
fn every_outcome_of_shipped_models_is_covered_or_unreachable() {
    let suites = suites();
    assert!(suites.len() > 25);
    for (name, lowered, suite) in &suites {
        let undecided = suite.count(|fate| matches!(fate, Fate::Open | Fate::NotWith(_)));
        // One branch in code that iterates over the inbox is not reached with few messages, and is not proved
        // unreachable for every number of messages.
        let known = usize::from(name == "election-losses Elector");
        assert_eq!(
            undecided,
            known,
            "{name}: {:#?}",
            coverage(&lowered.machine, &lowered.labels, suite)
        );
        assert!(!suite.vectors.is_empty(), "{name}");
        // Every vector covers a branch.
        for place in 0..suite.vectors.len() {
            assert!(
                suite.count(|fate| fate == Fate::Covered(place)) > 0,
                "{name}: vector {place}"
            );
        }
    }
}

/// The interpreter confirms that a vector takes a branch that it covers: an assertion that always fails, put into the
/// branch, fails.
#[test]
fn vectors_run_into_traps_where_they_are_said_to_go() {
    let mut traps = 0;
    for (name, lowered, suite) in &suites() {
        let outcomes = suite.outcomes.iter();
        for outcome in outcomes {
            let (Branch::If(holds), Fate::Covered(place), Some(origin)) =
                (outcome.branch, outcome.fate, outcome.origin)
            else {
                continue;
            };
            let mut trapped = lowered.machine.clone();
            let block = &mut trapped.blocks[outcome.block.index()];
            if !set_trap(&mut block.body, origin, holds) {
                continue; // no statement can be put into an expression
            }
            traps += 1;
            let vector = &suite.vectors[place];
            let instance = Instance {
                machine: &trapped,
                frozen: &vector.frozen,
            };
            let end = instance.step(&vector.before, &vector.choice);
            let caught = matches!(&end, Err(StepError::Error(e)) if e.kind == ErrorKind::Assertion);
            // If the changed code makes fewer choices, the recorded choices are not possible.
            let caught = caught || end == Err(StepError::NotEnabled);
            assert!(caught, "{name}: {outcome:?}: {end:?}");
        }
    }
    assert!(traps > 60, "only {traps} traps were set");
}

fn set_trap(statements: &mut [Stmt], origin: Origin, holds: bool) -> bool {
    let mut found = false;
    for statement in statements {
        let here = statement.origin == origin;
        match &mut statement.kind {
            StmtKind::If(_, then, otherwise) => {
                if here {
                    let branch = if holds { &mut *then } else { &mut *otherwise };
                    let kind = StmtKind::Assert(Expr::bool(false));
                    branch.insert(0, Stmt { origin, kind });
                    found = true;
                }
                found |= set_trap(then, origin, holds) | set_trap(otherwise, origin, holds);
            }
            StmtKind::For(_, _, body) => found |= set_trap(body, origin, holds),
            _ => {}
        }
    }
    found
}

/// The result of a choice in a state of a Machine, as text.
fn outcome(machine: &Machine, frozen: &Frozen, before: &State, choice: &Choice) -> String {
    let instance = Instance { machine, frozen };
    match instance.step(before, choice) {
        Ok(after) => {
            let sent = instance.trace(before, choice).sent;
            format!("{after:?} {sent:?}")
        }
        Err(StepError::Error(error)) => format!("{:?}", error.kind),
        Err(StepError::NotEnabled) => "not possible".into(),
    }
}

/// Of the mutants that differ from the original in one of many random states, most also differ in a vector.
#[test]
fn most_mistakes_are_found() {
    let (mut all, mut killed) = (0, 0);
    let mut missed = Vec::new();
    for (name, lowered, suite) in &suites() {
        if lowered.machine.node_count() > 6 {
            continue;
        }
        let mut rng = Rng(7);
        for (what, mutant) in mutants(&lowered.machine, suite.kind) {
            if kills(&lowered.machine, &mutant, suite, &outcome) {
                all += 1;
                killed += 1;
            } else if differs(&lowered.machine, &mutant, suite, &mut rng, &outcome) {
                all += 1;
                missed.push(format!("{name}: {what}"));
            }
        }
    }
    println!("{killed} of {all} mistakes are found; not found: {missed:#?}");
    assert!(all > 150, "only {all} mistakes");
    assert!(
        killed * 100 >= all * 93,
        "only {killed} of {all} mistakes are found: {missed:#?}"
    );
}

fn lines(text: &str) -> (Suite, Vec<String>) {
    let lowered = lowered("m.scrut", text);
    let suite = suite(&lowered, 0).unwrap_or_else(|why| panic!("{why:?}"));
    let lines = coverage(&lowered.machine, &lowered.labels, &suite);
    (suite, lines)
}

#[test]
fn dead_code_is_proved_to_be_dead() {
    let (suite, lines) = lines(
        "\
node A {
    var x: 0..9 = 0
    var y: 0..9 = 0
    when go: x < 9 {
        if x + y > 18 { y = 0 }
        if x mod 2 == 0 and x mod 4 == 2 { y = 1 } else if x * x == 7 { y = 2 }
        x = x + 1
    }
}
",
    );
    let dead: Vec<&String> = lines
        .iter()
        .filter(|line| line.ends_with(": unreachable"))
        .collect();
    assert_eq!(
        dead,
        [
            "     5  `x + y > 18` holds: unreachable",
            "     6  `x * x == 7` holds: unreachable",
        ],
        "{lines:#?}"
    );
    assert_eq!(
        suite.count(|fate| matches!(fate, Fate::Covered(_))),
        suite.outcomes.len() - 2
    );
    let waits = suite
        .vectors
        .iter()
        .filter(|vector| vector.end == End::Waits);
    assert_eq!(waits.count(), 1, "the guard does not hold in one of them");
}

#[test]
fn errors_are_outcomes_of_their_own() {
    let (suite, lines) = lines(
        "\
node A {
    var x: 0..9 = 0
    var last: Option<0..9> = none
    when go: true {
        assert x != 7
        assert x < 10
        if x > 8 { x = last } else { x = x + 1 }
    }
}
",
    );
    let said = |part: &str| {
        lines
            .iter()
            .find(|line| line.contains(part))
            .cloned()
            .unwrap_or_default()
    };
    assert!(
        said("`assert x != 7` fails, an error").contains(": vector "),
        "{lines:#?}"
    );
    assert!(
        said("`assert x < 10` fails, an error").contains(": unreachable"),
        "{lines:#?}"
    );
    assert!(
        said("an error in `last`").contains(": vector "),
        "{lines:#?}"
    );
    let errors = suite
        .vectors
        .iter()
        .filter(|vector| matches!(vector.end, End::Error(_)));
    assert_eq!(errors.count(), 2, "{lines:#?}");
}

#[test]
fn arms_and_loops_and_operands_are_outcomes() {
    let (_, lines) = lines(
        "\
enum Light { Red, Green, Off }
node A {
    var light: Light = Red
    var sum: 0..9 = 0
    var waiting: Set<0..3> = {}
    when go: true {
        sum = match light { Red => 1; Green => if sum > 3 then 0 else 2; Off => 3 }
        for k in waiting { if k > 1 or sum == 9 { sum = 0 } }
        match light { Red => { light = Off }; Green => { }; Off => { } }
    }
}
",
    );
    for said in [
        "`Red` holds: vector ",
        "`Green` does not hold: vector ",
        "`sum > 3` does not hold: vector ",
        "the loop over `waiting` has nothing to go through: vector ",
        "`sum == 9` holds: unreachable",
        "`k > 1` does not hold: vector ",
    ] {
        assert!(
            lines.iter().any(|line| line.contains(said)),
            "{said}: {lines:#?}"
        );
    }
}

#[test]
fn a_start_begins_with_first_values() {
    let (suite, lines) = lines(
        "\
node A {
    var x: 0..3 = 1
    var y: 0..3 = any in 1..2
    persistent var kept: Bool = false
    start {
        if x == 1 { y = 3 }
        if y == 0 { x = 0 }
        if kept { x = 2 }
    }
}
",
    );
    let dead: Vec<&String> = lines
        .iter()
        .filter(|line| line.ends_with(": unreachable"))
        .collect();
    let expected = [
        "     6  `x == 1` does not hold: unreachable",
        "     7  `y == 0` holds: unreachable",
    ];
    assert_eq!(dead, expected, "{lines:#?}");
    let ones = suite
        .vectors
        .iter()
        .all(|v| v.before.nodes[0].vars[0] == Value::Int(1));
    assert!(ones);
}

#[test]
fn vectors_are_the_same_every_time() {
    let (name, text) = models()
        .into_iter()
        .find(|(name, _)| name == "mutual-exclusion")
        .expect("a model");
    let lowered = lowered(&name, &text);
    assert_eq!(suite(&lowered, 0), suite(&lowered, 0));
}

#[test]
fn many_messages_are_not_called_impossible() {
    let (_, lines) = lines(
        "\
message M { a: 0..9 }
node A[2] {
    var x: 0..9 = any
    var many: Bool = false
    every any {
        if size(inbox) > 3 { many = true }
        if size(inbox) > 6 { many = false }
        clear inbox
        broadcast M { a: x }
    }
}
network complete { inbox all }
",
    );
    let said = |part: &str| {
        lines
            .iter()
            .find(|line| line.contains(part))
            .cloned()
            .unwrap_or_default()
    };
    assert!(
        said("`size(inbox) > 3` holds").contains(": vector "),
        "{lines:#?}"
    );
    let not_met = "not met with 4 messages of each sender and type in the inbox";
    assert!(
        said("`size(inbox) > 6` holds").contains(not_met),
        "{lines:#?}"
    );
}
