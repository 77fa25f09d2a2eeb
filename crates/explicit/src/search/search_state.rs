//! The data of a search: its question, its results so far, and the state of the instance that is being searched.

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
use std::sync::Arc;
use verdict::{
    Budget, Cause, ConeOfInfluence, Counts, Findings, Found, Premise, Question, Refusal,
    TimedReductions,
};

/// The reductions that a search uses.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reductions<'a> {
    pub(crate) cone: Option<&'a ConeOfInfluence<'a>>,
    pub(crate) timed_reductions: Option<&'a TimedReductions>,
    /// Whether to use symmetry reduction of instances: of those that differ only by a permutation of nodes, one is
    /// searched.
    pub(crate) symmetric_instances: bool,
    /// Whether to use symmetry reduction of states.
    pub(crate) symmetric_states: bool,
    /// If given, instances are symmetric if this Machine, instead of the searched one, does not distinguish them.
    pub(crate) like: Option<&'a Machine>,
    /// Whether to use partial-order reduction.
    pub(crate) partial_order: bool,
}

/// Why a search gives no report.
pub(crate) enum NotFound {
    Refused(Refusal),
    /// With data abstraction: an exact search is needed, because violations could not be concretised, or an event needs
    /// data that the abstraction does not represent.
    Inconclusive,
    /// A counter is out of bounds, so the search must be repeated with wider bounds.
    OutOfBounds(OutOfBounds),
    /// With partial-order reduction: whether runs are fair may depend on the order of independent events.
    OrderDependent,
    /// With partial-order reduction and symmetry reduction together: a claim can hold of fair runs only.
    OnlyFair,
}

impl From<NotFound> for Refusal {
    fn from(why: NotFound) -> Refusal {
        match why {
            NotFound::Refused(refusal) => refusal,
            NotFound::Inconclusive => unreachable!("only where it is loose"),
            NotFound::OutOfBounds(_) => unreachable!("not where there is no more room"),
            NotFound::OrderDependent => unreachable!("only where orders are left out"),
            NotFound::OnlyFair => unreachable!("only where orders and names are left out"),
        }
    }
}

pub(crate) enum Stop {
    Refused(Refusal),
    /// A limit was reached at this depth.
    Spent {
        cause: Cause,
        depth: u64,
    },
    /// A limit was reached after all states of the instance had been visited.
    SpentBehind {
        cause: Cause,
    },
    Unsupported(String),
    /// With data abstraction: an event needs data that the abstraction does not represent, or too many runs could not
    /// be concretised.
    TooCoarse,
    /// A counter was out of bounds at this depth.
    OutOfBounds(OutOfBounds, u64),
    /// With partial-order reduction: whether runs are fair may depend on the order of independent events.
    OrderDependent,
    /// With partial-order reduction and symmetry reduction together: a claim can hold of fair runs only.
    OnlyFair,
}

/// The properties of a question, compiled.
pub(crate) struct Properties<'a> {
    pub(crate) monitored: &'a [MonitoredProperty<'a>],
    pub(crate) premises: &'a [Option<Condition>],
    /// By property: for a claim with a time bound, the condition that must hold when the time is over.
    pub(crate) bounds: Vec<Option<Condition>>,
}

/// The compiled question of a search. It does not change during the search.
pub(crate) struct Task<'a> {
    pub(crate) question: &'a Question<'a>,
    pub(crate) budget: &'a dyn Budget,
    pub(crate) compiled: &'a CompiledMachine<'a>,
    pub(crate) lazy: LazyValues,
    /// With data abstraction, by slot: which part of it may be unknown.
    pub(crate) abstraction: Option<Arc<[SlotAbstraction]>>,
    pub(crate) cone: Option<&'a ConeOfInfluence<'a>>,
    pub(crate) timed_reductions: Option<&'a TimedReductions>,
    /// Whether partial-order reduction is used.
    pub(crate) partial_order: bool,
    pub(crate) properties: Properties<'a>,
    /// By node kind: whether its code can halt.
    pub(crate) can_halt: Vec<bool>,
    pub(crate) instances: Instances<'a>,
}

/// The results of the search in all instances so far.
pub(crate) struct Results {
    /// By property: its result.
    pub(crate) found: Vec<Found>,
    /// By property with a premise: whether the premise has been true in some state.
    pub(crate) premises: Vec<Option<Premise>>,
    pub(crate) findings: Findings,
    pub(crate) counts: Counts,
    /// The number of states visited when all properties were decided, if they are.
    pub(crate) states_when_decided: Option<u64>,
    /// The number of abstract runs that could not be concretised.
    pub(crate) unconfirmed: u64,
}

/// The data that belongs to the instance being searched.
#[derive(Default)]
pub(crate) struct InstanceState<'a> {
    /// By property with a time bound: the latest time at which the claim needs the bound, and the state.
    pub(crate) late: Vec<Option<(i64, u32)>>,
    /// The temporal claims of the instance.
    pub(crate) temporal_claims: TemporalClaims<'a>,
    /// By property: the states in which its condition has no value.
    pub(crate) undefined: Vec<UndefinedStates>,
    /// The initial values of each component.
    pub(crate) initial_values: Vec<(InitialPart, Vec<Value>)>,
    /// The property caches; `None` if the search uses none.
    pub(crate) property_caches: Option<PropertyCaches>,
    /// The number of states of each complete level of the breadth-first search.
    pub(crate) levels: Vec<u64>,
    /// The choice of events, with partial-order reduction.
    pub(crate) stubborn: Option<Box<StubbornSets>>,
}

/// A running search.
pub(crate) struct Search<'a> {
    pub(crate) task: Task<'a>,
    pub(crate) results: Results,
    pub(crate) instance: InstanceState<'a>,
    pub(crate) symmetry: Symmetry,
    /// For the question of the last violation: the result so far.
    pub(crate) last_violation: Option<&'a mut LastViolation>,
    /// The checkpoint of the search, if checkpoints are stored.
    pub(crate) checkpoint: Option<Checkpoint<'a>>,
}
