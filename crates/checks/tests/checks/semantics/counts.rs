//! Counts the states of a check in three independent ways.

use crate::semantics::document::Counted;
use crate::semantics::setup;
use checks::Loaded;
use lower::Request;
use machine::{Instance, Machine};
use model::{Expr, ExprKind, Question, Type};
use syntax::ast;
use verdict::{Answer, Budget, Progress, Spent};

/// The largest number of states per instance. A model with more states is too large by mistake.
pub const MANY: usize = 100_000;

struct AtMostMany;

impl Budget for AtMostMany {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        (progress.states > MANY as u64).then_some(Spent::Interrupted)
    }
}

/// The numbers that one of the counters reports; `None` for a number that it does not count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    instances: Option<u64>,
    initial: Option<u64>,
    states: Option<u64>,
    transitions: Option<u64>,
    errors: Option<u64>,
    fin: Option<u64>,
}

impl Count {
    /// The number of the given sort; `None` if it is not counted.
    pub fn of(&self, what: Counted) -> Option<u64> {
        match what {
            Counted::Instances => self.instances,
            Counted::Initial => self.initial,
            Counted::States => self.states,
            Counted::Transitions => self.transitions,
            Counted::Errors => self.errors,
            Counted::Final => self.fin,
        }
    }
}

/// The numbers of all counters for one instance.
pub struct Counts {
    /// For each counter its name and its numbers.
    pub by: Vec<(&'static str, Count)>,
    /// Whether frozen choices are counted up to rotation, and this changes the number.
    pub up_to_rotation: bool,
}

/// The numbers for each instance of a check. The claims are removed, because they may add variables to the state.
pub fn counts(loaded: &Loaded, file: &ast::File, number: usize) -> Result<Vec<Counts>, String> {
    let mut model = loaded.model.clone();
    let check = &mut model.checks[number];
    let nothing = Expr {
        kind: ExprKind::Bool(false),
        ty: Type::Bool,
        span: check.span,
    };
    check.question = Question::Possible(nothing);
    let codes = |diagnostics: Vec<source::Diagnostic>| {
        let codes: Vec<String> = diagnostics.iter().map(|d| d.code.to_string()).collect();
        codes.join(", ")
    };
    let requests = checks::requests(loaded, number, &[]).map_err(codes)?;
    let one = |request: &Request| {
        let lowered = lower::lower(&model, &loaded.sources, request).map_err(codes)?;
        if lowered.machine.vars.iter().any(|var| var.ghost) {
            return Err("counts are of states without ghosts: leave out `ghost var`".into());
        }
        let machine = &lowered.machine;
        if machine.has_time() {
            return Err("states with times cannot be counted: there is no number of them".into());
        }
        let reduced =
            machine.frozen_choices_up_to_rotation().count() < machine.frozen_choices().count();
        let check = setup::checks(file)[number];
        let setup = setup::setup(file, check, request)?;
        let by = vec![
            ("the explicit engine counts", by_engine(machine)?),
            ("the interpreter", by_interpreter(machine)?),
            (
                "the second enumerator",
                by_enumerator(file, &setup, reduced)?,
            ),
        ];
        Ok(Counts {
            by,
            up_to_rotation: reduced,
        })
    };
    requests.iter().map(one).collect()
}

fn by_engine(machine: &Machine) -> Result<Count, String> {
    let question = verdict::Question {
        machine,
        fair: true,
    };
    let report = explicit::run(&question, &explicit::Options::default(), &AtMostMany)
        .map_err(|refusal| format!("the explicit engine refuses to count: {refusal:?}"))?;
    if let [Answer::Unknown(why)] = &report.answers().collect::<Vec<_>>()[..] {
        return Err(format!("the explicit engine gives up counting: {why:?}"));
    }
    Ok(Count {
        instances: Some(report.counts.instances),
        initial: Some(report.counts.initial),
        states: Some(report.counts.states),
        transitions: Some(report.counts.transitions),
        errors: None,
        fin: None,
    })
}

fn by_interpreter(machine: &Machine) -> Result<Count, String> {
    let (mut instances, mut initial, mut states) = (0, 0, 0);
    let (mut transitions, mut errors, mut fin) = (0, 0, 0);
    for frozen in machine.frozen_choices_up_to_rotation() {
        let instance = Instance {
            machine,
            frozen: &frozen,
        };
        let found = testkit::explore(instance, MANY)
            .map_err(|error| format!("the interpreter refuses to count: {error:?}"))?;
        if !found.complete {
            return Err("too many states for the interpreter".into());
        }
        instances += 1;
        initial += found.initial;
        states += found.states.len();
        transitions += found.transitions() + found.errors.len();
        errors += found.errors.len();
        let stuck = |(state, after): &(usize, &Vec<_>)| {
            after.is_empty() && !found.errors.iter().any(|(at, ..)| at == state)
        };
        fin += found.successors.iter().enumerate().filter(stuck).count();
    }
    Ok(Count {
        instances: Some(instances),
        initial: Some(initial as u64),
        states: Some(states as u64),
        transitions: Some(transitions as u64),
        errors: Some(errors as u64),
        fin: Some(fin as u64),
    })
}

fn by_enumerator(
    file: &ast::File,
    setup: &enumerator::Setup,
    reduced: bool,
) -> Result<Count, String> {
    let counts = if reduced {
        enumerator::enumerate_up_to_rotation(file, setup)
    } else {
        enumerator::enumerate(file, setup)
    };
    let counts = counts.map_err(|why| format!("the second enumerator refuses to count: {why}"))?;
    let total = enumerator::sum(&counts);
    Ok(Count {
        instances: Some(counts.len() as u64),
        initial: Some(total.initial as u64),
        states: Some(total.states as u64),
        transitions: Some(total.transitions as u64),
        errors: Some(total.errors as u64),
        fin: Some(total.final_states as u64),
    })
}
