//! Whether states up to symmetry say the same of a Machine as all of them, with runs that are real, and are as few as they
//! should be.

use crate::orbits::orbits;
use machine::{Instance, Machine, PropertyKind, Rigid};
use std::cell::Cell;
use verdict::{Answer, Budget, Ending, Progress, Question, Refusal, Report, Run, Spent};

/// Machines with more states than this are not compared.
pub const LIMIT: u64 = 4_000;

/// Instances with more states than this are not counted by hand.
const FEW: usize = 1_500;

struct States(u64, Cell<bool>);

impl Budget for States {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        self.1.set(self.1.get() || progress.states > self.0);
        self.1.get().then_some(Spent::Interrupted)
    }
}

type Entry = fn(&Question<'_>, &dyn Budget) -> Result<Report, Refusal>;

fn with_less(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let relevance = |rigid: &Rigid| passes::relevant(question.machine, rigid);
    engine_explicit::run_symmetric_with_less(question, &relevance, budget)
}

/// The same report with runs whose loops come back to the whole state.
fn come_back(machine: &Machine, mut report: Report) -> Report {
    for answer in &mut report.answers {
        let back = answer.run().and_then(|run| passes::come_back(machine, run));
        if let Some(run) = back {
            *answer = std::mem::replace(answer, Answer::Holds).with_run(Box::new(run));
        }
    }
    report
}

/// What an entry says; nothing if it has too much to do.
fn ask(entry: Entry, question: &Question<'_>) -> Option<Result<Report, Refusal>> {
    let budget = States(LIMIT, Cell::new(false));
    let said = entry(question, &budget);
    (!budget.1.get()).then_some(said)
}

/// What came of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// States were taken up to symmetry, in all of a question or for conditions on single states.
    pub reduced: bool,
    /// The same without what is not relevant.
    pub without: bool,
    /// The states were counted by hand, too.
    pub counted: bool,
    /// There were fewer of them.
    pub fewer: bool,
    /// Runs that were replayed.
    pub runs: usize,
    /// Temporal claims that were answered up to symmetry.
    pub temporal: usize,
    /// Those of them that were asked about one node for all.
    pub of_one: usize,
}

/// Compares; nothing if the Machine is too large.
pub fn compare(machine: &Machine) -> Result<Option<Compared>, String> {
    let mut compared = Compared::default();
    let mut states = machine.clone();
    states.properties.retain(|p| is_of_states(&p.kind));
    let mut nothing = machine.clone();
    nothing.properties.clear();
    for (machine, fair) in [(&states, true), (machine, true), (machine, false)] {
        let question = Question { machine, fair };
        let Some(whole) = ask(engine_explicit::run, &question) else {
            return Ok(None);
        };
        let Some(reduced) = ask(engine_explicit::run_symmetric, &question) else {
            return Err("more states up to symmetry than there are".into());
        };
        match (whole, reduced) {
            (Err(a), Err(b)) if a == b => {}
            (Ok(whole), Ok(reduced)) => {
                same_report(&question, &whole, &reduced, &mut compared)
                    .map_err(|e| format!("{e} (fair: {fair})"))?;
                let Some(Ok(less)) = ask(with_less, &question) else {
                    return Err("more states without what is not relevant".into());
                };
                let (less, mut other) = (come_back(machine, less), Compared::default());
                same_report(&question, &whole, &less, &mut other)
                    .map_err(|e| format!("{e} (fair: {fair}, without what is not relevant)"))?;
                compared.without |= other.reduced;
            }
            (whole, reduced) => return Err(format!("{whole:?}, and {reduced:?}")),
        }
    }
    // With the properties: what they name counts. Without them: nothing ends the search early.
    for machine in [&nothing, &states] {
        count(machine, &mut compared)?;
    }
    Ok(Some(compared))
}

fn is_of_states(kind: &PropertyKind) -> bool {
    match kind {
        PropertyKind::Claim(claim) => claim.invariant().is_some(),
        PropertyKind::Possible(_) => true,
    }
}

/// How many permutations the report says were used at most; 1 if none were.
fn permutations(report: &Report) -> u64 {
    let mut told = report.findings.reduced.iter();
    let told = told.find(|told| told.starts_with("states "));
    let told = told.unwrap_or_else(|| panic!("{:?}", report.findings.reduced));
    let Some(rest) = told.strip_prefix("states up to ") else {
        assert!(
            told.starts_with("states are not taken up to symmetry: "),
            "{told}"
        );
        return 1;
    };
    let number = rest.split(' ').next().expect("a number");
    number.parse().expect("a number")
}

fn same_report(
    question: &Question<'_>,
    whole: &Report,
    reduced: &Report,
    compared: &mut Compared,
) -> Result<(), String> {
    let used = permutations(reduced) > 1;
    compared.reduced |= used;
    for (p, (a, b)) in whole.answers.iter().zip(&reduced.answers).enumerate() {
        let property = &question.machine.properties[p];
        let single = is_of_states(&property.kind);
        let lengths = |a: &Run, b: &Run| !single || a.choices.len() == b.choices.len();
        let same = match (a, b) {
            (Answer::Fails(a), Answer::Fails(b)) => lengths(a, b),
            (Answer::Possible(a), Answer::Possible(b)) => lengths(a, b),
            (Answer::Error(_), Answer::Error(_)) => true,
            (Answer::Holds, Answer::Holds) | (Answer::Impossible, Answer::Impossible) => true,
            (Answer::Unknown(a), Answer::Unknown(b)) => a == b,
            _ => false,
        };
        if !same {
            return Err(format!("`{}`: {a:?}, and {b:?}", property.name));
        }
        compared.temporal += usize::from(used && !single);
        compared.runs += usize::from(used && b.run().is_some());
        if let Err(rejected) = audit::confirm(question, p, b) {
            return Err(format!("`{}`: the audit says: {rejected}", property.name));
        }
    }
    let (a, b) = (&whole.findings, &reduced.findings);
    let of_one = b.reduced.iter().filter(|told| told.ends_with(" for all"));
    compared.of_one += of_one.count();
    // By fewer instances it may be complete when everything is decided, and by more not.
    if a.complete && !b.complete {
        return Err("not complete, though all states were visited".into());
    }
    if a.complete {
        same("blocks that ran", &a.ran, &b.ran)?;
        same("messages sent", &a.sent, &b.sent)?;
        same("premises", &a.premises, &b.premises)?;
        let length = |run: &Option<Box<Run>>| run.as_ref().map(|run| run.choices.len());
        same("run into an error", length(&a.error), length(&b.error))?;
        same("deadlock", length(&a.deadlock), length(&b.deadlock))?;
        let latest = |f: &verdict::Findings| -> Vec<Option<u32>> {
            f.latest
                .iter()
                .map(|l| l.as_ref().map(|l| l.units))
                .collect()
        };
        same("latest moments", latest(a), latest(b))?;
    }
    for run in b.error.iter().chain(&b.deadlock) {
        replay(question.machine, run)?;
        compared.runs += usize::from(used);
    }
    Ok(())
}

/// Every choice of a run is possible, and it ends as it says.
fn replay(machine: &Machine, run: &Run) -> Result<(), String> {
    let instance = Instance {
        machine,
        rigid: &run.rigid,
    };
    if instance.is_initial(&run.initial) != Ok(true) {
        return Err("a run that does not begin at the beginning".into());
    }
    let mut state = run.initial.clone();
    for (at, choice) in run.choices.iter().enumerate() {
        match (instance.step(&state, choice), &run.ending) {
            (Ok(after), _) => state = after,
            (Err(machine::StepError::Error(found)), Ending::Error(error))
                if at + 1 == run.choices.len() && found == *error =>
            {
                return Ok(());
            }
            (Err(why), _) => return Err(format!("event {at} of a run: {why:?}")),
        }
    }
    let stands = instance.choices(&state).is_empty();
    match &run.ending {
        Ending::StandsStill if stands => Ok(()),
        Ending::Open => Ok(()),
        other => Err(format!("a run that does not end as it says: {other:?}")),
    }
}

/// Counts the states of the first instances of a Machine by hand.
fn count(machine: &Machine, compared: &mut Compared) -> Result<(), String> {
    let question = Question {
        machine,
        fair: false,
    };
    let whole = ask(engine_explicit::run_up_to_symmetry, &question);
    let reduced = ask(engine_explicit::run_symmetric, &question);
    let (Some(Ok(whole)), Some(Ok(reduced))) = (whole, reduced) else {
        return Ok(());
    };
    let most = permutations(&reduced);
    if !whole.findings.complete || most == 1 {
        return Ok(());
    }
    let (all, few) = (whole.counts.states, reduced.counts.states);
    compared.fewer |= few < all;
    if few > all || few * most < all {
        return Err(format!("{few} of {all} states up to {most} permutations"));
    }
    // Instants of time are not compared by hand.
    if machine.grid().is_some() || all > FEW as u64 || whole.counts.instances > 50 {
        return Ok(());
    }
    let (mut states, mut found, mut greatest) = (0, 0, 1);
    for rigid in machine.rigids_up_to_symmetry() {
        let instance = Instance {
            machine,
            rigid: &rigid,
        };
        let Some(orbits) = orbits(instance, FEW)? else {
            return Ok(());
        };
        states += orbits.states as u64;
        found += orbits.orbits as u64;
        greatest = greatest.max(orbits.permutations as u64);
    }
    compared.counted = true;
    same("states of all instances", all, states)?;
    same("permutations", most, greatest)?;
    same("states up to symmetry", few, found)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, a: T, b: T) -> Result<(), String> {
    match a == b {
        true => Ok(()),
        false => Err(format!("{what}: {a:?}, and {b:?}")),
    }
}
