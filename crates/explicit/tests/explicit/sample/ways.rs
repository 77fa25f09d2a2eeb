//! The ways to answer a question, with and without each thing that can be left out.

use crate::searches;
use machine::{Frozen, Machine};
use std::cell::Cell;
use verdict::{Answer, Budget, Progress, Question, Refusal, Report, Spent};

/// What is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Nothing: the verdict of record.
    Whole,
    /// Instances that differ only in who is who.
    Instances,
    /// What is not relevant, and initial values that nobody has read; in time, what nobody can tell.
    ConeOfInfluence,
    /// All that, of a Machine that was made smaller before.
    Shrunk,
    /// Orders of events.
    Orders,
    /// Names of nodes.
    Names,
    /// Names of nodes, and what is not relevant.
    NamesAndRelevance,
    /// Orders and names together, as the command does it where states are many.
    Fewer,
}

impl Way {
    /// All that leave out something.
    pub const LESS: [Way; 7] = [
        Way::Instances,
        Way::ConeOfInfluence,
        Way::Shrunk,
        Way::Orders,
        Way::Names,
        Way::NamesAndRelevance,
        Way::Fewer,
    ];

    /// Whether runs are to single states by as few events as there are.
    pub fn is_shortest(self, machine: &Machine) -> bool {
        match self {
            Way::Whole | Way::Instances | Way::Names | Way::NamesAndRelevance => true,
            // With timed_reductions a run has other events than those of the search.
            Way::ConeOfInfluence => machine.digitisation().is_none(),
            Way::Shrunk | Way::Orders | Way::Fewer => false,
        }
    }

    /// Whether every finding is that of the whole search.
    pub fn finds_all(self) -> bool {
        !matches!(self, Way::ConeOfInfluence | Way::Shrunk)
    }

    /// Whether it has visited everything if the whole search has.
    pub fn is_complete(self) -> bool {
        matches!(self, Way::Instances | Way::Names | Way::NamesAndRelevance)
    }
}

/// What came of a question.
#[derive(Debug, PartialEq)]
pub struct Said {
    pub report: Result<Report, Refusal>,
    /// Orders were left out, or why not.
    pub aside: Option<String>,
    /// A limit was reached.
    pub cut: bool,
}

/// Asks in a way, with so many desks and at most so many states.
pub fn ask(way: Way, question: &Question<'_>, desks: usize, states: u64) -> Said {
    let budget = Desks {
        desks,
        states,
        first_look: match way {
            Way::Whole => u32::MAX, // when all is known
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
    for answer in &mut report.answers {
        if let Some(run) = answer.run() {
            let run = shrunk.lift(run).expect("a run of the whole Machine");
            *answer = std::mem::replace(answer, Answer::Holds).with_run(Box::new(run));
        }
    }
    Ok(report)
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

/// So many desks, each with so little at a time that small levels are divided; and at most so many states.
struct Desks {
    desks: usize,
    states: u64,
    /// When somebody looks for runs that go on for ever.
    first_look: u32,
    cut: Cell<bool>,
}

impl Budget for Desks {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        let cut = self.cut.get() || progress.states > self.states;
        self.cut.set(cut);
        cut.then_some(Spent::Brief)
    }

    fn threads(&self) -> usize {
        self.desks
    }

    fn stride(&self) -> u32 {
        3
    }

    fn first_look(&self) -> u32 {
        self.first_look
    }
}
