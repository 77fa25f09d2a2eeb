//! What a search consists of: its question, what it has found, and the instance that it searches.

use crate::abstraction::lazy_initial_values::LazyValues;
use crate::liveness::last_violation::LastViolation;
use crate::por::stubborn_sets::StubbornSets;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::condition::Condition;
use crate::properties::property::MonitoredProperty;
use crate::properties::property_cache::PropertyCaches;
use crate::search::checkpoint::Checkpoint;
use crate::search::detour::UndefinedStates;
use crate::search::instances::Instances;
use crate::search::temporal::TemporalClaims;
use crate::state::counters::OutOfBounds;
use crate::state::partial_value::SlotAbstraction;
use crate::symmetry::applicability::Symmetry;
use machine::{InitialPart, Machine, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use verdict::{Budget, ConeOfInfluence, Counts, Findings, Question, Refusal, Run, TimedReductions};

/// The reductions that a search uses.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reductions<'a> {
    pub(crate) cone: Option<&'a ConeOfInfluence<'a>>,
    pub(crate) timed_reductions: Option<&'a TimedReductions>,
    /// Symmetry reduction of instances: one of those that differ only by a permutation of nodes is searched.
    pub(crate) symmetric_instances: bool,
    /// Symmetry reduction of states.
    pub(crate) symmetric_states: bool,
    /// Instances that this Machine cannot distinguish are symmetric, if it is not the Machine that is searched.
    pub(crate) like: Option<&'a Machine>,
    /// Partial-order reduction.
    pub(crate) partial_order: bool,
}

/// Why there is no report.
pub(crate) enum NotFound {
    Refused(Refusal),
    /// With data abstraction: the search is inconclusive.
    Inconclusive,
    /// A counter is out of bounds.
    OutOfBounds(OutOfBounds),
    /// With partial-order reduction: fairness may depend on the order of events.
    OrderDependent,
}

impl From<NotFound> for Refusal {
    fn from(why: NotFound) -> Refusal {
        match why {
            NotFound::Refused(refusal) => refusal,
            NotFound::Inconclusive => unreachable!("only where it is loose"),
            NotFound::OutOfBounds(_) => unreachable!("not where there is no more room"),
            NotFound::OrderDependent => unreachable!("only where orders are left out"),
        }
    }
}

/// The result for one property so far.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Found {
    /// The shortest run that violates the claim, or reaches the condition.
    pub(crate) run: Option<Box<Run>>,
    /// The shortest run to a state in which the property has no value.
    pub(crate) error: Option<Box<Run>>,
    /// Why it is undecided.
    pub(crate) unknown: Option<String>,
}

pub(crate) enum Stop {
    Refused(Refusal),
    /// A limit is reached: which, and at which depth.
    Spent {
        why: String,
        depth: u64,
    },
    /// A limit is reached when all states of the instance are known.
    SpentBehind {
        why: String,
    },
    Unsupported(String),
    /// The data abstraction is too coarse.
    TooCoarse,
    /// A counter is out of bounds, at this depth.
    OutOfBounds(OutOfBounds, u64),
    /// With partial-order reduction: fairness may depend on the order of events.
    OrderDependent,
}

/// The question of a search, compiled. Nothing in it changes while the search runs.
pub(crate) struct Task<'a> {
    pub(crate) question: &'a Question<'a>,
    pub(crate) budget: &'a dyn Budget,
    pub(crate) compiled: &'a CompiledMachine<'a>,
    pub(crate) lazy: LazyValues,
    /// With data abstraction, by slot: what of it may be unknown.
    pub(crate) abstraction: Option<Arc<[SlotAbstraction]>>,
    pub(crate) cone: Option<&'a ConeOfInfluence<'a>>,
    pub(crate) timed_reductions: Option<&'a TimedReductions>,
    /// Partial-order reduction is used.
    pub(crate) partial_order: bool,
    pub(crate) monitored: &'a [MonitoredProperty<'a>],
    pub(crate) premises: &'a [Option<Condition>],
    /// By property with a time bound: the condition that must hold once the time is over.
    pub(crate) bounds: Vec<Option<Condition>>,
    /// By kind: whether its code can halt.
    pub(crate) can_halt: Vec<bool>,
    pub(crate) instances: Instances<'a>,
}

/// What the search has found in all instances so far.
pub(crate) struct Results {
    /// By property.
    pub(crate) found: Vec<Found>,
    pub(crate) findings: Findings,
    pub(crate) counts: Counts,
    /// How many states had been visited when everything was decided.
    pub(crate) states_when_decided: Option<u64>,
    /// How many abstract runs were met that could not be concretised.
    pub(crate) unconfirmed: u64,
}

/// What belongs to the instance that is searched at present.
#[derive(Default)]
pub(crate) struct InstanceState<'a> {
    /// By property with a time bound: the latest time at which it does not hold, and the state.
    pub(crate) late: Vec<Option<(i64, u32)>>,
    /// The temporal claims about the instance.
    pub(crate) temporal_claims: TemporalClaims<'a>,
    /// By property: the states in which it has no value.
    pub(crate) undefined: Vec<UndefinedStates>,
    /// The initial values of each component.
    pub(crate) initial_values: Vec<(InitialPart, Vec<Value>)>,
    /// The property cache, where one is possible.
    pub(crate) property_caches: Option<PropertyCaches>,
    /// The number of states of each complete level of the breadth-first search.
    pub(crate) levels: Vec<u64>,
    /// The choice of events, with partial-order reduction.
    pub(crate) stubborn: Option<Box<StubbornSets>>,
}

/// A search while it runs.
pub(crate) struct Search<'a> {
    pub(crate) task: Task<'a>,
    pub(crate) results: Results,
    pub(crate) instance: InstanceState<'a>,
    pub(crate) symmetry: Symmetry,
    /// How long a condition can be false, if that is the question.
    pub(crate) last_violation: Option<&'a mut LastViolation>,
    /// The checkpoint of the search, if one is kept.
    pub(crate) checkpoint: Option<Checkpoint<'a>>,
}
