//! The search over all instances of a question.

use crate::abstraction::lazy_initial_values::LazyValues;
use crate::diagnose::enumeration_limits::refuse_too_many;
use crate::events::enabled::is_quiescent;
use crate::liveness::last_violation::LastViolation;
use crate::program::compiled_machine::CompiledMachine;
use crate::properties::property::{MonitoredProperty, bounds, monitored, premises};
use crate::search::checkpoint::{Checkpoint, Resumed};
use crate::search::counter_bounds;
use crate::search::report::kinds_that_halt;
use crate::search::search_state::{
    InstanceState, NotFound, Properties, Reductions, Results, Search, Stop, Task,
};
use crate::state::partial_value::SlotAbstraction;
use crate::symmetry::applicability::Symmetry;
use cancellation::Cancelled;
use machine::{Frozen, Machine};
use std::cell::OnceCell;
use std::sync::Arc;
use verdict::{
    Budget, Counts, ExcludedBy, Findings, Found, Omission, Premise, Question, Refusal, Report,
    Storage,
};

/// The largest number of frozen choices for which instances are counted.
const MOST_COUNTED: usize = 50_000;

/// The number of states that may be visited, after all properties are decided, to find shorter runs in further
/// instances. Three times the number of states visited before is allowed, if that is larger.
const EFFORT_FOR_SHORTER_RUNS: u64 = 100_000;

/// The instances of a search, up to an equivalence.
pub(crate) struct Instances<'a> {
    machine: &'a Machine,
    up_to: UpTo,
    count: OnceCell<Option<u64>>,
}

/// The equivalence up to which instances are enumerated.
#[derive(Clone, Copy)]
enum UpTo {
    /// Rotations.
    Rotation,
    /// Automorphisms of the network; if they do not apply, rotations or exchanges.
    Symmetry,
    /// Rotations; if they do not apply, exchanges of interchangeable nodes.
    Exchange,
}

impl<'a> Instances<'a> {
    /// The instances of a Machine under these reductions.
    pub(crate) fn new(machine: &'a Machine, reductions: Reductions<'_>) -> Instances<'a> {
        let up_to = match reductions.cone {
            None if reductions.symmetric_instances => UpTo::Symmetry,
            None => UpTo::Rotation,
            Some(_) => UpTo::Exchange,
        };
        Instances {
            machine,
            up_to,
            count: OnceCell::new(),
        }
    }

    /// One instance of each class.
    pub(crate) fn all(&self) -> Box<dyn Iterator<Item = Frozen> + 'a> {
        match self.up_to {
            UpTo::Rotation => self.machine.frozen_choices_up_to_rotation(),
            UpTo::Symmetry => self.machine.frozen_choices_up_to_symmetry(),
            UpTo::Exchange => self.machine.frozen_choices_up_to_exchange(),
        }
    }

    /// The number of instances; `None` if there are too many to count.
    pub(crate) fn count(&self) -> Option<u64> {
        *self.count.get_or_init(|| {
            let few = self.machine.frozen_choices().take(MOST_COUNTED + 1).count() <= MOST_COUNTED;
            few.then(|| self.all().count() as u64)
        })
    }

    /// Whether there is only one instance.
    pub(crate) fn is_one(&self) -> bool {
        self.all().take(2).count() == 1
    }
}

/// Searches all instances of a question. `widest`: whether counter bounds cannot be widened further.
pub(crate) fn search_for(
    question: &Question<'_>,
    lazy: LazyValues,
    abstraction: Option<Arc<[SlotAbstraction]>>,
    reductions: Reductions<'_>,
    last_violation: Option<&mut LastViolation>,
    budget: &dyn Budget,
    widest: bool,
) -> Result<Report, NotFound> {
    let machine = question.machine;
    let cone = reductions.cone;
    let unsupported = |why| NotFound::Refused(Refusal::Unsupported(why));
    refuse_too_many(machine, &lazy, cone).map_err(unsupported)?;
    let monitored = monitored(machine).map_err(unsupported)?;
    // Timed reductions do not apply to temporal claims: a cycle must return to its first state in all components, also
    // in dead ones.
    let temporal = monitored
        .iter()
        .any(|property_kind| matches!(property_kind, MonitoredProperty::Temporal(..)));
    let counts = !machine.counters.is_empty();
    let timed_reductions = reductions.timed_reductions.filter(|_| !temporal && !counts);
    let compiled = CompiledMachine::new(machine, abstraction.clone(), None, is_quiescent)
        .map_err(unsupported)?;
    let compiled = compiled.with(timed_reductions).map_err(unsupported)?;
    let premises = premises(machine).map_err(unsupported)?;
    let bounds = bounds(machine).map_err(unsupported)?;
    let in_the_way = match (&abstraction, &last_violation, timed_reductions) {
        _ if lazy.any() => Some(ExcludedBy::LazyInitialValues),
        (Some(_), ..) => Some(ExcludedBy::DataAbstraction),
        (_, Some(_), _) => Some(ExcludedBy::LastViolation),
        (.., Some(_)) => Some(ExcludedBy::TimedReductions),
        _ => None,
    };
    let how = format!(
        "deferred {} loose {} widest {widest}",
        lazy.any(),
        abstraction.is_some()
    );
    let omission = match budget.storage() {
        Storage::Hashes(bits) => Some(Omission::new(bits)),
        Storage::Plain | Storage::AsNeeded(_) | Storage::Compressed => None,
    };
    if omission.is_some() && (last_violation.is_some() || reductions.partial_order) {
        let why = "only hashes of visited states are kept, and these are needed as they are";
        return Err(unsupported(why.into()));
    }
    let begins_anew = match (&last_violation, reductions.partial_order) {
        _ if omission.is_some() => Some("with hash compaction"),
        (Some(_), _) => Some("for how long something can be false"),
        (None, true) => Some("with partial-order reduction"),
        (None, false) => None,
    };
    let checkpoint = match begins_anew {
        None => Checkpoint::new(question, &how, reductions, budget),
        Some(which) => {
            if let Some(checkpoint_store) = budget.checkpoint_store() {
                checkpoint_store.note(&format!(
                    "the search {which} has no checkpoints: it begins anew"
                ));
            }
            None
        }
    };
    let task = Task {
        question,
        budget,
        compiled: &compiled,
        lazy,
        abstraction,
        cone,
        timed_reductions,
        partial_order: reductions.partial_order,
        properties: Properties {
            monitored: &monitored,
            premises: &premises,
            bounds,
        },
        can_halt: kinds_that_halt(machine),
        instances: Instances::new(reductions.like.unwrap_or(machine), reductions),
    };
    let results = Results {
        found: monitored.iter().map(|_| Found::default()).collect(),
        premises: premises
            .iter()
            .map(|p| p.as_ref().map(|_| Premise::Open))
            .collect(),
        findings: Findings {
            ran: vec![false; machine.blocks.len()],
            sent: vec![false; machine.records.len()],
            complete: true,
            omission,
            ..Findings::default()
        },
        counts: Counts {
            up_to_rotation: machine::rotations(reductions.like.unwrap_or(machine)),
            ..Counts::default()
        },
        states_when_decided: None,
        unconfirmed: 0,
    };
    let mut search = Search {
        instance: InstanceState {
            late: vec![None; task.properties.bounds.len()],
            ..InstanceState::default()
        },
        task,
        results,
        symmetry: Symmetry::new(question, reductions.symmetric_states, in_the_way),
        last_violation,
        checkpoint,
    };
    if search.leave_temporal_open() {
        return Ok(search.report());
    }
    let (done, mut begun) = match search.resume()? {
        Resumed::No => (0, false),
        Resumed::Instances(done, begun) => (done, begun),
        Resumed::End => return Ok(search.report()),
    };
    let mut spent = false;
    let mut frozen_vars = search.task.instances.all().skip(done).peekable();
    while let Some(frozen) = frozen_vars.next() {
        let before = search.results.counts;
        if !std::mem::take(&mut begun) {
            if !search.wants_another_instance() {
                break;
            }
            search.results.counts.instances += 1;
        }
        // Results found before a limit are kept, even if the limit unwinds the search of an instance.
        let searched = cancellation::catch(|| search.search_instance(&frozen));
        let searched = searched.unwrap_or_else(|Cancelled| Err(search.cancelled()));
        if let Err(Stop::Spent { .. } | Stop::SpentBehind { .. }) = &searched {
            search.store_before_instance(before);
        }
        search.instance_done();
        if let Err(stop) = searched {
            search.results.findings.complete = false;
            match stop {
                Stop::Refused(refusal) => return Err(NotFound::Refused(refusal)),
                Stop::Spent { cause, depth } => {
                    spent = true;
                    search.end_at_limit(cause, depth);
                }
                Stop::SpentBehind { cause } => {
                    spent = true;
                    search.end_at_limit_after_states(cause, frozen_vars.peek().is_none());
                }
                Stop::Unsupported(why) => return Err(unsupported(why)),
                Stop::TooCoarse => return Err(NotFound::Inconclusive),
                Stop::OutOfBounds(out_of_bounds, depth) if widest => {
                    search.end_at_limit(counter_bounds::grows(machine, out_of_bounds), depth);
                }
                Stop::OutOfBounds(out_of_bounds, _) => {
                    return Err(NotFound::OutOfBounds(out_of_bounds));
                }
                Stop::OrderDependent => return Err(NotFound::OrderDependent),
                Stop::OnlyFair => return Err(NotFound::OnlyFair),
            }
            break;
        }
    }
    if begun {
        return Err(search.wrong("it is in an instance that is not there"));
    }
    if search.results.counts.initial == 0 && search.results.findings.complete {
        return Err(NotFound::Refused(Refusal::NoInitialState));
    }
    let open = search.results.found.is_empty()
        || search.results.found.iter().any(|found| found.run.is_none());
    if search.results.unconfirmed > 0 && open {
        return Err(NotFound::Inconclusive);
    }
    if !spent {
        search.store_end();
    }
    Ok(search.report())
}

impl Search<'_> {
    /// Whether to search another instance. When all properties are decided, further instances can only give shorter
    /// runs. The effort for that is limited by a number of states rather than by time, so that the answer is
    /// deterministic.
    fn wants_another_instance(&mut self) -> bool {
        if self.results.found.is_empty()
            || self.results.found.iter().any(|found| self.is_open(found))
        {
            return true;
        }
        self.results.findings.complete = false;
        if self.nothing_to_find(0) {
            return false;
        }
        let states = self.results.counts.states;
        let decided = *self.results.states_when_decided.get_or_insert(states);
        states - decided <= EFFORT_FOR_SHORTER_RUNS.max(3 * decided)
    }

    /// Whether a property may still be decided. Under hash compaction, temporal claims are marked unknown from the
    /// start.
    pub(crate) fn is_open(&self, found: &Found) -> bool {
        found.run.is_none() && (found.unknown.is_none() || self.results.findings.omission.is_none())
    }

    /// Whether states at this depth or deeper can neither decide an open property nor give a shorter run.
    pub(crate) fn nothing_to_find(&self, depth: u64) -> bool {
        let pairs = self
            .results
            .found
            .iter()
            .zip(self.task.properties.monitored);
        let decided = |(found, property_kind): (&Found, &MonitoredProperty<'_>)| match (
            &found.run,
            property_kind,
        ) {
            (None, _) => !self.is_open(found),
            // With timed reductions the length of a run is not the depth of its last state.
            (Some(_), _) if self.task.timed_reductions.is_some() => true,
            (Some(_), MonitoredProperty::Temporal(..)) => true,
            (Some(run), _) => run.choices.len() as u64 <= depth,
        };
        !self.results.found.is_empty() && pairs.into_iter().all(decided)
    }
}
