//! Compares the searches on a Machine: their answers must agree, and their runs must be real.

use crate::sample::ways::{Said, Way, ask};
use machine::{Instance, Machine, PropertyKind, StepError};
use verdict::{Answer, Ending, NoPartialOrder, Premise, Question, Reduction, Report, Run};

/// The largest number of states of a Machine whose searches are compared.
pub const LIMIT: u64 = 1_500;

/// A question about a Machine, with the report of the full search.
pub struct Asked {
    pub machine: Machine,
    pub fair: bool,
    pub whole: Said,
}

impl Asked {
    fn new(machine: Machine, fair: bool) -> Asked {
        let question = Question {
            machine: &machine,
            fair,
        };
        let whole = ask(Way::Whole, &question, 1, LIMIT);
        Asked {
            machine,
            fair,
            whole,
        }
    }

    /// Whether the full search has answered all properties.
    pub fn is_judged(&self) -> bool {
        let unknown = |a: &Answer| matches!(a, Answer::Unknown(_));
        let report = self.whole.report.as_ref();
        report.map_or(!self.whole.cut, |r| !r.answers().any(unknown))
    }
}

/// A Machine with the questions about it: all properties, for fair runs and for all runs; only conditions on single
/// states; and each temporal claim separately, because another claim may prevent a reduction.
pub struct Case {
    pub machine: Machine,
    pub asked: Vec<Asked>,
}

impl Case {
    /// Runs the full search for all questions.
    pub fn new(machine: Machine) -> Case {
        let mut asked = Vec::new();
        for fair in [true, false] {
            asked.push(Asked::new(machine.clone(), fair));
        }
        let mut states = machine.clone();
        states.properties.retain(|p| is_of_states(&p.kind));
        asked.push(Asked::new(states, false));
        if machine.properties.len() > 1 {
            let temporal = machine.properties.iter();
            for (p, claim) in temporal.enumerate().filter(|(_, p)| !is_of_states(&p.kind)) {
                let mut alone = machine.clone();
                alone.properties = vec![claim.clone()];
                asked.push(Asked::new(alone, p % 3 > 0));
            }
        }
        Case { machine, asked }
    }

    /// Whether the full search has answered all questions.
    pub fn is_judged(&self) -> bool {
        self.asked.iter().all(Asked::is_judged)
    }

    /// Runs these searches with each number of explorers. An error says in what they differ from the full search.
    pub fn compare(&self, ways: &[Way], explorers: &[usize]) -> Result<Seen, String> {
        let mut seen = Seen::default();
        for asked in &self.asked {
            let question = Question {
                machine: &asked.machine,
                fair: asked.fair,
            };
            let all = &asked.machine.properties;
            let of = |e: String| {
                let names: Vec<&str> = all.iter().map(|p| p.name.as_str()).collect();
                let fair = if asked.fair { "fair" } else { "any" };
                format!("{e} ({fair} runs; {})", names.join(", "))
            };
            if !asked.is_judged() {
                for more in &explorers[1..] {
                    let other = ask(Way::Whole, &question, *more, LIMIT);
                    same(&format!("{more} explorers"), &other, &asked.whole).map_err(of)?;
                }
                continue;
            }
            for way in ways {
                let context = |e: String| of(format!("{way:?}: {e}"));
                let said = ask(*way, &question, explorers[0], 4 * LIMIT);
                for more in &explorers[1..] {
                    let other = ask(*way, &question, *more, 4 * LIMIT);
                    same(&format!("{more} explorers"), &other, &said).map_err(context)?;
                }
                agree(*way, &question, &asked.whole, &said, &mut seen).map_err(context)?;
            }
        }
        Ok(seen)
    }
}

/// Counts of what the reductions did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Questions with an answer.
    pub questions: usize,
    /// Runs that the audit confirmed.
    pub runs: usize,
    /// Questions for which partial-order reduction left out transitions.
    pub orders: usize,
    /// Questions for which symmetry reduction left out transitions.
    pub names: usize,
    /// Questions for which both together left out transitions.
    pub both: usize,
    /// Questions for which partial-order reduction was abandoned, because fairness may depend on the order of events.
    pub fell_back: usize,
    /// Claims that were checked for a representative.
    pub one_for_all: usize,
}

impl Seen {
    pub fn add(&mut self, other: &Seen) {
        self.questions += other.questions;
        self.runs += other.runs;
        self.orders += other.orders;
        self.names += other.names;
        self.both += other.both;
        self.fell_back += other.fell_back;
        self.one_for_all += other.one_for_all;
    }
}

fn agree(
    way: Way,
    question: &Question<'_>,
    whole: &Said,
    said: &Said,
    seen: &mut Seen,
) -> Result<(), String> {
    let cut = whole.cut;
    let (whole, less) = match (&whole.report, &said.report) {
        (Ok(whole), Ok(less)) => (whole, less),
        (Err(a), Err(b)) if a == b => return Ok(()),
        (a, b) => return Err(format!("{a:?}, and {b:?}")),
    };
    // If the state space is unbounded, the full search may find its answers early, and another search may reach its
    // limit before.
    if said.cut && !whole.findings.complete {
        return Ok(());
    }
    seen.questions += 1;
    for (p, (a, b)) in whole.answers().zip(less.answers()).enumerate() {
        let property = &question.machine.properties[p];
        same(&property.name, &word(a), &word(b))?;
        if let (Some(a), Some(b)) = (a.run(), b.run())
            && is_of_states(&property.kind)
            && !matches!(a.ending, Ending::Error(_))
        {
            let (a, b) = (a.choices.len(), b.choices.len());
            // If the full search reached its limit, it may have missed a shorter run in another instance.
            let shorter = b < a && !cut;
            if shorter || b > a && way.is_shortest(question.machine) {
                return Err(format!("{}: {a} events, and {b}", property.name));
            }
        }
        if let Err(rejected) = audit::confirm(question, p, b) {
            return Err(format!("{}: the audit says: {rejected}", property.name));
        }
        seen.runs += usize::from(b.run().is_some());
    }
    // With early checks a search may end before all states are visited.
    let properties = question.machine.properties.iter();
    let early = properties.zip(less.answers());
    let early = early.clone().all(|(_, answer)| answer.run().is_some())
        && early
            .clone()
            .any(|(property, _)| !is_of_states(&property.kind));
    findings(way, question.machine, (whole, less), early)?;
    note(way, whole, less, said, seen);
    Ok(())
}

/// Records which reductions were effective.
fn note(way: Way, whole: &Report, less: &Report, said: &Said, seen: &mut Seen) {
    let reduced = &less.findings.reduced;
    let symmetry = || {
        reduced
            .iter()
            .any(|r| matches!(r, Reduction::Symmetry { .. }))
    };
    let fewer = less.counts.transitions < whole.counts.transitions && whole.findings.complete;
    match way {
        Way::Orders => {
            let fell_back = said.aside == Some(NoPartialOrder::Fairness);
            seen.orders += usize::from(fewer && said.aside.is_none());
            seen.fell_back += usize::from(fell_back);
        }
        Way::Names => {
            let one_for_all = reduced.iter().filter(|r| is_representative(r));
            seen.one_for_all += one_for_all.count();
            seen.names += usize::from(fewer && symmetry());
        }
        Way::Fewer => {
            let both = reduced.contains(&Reduction::PartialOrder) && symmetry();
            seen.both += usize::from(fewer && both);
        }
        _ => {}
    }
}

/// Whether a claim about several symmetric nodes was checked for one of them.
fn is_representative(reduction: &Reduction) -> bool {
    matches!(reduction, Reduction::Representative { .. })
}

fn findings(
    way: Way,
    machine: &Machine,
    (whole, less): (&Report, &Report),
    early: bool,
) -> Result<(), String> {
    let (a, b) = (&whole.findings, &less.findings);
    // Representative claims allow less symmetry of instances: some instances may not have been searched when everything
    // is decided.
    let of_one = b.reduced.iter().any(is_representative);
    if way.is_complete() && a.complete && !b.complete && !of_one && !early {
        return Err("not complete, though all states were visited".into());
    }
    if !a.complete || !b.complete {
        return Ok(());
    }
    same("blocks that ran", &a.ran, &b.ran)?;
    same("messages sent", &a.sent, &b.sent)?;
    let premises = |report: &Report| -> Vec<Option<Premise>> {
        report.results.iter().map(|result| result.premise).collect()
    };
    same("premises", &premises(whole), &premises(less))?;
    if !way.finds_all() {
        return Ok(());
    }
    for (what, a, b) in [
        ("run into an error", &a.error, &b.error),
        ("deadlock", &a.deadlock, &b.deadlock),
    ] {
        let length = |run: &Option<Box<Run>>| {
            let length = run.as_ref().map(|run| run.choices.len());
            length.map(|n| if way.is_shortest(machine) { n } else { 0 })
        };
        same(what, &length(a), &length(b))?;
        // In the cone of influence, these are runs of a smaller Machine.
        if let (Some(run), true) = (b, way != Way::NamesAndRelevance) {
            replay(machine, run).map_err(|e| format!("{what}: {e}"))?;
        }
    }
    if way.is_complete() {
        let latest = |report: &Report| -> Vec<Option<u32>> {
            let all = report.results.iter();
            all.map(|result| result.latest.as_ref().map(|latest| latest.units))
                .collect()
        };
        same("latest moments", &latest(whole), &latest(less))?;
    }
    Ok(())
}

/// Whether a property is decided on single states: an invariant or a `possible`.
pub fn is_of_states(kind: &PropertyKind) -> bool {
    match kind {
        PropertyKind::Claim(claim) => claim.invariant().is_some(),
        PropertyKind::Possible(_) => true,
    }
}

/// An answer without its run.
pub fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Holds => "holds",
        Answer::Fails(_) => "fails",
        Answer::Possible(_) => "possible",
        Answer::Impossible => "impossible",
        Answer::Error(_) => "error",
        Answer::Unknown(_) => "unknown",
        Answer::Value(..) | Answer::Time(..) | Answer::NoBound(_) => "sought",
    }
}

/// Checks that every choice of a run is enabled, and that the run ends as it declares.
fn replay(machine: &Machine, run: &Run) -> Result<(), String> {
    let instance = Instance {
        machine,
        frozen: &run.frozen,
    };
    if instance.is_initial(&run.initial) != Ok(true) {
        return Err("it does not begin at the beginning".into());
    }
    let mut state = run.initial.clone();
    for (at, choice) in run.choices.iter().enumerate() {
        match (instance.step(&state, choice), &run.ending) {
            (Ok(after), _) => state = after,
            (Err(StepError::Error(found)), Ending::Error(error))
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
        other => Err(format!("it does not end as it says: {other:?}")),
    }
}

pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, a: &T, b: &T) -> Result<(), String> {
    match a == b {
        true => Ok(()),
        false => Err(format!("{what}: {a:?}, and {b:?}")),
    }
}
