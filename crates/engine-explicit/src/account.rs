//! What a search tells of itself: how far it is, what it has counted, and what it leaves open when a limit is reached.

use crate::code::Context;
use crate::defects::{Defect, broken};
use crate::graph::{ERROR, Graph};
use crate::search::{Search, Stop};
use crate::watch::Watch;
use crate::witness;
use machine::{Mode, NodeId, Rigid, Rung, StmtKind};
use verdict::{Answer, Ending, Latest, Premise, Progress, Report, Spent};

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
        let progress = self.progress(graph, state, depth);
        self.counts.memory = self.counts.memory.max(progress.memory);
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
            Some(spent) => {
                self.add_counts(graph, depth);
                self.note_longest(graph);
                let why = format!(
                    "{spent} after {} states, at depth {depth}",
                    self.counts.states
                );
                Err(Stop::Spent { why, depth })
            }
        }
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
            transitions: self.counts.transitions + graph.transitions,
            depth,
            memory: graph.memory(),
        }
    }

    pub(crate) fn add_counts(&mut self, graph: &Graph<'_>, depth: u64) {
        self.counts.states += u64::from(graph.store.len());
        self.counts.transitions += graph.transitions;
        self.counts.depth = self.counts.depth.max(depth);
        self.counts.memory = self.counts.memory.max(graph.memory());
    }

    /// A limit is reached: what is not decided yet is unknown.
    pub(crate) fn give_up(&mut self, why: &str, depth: u64) {
        let done = match self.counts.instances {
            1 => String::new(),
            many => format!("{} arrangements are done; in the next ", many - 1),
        };
        for (found, watch) in self.found.iter_mut().zip(&self.watches) {
            // Where time passes unit by unit each unit is a step like an event, and shortcuts may leave some out: how many
            // events that are nobody knows.
            let timed = matches!(self.question.machine.rung, Rung::Integer(_));
            let established = match watch {
                Watch::Temporal(..) => "nothing is known of runs that go on for ever".to_string(),
                _ if depth == 0 || timed => "nothing is known yet".to_string(),
                Watch::Invariant(_) => format!("no run of up to {} events breaks it", depth - 1),
                Watch::Reach(_) => format!("no run of up to {} events reaches it", depth - 1),
            };
            found
                .unknown
                .get_or_insert_with(|| format!("{why}; {done}{established}"));
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
    pub(crate) fn note_latest(&mut self, graph: &mut Graph<'_>, rigid: &Rigid) {
        for p in 0..self.late.len() {
            let before = self.findings.latest[p]
                .as_ref()
                .map(|latest| i64::from(latest.units));
            if let Some((units, state)) = self.late[p]
                && before.is_none_or(|before| before < units)
            {
                let run = Box::new(witness::to_state(graph, rigid, state, &[], Ending::Open));
                let units = units as u32;
                self.findings.latest[p] = Some(Latest { units, run });
            }
        }
    }

    pub(crate) fn report(mut self) -> Report {
        let open = |premise: &&mut Premise| **premise == Premise::Open;
        let premises = self.findings.premises.iter_mut().flatten().filter(open);
        if self.findings.complete {
            premises.for_each(|premise| *premise = Premise::Never);
        }
        let error = self.findings.error.clone();
        let answers = self
            .found
            .into_iter()
            .zip(&self.watches)
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
                    (None, None, _) if reach => Answer::Impossible,
                    (None, None, _) => Answer::Holds,
                }
            });
        Report {
            method: match self.loose {
                None => "explicit search",
                Some(_) => "explicit search with unknown data",
            },
            rung: None,
            answers: answers.collect(),
            counts: self.counts,
            findings: self.findings,
            evidence: Vec::new(),
        }
    }
}
