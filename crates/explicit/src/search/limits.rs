//! Limits: the progress of a search, the end at a limit, and what a limit leaves open.

use crate::diagnose::{forecast, state_explosion};
use crate::graph::state_graph::{ERROR, Graph};
use crate::properties::property::MonitoredProperty;
use crate::search::search_state::{Search, Stop};
use machine::Abstraction;
use verdict::{Component, Multiplier, Progress, Spent, StateExplosion, Storage};

/// No diagnosis for a search with fewer states.
const FEW: u64 = 5_000;

/// From this many states on, instances are counted for the progress.
const MANY: u64 = 50_000;

/// How much of an instance was searched when a limit was reached.
#[derive(Clone, Copy)]
enum Coverage {
    /// Nothing that can be expressed in events.
    No,
    /// Every run of up to this many events.
    UpTo(u64),
    /// Every state; whether there is no other instance.
    AtAll { last: bool },
}

impl Search<'_> {
    /// Asks the budget before an instance has states.
    pub(crate) fn ask_without_states(&self) -> Result<(), Stop> {
        let states = self.results.counts.states;
        let progress = Progress {
            states,
            ..Progress::default()
        };
        self.note_asked(&progress);
        match self.task.budget.ask(&progress) {
            None => Ok(()),
            Some(spent) => Err(Stop::Spent {
                why: format!("{spent} after {states} states"),
                depth: 0,
            }),
        }
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
        if self.compress_for(graph, progress.memory) {
            progress = self.progress(graph, state, depth);
        }
        let spent = if graph.store.len() >= ERROR - 1_000_000 {
            Some(Spent::Memory(
                "of 4 thousand million states in one instance".into(),
            ))
        } else {
            self.note_asked(&progress);
            self.task.budget.ask(&progress)
        };
        match spent {
            None => Ok(()),
            Some(spent) => Err(self.ends(graph, depth, &spent)),
        }
    }

    /// Ends the search at a limit at this depth.
    pub(crate) fn ends(&mut self, graph: &mut Graph<'_>, depth: u64, spent: &Spent) -> Stop {
        self.add_counts(graph, depth);
        self.note_longest(graph);
        self.note_size(graph, spent);
        let states = self.results.counts.states;
        let why = format!("{spent} after {states} states, at depth {depth}");
        Stop::Spent { why, depth }
    }

    /// Records the longest unbounded channel in the last state: it may grow without limit.
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
        }
    }

    /// The number of states of the present instance left to find, at least and at most, where there is a forecast.
    fn left(&self, graph: &Graph<'_>) -> Option<(u64, u64)> {
        let known: u64 = self.instance.levels.iter().sum();
        if graph.predecessors.visits() >= graph.store.len() {
            return None; // all states are found
        }
        forecast::left(
            &self.instance.levels,
            u64::from(graph.store.len()).checked_sub(known)?,
        )
    }

    /// The index of the instance, from 1, and the number of instances; once there are enough states to count them.
    fn arrangement(&self, graph: &Graph<'_>) -> Option<(u64, u64)> {
        if self.results.counts.states + u64::from(graph.store.len()) < MANY {
            return None;
        }
        let all = self.task.instances.count()?;
        (all > 1).then_some((self.results.counts.instances, all))
    }

    /// Records the state-explosion diagnosis, unless the search is small or was meant to be brief.
    pub(crate) fn note_size(&mut self, graph: &Graph<'_>, spent: &Spent) {
        let of = u64::from(graph.store.len());
        if self.results.counts.states < FEW || *spent == Spent::Brief {
            return;
        }
        let (mut multipliers, measured) = match of < FEW || graph.store.drops_visited() {
            true => (Vec::new(), 0), // many small instances
            false => state_explosion::multipliers(graph, spent),
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

    /// A limit is reached: undecided properties are unknown.
    pub(crate) fn end_at_limit(&mut self, why: &str, depth: u64) {
        // With digitised time each unit of time is a step, and timed reductions may omit some: the number of events is
        // unknown.
        let timed = matches!(
            self.task.question.machine.abstraction,
            Abstraction::Digitised(_)
        );
        // With partial-order reduction, not all runs of this many events were searched.
        let counted = !timed && !self.task.partial_order;
        let events = depth.checked_sub(1).filter(|_| counted);
        let exact = self.results.findings.omission.is_none();
        self.results.findings.explored = events.filter(|_| exact && self.task.instances.is_one());
        self.leave_open(why, events.map(Coverage::UpTo).unwrap_or(Coverage::No));
    }

    /// A limit is reached when all states of an instance are known. If there is no other instance, conditions on single
    /// states are decided.
    pub(crate) fn end_at_limit_after_states(&mut self, why: &str, last: bool) {
        self.leave_open(why, Coverage::AtAll { last });
    }

    fn leave_open(&mut self, why: &str, looked: Coverage) {
        let done = self.results.counts.instances - 1;
        let of = match self.task.instances.count() {
            Some(all) => format!(" of {all}"),
            None => String::new(),
        };
        let several = !self.task.instances.is_one() && matches!(looked, Coverage::UpTo(_));
        for (found, property_kind) in self.results.found.iter_mut().zip(self.task.monitored) {
            let does = match property_kind {
                MonitoredProperty::Reach(_) => "reaches",
                MonitoredProperty::Invariant(_) | MonitoredProperty::Temporal(..) => "breaks",
            };
            let no_run_of = |first: u64| match first {
                1 => format!("no run of the first{of} arrangements {does} it"),
                many => format!("no run of the first {many}{of} arrangements {does} it"),
            };
            let here = match (property_kind, looked) {
                (MonitoredProperty::Temporal(..), _) => {
                    "nothing is known of runs that go on for ever".into()
                }
                (_, Coverage::AtAll { last: true }) => continue, // it is decided
                (_, Coverage::AtAll { last: false }) => String::new(),
                (_, Coverage::No) => "nothing is known yet".to_string(),
                (_, Coverage::UpTo(0)) => format!("no beginning {does} it"),
                (_, Coverage::UpTo(1)) => format!("no run of up to 1 event {does} it"),
                (_, Coverage::UpTo(many)) => format!("no run of up to {many} events {does} it"),
            };
            let established = match (done, &here[..]) {
                _ if let Some(omission) = &self.results.findings.omission => {
                    omission.told_at_a_limit(does)
                }
                (_, "") => no_run_of(done + 1),
                (0, _) if several && !matches!(property_kind, MonitoredProperty::Temporal(..)) => {
                    match &of[..] {
                        "" => format!("in the first arrangement {here}"),
                        of => format!("in the first{of} arrangements {here}"),
                    }
                }
                (0, _) => here,
                (_, _) => format!("{}; of the next one {here}", no_run_of(done)),
            };
            found
                .unknown
                .get_or_insert_with(|| format!("{why}; {established}"));
        }
    }

    /// Hash compaction cannot decide temporal claims: leaves them open. Returns whether there is no other property.
    pub(crate) fn leave_temporal_open(&mut self) -> bool {
        if self.results.findings.omission.is_none() {
            return false;
        }
        let temporal = |property_kind: &MonitoredProperty<'_>| {
            matches!(property_kind, MonitoredProperty::Temporal(..))
        };
        for (found, property_kind) in self.results.found.iter_mut().zip(self.task.monitored) {
            let why = "it is about runs that go on for ever: that takes states as they are, and of those that were \
                       visited only hashes are kept";
            found.unknown = temporal(property_kind).then(|| why.into());
        }
        !self.task.monitored.is_empty() && self.task.monitored.iter().all(temporal)
    }

    /// Switches to tree compression if this much memory exceeds the limit for plain states; whether that is new.
    pub(crate) fn compress_for(&mut self, graph: &mut Graph<'_>, memory: u64) -> bool {
        let too_much =
            matches!(self.task.budget.storage(), Storage::AsNeeded(most) if memory > most);
        let compressed = too_much && graph.store.compress();
        if compressed {
            self.note_compressed();
        }
        compressed
    }

    /// Records that states are compressed.
    fn note_compressed(&mut self) {
        let told = "states are kept compressed, as there was no more memory for them as they are";
        if !self
            .results
            .findings
            .reduced
            .iter()
            .any(|known| known == told)
        {
            self.results.findings.reduced.push(told.into());
        }
    }
}
