//! The report of a search: counts, deadlocks, answers.

use crate::defects::{Defect, broken};
use crate::graph::state_graph::Graph;
use crate::graph::witness;
use crate::program::expression::Context;
use crate::properties::property::MonitoredProperty;
use crate::search::search_state::Search;
use machine::{Frozen, Machine, Mode, NodeId, StmtKind};
use verdict::{Answer, Ending, Goal, Latest, Premise, PropertyResult, Reason, Report};

/// By node kind: whether its code can halt.
pub(crate) fn kinds_that_halt(machine: &Machine) -> Vec<bool> {
    let mut can_halt = vec![false; machine.kinds.len()];
    for block in &machine.blocks {
        for statement in &block.body {
            statement.walk(&mut |s| can_halt[block.kind.index()] |= s.kind == StmtKind::Halt);
        }
    }
    can_halt
}

impl Search<'_> {
    pub(crate) fn add_counts(&mut self, graph: &Graph<'_>, depth: u64) {
        self.results.counts.states += u64::from(graph.store.len());
        self.results.counts.transitions += graph.transitions.count;
        self.results.counts.depth = self.results.counts.depth.max(depth);
        self.results.counts.memory = self.results.counts.memory.max(graph.memory());
        if let Some(omission) = &mut self.results.findings.omission {
            omission.add(u64::from(graph.store.len()));
        }
    }

    /// Whether a final state is a deadlock: an outbox or channel contains a message, or a node has not halted although
    /// its code can halt. A node whose code cannot halt may end in any state.
    pub(crate) fn has_unfinished_node(&self, context: &Context<'_>) -> bool {
        let machine = self.task.question.machine;
        let mode = |node: NodeId| context.slots[self.task.compiled.bases[node.index()] as usize];
        machine.nodes().any(|node| {
            !context.layout.outbox(context.slots, node).is_empty()
                || (mode(node) != Mode::Halted as i64
                    && self.task.can_halt[machine.kind_of(node).index()])
        }) || (0..machine.edges.len() as u32).any(|e| {
            !context
                .layout
                .queue(context.slots, machine::EdgeId(e))
                .is_empty()
        })
    }

    /// By property with a time bound: records a run to the latest time at which the claim needs the bound.
    pub(crate) fn note_latest(&mut self, graph: &mut Graph<'_>, frozen: &Frozen) {
        for p in 0..self.instance.late.len() {
            let before = self.results.found[p]
                .latest
                .as_ref()
                .map(|latest| i64::from(latest.units));
            if let Some((units, state)) = self.instance.late[p]
                && before.is_none_or(|before| before < units)
            {
                let run = Box::new(witness::to_state(graph, frozen, state, &[], Ending::Open));
                let units = units as u32;
                self.results.found[p].latest = Some(Latest { units, run });
            }
        }
    }

    /// Converts the results to a report.
    pub(crate) fn report(mut self) -> Report {
        self.results
            .findings
            .reduced
            .extend(self.symmetry.description());
        self.results.findings.complete &= self.results.findings.omission.is_none();
        let omission = self.results.findings.omission;
        if self.results.findings.complete {
            let premises = self.results.premises.iter_mut().flatten();
            premises
                .filter(|premise| **premise == Premise::Open)
                .for_each(|premise| *premise = Premise::Never);
        }
        let error = self.results.findings.error.clone();
        let found = self
            .results
            .found
            .into_iter()
            .zip(self.task.properties.monitored);
        let results = found.zip(self.results.premises);
        let results = results.map(|((found, property_kind), premise)| {
            let reach = matches!(property_kind, MonitoredProperty::Reach(_));
            let error = found.error.or_else(|| error.clone());
            let answer = match (found.run, found.unknown, error) {
                (Some(run), ..) if reach => Answer::Possible(run),
                (Some(run), ..) => Answer::Fails(run),
                (None, Some(why), _) => Answer::Unknown(why),
                (None, None, Some(run)) if !broken(Defect::ErrorsForgotten) => Answer::Error(run),
                (None, None, _) if let Some(omission) = omission => {
                    let goal = if reach { Goal::Reach } else { Goal::Break };
                    Answer::Unknown(Reason::MayBeOmitted(omission, goal))
                }
                (None, None, _) if reach => Answer::Impossible,
                (None, None, _) => Answer::Holds,
            };
            PropertyResult {
                premise,
                latest: found.latest,
                ..answer.into()
            }
        });
        Report {
            method: match self.task.abstraction {
                None if self.task.partial_order => "explicit search with partial-order reduction",
                None => "explicit search",
                Some(_) => "explicit search with data abstraction",
            },
            abstraction: None,
            results: results.collect(),
            counts: self.results.counts,
            findings: self.results.findings,
        }
    }
}
