//! The entry points of the crate: [`run`] for properties, [`last`] for counts of activations.

use crate::abstraction::data_abstraction;
use crate::abstraction::lazy_initial_values::LazyValues;
use crate::liveness::last_violation::{Count, Last, LastViolation};
use crate::por::independence::why_not_applicable;
use crate::search::counter_bounds::with_counter_bounds;
use crate::search::instances::search_for;
use crate::search::search_state::{NotFound, Reductions};
use crate::symmetry::representative_claims::with_representatives;
use machine::{Machine, PropertyKind, StmtKind, Timing};
use std::cell::RefCell;
use verdict::{Budget, ConeOfInfluence, Question, Refusal, Report, Storage, TimedReductions};

/// The reductions and abstractions that a search may use. The default uses none: the search visits every state of every
/// instance, up to rotation of symmetric instances.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Partial-order reduction: of the orders of independent events one is followed. Where it does not apply, every order is
    /// followed, and `findings.reduced` of the report begins with the reason. Runs are not always shortest ones, and counts
    /// are those of the reduced graph. It is combined with [`Options::symmetry`] only: the fields below are then not used.
    pub partial_order: bool,
    /// Symmetry reduction.
    pub symmetry: SymmetryReduction,
    /// Cone of influence: components of variables and messages outside of it have one value in all states. The answer is as
    /// sound as this function.
    pub cone: Option<&'a ConeOfInfluence<'a>>,
    /// Reductions of a digitised Machine: invisible deliveries, dead values. The answer is as sound as what it claims.
    pub timed: Option<&'a TimedReductions>,
    /// Lazy initial values and data abstraction: a component of the initial state stands for all its values until it is read.
    /// A search with data abstraction comes first, where that applies; if it is inconclusive, an exact search follows.
    pub abstraction: bool,
}

/// How far a search uses symmetry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SymmetryReduction {
    /// Rotation of instances only.
    #[default]
    Off,
    /// Of the instances that differ only by a permutation of nodes one is searched.
    Instances,
    /// Of the instances and of the states that differ only by a permutation of nodes one is visited. Where that does not apply
    /// to states, all are visited, and `findings.reduced` of the report says why.
    States,
}

/// Answers every property of a Machine by a search of its states.
pub fn run(
    question: &Question<'_>,
    options: &Options<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    if options.partial_order {
        return run_with_partial_order(question, options.symmetry, budget);
    }
    let reductions = Reductions {
        cone: options.cone,
        timed_reductions: options.timed,
        symmetric_instances: options.symmetry != SymmetryReduction::Off && options.cone.is_none(),
        symmetric_states: options.symmetry == SymmetryReduction::States,
        ..Reductions::default()
    };
    let search = |question: &Question<'_>| {
        with_counter_bounds(question, &|question, widest| match options.abstraction {
            true => search_with_abstraction(question, reductions, budget, widest),
            false => {
                let lazy = LazyValues::nothing(question.machine);
                search_for(question, lazy, None, reductions, None, budget, widest)
            }
        })
    };
    match options.symmetry {
        SymmetryReduction::States => search_representatives(question, &search),
        _ => search(question),
    }
}

/// A search with lazy initial values, and with data abstraction where that applies.
fn search_with_abstraction(
    question: &Question<'_>,
    reductions: Reductions<'_>,
    budget: &dyn Budget,
    widest: bool,
) -> Result<Report, NotFound> {
    let machine = question.machine;
    // A restarted node reads initial values anew, and a deadline is evaluated before anything is read.
    let begins_once = machine.runtime_faults.is_empty() && machine.digitisation().is_none();
    let lazy = || match begins_once {
        true => LazyValues::everything(machine),
        false => LazyValues::nothing(machine),
    };
    // Which states are the same depends on all counters: none may be unknown.
    if begins_once
        && machine.counters.is_empty()
        && let Some(abstraction) = data_abstraction::slot_abstractions(machine, &lazy())
    {
        let abstraction = Some(abstraction.into());
        match search_for(
            question,
            lazy(),
            abstraction,
            reductions,
            None,
            budget,
            widest,
        ) {
            Err(NotFound::Inconclusive) => {}
            done => return done,
        }
    }
    search_for(question, lazy(), None, reductions, None, budget, widest)
}

/// A search with partial-order reduction, and with symmetry reduction of states if that is wanted.
///
/// Where both apply, events are chosen in canonical states, and each cycle of those has a fully expanded state; that
/// suffices for conditions on single states and for runs that need not be fair. Partial-order reduction judges fairness
/// by events, symmetry reduction by names of nodes: for temporal claims about fair runs partial-order reduction comes
/// first, and symmetry is used only where partial-order reduction does not apply.
fn run_with_partial_order(
    question: &Question<'_>,
    symmetry: SymmetryReduction,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let aside = |why: &str| {
        let options = Options {
            symmetry,
            ..Options::default()
        };
        let mut report = run(question, &options, budget)?;
        let description = format!("every order of events is followed: {why}");
        report.findings.reduced.insert(0, description);
        Ok(report)
    };
    if let Some(why) = why_not_applicable(question.machine) {
        return aside(&why);
    }
    if let Storage::Hashes(_) = budget.storage() {
        return aside("only hashes of visited states are kept");
    }
    let temporal = question.machine.properties.iter().any(|property| {
        matches!(&property.kind, PropertyKind::Claim(claim) if claim.invariant().is_none())
    });
    let names = symmetry == SymmetryReduction::States && !(question.fair && temporal);
    let reductions = Reductions {
        partial_order: true,
        symmetric_instances: names,
        symmetric_states: names,
        ..Reductions::default()
    };
    // Partial-order reduction does not apply to Machines with counters, so no counter exceeds its bounds.
    let search = |question: &Question<'_>| {
        let lazy = LazyValues::nothing(question.machine);
        search_for(question, lazy, None, reductions, None, budget, true)
    };
    let found = match names {
        true => search_representatives(question, &search),
        false => search(question),
    };
    match found {
        Err(NotFound::OrderDependent) => {
            aside("which runs are fair may depend on the order of events")
        }
        Err(why) => Err(why.into()),
        Ok(mut report) => {
            let description = "orders of events that make no difference are left out";
            report.findings.reduced.insert(0, description.into());
            Ok(report)
        }
    }
}

/// Checks a claim about several symmetric nodes for a representative.
fn search_representatives<E>(
    question: &Question<'_>,
    search: &dyn Fn(&Question<'_>) -> Result<Report, E>,
) -> Result<Report, E> {
    let Some((machine, description)) = with_representatives(question.machine) else {
        return search(question);
    };
    let about_one = Question {
        machine: &machine,
        ..*question
    };
    let mut report = search(&about_one)?;
    report.findings.reduced.extend(description);
    Ok(report)
}

/// Whether the count of activations is defined for a Machine.
fn is_applicable(machine: &Machine) -> bool {
    let rounds = |kind| matches!(machine.timing(kind), Some(Timing::Round(_)));
    let mut halts = false;
    for statement in machine.blocks.iter().flat_map(|block| &block.body) {
        statement.walk(&mut |s| halts |= s.kind == StmtKind::Halt);
    }
    !halts
        && machine.nodes().all(|node| rounds(machine.kind_of(node)))
        && machine.runtime_faults.is_empty()
        && machine.node_faults.is_empty()
}

/// How long, by a count of activations in rounds, the condition of the Machine's only property, an invariant, can be
/// false; and the report of the search. None if that is undefined, or a limit is reached.
pub fn last(
    question: &Question<'_>,
    count: Count,
    budget: &dyn Budget,
) -> Result<Option<(Last, Report)>, Refusal> {
    let whole = question.machine;
    let condition = whole.properties.first().and_then(|p| match &p.kind {
        PropertyKind::Claim(claim) => Some((&p.scope, claim.invariant()?)),
        PropertyKind::Possible(_) => None,
    });
    let Some((scope, condition)) = condition.filter(|_| is_applicable(whole)) else {
        return Ok(None);
    };
    // A single violation decides nothing, so the search runs without the property.
    let bare = Machine {
        properties: Vec::new(),
        ..whole.clone()
    };
    let asked = Question {
        machine: &bare,
        ..*question
    };
    let reductions = Reductions {
        like: Some(whole),
        ..Reductions::default()
    };
    let last = RefCell::new(None);
    let report = with_counter_bounds(&asked, &|question, widest| {
        let last_violation = LastViolation::new(question.machine, scope, &condition, count);
        let mut last_violation =
            last_violation.map_err(|why| NotFound::Refused(Refusal::Unsupported(why)))?;
        let lazy = LazyValues::nothing(question.machine);
        let looked = Some(&mut last_violation);
        let report = search_for(question, lazy, None, reductions, looked, budget, widest)?;
        let description = report.findings.complete && last_violation.goes_on;
        *last.borrow_mut() = description.then_some(last_violation.last);
        Ok(report)
    })?;
    Ok(last.into_inner().map(|last| (last, report)))
}
