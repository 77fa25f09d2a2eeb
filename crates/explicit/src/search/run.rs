//! The entry points of the crate: [`run`] for properties, [`last`] for activation counts.

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
use verdict::{
    Budget, ConeOfInfluence, NoPartialOrder, Question, Reduction, Refusal, Report, Storage,
    TimedReductions,
};

/// The reductions and abstractions that a search may use. The default uses none: the search visits every state of every
/// instance, up to rotation of instances.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Partial-order reduction: of the orders of independent events, one is explored. If it does not apply, all orders
    /// are explored, and `findings.reduced` of the report begins with the reason. Runs are not always shortest ones,
    /// and counts are those of the reduced graph. It can be combined with [`Options::symmetry`]; the other options are
    /// then ignored.
    pub partial_order: bool,
    /// Symmetry reduction of instances and states.
    pub symmetry: SymmetryReduction,
    /// Cone of influence: variables, fields and messages outside of it have one fixed value in all states. The function
    /// must be sound; the search does not check it.
    pub cone: Option<&'a ConeOfInfluence<'a>>,
    /// Reductions of a digitised Machine: invisible deliveries, dead values. They must be sound; the search does not
    /// check them.
    pub timed: Option<&'a TimedReductions>,
    /// Lazy initial values and data abstraction: a component of the initial state represents all its values until it is
    /// read. If data abstraction applies to the Machine, a search with it comes first; if that is inconclusive, an
    /// exact search follows.
    pub abstraction: bool,
}

/// Which kinds of symmetry a search uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SymmetryReduction {
    /// Only rotation of instances.
    #[default]
    Off,
    /// Of the instances that differ only by a permutation of nodes, one is searched.
    Instances,
    /// In addition, of the states that differ only by a permutation of nodes, one is visited. If the Machine does not
    /// allow this, all states are visited, and `findings.reduced` of the report gives the reason.
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

/// A search with lazy initial values, preceded by a search with data abstraction if that applies.
fn search_with_abstraction(
    question: &Question<'_>,
    reductions: Reductions<'_>,
    budget: &dyn Budget,
    widest: bool,
) -> Result<Report, NotFound> {
    let machine = question.machine;
    // Lazy initial values do not apply if nodes may restart, because a restart reads initial values again; nor with
    // deadlines, because their conditions are evaluated in the initial state.
    let begins_once = machine.runtime_faults.is_empty() && machine.digitisation().is_none();
    let lazy = || match begins_once {
        true => LazyValues::everything(machine),
        false => LazyValues::nothing(machine),
    };
    // Which states are equal depends on all counters, so none may be unknown.
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
/// If both apply, events are chosen in canonical forms, and each cycle of canonical forms contains a fully expanded
/// state. This suffices for conditions on single states and for runs that need not be fair. Fairness cannot be decided
/// with both, because partial-order reduction decides it by events and symmetry reduction by node names. But most
/// claims about Machines whose runs end hold of all runs, fair or not, so both reductions are tried first. If a run
/// violates a claim, but may be unfair, the search is repeated with partial-order reduction alone. If that does not
/// apply, symmetry reduction of states is used alone.
fn run_with_partial_order(
    question: &Question<'_>,
    symmetry: SymmetryReduction,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let aside = |why: NoPartialOrder| {
        let options = Options {
            symmetry,
            ..Options::default()
        };
        let mut report = run(question, &options, budget)?;
        let reduced = &mut report.findings.reduced;
        reduced.insert(0, Reduction::NoPartialOrder(why));
        Ok(report)
    };
    if let Some(why) = why_not_applicable(question.machine) {
        return aside(why);
    }
    if let Storage::Hashes(_) = budget.storage() {
        return aside(NoPartialOrder::HashCompaction);
    }
    // Partial-order reduction does not apply to Machines with counters, so no counter can exceed its bounds.
    let search = |question: &Question<'_>, symmetric_states: bool| {
        let reductions = Reductions {
            partial_order: true,
            symmetric_instances: symmetry != SymmetryReduction::Off,
            symmetric_states,
            ..Reductions::default()
        };
        let lazy = LazyValues::nothing(question.machine);
        search_for(question, lazy, None, reductions, None, budget, true)
    };
    let found = match symmetry {
        SymmetryReduction::States => {
            search_representatives(question, &|question| search(question, true))
        }
        _ => search(question, false),
    };
    let found = match found {
        Err(NotFound::OnlyFair) => search(question, false),
        found => found,
    };
    match found {
        Err(NotFound::OrderDependent) => aside(NoPartialOrder::Fairness),
        Err(why) => Err(why.into()),
        Ok(mut report) => {
            report.findings.reduced.insert(0, Reduction::PartialOrder);
            Ok(report)
        }
    }
}

/// Searches with representative claims if there are any: a claim about several symmetric nodes is checked for one of
/// them.
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

/// Whether activation counts are defined for a Machine: all nodes have rounds, and none halts or fails.
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

/// The greatest activation count at which the condition of the Machine's first property, an invariant, can be false;
/// and the report of the search. `None` if the first property is no invariant, counts are not defined for the Machine,
/// or the search is incomplete.
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
    // The first violation does not decide this question, so the search runs without the property.
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
