//! Corrupted runs are rejected: each test changes one item of an accepted run.
//!
//! Runs are written by hand, one event per line, as the Machine shows choices.

use machine::{
    Choice, ErrorKind, Event, Frozen, Instance, Machine, Outcome, RunError, StepError, Value,
    parse, verify,
};
use verdict::{Answer, Ending, Question, Run};

/// Two players and one ball. The player with the greater id serves. Both players can also rest.
const BALL: &str = r#"
    (ids 2)
    (message Ball)
    (kind Player 2)
    (map other 2 1)
    (edges (1 2) (2 1))
    (channel fifo 1)
    (frozen Player id id arrangement)
    (var Player hits (int 0 2) (any-in (.. 0 1)))
    (block Player start start
      (if (= (frozen id self) (id 2)) (do (send (new Ball) (map other self)))))
    (block Player "on Ball" (on Ball) (locals (self node) (m (record Ball)) (sender node) (by (int 0 1)))
      (choose by (.. 0 1))
      (assert (< (+ (var hits self) by) 3))
      (:= hits (+ (var hits self) by))
      (send (new Ball) (map other self)))
    (block Player rest (every any))
    (claim "few hits" (locals (k node)) (always (state (all k (nodes) (< (var hits k) 2)))))
    (possible "a hit" (locals (k node)) (exists k (nodes) (= (var hits k) 1)))
    (claim "a hit comes" (locals (k node)) (eventually (state (exists k (nodes) (= (var hits k) 2)))))
    (claim "a hit each" (locals (k node))
      (always (state (all k (nodes) (= (floor 2 (- 2 (var hits k))) 1)))))
"#;

/// A caller that sends the same message repeatedly over an edge that may lose it.
const LOSSY: &str = r#"
    (message Call)
    (kind Caller 1)
    (kind Callee 1)
    (edges (1 2))
    (channel fifo 1)
    (lose)
    (var Callee called bool (is false))
    (block Caller call (every any) (send (new Call) (node 2)))
    (block Callee "on Call" (on Call) (:= called true))
    (claim answered (locals (k node)) (eventually (state (all k (nodes Callee) (var called k)))))
"#;

/// A node that reaches a final state.
const REST: &str = r#"
    (kind Only 1)
    (channel fifo)
    (var Only x (int 0 2) (is 0))
    (block Only up (when (< (var x self) 2)) (:= x (+ (var x self) 1)))
    (claim back (locals (k node)) (always (eventually (state (all k (nodes) (= (var x k) 0))))))
"#;

fn machine(text: &str) -> Machine {
    let machine = parse(text).unwrap_or_else(|e| panic!("line {}: {}", e.line, e.expected));
    verify(&machine).unwrap_or_else(|e| panic!("{e}"));
    machine
}

/// The run with these events, from the first initial state of the instance with index `frozen`.
fn run(machine: &Machine, frozen: usize, events: &[&str], ending: Ending) -> Run {
    let frozen = machine
        .frozen_choices()
        .nth(frozen)
        .expect("so many instances");
    let instance = Instance {
        machine,
        frozen: &frozen,
    };
    let initial = instance.initial_states().expect("initial states").remove(0);
    let mut state = initial.clone();
    let mut choices = Vec::new();
    for event in events {
        let possible = instance.choices(&state);
        let choice = { possible.iter() }.find(|c| machine.show_choice(c) == *event);
        let shown = || possible.iter().map(|c| machine.show_choice(c));
        let choice = choice.unwrap_or_else(|| panic!("{event}: {:?}", shown().collect::<Vec<_>>()));
        match instance.step(&state, choice) {
            Ok(next) => state = next,
            Err(StepError::Error(_)) => {}
            Err(StepError::NotEnabled) => unreachable!("it is possible"),
        }
        choices.push(choice.clone());
    }
    Run {
        frozen: frozen.clone(),
        initial,
        choices,
        ending,
    }
}

/// The index of a property.
fn property(machine: &Machine, name: &str) -> usize {
    let found = machine.properties.iter().position(|p| p.name == name);
    found.expect("a property of that name")
}

/// The result of the audit; an error says in words why the run is rejected.
fn says(machine: &Machine, fair: bool, name: &str, answer: Answer) -> Result<(), String> {
    let question = Question { machine, fair };
    let result = audit::confirm(&question, property(machine, name), &answer);
    result.map(|_| ()).map_err(|rejected| rejected.to_string())
}

fn fails(machine: &Machine, name: &str, run: &Run) -> Result<(), String> {
    says(machine, true, name, Answer::Fails(Box::new(run.clone())))
}

#[track_caller]
fn rejects(result: Result<(), String>, because: &str) {
    let why = result.expect_err("rejected");
    assert!(why.contains(because), "{why}");
}

const SERVE: &str = "run 1 start";
const TO_2: &str = "deliver 1->2 (new Ball) by \"on Ball\"";
const TO_1: &str = "deliver 2->1 (new Ball) by \"on Ball\"";

/// The shortest run to two hits. In the second instance the ids are 2 and 1, so player 1 serves.
fn two_hits(machine: &Machine) -> Run {
    let (hit_2, hit_1) = (format!("{TO_2} pick 1"), format!("{TO_1} pick 0"));
    let events = [SERVE, "run 2 start", &hit_2, &hit_1, &hit_2];
    run(machine, 1, &events, Ending::Open)
}

/// A loop in which the ball goes around and no player hits it.
fn no_hits(machine: &Machine) -> Run {
    let (pass_2, pass_1) = (format!("{TO_2} pick 0"), format!("{TO_1} pick 0"));
    let events = [
        SERVE,
        "run 2 start",
        &pass_2,
        &pass_1,
        "run 1 rest",
        "run 2 rest",
    ];
    run(machine, 1, &events, Ending::Loops(2))
}

#[test]
fn a_choice_dropped() {
    let machine = machine(BALL);
    let whole = two_hits(&machine);
    assert_eq!(fails(&machine, "few hits", &whole), Ok(()));
    for i in 0..whole.choices.len() {
        let mut run = whole.clone();
        run.choices.remove(i);
        let why = match i + 1 == whole.choices.len() {
            true => "it shows Nothing", // without its last hit, the run violates nothing
            false => "is not possible there",
        };
        rejects(fails(&machine, "few hits", &run), why);
    }
}

#[test]
fn two_choices_swapped() {
    let machine = machine(BALL);
    let whole = two_hits(&machine);
    for i in 1..whole.choices.len() {
        let mut run = whole.clone();
        run.choices.swap(i - 1, i);
        match i {
            // The order of the starts does not matter, so this is another valid run.
            1 => assert_eq!(fails(&machine, "few hits", &run), Ok(())),
            _ => rejects(fails(&machine, "few hits", &run), "is not possible there"),
        }
    }
}

#[test]
fn another_initial_value() {
    let machine = machine(BALL);
    let mut run = two_hits(&machine);
    run.initial.nodes[0].vars[0] = Value::Int(2);
    rejects(fails(&machine, "few hits", &run), "initial state");
    // A variable may begin with 1: this is another run that violates the claim.
    run.initial.nodes[0].vars[0] = Value::Int(1);
    assert_eq!(fails(&machine, "few hits", &run), Ok(()));
    let mut run = two_hits(&machine);
    run.initial.nodes[0].mode = machine::Mode::Running;
    rejects(fails(&machine, "few hits", &run), "initial state");
    let mut run = two_hits(&machine);
    run.initial.edges[0].push(Value::Record(machine::RecordId(0), vec![]));
    rejects(fails(&machine, "few hits", &run), "initial state");
}

#[test]
fn another_frozen_value() {
    let machine = machine(BALL);
    let mut run = two_hits(&machine);
    run.frozen = machine.frozen_choices().next().expect("an instance");
    rejects(fails(&machine, "few hits", &run), "is not possible there");
    let ids = |a, b| frozen(vec![vec![Value::Id(a), Value::Id(b)]]);
    for frozen in [
        ids(2, 2),
        ids(3, 1),
        frozen(vec![]),
        frozen(vec![vec![Value::Id(2)]]),
    ] {
        run.frozen = frozen;
        rejects(fails(&machine, "few hits", &run), "no instance");
    }
}

#[test]
fn another_pick_or_outcome() {
    let machine = machine(BALL);
    let whole = two_hits(&machine);
    let mut run = whole.clone();
    run.choices[4].picks = vec![Value::Int(0)];
    rejects(fails(&machine, "few hits", &run), "it shows Nothing");
    for picks in [
        vec![],
        vec![Value::Int(2)],
        vec![Value::Int(1), Value::Int(1)],
    ] {
        run.choices[4].picks = picks;
        rejects(fails(&machine, "few hits", &run), "event 5 is not possible");
    }
    let mut run = whole;
    let Event::Deliver(edge, ball, _) = run.choices[2].event.clone() else {
        panic!("a delivery");
    };
    run.choices[2] = Choice {
        event: Event::Deliver(edge, ball, Outcome::Drop),
        picks: vec![],
        time: None,
    };
    rejects(fails(&machine, "few hits", &run), "event 3 is not possible");
}

#[test]
fn another_ending() {
    let machine = machine(BALL);
    let mut run = no_hits(&machine);
    assert_eq!(fails(&machine, "a hit comes", &run), Ok(()));
    run.ending = Ending::Open;
    rejects(fails(&machine, "a hit comes", &run), "about infinite ones");
    run.ending = Ending::StandsStill;
    rejects(
        fails(&machine, "a hit comes", &run),
        "although something can happen",
    );
    run.ending = Ending::Error(RunError {
        kind: ErrorKind::Assertion,
        origin: None,
    });
    rejects(fails(&machine, "a hit comes", &run), "ends in no error");
    let mut run = two_hits(&machine);
    run.ending = Ending::Error(RunError {
        kind: ErrorKind::Assertion,
        origin: None,
    });
    rejects(fails(&machine, "few hits", &run), "ends in no error");
}

#[test]
fn a_loop_that_begins_elsewhere() {
    let machine = machine(BALL);
    let mut run = no_hits(&machine);
    for from in [0, 1, 3, 6, 7] {
        run.ending = Ending::Loops(from);
        let why = "does not come back";
        rejects(fails(&machine, "a hit comes", &run), why);
    }
    // The last two events also lead back to the same state, but a loop of them alone never moves the ball.
    for from in [4, 5] {
        run.ending = Ending::Loops(from);
        rejects(fails(&machine, "a hit comes", &run), "not fair");
    }
}

#[test]
fn an_unfair_loop() {
    let machine = machine(BALL);
    let run = run(
        &machine,
        1,
        &[SERVE, "run 2 start", "run 1 rest"],
        Ending::Loops(2),
    );
    rejects(fails(&machine, "a hit comes", &run), "not fair");
    let unfair = says(&machine, false, "a hit comes", Answer::Fails(Box::new(run)));
    assert_eq!(unfair, Ok(()));
    // Fairness also requires that the players rest.
    let mut run = no_hits(&machine);
    run.choices.pop();
    rejects(fails(&machine, "a hit comes", &run), "not fair");
}

#[test]
fn a_loop_that_loses_everything() {
    let machine = machine(LOSSY);
    let lost = "deliver 1->2 (new Call) lost by 1";
    let run = run(&machine, 0, &["run 1 call", lost], Ending::Loops(0));
    rejects(
        fails(&machine, "answered", &run),
        "loses all of a message type",
    );
    let unfair = says(&machine, false, "answered", Answer::Fails(Box::new(run)));
    assert_eq!(unfair, Ok(()));
}

#[test]
fn standing_still_too_early() {
    let machine = machine(REST);
    let up = "run 1 up";
    let end = run(&machine, 0, &[up, up], Ending::StandsStill);
    assert_eq!(fails(&machine, "back", &end), Ok(()));
    let early = run(&machine, 0, &[up], Ending::StandsStill);
    rejects(
        fails(&machine, "back", &early),
        "although something can happen",
    );
}

#[test]
fn another_answer_or_property() {
    let machine = machine(BALL);
    let run = two_hits(&machine);
    let boxed = || Box::new(run.clone());
    rejects(
        says(&machine, true, "few hits", Answer::Possible(boxed())),
        "was to show Reached",
    );
    rejects(
        says(&machine, true, "few hits", Answer::Error(boxed())),
        "was to show Error",
    );
    // At the end one player has two hits and the other none, but the condition asks for exactly one.
    rejects(
        says(&machine, true, "a hit", Answer::Possible(boxed())),
        "it shows Nothing",
    );
    let mut shorter = run.clone();
    shorter.choices.truncate(3);
    let reached = says(&machine, true, "a hit", Answer::Possible(Box::new(shorter)));
    assert_eq!(reached, Ok(()));
    let around = no_hits(&machine);
    rejects(fails(&machine, "few hits", &around), "it shows Nothing");
}

#[test]
fn errors_that_are_none_and_others() {
    let machine = machine(BALL);
    let (hit_2, hit_1) = (format!("{TO_2} pick 1"), format!("{TO_1} pick 0"));
    let events = [SERVE, "run 2 start", &hit_2, &hit_1, &hit_2, &hit_1, &hit_2];
    let mut whole = run(&machine, 1, &events, Ending::Open);
    let error = |run: &Run| {
        says(
            &machine,
            true,
            "a hit comes",
            Answer::Error(Box::new(run.clone())),
        )
    };
    rejects(error(&whole), "does not say so");
    let instance = Instance {
        machine: &machine,
        frozen: &whole.frozen,
    };
    let mut state = whole.initial.clone();
    for choice in &whole.choices[..6] {
        state = instance.step(&state, choice).expect("no error yet");
    }
    let Err(StepError::Error(found)) = instance.step(&state, &whole.choices[6]) else {
        panic!("the third hit is an error");
    };
    whole.ending = Ending::Error(found.clone());
    assert_eq!(error(&whole), Ok(()));
    rejects(fails(&machine, "a hit comes", &whole), "it shows Error");
    let mut other = whole.clone();
    other.ending = Ending::Error(RunError {
        kind: ErrorKind::DivisionByZero,
        ..found
    });
    rejects(error(&other), "another error");
    let mut goes_on = whole.clone();
    goes_on.choices.push(goes_on.choices[0].clone());
    rejects(error(&goes_on), "and the run goes on");
}

#[test]
fn a_property_without_a_value() {
    let machine = machine(BALL);
    // After two hits, the last claim divides by zero: the run ends there, in an error.
    let mut run = two_hits(&machine);
    let error = |run: &Run| {
        says(
            &machine,
            true,
            "a hit each",
            Answer::Error(Box::new(run.clone())),
        )
    };
    rejects(error(&run), "does not say so");
    run.ending = Ending::Error(RunError {
        kind: ErrorKind::DivisionByZero,
        origin: None,
    });
    assert_eq!(error(&run), Ok(()));
    rejects(fails(&machine, "a hit each", &run), "it shows Error");
    let mut longer = run.clone();
    longer.choices.push(longer.choices[3].clone());
    rejects(error(&longer), "and the run goes on");
    let mut shorter = run;
    shorter.choices.pop();
    rejects(error(&shorter), "no error");
}

fn frozen(values: Vec<Vec<Value>>) -> Frozen {
    Frozen {
        values,
        ..Frozen::default()
    }
}
