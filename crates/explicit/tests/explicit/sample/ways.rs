//! The searches of the sample, with and without each reduction.

use crate::searches;
use machine::{Frozen, Machine};
use std::cell::Cell;
use verdict::{
    Answer, Budget, NoPartialOrder, Progress, PropertyResult, Question, Refusal, Report, Spent,
};

/// The reductions of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// None. The other searches are compared with this one.
    Whole,
    /// Symmetry reduction of instances.
    Instances,
    /// Cone of influence, lazy initial values and data abstraction; with digitised time instead cone of influence and
    /// timed reductions.
    ConeOfInfluence,
    /// Like [`Way::ConeOfInfluence`], on the Machine after `passes::shrink`.
    Shrunk,
    /// Partial-order reduction.
    Orders,
    /// Symmetry reduction of states.
    Names,
    /// Symmetry reduction of states in the cone of influence.
    NamesAndRelevance,
    /// Partial-order reduction and symmetry reduction together, as the command line uses them for large state spaces.
    Fewer,
}

impl Way {
    /// All searches with a reduction.
    pub const LESS: [Way; 7] = [
        Way::Instances,
        Way::ConeOfInfluence,
        Way::Shrunk,
        Way::Orders,
        Way::Names,
        Way::NamesAndRelevance,
        Way::Fewer,
    ];

    /// Whether runs to single states have the least number of events.
    pub fn is_shortest(self, machine: &Machine) -> bool {
        match self {
            Way::Whole | Way::Instances | Way::Names | Way::NamesAndRelevance => true,
            // With timed reductions the length of a run is not the depth of its last state.
            Way::ConeOfInfluence => machine.digitisation().is_none(),
            Way::Shrunk | Way::Orders | Way::Fewer => false,
        }
    }

    /// Whether errors and deadlocks must be the same as those of the full search.
    pub fn finds_all(self) -> bool {
        !matches!(self, Way::ConeOfInfluence | Way::Shrunk)
    }

    /// Whether its findings must be complete if those of the full search are.
    pub fn is_complete(self) -> bool {
        matches!(self, Way::Instances | Way::Names | Way::NamesAndRelevance)
    }
}

/// The outcome of a search.
#[derive(Debug, PartialEq)]
pub struct Said {
    pub report: Result<Report, Refusal>,
    /// The reason why partial-order reduction did not apply, if so.
    pub aside: Option<NoPartialOrder>,
    /// Whether a limit was reached.
    pub cut: bool,
}

/// Runs a search with this many explorers and at most this many states.
pub fn ask(way: Way, question: &Question<'_>, explorers: usize, states: u64) -> Said {
    let budget = Explorers {
        explorers,
        states,
        first_look: match way {
            Way::Whole => u32::MAX, // no early check
            _ => 6,
        },
        cut: Cell::new(false),
    };
    let mut aside = None;
    let cone = |frozen: &Frozen| passes::cone_of_influence(question.machine, frozen);
    let report = match way {
        Way::Whole => searches::run(question, &budget),
        Way::Instances => searches::run_symmetric_instances(question, &budget),
        Way::ConeOfInfluence => with_less(question, &budget),
        Way::Shrunk => shrunk(question, &budget),
        Way::Orders => {
            let report = searches::run_partial_order(question, &budget);
            aside = report.as_ref().ok().and_then(searches::not_applicable);
            report
        }
        Way::Names => searches::run_symmetric(question, &budget),
        Way::NamesAndRelevance => {
            let report = searches::run_symmetric_in_cone(question, &cone, &budget);
            report.map(|report| come_back(question.machine, report))
        }
        Way::Fewer => searches::run_partial_order_and_symmetric(question, &budget),
    };
    let cut = budget.cut.get();
    Said { report, aside, cut }
}

fn with_less(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let machine = question.machine;
    let cone = |frozen: &Frozen| passes::cone_of_influence(machine, frozen);
    let report = match machine.digitisation() {
        None => searches::run_abstract(question, &cone, budget)?,
        Some(_) => {
            let timed_reductions = passes::timed_reductions(machine);
            searches::run_timed(question, &cone, &timed_reductions, budget)?
        }
    };
    Ok(come_back(machine, report))
}

fn shrunk(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let shrunk = passes::shrink(question.machine);
    let smaller = Question {
        machine: &shrunk.machine,
        ..*question
    };
    let mut report = with_less(&smaller, budget)?;
    for PropertyResult { answer, .. } in &mut report.results {
        if let Some(run) = answer.run() {
            let run = shrunk.lift(run).expect("a run of the whole Machine");
            *answer = std::mem::replace(answer, Answer::Holds).with_run(Box::new(run));
        }
    }
    Ok(report)
}

/// The report with runs lifted from the cone of influence, so that cycles return to the same whole state.
fn come_back(machine: &Machine, mut report: Report) -> Report {
    for PropertyResult { answer, .. } in &mut report.results {
        let back = answer
            .run()
            .and_then(|run| passes::lift_from_cone(machine, run));
        if let Some(run) = back {
            *answer = std::mem::replace(answer, Answer::Holds).with_run(Box::new(run));
        }
    }
    report
}

/// A budget with this many threads, small batches so that small levels are divided, and a limit on states.
struct Explorers {
    explorers: usize,
    states: u64,
    /// The number of states at the first early check.
    first_look: u32,
    cut: Cell<bool>,
}

impl Budget for Explorers {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        let cut = self.cut.get() || progress.states > self.states;
        self.cut.set(cut);
        cut.then_some(Spent::Brief)
    }

    fn threads(&self) -> usize {
        self.explorers
    }

    fn stride(&self) -> u32 {
        3
    }

    fn first_look(&self) -> u32 {
        self.first_look
    }
}
