//! Runs the tests in `tests/machine/*.machine`: Machines in text form with expectations.
//!
//! A line that begins with `;;` is a comment; a line that begins with a single `;` is an expectation:
//!
//! - `parse error at LINE: WHAT`, `verify error: WHAT`, `initial error: WHAT`
//! - `instances N`, `initial N`, `states N`, `transitions N`, `errors N`: sums over all frozen choices, up to rotation
//!   if that is a symmetry of the Machine. A transition is a choice that leads to a state
//! - `error WHAT`: a reachable runtime error. A file lists all reachable errors or none
//! - `frozen R`: the frozen choice of the first instance
//! - `path` or `path I.S`: starts in initial state S of instance I, counted from 1. In the lines that follow, `>
//!   CHOICE` executes a choice, `= STATE` is the current state, `? CHOICE | CHOICE` lists all enabled choices, `!
//!   CHOICE` is not enabled, `x ERROR` is the error of the last choice
//!
//! With real times only instances are counted. `periods P …` gives the fixed periods of the nodes in the paths that
//! follow, with `-` for a node without one. In `> CHOICE at TIME` and `! CHOICE at TIME` the time is arbitrary; in `?`
//! each choice has its earliest time. `@ CHOICE: FROM TO` is the interval in which the choice is enabled; TO is `…` if
//! there is no upper bound.

use machine::{Choice, Frozen, InitialError, Instance, Machine, State, StepError, parse, verify};
use rational::Rational;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use testkit::explore;

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

/// Messages about the violated expectations of a file.
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
        frozen: Frozen::default(),
        periods: Vec::new(),
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
            "frozen" => {
                let first = &found.instances[0];
                differs(rest, &machine.show_frozen(first))
            }
            "error" => {
                errors.insert(rest.to_string());
                vec![]
            }
            "path" => path.begin(rest, &found.instances),
            "periods" => path.periods(rest),
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
    instances: Vec<Frozen>,
    initial: usize,
    states: usize,
    transitions: usize,
    errors: usize,
    kinds_of_errors: BTreeSet<String>,
}

fn measure(machine: &Machine) -> Result<Measured, String> {
    let mut sums = Measured {
        instances: machine.frozen_choices_up_to_rotation().collect(),
        ..Measured::default()
    };
    for frozen in &sums.instances {
        let instance = Instance { machine, frozen };
        if instance.is_timed() {
            continue;
        }
        let found = explore(instance, 10_000).map_err(|e| match e {
            InitialError::Error(e) => machine.show_error(&e.kind),
            InitialError::OutOfRange(var, value) => {
                let name = &machine.vars[var.index()].name;
                format!("{name} out of range: {}", machine.show_value(&value))
            }
            InitialError::TooMany(var, values) => {
                format!("{}: {values} first values", machine.vars[var.index()].name)
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

/// The current position on a path of a file.
struct Path<'m> {
    machine: &'m Machine,
    frozen: Frozen,
    periods: Vec<Option<Rational>>,
    state: Option<State>,
    error: Option<String>,
}

impl Path<'_> {
    fn instance(&self) -> Instance<'_> {
        Instance {
            machine: self.machine,
            frozen: &self.frozen,
        }
    }

    fn begin(&mut self, at: &str, instances: &[Frozen]) -> Vec<String> {
        let (i, s) = match at {
            "" => (1, 1),
            at => match at.split_once('.').map(|(i, s)| (i.parse(), s.parse())) {
                Some((Ok(i), Ok(s))) => (i, s),
                _ => return vec![format!("where does `path {at}` begin?")],
            },
        };
        let frozen = instances.get(i - 1).cloned();
        self.frozen = frozen.expect("such an instance");
        if self.instance().is_timed() {
            let nodes = self.machine.node_count() as usize;
            self.frozen.periods = self.periods.clone();
            self.frozen.periods.resize(nodes, None);
        }
        if !self.instance().periods_fit() {
            return vec!["the periods do not fit".into()];
        }
        self.error = None;
        let initial = self.instance().initial_states().expect("initial states");
        self.state = initial.get(s - 1).cloned();
        match self.state {
            Some(_) => vec![],
            None => vec![format!("there is no initial state {s}")],
        }
    }

    fn periods(&mut self, rest: &str) -> Vec<String> {
        let words = rest.split_whitespace();
        self.periods = words
            .map(|word| match word {
                "-" => None,
                word => Some(word.parse().expect("a period")),
            })
            .collect();
        vec![]
    }

    /// The choice that a text such as `run 1 start at 3` denotes; `None` if there is no such choice.
    fn choice(&self, choices: &[Choice], text: &str) -> Option<Choice> {
        let (what, time) = match text.rsplit_once(" at ") {
            Some((what, time)) => (what, Some(time.parse::<Rational>().ok()?)),
            None => (text, None),
        };
        let mut timeless = choices.iter().cloned().map(|mut choice| {
            choice.time = None;
            choice
        });
        let choice = timeless.find(|choice| self.machine.show_choice(choice) == what)?;
        Some(Choice { time, ..choice })
    }

    /// Checks a line `@ CHOICE: FROM TO`; returns a message if the interval differs.
    fn enabled_interval(&self, state: &State, choices: &[Choice], text: &str) -> Vec<String> {
        let Some((what, wanted)) = text.split_once(": ") else {
            return vec![format!("when is `{text}`?")];
        };
        let found = self.choice(choices, what);
        let found = found.and_then(|choice| self.instance().enabled_interval(state, &choice.event));
        let found = match found {
            None => "never".to_string(),
            Some((from, None)) => format!("{from} …"),
            Some((from, Some(to))) => format!("{from} {to}"),
        };
        differs(wanted, &found)
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
        let choice = self.choice(&choices, rest);
        let step = choice.map(|choice| self.instance().step(&state, &choice));
        let step = step.filter(|step| *step != Err(StepError::NotEnabled));
        match (word, step) {
            ("=", _) => differs(rest, &self.machine.show_state(&state)),
            ("?", _) => differs(rest, &shown.join(" | ")),
            ("@", _) => self.enabled_interval(&state, &choices, rest),
            ("!", None) => vec![],
            ("!", Some(_)) => vec![format!("`{rest}` is possible")],
            (">", Some(step)) => {
                self.state = step.as_ref().ok().cloned();
                self.error = match step {
                    Err(StepError::Error(e)) => Some(self.machine.show_error(&e.kind)),
                    _ => None,
                };
                vec![]
            }
            (">", None) => vec![format!("`{rest}` is not among\n    {}", shown.join(" | "))],
            _ => vec![format!("what is `{word} {rest}`?")],
        }
    }
}
