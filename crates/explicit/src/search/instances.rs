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
    Found, InstanceState, NotFound, Reductions, Results, Search, Stop, Task,
};
use crate::state::partial_value::SlotAbstraction;
use crate::symmetry::applicability::Symmetry;
use machine::{Frozen, Machine};
use std::cell::OnceCell;
use std::sync::Arc;
use verdict::{Budget, Counts, Findings, Omission, Premise, Question, Refusal, Report, Storage};

/// The greatest number of frozen choices that are counted.
const MOST_COUNTED: usize = 50_000;

/// The least number of states that are visited in further instances to find a shorter run.
const EFFORT_FOR_SHORTER_RUNS: u64 = 100_000;

/// The instances of a search.
pub(crate) struct Instances<'a> {
    machine: &'a Machine,
    up_to: UpTo,
    count: OnceCell<Option<u64>>,
}

/// The equivalence of instances.
#[derive(Clone, Copy)]
enum UpTo {
    Rotation,
    Symmetry,
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

    /// All of them.
    pub(crate) fn all(&self) -> Box<dyn Iterator<Item = Frozen> + 'a> {
        match self.up_to {
            UpTo::Rotation => self.machine.frozen_choices_up_to_rotation(),
            UpTo::Symmetry => self.machine.frozen_choices_up_to_symmetry(),
            UpTo::Exchange => self.machine.frozen_choices_up_to_exchange(),
        }
    }

    /// The number of instances, if it is not too expensive to count.
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

/// Searches all instances of a question.
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
    // A loop must return to its first state, also in components that are dead or invisible.
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
        _ if lazy.any() => Some("initial values are decided when they are read"),
        (Some(_), ..) => Some("data is not known"),
        (_, Some(_), _) => Some("activations are counted"),
        (.., Some(_)) => Some("what nobody can tell in time is left out"),
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
        _ if omission.is_some() => Some("that keeps hashes of states"),
        (Some(_), _) => Some("for how long something can be false"),
        (None, true) => Some("that leaves out orders of events"),
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
        monitored: &monitored,
        premises: &premises,
        bounds,
        can_halt: kinds_that_halt(machine),
        instances: Instances::new(reductions.like.unwrap_or(machine), reductions),
    };
    let results = Results {
        found: monitored.iter().map(|_| Found::default()).collect(),
        findings: Findings {
            ran: vec![false; machine.blocks.len()],
            sent: vec![false; machine.records.len()],
            premises: premises
                .iter()
                .map(|p| p.as_ref().map(|_| Premise::Open))
                .collect(),
            latest: vec![None; machine.properties.len()],
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
            late: vec![None; task.bounds.len()],
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
        let searched = search.search_instance(&frozen);
        if let Err(Stop::Spent { .. } | Stop::SpentBehind { .. }) = &searched {
            search.store_before_instance(before);
        }
        search.instance_done();
        if let Err(stop) = searched {
            search.results.findings.complete = false;
            match stop {
                Stop::Refused(refusal) => return Err(NotFound::Refused(refusal)),
                Stop::Spent { why, depth } => {
                    spent = true;
                    search.end_at_limit(&why, depth);
                }
                Stop::SpentBehind { why } => {
                    spent = true;
                    search.end_at_limit_after_states(&why, frozen_vars.peek().is_none());
                }
                Stop::Unsupported(why) => return Err(unsupported(why)),
                Stop::TooCoarse => return Err(NotFound::Inconclusive),
                Stop::OutOfBounds(out_of_bounds, depth) if widest => {
                    search.end_at_limit(&counter_bounds::grows(machine, out_of_bounds), depth);
                }
                Stop::OutOfBounds(out_of_bounds, _) => {
                    return Err(NotFound::OutOfBounds(out_of_bounds));
                }
                Stop::OrderDependent => return Err(NotFound::OrderDependent),
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
    /// Whether to search another instance. When everything is decided it can only give shorter runs, which is worth a
    /// limited effort; it is counted in states, so that the answer is deterministic.
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

    /// Whether a property may still be decided. Hash compaction leaves some properties open for good.
    pub(crate) fn is_open(&self, found: &Found) -> bool {
        found.run.is_none() && (found.unknown.is_none() || self.results.findings.omission.is_none())
    }

    /// Whether deeper states can neither decide an open property nor give a shorter run.
    pub(crate) fn nothing_to_find(&self, depth: u64) -> bool {
        let pairs = self.results.found.iter().zip(self.task.monitored);
        let decided = |(found, property_kind): (&Found, &MonitoredProperty<'_>)| match (
            &found.run,
            property_kind,
        ) {
            (None, _) => !self.is_open(found),
            // With timed reductions a run has other events than those of the search.
            (Some(_), _) if self.task.timed_reductions.is_some() => true,
            (Some(_), MonitoredProperty::Temporal(..)) => true,
            (Some(run), _) => run.choices.len() as u64 <= depth,
        };
        !self.results.found.is_empty() && pairs.into_iter().all(decided)
    }
}
