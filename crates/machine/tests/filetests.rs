//! Runs `tests/machine/*.machine`: Machines in text form with what is expected of them.
//!
//! A line that begins with `;;` is prose, one that begins with `;` an expectation:
//!
//! - `parse error at LINE: WHAT`, `verify error: WHAT`, `initial error: WHAT`
//! - `instances N`, `initial N`, `states N`, `transitions N`, `errors N`: sums over what is rigid, up to
//!   rotation where the Machine allows it; a transition is a choice that leads to a state
//! - `error WHAT`: an error that can be reached; all of them are named, or none
//! - `rigid R`: what is rigid in the first instance
//! - `path` or `path I.S`: begins in initial state S of instance I, from 1; then in each line
//!   `> CHOICE` takes a choice, `= STATE` is the state, `? CHOICE | CHOICE` is all that can happen,
//!   `! CHOICE` cannot happen, `x ERROR` is what the last choice ends in

use machine::explore::explore;
use machine::{InitialError, Instance, Machine, Rigid, State, StepError, parse, verify};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

fn files() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/machine");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of the tests")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|e| e == "machine"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a readable file");
            let name = path.file_stem().expect("a name").to_string_lossy();
            (name.into_owned(), text)
        })
        .collect();
    files.sort();
    files
}

#[test]
fn files_do_what_they_say() {
    let mut report = String::new();
    let files = files();
    assert!(files.len() >= 25, "only {} files", files.len());
    for (name, text) in files {
        for problem in check(&text) {
            let _ = writeln!(report, "{name}: {problem}");
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn files_survive_their_own_text() {
    for (name, text) in files() {
        if let Ok(machine) = parse(&text) {
            let printed = machine.to_string();
            let again = parse(&printed).unwrap_or_else(|e| panic!("{name}: {e}\n{printed}"));
            assert_eq!(again, machine, "{name}\n{printed}");
        }
    }
}

/// What is not as expected.
fn check(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(';'));
    let expected: Vec<&str> = lines
        .filter(|line| !line.starts_with(';'))
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    if expected.is_empty() {
        return vec!["nothing is expected".into()];
    }
    let machine = match parse(text) {
        Ok(machine) => machine,
        Err(e) => {
            let found = format!("parse error at {}: {}", e.line, e.expected);
            return differs(expected[0], &found);
        }
    };
    if let Err(e) = verify(&machine) {
        return differs(expected[0], &format!("verify error: {e}"));
    }
    let found = match measure(&machine) {
        Ok(found) => found,
        Err(e) => return differs(expected[0], &format!("initial error: {e}")),
    };
    let mut problems = Vec::new();
    let mut errors = BTreeSet::new();
    let mut path = Path {
        machine: &machine,
        rigid: Rigid::default(),
        state: None,
        error: None,
    };
    for line in expected {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let sum = |wanted: usize| differs(line, &format!("{word} {wanted}"));
        problems.extend(match word {
            "instances" => sum(found.instances.len()),
            "initial" => sum(found.initial),
            "states" => sum(found.states),
            "transitions" => sum(found.transitions),
            "errors" => sum(found.errors),
            "rigid" => {
                let first = &found.instances[0];
                differs(rest, &machine.show_rigid(first))
            }
            "error" => {
                errors.insert(rest.to_string());
                vec![]
            }
            "path" => path.begin(rest, &found.instances),
            _ => path.line(word, rest),
        });
    }
    if !errors.is_empty() && errors != found.kinds_of_errors {
        problems.push(format!("the errors are {:?}", found.kinds_of_errors));
    }
    problems
}

fn differs(expected: &str, found: &str) -> Vec<String> {
    if expected == found {
        vec![]
    } else {
        vec![format!(
            "expected\n    {expected}\n  but it is\n    {found}"
        )]
    }
}

#[derive(Default)]
struct Measured {
    instances: Vec<Rigid>,
    initial: usize,
    states: usize,
    transitions: usize,
    errors: usize,
    kinds_of_errors: BTreeSet<String>,
}

fn measure(machine: &Machine) -> Result<Measured, String> {
    let mut sums = Measured {
        instances: machine.rigids_up_to_rotation().collect(),
        ..Measured::default()
    };
    for rigid in &sums.instances {
        let found = explore(Instance { machine, rigid }, 10_000).map_err(|e| match e {
            InitialError::Error(e) => machine.show_error(&e.kind),
            InitialError::OutOfRange(var, value) => {
                let name = &machine.vars[var.index()].name;
                format!("{name} out of range: {}", machine.show_value(&value))
            }
        })?;
        assert!(found.complete, "more than 10,000 states");
        sums.initial += found.initial;
        sums.states += found.states.len();
        sums.transitions += found.transitions();
        sums.errors += found.errors.len();
        for (_, _, error) in &found.errors {
            sums.kinds_of_errors.insert(machine.show_error(&error.kind));
        }
    }
    Ok(sums)
}

/// A run that a file describes.
struct Path<'m> {
    machine: &'m Machine,
    rigid: Rigid,
    state: Option<State>,
    error: Option<String>,
}

impl Path<'_> {
    fn instance(&self) -> Instance<'_> {
        Instance {
            machine: self.machine,
            rigid: &self.rigid,
        }
    }

    fn begin(&mut self, at: &str, instances: &[Rigid]) -> Vec<String> {
        let (i, s) = match at {
            "" => (1, 1),
            at => match at.split_once('.').map(|(i, s)| (i.parse(), s.parse())) {
                Some((Ok(i), Ok(s))) => (i, s),
                _ => return vec![format!("where does `path {at}` begin?")],
            },
        };
        let rigid = instances.get(i - 1).cloned();
        self.rigid = rigid.expect("such an instance");
        self.error = None;
        let initial = self.instance().initial_states().expect("initial states");
        self.state = initial.get(s - 1).cloned();
        match self.state {
            Some(_) => vec![],
            None => vec![format!("there is no initial state {s}")],
        }
    }

    fn line(&mut self, word: &str, rest: &str) -> Vec<String> {
        if word == "x" {
            let found = self.error.take();
            return differs(rest, found.as_deref().unwrap_or("no error"));
        }
        let Some(state) = self.state.clone() else {
            return vec![format!("`{word} {rest}` in no state")];
        };
        let choices = self.instance().choices(&state);
        let shown: Vec<String> = { choices.iter() }
            .map(|c| self.machine.show_choice(c))
            .collect();
        let place = shown.iter().position(|c| c == rest);
        match (word, place) {
            ("=", _) => differs(rest, &self.machine.show_state(&state)),
            ("?", _) => differs(rest, &shown.join(" | ")),
            ("!", None) => vec![],
            ("!", Some(_)) => vec![format!("`{rest}` is possible")],
            (">", Some(place)) => {
                match self.instance().step(&state, &choices[place]) {
                    Ok(next) => self.state = Some(next),
                    Err(StepError::Error(e)) => {
                        self.state = None;
                        self.error = Some(self.machine.show_error(&e.kind));
                    }
                    Err(StepError::NotPossible) => return vec![format!("`{rest}` is refused")],
                }
                vec![]
            }
            (">", None) => vec![format!("`{rest}` is not among\n    {}", shown.join(" | "))],
            _ => vec![format!("what is `{word} {rest}`?")],
        }
    }
}
