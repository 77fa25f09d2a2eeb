//! The report of a search.

use crate::defects::{Defect, broken};
use crate::graph::state_graph::Graph;
use crate::graph::witness;
use crate::program::expression::Context;
use crate::properties::property::MonitoredProperty;
use crate::search::search_state::Search;
use machine::{Frozen, Machine, Mode, NodeId, StmtKind};
use verdict::{Answer, Ending, Latest, Premise, Report};

/// By kind: whether its code can halt.
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

    /// Whether a node has something left to do in a final state. A node whose code never halts may rest, unless a
    /// message waits for it or in its outbox.
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

    /// Records a run to the latest moment at which a time bound must not be over.
    pub(crate) fn note_latest(&mut self, graph: &mut Graph<'_>, frozen: &Frozen) {
        for p in 0..self.instance.late.len() {
            let before = self.results.findings.latest[p]
                .as_ref()
                .map(|latest| i64::from(latest.units));
            if let Some((units, state)) = self.instance.late[p]
                && before.is_none_or(|before| before < units)
            {
                let run = Box::new(witness::to_state(graph, frozen, state, &[], Ending::Open));
                let units = units as u32;
                self.results.findings.latest[p] = Some(Latest { units, run });
            }
        }
    }

    /// The report.
    pub(crate) fn report(mut self) -> Report {
        self.results
            .findings
            .reduced
            .extend(self.symmetry.description());
        self.results.findings.complete &= self.results.findings.omission.is_none();
        let omission = self.results.findings.omission;
        let open = |premise: &&mut Premise| **premise == Premise::Open;
        let premises = self
            .results
            .findings
            .premises
            .iter_mut()
            .flatten()
            .filter(open);
        if self.results.findings.complete {
            premises.for_each(|premise| *premise = Premise::Never);
        }
        let error = self.results.findings.error.clone();
        let answers = self.results.found.into_iter().zip(self.task.monitored).map(
            |(found, property_kind)| {
                let reach = matches!(property_kind, MonitoredProperty::Reach(_));
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
            },
        );
        Report {
            method: match self.task.abstraction {
                None if self.task.partial_order => "explicit search with partial orders",
                None => "explicit search",
                Some(_) => "explicit search with unknown data",
            },
            abstraction: None,
            answers: answers.collect(),
            counts: self.results.counts,
            findings: self.results.findings,
            evidence: Vec::new(),
        }
    }
}
