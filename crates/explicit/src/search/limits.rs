//! What a search tells of itself: how far it is, what it has counted, and what it leaves open when a limit is reached.

use crate::defects::{Defect, broken};
use crate::diagnose::forecast;
use crate::diagnose::state_explosion;
use crate::graph::state_graph::{ERROR, Graph};
use crate::graph::witness;
use crate::program::expression::Context;
use crate::properties::property::Watch;
use crate::search::breadth_first::{Less, Search, Stop};
use machine::{Abstraction, Frozen, Machine, Mode, NodeId, StmtKind};
use std::cell::OnceCell;
use verdict::{
    Answer, Component, Ending, Latest, Multiplier, Premise, Progress, Report, Spent,
    StateExplosion, Storage,
};

/// A search with fewer states is not big, whatever the limit.
const FEW: u64 = 5_000;

/// With so many states it is worth to count arrangements.
const MANY: u64 = 50_000;

/// More choices of what is frozen than this are not counted.
const MOST_COUNTED: usize = 50_000;

/// The instances of a search.
pub(crate) struct Arrangements<'a> {
    machine: &'a Machine,
    up_to: UpTo,
    count: OnceCell<Option<u64>>,
}

/// Which of those instances that are alike are one.
#[derive(Clone, Copy)]
enum UpTo {
    Rotation,
    Symmetry,
    Exchange,
}

impl<'a> Arrangements<'a> {
    /// Those of a Machine.
    pub(crate) fn new(machine: &'a Machine, less: Less<'_>) -> Arrangements<'a> {
        let up_to = match less.cone {
            None if less.symmetric => UpTo::Symmetry,
            None => UpTo::Rotation,
            Some(_) => UpTo::Exchange,
        };
        Arrangements {
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

    /// How many there are, if that is soon counted.
    fn count(&self) -> Option<u64> {
        *self.count.get_or_init(|| {
            let few = self.machine.frozen_choices().take(MOST_COUNTED + 1).count() <= MOST_COUNTED;
            few.then(|| self.all().count() as u64)
        })
    }

    /// Whether there is only one.
    fn is_one(&self) -> bool {
        self.all().take(2).count() == 1
    }
}

/// How much of an instance was looked at when a limit was reached.
#[derive(Clone, Copy)]
enum Looked {
    /// Nothing that can be said in events.
    No,
    /// Every run of up to so many events.
    UpTo(u64),
    /// Every state; whether there is no other instance.
    AtAll { last: bool },
}

impl Search<'_> {
    /// Asks whether to go on, while there are no states of an instance yet.
    pub(crate) fn ask_before(&self) -> Result<(), Stop> {
        let states = self.counts.states;
        let progress = Progress {
            states,
            ..Progress::default()
        };
        self.note_asked(&progress);
        match self.budget.ask(&progress) {
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
        self.counts.memory = self.counts.memory.max(progress.memory);
        if self.compress_for(graph, progress.memory) {
            progress = self.progress(graph, state, depth);
        }
        let spent = if graph.store.len() >= ERROR - 1_000_000 {
            Some(Spent::Memory(
                "of 4 thousand million states in one instance".into(),
            ))
        } else {
            self.note_asked(&progress);
            self.budget.ask(&progress)
        };
        match spent {
            None => Ok(()),
            Some(spent) => Err(self.ends(graph, depth, &spent)),
        }
    }

    /// A limit is reached so many events deep.
    pub(crate) fn ends(&mut self, graph: &mut Graph<'_>, depth: u64, spent: &Spent) -> Stop {
        self.add_counts(graph, depth);
        self.note_longest(graph);
        self.note_size(graph, spent);
        let states = self.counts.states;
        let why = format!("{spent} after {states} states, at depth {depth}");
        Stop::Spent { why, depth }
    }

    /// Takes note of the longest unbounded channel in the state found last: it may grow without end.
    pub(crate) fn note_longest(&mut self, graph: &mut Graph<'_>) {
        let machine = self.question.machine;
        if matches!(machine.channel, machine::Channel::Fifo(Some(_))) || graph.store.len() == 0 {
            return;
        }
        graph.open(graph.store.len() - 1);
        let context = graph.context();
        let edges = (0..machine.edges.len() as u32).map(machine::EdgeId);
        let lengths = edges.map(|e| (e, context.layout.queue(context.slots, e).len() as u64));
        self.findings.longest = lengths.max_by_key(|(_, length)| *length);
    }

    pub(crate) fn progress(&self, graph: &Graph<'_>, state: u32, depth: u64) -> Progress {
        Progress {
            states: self.counts.states + u64::from(graph.store.len()),
            waiting: u64::from(graph.store.len() - state),
            transitions: self.counts.transitions + graph.transitions.count,
            depth,
            memory: graph.memory() + self.looks.memory(),
            left: self.left(graph),
            arrangement: self.arrangement(graph),
        }
    }

    /// How many states of the present instance are left to find, at least and at most, where that can be told.
    fn left(&self, graph: &Graph<'_>) -> Option<(u64, u64)> {
        let known: u64 = self.levels.iter().sum();
        if graph.lineage.visits() >= graph.store.len() {
            return None; // there are no more
        }
        forecast::left(
            &self.levels,
            u64::from(graph.store.len()).checked_sub(known)?,
        )
    }

    /// Which arrangement it is, from 1, and of how many; once there are so many states that it is worth to count.
    fn arrangement(&self, graph: &Graph<'_>) -> Option<(u64, u64)> {
        if self.counts.states + u64::from(graph.store.len()) < MANY {
            return None;
        }
        let all = self.frozen_vars.count()?;
        (all > 1).then_some((self.counts.instances, all))
    }

    /// Takes note of what makes the search big, unless it is a small one or nobody asks.
    pub(crate) fn note_size(&mut self, graph: &Graph<'_>, spent: &Spent) {
        let of = u64::from(graph.store.len());
        if self.counts.states < FEW || *spent == Spent::Brief {
            return;
        }
        let (mut multipliers, measured) = match of < FEW || graph.store.forgets() {
            true => (Vec::new(), 0), // there are many small searches
            false => state_explosion::multipliers(graph, spent),
        };
        if let Some(several @ 2..) = self.frozen_vars.count() {
            let hundredths = several * 100;
            let place = multipliers.partition_point(|one| one.hundredths >= hundredths);
            let what = Component::Arrangements;
            multipliers.insert(place, Multiplier { what, hundredths });
        }
        let known: u64 = self.levels.iter().sum();
        let mut levels = self.levels.clone();
        levels.push(of.saturating_sub(known));
        self.findings.state_explosion = Some(Box::new(StateExplosion {
            spent: spent.clone(),
            measured,
            of,
            multipliers,
            levels,
            left: self.left(graph).filter(|_| self.frozen_vars.is_one()),
            arrangement: self.arrangement(graph),
        }));
    }

    pub(crate) fn add_counts(&mut self, graph: &Graph<'_>, depth: u64) {
        self.counts.states += u64::from(graph.store.len());
        self.counts.transitions += graph.transitions.count;
        self.counts.depth = self.counts.depth.max(depth);
        self.counts.memory = self.counts.memory.max(graph.memory());
        if let Some(omission) = &mut self.findings.omission {
            omission.add(u64::from(graph.store.len()));
        }
    }

    /// A limit is reached: what is not decided yet is unknown.
    pub(crate) fn give_up(&mut self, why: &str, depth: u64) {
        // Where time passes unit by unit each unit is a step like an event, and timed_reductions may leave some out: how many
        // events that are nobody knows.
        let timed = matches!(self.question.machine.abstraction, Abstraction::Digitised(_));
        // Where orders are left out nobody has looked at all runs of so many events.
        let counted = !timed && !self.partial_orders;
        let events = depth.checked_sub(1).filter(|_| counted);
        let exact = self.findings.omission.is_none();
        self.findings.explored = events.filter(|_| exact && self.frozen_vars.is_one());
        self.leave_open(why, events.map(Looked::UpTo).unwrap_or(Looked::No));
    }

    /// A limit is reached when all states of an instance are known. If there is no other one, what is about single states is
    /// decided.
    pub(crate) fn give_up_behind(&mut self, why: &str, last: bool) {
        self.leave_open(why, Looked::AtAll { last });
    }

    fn leave_open(&mut self, why: &str, looked: Looked) {
        let done = self.counts.instances - 1;
        let of = match self.frozen_vars.count() {
            Some(all) => format!(" of {all}"),
            None => String::new(),
        };
        let several = !self.frozen_vars.is_one() && matches!(looked, Looked::UpTo(_));
        for (found, watch) in self.found.iter_mut().zip(self.watches) {
            let does = match watch {
                Watch::Reach(_) => "reaches",
                Watch::Invariant(_) | Watch::Temporal(..) => "breaks",
            };
            let no_run_of = |first: u64| match first {
                1 => format!("no run of the first{of} arrangements {does} it"),
                many => format!("no run of the first {many}{of} arrangements {does} it"),
            };
            let here = match (watch, looked) {
                (Watch::Temporal(..), _) => "nothing is known of runs that go on for ever".into(),
                (_, Looked::AtAll { last: true }) => continue, // it is known
                (_, Looked::AtAll { last: false }) => String::new(),
                (_, Looked::No) => "nothing is known yet".to_string(),
                (_, Looked::UpTo(0)) => format!("no beginning {does} it"),
                (_, Looked::UpTo(1)) => format!("no run of up to 1 event {does} it"),
                (_, Looked::UpTo(many)) => format!("no run of up to {many} events {does} it"),
            };
            let established = match (done, &here[..]) {
                _ if let Some(omission) = &self.findings.omission => omission.told_at_a_limit(does),
                (_, "") => no_run_of(done + 1),
                (0, _) if several && !matches!(watch, Watch::Temporal(..)) => match &of[..] {
                    "" => format!("in the first arrangement {here}"),
                    of => format!("in the first{of} arrangements {here}"),
                },
                (0, _) => here,
                (_, _) => format!("{}; of the next one {here}", no_run_of(done)),
            };
            found
                .unknown
                .get_or_insert_with(|| format!("{why}; {established}"));
        }
    }

    /// Where only hashes of states are kept nothing can be said of runs that go on for ever; whether nothing else is asked.
    pub(crate) fn leave_temporal_open(&mut self) -> bool {
        if self.findings.omission.is_none() {
            return false;
        }
        let temporal = |watch: &Watch<'_>| matches!(watch, Watch::Temporal(..));
        for (found, watch) in self.found.iter_mut().zip(self.watches) {
            let why = "it is about runs that go on for ever: that takes states as they are, and of those that were \
                       visited only hashes are kept";
            found.unknown = temporal(watch).then(|| why.into());
        }
        !self.watches.is_empty() && self.watches.iter().all(temporal)
    }

    /// Keeps states in less memory from now on, if so much would be too much; whether that is new.
    pub(crate) fn compress_for(&mut self, graph: &mut Graph<'_>, memory: u64) -> bool {
        let too_much = matches!(self.budget.storage(), Storage::AsNeeded(most) if memory > most);
        let compressed = too_much && graph.store.compress();
        if compressed {
            self.note_compressed();
        }
        compressed
    }

    /// Takes note of that states are kept in less memory than at first.
    fn note_compressed(&mut self) {
        let told = "states are kept compressed, as there was no more memory for them as they are";
        if !self.findings.reduced.iter().any(|known| known == told) {
            self.findings.reduced.push(told.into());
        }
    }

    pub(crate) fn note_who_can_halt(&mut self) {
        for block in &self.question.machine.blocks {
            for statement in &block.body {
                statement
                    .walk(&mut |s| self.can_halt[block.kind.index()] |= s.kind == StmtKind::Halt);
            }
        }
    }

    /// In a final state: whether a node has something left to do. One whose code never halts may rest,
    /// unless a message waits for it or in it.
    pub(crate) fn somebody_waits(&self, context: &Context<'_>) -> bool {
        let machine = self.question.machine;
        let mode = |node: NodeId| context.slots[self.compiled.bases[node.index()] as usize];
        machine.nodes().any(|node| {
            !context.layout.outbox(context.slots, node).is_empty()
                || (mode(node) != Mode::Halted as i64
                    && self.can_halt[machine.kind_of(node).index()])
        }) || (0..machine.edges.len() as u32).any(|e| {
            !context
                .layout
                .queue(context.slots, machine::EdgeId(e))
                .is_empty()
        })
    }

    /// Keeps a run to the latest moment at which a bound on the time must not be over.
    pub(crate) fn note_latest(&mut self, graph: &mut Graph<'_>, frozen: &Frozen) {
        for p in 0..self.late.len() {
            let before = self.findings.latest[p]
                .as_ref()
                .map(|latest| i64::from(latest.units));
            if let Some((units, state)) = self.late[p]
                && before.is_none_or(|before| before < units)
            {
                let run = Box::new(witness::to_state(graph, frozen, state, &[], Ending::Open));
                let units = units as u32;
                self.findings.latest[p] = Some(Latest { units, run });
            }
        }
    }

    /// What came out.
    pub(crate) fn report(mut self) -> Report {
        self.findings.reduced.extend(self.symmetry.told());
        self.findings.complete &= self.findings.omission.is_none();
        let omission = self.findings.omission;
        let open = |premise: &&mut Premise| **premise == Premise::Open;
        let premises = self.findings.premises.iter_mut().flatten().filter(open);
        if self.findings.complete {
            premises.for_each(|premise| *premise = Premise::Never);
        }
        let error = self.findings.error.clone();
        let answers = self
            .found
            .into_iter()
            .zip(self.watches)
            .map(|(found, watch)| {
                let reach = matches!(watch, Watch::Reach(_));
                match (
                    found.run,
                    found.unknown,
                    found.error.or_else(|| error.clone()),
                ) {
                    (Some(run), ..) if reach => Answer::Possible(run),
                    (Some(run), ..) => Answer::Fails(run),
                    (None, Some(why), _) => Answer::Unknown(why),
                    (None, None, Some(run)) if !broken(Defect::ErrorsForgotten) => {
                        Answer::Error(run)
                    }
                    (None, None, _) if let Some(omission) = omission => {
                        Answer::Unknown(omission.told(if reach { "reaches" } else { "breaks" }))
                    }
                    (None, None, _) if reach => Answer::Impossible,
                    (None, None, _) => Answer::Holds,
                }
            });
        Report {
            method: match self.loose {
                None if self.partial_orders => "explicit search with partial orders",
                None => "explicit search",
                Some(_) => "explicit search with unknown data",
            },
            abstraction: None,
            answers: answers.collect(),
            counts: self.counts,
            findings: self.findings,
            evidence: Vec::new(),
        }
    }
}
