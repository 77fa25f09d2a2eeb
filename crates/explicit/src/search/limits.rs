//! Limits: the progress of a search, its end at a limit, and the reasons for undecided properties.

use crate::diagnose::{forecast, state_explosion};
use crate::graph::state_graph::{ERROR, Graph};
use crate::properties::property::MonitoredProperty;
use crate::search::counter_bounds;
use crate::search::search_state::{Search, Stop};
use machine::Abstraction;
use verdict::{
    Cause, Component, Depth, Established, Goal, Multiplier, Progress, Reason, Reduction, Searched,
    Spent, StateExplosion, Storage,
};

/// The least number of states of a search with a state-explosion diagnosis.
const FEW: u64 = 5_000;

/// The least number of states from which on the progress includes the number of instances.
const MANY: u64 = 50_000;

impl Search<'_> {
    /// Checks the budget when the current instance has no states yet.
    pub(crate) fn ask_without_states(&self) -> Result<(), Stop> {
        let states = self.results.counts.states;
        let progress = Progress {
            states,
            ..Progress::default()
        };
        self.note_asked(&progress);
        match self.task.budget.ask(&progress) {
            None => Ok(()),
            Some(spent) => Err(self.spent_without_states(spent)),
        }
    }

    fn spent_without_states(&self, spent: Spent) -> Stop {
        Stop::Spent {
            cause: Cause::LimitAfter {
                spent,
                states: self.results.counts.states,
                depth: None,
            },
            depth: 0,
        }
    }

    /// The end of an instance whose search a limit has unwound. Its states are not counted.
    pub(crate) fn cancelled(&self) -> Stop {
        let stopped = self.ask_without_states().err();
        stopped.unwrap_or_else(|| self.spent_without_states(Spent::Interrupted))
    }

    pub(crate) fn ask(
        &mut self,
        graph: &mut Graph<'_>,
        state: u32,
        depth: u64,
    ) -> Result<(), Stop> {
        if let Some(hashes) = graph.store.hashes() {
            hashes.forget_before(state);
        }
        let mut progress = self.progress(graph, state, depth);
        self.results.counts.memory = self.results.counts.memory.max(progress.memory);
        if self.compress_for(graph, progress.memory + graph.store.growth()) {
            progress = self.progress(graph, state, depth);
        }
        progress.memory += graph.store.growth();
        let spent = if graph.store.len() >= ERROR - 1_000_000 {
            Some(Spent::States(u64::from(ERROR)))
        } else {
            self.note_asked(&progress);
            self.task.budget.ask(&progress)
        };
        match spent {
            None => Ok(()),
            Some(spent) => Err(self.ends(graph, depth, &spent)),
        }
    }

    /// Ends the search at a limit, at this depth: records counts and diagnosis.
    pub(crate) fn ends(&mut self, graph: &mut Graph<'_>, depth: u64, spent: &Spent) -> Stop {
        self.add_counts(graph, depth);
        self.note_longest(graph);
        self.note_size(graph, spent);
        let states = self.results.counts.states;
        let cause = Cause::LimitAfter {
            spent: spent.clone(),
            states,
            depth: Some(depth),
        };
        Stop::Spent { cause, depth }
    }

    /// Records the longest unbounded channel in the last state found, because it may grow without limit.
    pub(crate) fn note_longest(&mut self, graph: &mut Graph<'_>) {
        let machine = self.task.question.machine;
        if matches!(machine.channel, machine::Channel::Fifo(Some(_))) || graph.store.len() == 0 {
            return;
        }
        graph.open(graph.store.len() - 1);
        let context = graph.context();
        let edges = (0..machine.edges.len() as u32).map(machine::EdgeId);
        let lengths = edges.map(|e| (e, context.layout.queue(context.slots, e).len() as u64));
        self.results.findings.longest = lengths.max_by_key(|(_, length)| *length);
    }

    pub(crate) fn progress(&self, graph: &Graph<'_>, state: u32, depth: u64) -> Progress {
        Progress {
            states: self.results.counts.states + u64::from(graph.store.len()),
            waiting: u64::from(graph.store.len() - state),
            transitions: self.results.counts.transitions + graph.transitions.count,
            depth,
            memory: graph.memory() + self.instance.temporal_claims.memory(),
            left: self.left(graph),
            arrangement: self.arrangement(graph),
            apart: counter_bounds::apart_by(self.task.question.machine),
        }
    }

    /// The forecast of the number of states left to find in the current instance: least and greatest estimate.
    fn left(&self, graph: &Graph<'_>) -> Option<(u64, u64)> {
        let known: u64 = self.instance.levels.iter().sum();
        if graph.predecessors.visits() >= graph.store.len() {
            return None; // all states have been visited
        }
        forecast::left(
            &self.instance.levels,
            u64::from(graph.store.len()).checked_sub(known)?,
        )
    }

    /// The index of the instance, from 1, and the number of instances; `None` if there is only one, they are too many
    /// to count, or few states have been visited.
    fn arrangement(&self, graph: &Graph<'_>) -> Option<(u64, u64)> {
        if self.results.counts.states + u64::from(graph.store.len()) < MANY {
            return None;
        }
        let all = self.task.instances.count()?;
        (all > 1).then_some((self.results.counts.instances, all))
    }

    /// Records the state-explosion diagnosis, unless the search is small or the limit is that of a state-limited
    /// budget.
    pub(crate) fn note_size(&mut self, graph: &Graph<'_>, spent: &Spent) {
        let of = u64::from(graph.store.len());
        if self.results.counts.states < FEW || *spent == Spent::Brief {
            return;
        }
        let (mut multipliers, measured) = match of < FEW || graph.store.drops_visited() {
            true => (Vec::new(), 0), // the instances are small, or the rows were dropped
            false => state_explosion::multipliers(graph),
        };
        if let Some(several @ 2..) = self.task.instances.count() {
            let hundredths = several * 100;
            let place = multipliers.partition_point(|one| one.hundredths >= hundredths);
            let what = Component::Arrangements;
            multipliers.insert(place, Multiplier { what, hundredths });
        }
        let known: u64 = self.instance.levels.iter().sum();
        let mut levels = self.instance.levels.clone();
        levels.push(of.saturating_sub(known));
        self.results.findings.state_explosion = Some(Box::new(StateExplosion {
            spent: spent.clone(),
            measured,
            of,
            multipliers,
            levels,
            left: self.left(graph).filter(|_| self.task.instances.is_one()),
            arrangement: self.arrangement(graph),
        }));
    }

    /// Marks undecided properties as unknown, because a limit was reached.
    pub(crate) fn end_at_limit(&mut self, cause: Cause, depth: u64) {
        // With digitised time each unit of time is a step, and timed reductions may omit events. So the depth is no
        // number of events.
        let timed = matches!(
            self.task.question.machine.abstraction,
            Abstraction::Digitised(_)
        );
        // With partial-order reduction, not all runs of up to this many events were explored.
        let counted = !timed && !self.task.partial_order;
        let events = depth.checked_sub(1).filter(|_| counted);
        let exact = self.results.findings.omission.is_none();
        self.results.findings.explored = events.filter(|_| exact && self.task.instances.is_one());
        self.leave_open(&cause, events.map_or(Depth::Unknown, Depth::Events), false);
    }

    /// Marks undecided properties as unknown, because a limit was reached after all states of an instance had been
    /// visited. `last`: whether it is the last instance; then conditions on single states are decided.
    pub(crate) fn end_at_limit_after_states(&mut self, cause: Cause, last: bool) {
        self.leave_open(&cause, Depth::AllStates, last);
    }

    /// Marks undecided properties as unknown. `last`: whether the current instance is the last one.
    fn leave_open(&mut self, cause: &Cause, depth: Depth, last: bool) {
        let several = !self.task.instances.is_one();
        for (found, property_kind) in self
            .results
            .found
            .iter_mut()
            .zip(self.task.properties.monitored)
        {
            let temporal = matches!(property_kind, MonitoredProperty::Temporal(..));
            if depth == Depth::AllStates && last && !temporal {
                continue; // conditions on single states are decided
            }
            let searched = Searched {
                goal: match property_kind {
                    MonitoredProperty::Reach(_) => Goal::Reach,
                    MonitoredProperty::Invariant(_) | MonitoredProperty::Temporal(..) => {
                        Goal::Break
                    }
                },
                instances: self.results.counts.instances - 1,
                of: self.task.instances.count(),
                several,
                depth: match temporal {
                    true => Depth::InfiniteRuns,
                    false => depth,
                },
                hash_bits: self.results.findings.omission.map(|omission| omission.bits),
            };
            found.unknown.get_or_insert_with(|| Reason::Ended {
                cause: cause.clone(),
                established: Established::Searched(searched),
            });
        }
    }

    /// Under hash compaction, marks temporal claims as unknown, because they need the rows of visited states, and
    /// returns whether there is no other property. Otherwise returns `false`.
    pub(crate) fn leave_temporal_open(&mut self) -> bool {
        if self.results.findings.omission.is_none() {
            return false;
        }
        let temporal = |property_kind: &MonitoredProperty<'_>| {
            matches!(property_kind, MonitoredProperty::Temporal(..))
        };
        for (found, property_kind) in self
            .results
            .found
            .iter_mut()
            .zip(self.task.properties.monitored)
        {
            found.unknown = temporal(property_kind).then_some(Reason::HashesOnly);
        }
        !self.task.properties.monitored.is_empty()
            && self.task.properties.monitored.iter().all(temporal)
    }

    /// Switches to tree compression if this much memory exceeds the limit for plain states. Returns whether it did.
    pub(crate) fn compress_for(&mut self, graph: &mut Graph<'_>, memory: u64) -> bool {
        let too_much =
            matches!(self.task.budget.storage(), Storage::AsNeeded(most) if memory > most);
        let compressed = too_much && graph.store.compress();
        if compressed {
            self.note_compressed();
        }
        compressed
    }

    /// Records in the report that states are compressed.
    fn note_compressed(&mut self) {
        let reduced = &mut self.results.findings.reduced;
        if !reduced.contains(&Reduction::TreeCompression) {
            reduced.push(Reduction::TreeCompression);
        }
    }
}
