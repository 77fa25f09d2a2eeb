//! The breadth-first search of one instance.

use crate::abstraction::lazy_initial_values::initial_parts;
use crate::events::enabled::is_quiescent;
use crate::graph::state_graph::Graph;
use crate::liveness::last_violation::LastViolation;
use crate::parallel::batch_result::BatchResult;
use crate::parallel::event_labels::EventLabels;
use crate::parallel::worker_pool::WorkerPool;
use crate::por::cycle_proviso::expand_cycles;
use crate::por::stubborn_sets::StubbornSets;
use crate::program::compiled_machine::CompiledMachine;
use crate::properties::monitor::Monitor;
use crate::properties::property_cache::PropertyCaches;
use crate::search::detour::UndefinedStates;
use crate::search::initial_states::no_initial_states;
use crate::search::search_state::{Search, Stop};
use crate::search::temporal::TemporalClaims;
use crate::store::pending_inserts::PendingInserts;
use machine::Frozen;
use std::thread::Scope;

/// `Err` if a counter is out of bounds.
pub(crate) fn check_counter_bounds(graph: &Graph<'_>, depth: u64) -> Result<(), Stop> {
    match graph.expander().layout.out_of_bounds.get() {
        None => Ok(()),
        Some(out_of_bounds) => Err(Stop::OutOfBounds(out_of_bounds, depth)),
    }
}

/// The event labels of the explorer that expanded a chunk, and the pending inserts of the explorer that looked up its
/// successors.
type Key<'d> = (&'d mut EventLabels, &'d mut PendingInserts);

/// The level that the search is visiting.
struct Level {
    /// The number of events from an initial state.
    depth: u64,
    /// One past the last state of this depth.
    end: u32,
    /// The number of transitions at which the search checks the budget again.
    ask_again: u64,
}

/// The largest number of abstract runs that may fail to be concretised before data abstraction is abandoned.
const MOST_UNCONFIRMED: u64 = 20;

impl<'a> Search<'a> {
    /// Searches one instance.
    pub(crate) fn search_instance(&mut self, frozen: &Frozen) -> Result<(), Stop> {
        let machine = self.task.question.machine;
        self.ask_without_states()?;
        let instance = machine::Instance { machine, frozen };
        let cone = self.task.cone.map(|cone| cone(frozen));
        let compiled = match &cone {
            None => None,
            Some(cone) => Some(
                CompiledMachine::new(
                    machine,
                    self.task.abstraction.clone(),
                    Some(cone),
                    is_quiescent,
                )
                .and_then(|compiled| compiled.with(self.task.timed_reductions))
                .map_err(Stop::Unsupported)?,
            ),
        };
        let compiled = compiled.as_ref().unwrap_or(self.task.compiled);
        let initial = |error| no_initial_states(machine, error);
        self.instance.initial_values = instance.initial_parts().map_err(initial)?;
        let mut begin = initial_parts(
            compiled,
            &self.task.lazy,
            cone.as_deref(),
            instance,
            self.instance.initial_values.clone(),
        );
        let Some(first) = self.first_state(&mut begin.states)? else {
            return Ok(()); // the instance has no runs
        };
        let layout = compiled.layout(self.task.lazy.any());
        let mut layout = layout.map_err(Stop::Unsupported)?;
        for (slot, value) in begin.fixed {
            layout.fix(slot, value);
        }
        let keep = self.temporal_open() || self.last_violation.is_some() || self.task.partial_order;
        let keep = self.stored_keep_transitions().unwrap_or(keep);
        let numbers = compiled.frozen(frozen);
        let (options, states) = (begin.possible_values, begin.states);
        let mut graph = Graph::new(compiled, layout, numbers, options, states, keep);
        let canonical =
            self.symmetry
                .of(compiled, &graph.expander().layout, frozen, cone.as_deref());
        graph.reduce_by_symmetry(canonical.map_err(Stop::Unsupported)?);
        graph.keep_by(self.task.budget.storage());
        self.instance.property_caches = self.property_caches_of(&graph);
        self.results.counts.initial += self.add_states(&mut graph, first)?;
        check_counter_bounds(&graph, 0)?;
        if self.task.partial_order {
            self.instance.stubborn =
                Some(StubbornSets::new(&mut graph).map_err(Stop::Unsupported)?);
            graph.partial = Some(Box::default());
        }
        self.instance.undefined = self
            .task
            .properties
            .monitored
            .iter()
            .map(|_| UndefinedStates::default())
            .collect();
        self.instance.late.fill(None);
        self.instance.temporal_claims = TemporalClaims::default();
        let complete = self.breadth_first(&mut graph, frozen)?;
        self.results.findings.complete &= complete;
        if !graph.store.drops_visited() {
            self.note_latest(&mut graph, frozen);
            for p in 0..self.task.properties.monitored.len() {
                self.find_detour(&mut graph, frozen, p);
            }
        }
        if let Some(last_violation) = self.last_violation.take() {
            let noted = self.note_last(&mut graph, frozen, last_violation);
            self.last_violation = Some(last_violation);
            noted?;
        }
        if complete {
            for p in 0..self.task.properties.monitored.len() {
                let decided = self.temporal(&mut graph, frozen, p);
                self.store_completed(&graph, matches!(decided, Err(Stop::SpentBehind { .. })));
                decided?;
                check_counter_bounds(&graph, self.results.counts.depth)?;
            }
        }
        Ok(())
    }

    /// Updates the last violation with the complete graph of an instance.
    fn note_last(
        &self,
        graph: &mut Graph<'_>,
        frozen: &Frozen,
        last_violation: &mut LastViolation,
    ) -> Result<(), Stop> {
        if self.results.findings.error.is_some() {
            last_violation.goes_on = false; // the result is only defined without errors
            return Ok(());
        }
        last_violation.note_last(graph, frozen, &|| self.ask_without_states())
    }

    /// Visits the states of an instance. Returns `false` if it stopped early because no property is open.
    fn breadth_first<'g>(&mut self, graph: &mut Graph<'g>, frozen: &Frozen) -> Result<bool, Stop>
    where
        'a: 'g,
    {
        std::thread::scope(|scope| self.level_by_level(graph, frozen, scope))
    }

    /// Visits the states of an instance level by level. Worker threads run within `scope`. Returns like
    /// [`Search::breadth_first`].
    fn level_by_level<'s, 'g: 's>(
        &mut self,
        graph: &mut Graph<'g>,
        frozen: &Frozen,
        scope: &'s Scope<'s, '_>,
    ) -> Result<bool, Stop>
    where
        'a: 'g,
    {
        let mut level = Level {
            depth: 0,
            end: graph.store.len(),
            ask_again: 0,
        };
        self.instance.levels = vec![u64::from(level.end)];
        graph.store.set_threads(self.task.budget.threads());
        let mut pool = WorkerPool::new(scope, graph, self.task.budget, &|| {
            self.property_caches_of(graph)
        });
        let mut state = 0;
        if let Some(place) = self.restore_instance(graph)? {
            (state, level.depth, level.end) = (place.state, place.depth, place.end);
            self.instance.levels.clear(); // a checkpoint does not contain the level sizes before it
        }
        while state < graph.store.len() {
            if state == level.end {
                level.depth += 1;
                self.instance
                    .levels
                    .push(u64::from(graph.store.len() - level.end));
                level.end = graph.store.len();
            }
            let Some(pool) = &mut pool else {
                if !self.visit(graph, frozen, state, &mut level, None)? {
                    return Ok(false);
                }
                state += 1;
                if state == graph.store.len() {
                    expand_cycles(graph, &mut |graph, state| self.expand(graph, frozen, state));
                    check_counter_bounds(graph, level.depth)?;
                }
                continue;
            };
            let timed = graph.compiled.timing.clocks.units.is_some();
            let end = pool.work(graph, state..level.end, || self.monitor(timed));
            // After the end of the level follow the states of the next level that have been found so far.
            let next = match end == level.end {
                true => end..graph.store.len(),
                false => end..level.end,
            };
            let ahead = pool.explores_ahead(graph, &next);
            let ahead = ahead.then(|| (next, self.monitor(timed)));
            let ends = pool.take_in(graph, ahead, |graph, chunk, labels, pending| {
                let mut key = (labels, pending);
                for place in 0..chunk.len() {
                    let state = chunk.first + place as u32;
                    let found = Some((&mut *chunk, place, &mut key));
                    match self.visit(graph, frozen, state, &mut level, found) {
                        Ok(true) => {}
                        ends => return Some(ends),
                    }
                }
                None
            });
            if let Some(ends) = ends {
                return ends;
            }
            state = end;
        }
        self.store_complete(graph, (state, level.depth, level.end));
        self.add_counts(graph, level.depth);
        Ok(true)
    }

    /// Visits a state. `found` is the result of the explorer that expanded it, if one did. Returns `false` if no
    /// property is open.
    fn visit(
        &mut self,
        graph: &mut Graph<'_>,
        frozen: &Frozen,
        state: u32,
        level: &mut Level,
        found: Option<(&mut BatchResult, usize, &mut Key<'_>)>,
    ) -> Result<bool, Stop> {
        let depth = level.depth;
        let spent = self.check_early(graph, frozen, (state, depth))?;
        if self.nothing_to_find(depth) {
            self.add_counts(graph, depth);
            return Ok(false);
        }
        let due = state.is_multiple_of(self.task.budget.stride()) || cancellation::is_cancelled();
        if due || graph.transitions.count >= level.ask_again || spent.is_some() {
            let counted = self.results.counts;
            let asked = match spent {
                None => self.ask(graph, state, depth),
                Some(spent) => Err(self.ends(graph, depth, &spent)),
            };
            let ends = asked.is_err().then_some(counted);
            self.store_position(graph, (state, depth, level.end), ends);
            asked?;
            level.ask_again = graph.transitions.count + 20_000;
        }
        let note = found.as_ref().map(|(chunk, place, _)| chunk.note(*place));
        if note.is_none_or(|note| note.look) {
            self.evaluate(graph, frozen, state);
            check_counter_bounds(graph, depth)?;
        }
        match found.filter(|_| note.is_some_and(|note| !note.anew)) {
            Some((chunk, place, (labels, pending))) => {
                let (ran, sent) = chunk.firsts(state);
                ran.for_each(|block| self.results.findings.ran[block.index()] = true);
                sent.for_each(|record| self.results.findings.sent[record] = true);
                chunk.take_in(graph, place, labels, pending);
            }
            None => self.expand(graph, frozen, state),
        }
        check_counter_bounds(graph, depth)?;
        if self.results.unconfirmed > MOST_UNCONFIRMED || graph.expander().failures.too_coarse {
            return Err(Stop::TooCoarse);
        }
        if graph.expander().failures.too_many {
            let why = "a node may crash while it sends more than 16 messages, and any set of them may go out";
            return Err(Stop::Unsupported(why.into()));
        }
        Ok(true)
    }

    /// The property caches of an instance; `None` without a transition cache, or if [`PropertyCaches::new`] builds
    /// none.
    fn property_caches_of(&self, graph: &Graph<'_>) -> Option<PropertyCaches> {
        match graph.caches_transitions() {
            true => PropertyCaches::new(
                self.task.question.machine,
                self.task.properties.monitored,
                self.task.properties.premises,
            ),
            false => None,
        }
    }

    /// A snapshot of what the search looks for. `timed`: whether the Machine has clocks.
    fn monitor(&self, timed: bool) -> Monitor<'a> {
        Monitor {
            monitored: self.task.properties.monitored,
            premises: self.task.properties.premises,
            met: self.results.premises.clone(),
            always: self.task.abstraction.is_some()
                || timed && self.task.properties.bounds.iter().any(Option::is_some),
            ran: self.results.findings.ran.clone(),
            sent: self.results.findings.sent.clone(),
        }
    }
}
