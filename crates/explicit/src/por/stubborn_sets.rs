//! Partial-order reduction by persistent (stubborn) sets: of independent events only one order is explored.
//!
//! In a state, only the events of a *persistent set* are fired, provided that all of them are invisible. This comment
//! defines the sets, proves the reduction sound, and gives its limits.
//!
//! *Independence.* Every event belongs to one node, its *owner*; a delivery belongs to the receiver. An event reads and
//! changes components of its owner, takes from an edge to it, and puts on edges from it (`independence.rs` checks this,
//! or gives the reason why it is not so). An edge has one writer and one reader. Taking from a queue commutes with
//! putting at its end if the queue is non-empty. So nodes never disable each other's events, and enable them only by a
//! message on an empty edge (or on any edge, if channels are unordered).
//!
//! *Transmissions.* On a bounded edge a message may have to wait in the outbox, and then its sender does nothing else.
//! A state is *settled* if no outbox can transmit. In any other state it suffices to fire one `Transmit`: it stays
//! enabled whatever other nodes do, because only its own node reduces the room; its node can do nothing else; and it is
//! invisible (Machines with properties that count messages on bounded edges are excluded). All orders of transmissions
//! end in the same settled state. So the reduced system consists of settled states, in which each event is followed by
//! the transmissions that it enables. In this system the argument above holds for bounded edges, too. Sending appends
//! all messages to the outbox and transmits those for which there is room. Taking from an edge and then transmitting as
//! much as possible gives the same state, whether messages were transmitted before or not. So if node j sends on a full
//! edge and node i takes from it, the order is irrelevant: the message is transmitted when it is sent, or after i has
//! taken.
//!
//! *Processes.* The code of a node may fall into classes that are independent of each other (`commuting_updates.rs`);
//! each class is a process. A process *needs* the processes that must act before its set of enabled events can change:
//! - if the outbox of its node waits for room: the processes of the reader of that edge;
//! - otherwise, for each edge that can carry messages for the process: the processes of the writer if the edge is empty
//!   or unordered; if the first message is for another process of the node, that process.
//!
//! A node that has halted or is off is not needed if its outbox is empty. Before its start, a node needs no other node.
//!
//! A set of processes C is *closed* if it contains all processes that its members need. While only processes outside of
//! C act, the enabled events T(C) of the processes in C stay the same, and they commute with the events of the others.
//! So T(C) is a persistent set. The candidates are the least closed sets with an enabled event; they are found among
//! the strongly connected components of the relation "needs", in one pass. If the events of a class commute with each
//! other, no process is needed: the deliveries of each message for the class are a candidate of their own. The same
//! holds for a message that a halted node will drop.
//!
//! *Losses and repetitions* are events of the receiver. If their number is limited, other processes may exhaust the
//! limit before T(C) fires, which disables some events of T(C). But those that are still enabled when one fires could
//! have fired first, and the normal delivery of each message stays enabled. This suffices for the proof.
//!
//! *Visibility.* No event of a persistent set that is fired may be visible or an error. Both properties depend only on
//! the owner (on its process, if it has several), so they do not change until T(C) fires. If a node is one process, the
//! literals of that node are compared before and after the event (`visibility.rs`); if it has several, no property may
//! read what the class writes. `quiescent` needs no check: where only T(C) is fired, another event is enabled before
//! and after it, and T(C) is enabled in all states between its choice and its firing. So none of these states is
//! quiescent in either order. The same holds for errors and for states in which a condition has no value: a run
//! contains the same ones in either order.
//!
//! *Cycles.* Each cycle of the reduced graph contains a settled state that is fully expanded (`cycle_proviso.rs`). So
//! every run has a counterpart in the reduced graph. At a partially expanded state, the first event of the run that is
//! in T(C) is moved to the front; if there is none, and runs need not be fair, an event of T(C) is inserted. At a fully
//! expanded state the first event of the run follows. Finally every event of the run occurs. So these are preserved:
//! reachable errors, executed blocks, sent messages, final states, and the values of formulas without `next`.
//!
//! *Fair runs.* In a fair run some event of T(C) fires, because these events stay enabled and no other process acts for
//! their fairness units. So nothing is inserted: the same events fire in another order, and those of one process in the
//! same order. The messages that are put on lossy edges and arrive there are the same. The enabled fairness units of a
//! state are computed from all its events, not from those that are fired; so a fair run of the reduced graph is fair in
//! the full graph. The converse has a gap: the new order may keep an event enabled that was disabled at times in the
//! old order. This happens if its node was busy for a while, or if a block can receive messages from several edges in
//! turn, and it concerns only nodes that act infinitely often. Therefore, if no fair run violates a claim, the claim is
//! checked again under weaker fairness: for those nodes, only events that other processes cannot interrupt are
//! required. If no run violates the claim under weaker fairness either, it holds. Otherwise partial-order reduction
//! does not apply.
//!
//! Reported runs are real runs, but not always shortest ones.

use crate::defects::{Defect, broken};
use crate::events::enabled::enabled_events;
use crate::graph::partial_expansion::{Expanded, PartialExpansion};
use crate::graph::state_graph::Graph;
use crate::por::independence::Independence;
use crate::por::visibility::Visibility;
use crate::program::event::CompiledEvent;
use crate::program::expression::Context;
use ltl::scc::all_components;
use machine::{Channel, EdgeId, Mode, NodeId};

/// A persistent set. Its events alone may be fired if none of them is visible or an error.
struct Candidate {
    node: NodeId,
    /// Each event with its class; without one if no other class can change the node before the event fires.
    events: Vec<(CompiledEvent, Option<usize>)>,
}

/// Chooses the events that are fired in each state of an instance.
pub(crate) struct StubbornSets {
    independence: Independence,
    visibility: Visibility,
    /// By node: whether it can send messages.
    sends: Vec<bool>,
}

impl StubbornSets {
    /// The stubborn sets for a graph that contains its initial states. An error if a property cannot be analysed.
    pub(crate) fn new(graph: &mut Graph<'_>) -> Result<Box<StubbornSets>, String> {
        graph.open(0);
        let context = graph.context();
        let independence = Independence::new(&context);
        let sends = context.compiled.machine.nodes().map(|node| {
            let blocks = context.compiled.blocks_of(node);
            let sends = |block: machine::BlockId| context.compiled.code.sends[block.index()];
            context.compiled.can_send(context.frozen, node) && { blocks }.any(sends)
        });
        Ok(Box::new(StubbornSets {
            sends: sends.collect(),
            visibility: Visibility::new(&context)?,
            independence,
        }))
    }

    /// The events that are fired in a state. Records in the graph how the state is expanded.
    pub(crate) fn chosen_events(&self, graph: &mut Graph<'_>, state: u32) -> Vec<CompiledEvent> {
        graph.open(state);
        let mut all = Vec::new();
        enabled_events(graph.compiled, &graph.context(), &mut all);
        let mut partial = graph.partial.take().expect("the graph is expanded in part");
        let (chosen, how) = self.choose(graph, &mut partial, state, all);
        partial.note(state, how);
        graph.partial = Some(partial);
        chosen
    }

    /// Chooses from all enabled events of a state. Also returns how the state is expanded.
    fn choose(
        &self,
        graph: &mut Graph<'_>,
        partial: &mut PartialExpansion,
        state: u32,
        all: Vec<CompiledEvent>,
    ) -> (Vec<CompiledEvent>, Expanded) {
        let goes_out = |h: &&CompiledEvent| matches!(h, CompiledEvent::Transmit(_));
        let (chosen, how) = if let Some(first) = all.iter().find(goes_out) {
            (vec![*first], Expanded::Settling)
        } else if all.len() <= 1 || partial.whole.contains(&state) {
            return (all, Expanded::Fully);
        } else {
            match self.persistent(graph, state, &all) {
                Some(chosen) => (chosen, Expanded::Partially),
                None => return (all, Expanded::Fully),
            }
        };
        if chosen.len() < all.len() {
            let labels = all.iter().map(|h| graph.label_of_event(*h).units);
            partial.note_enabled(state, labels.flatten().collect());
        }
        (chosen, how)
    }

    /// Marks as taken the fairness units that the weaker fairness does not require.
    pub(crate) fn weaken_fairness(&self, graph: &Graph<'_>, taken: &mut [bool]) {
        let units = &graph.labels.units;
        let machine = graph.compiled.machine;
        let owner = |(sort, owner, _): &(u8, u32, i64)| match sort {
            2 | 3 => machine.edges[*owner as usize].1,
            _ => NodeId(*owner),
        };
        let mut acts = vec![false; machine.node_count() as usize];
        for (unit, number) in units {
            acts[owner(unit).index()] |= taken[*number as usize];
        }
        let bounded = matches!(machine.channel, Channel::Fifo(Some(_)));
        for (unit, number) in units {
            let node = owner(unit);
            let edges = self.independence.in_edges[node.index()].iter();
            let alive = edges.filter(|e| self.independence.carries[e.index()].contains(&true));
            let steady = match *unit {
                (1, ..) => true,
                _ if bounded && self.sends[node.index()] => false,
                (0, _, block) => {
                    let on = matches!(
                        machine.blocks[block as usize].trigger,
                        machine::Trigger::On(..)
                    );
                    !on || machine.channel != Channel::Unordered && alive.count() <= 1
                }
                _ => true,
            };
            taken[*number as usize] |= acts[node.index()] && !steady;
        }
    }

    /// The smallest persistent set of invisible events; `None` if there is no proper subset of this kind.
    fn persistent(
        &self,
        graph: &mut Graph<'_>,
        state: u32,
        all: &[CompiledEvent],
    ) -> Option<Vec<CompiledEvent>> {
        let mut candidates = self.candidates(&graph.context(), all);
        candidates.retain(|c| c.events.len() < all.len());
        candidates.sort_by_key(|c| (c.events.len(), c.node));
        let chosen = candidates
            .iter()
            .find(|c| !self.is_visible(graph, state, &c.events))?;
        Some(chosen.events.iter().map(|(event, _)| *event).collect())
    }

    /// Whether an event of a set is visible or an error.
    fn is_visible(
        &self,
        graph: &mut Graph<'_>,
        state: u32,
        events: &[(CompiledEvent, Option<usize>)],
    ) -> bool {
        let mut seen = false;
        let alone: Vec<CompiledEvent> = events.iter().map(|(event, _)| *event).collect();
        // Visibility compares states before canonicalisation.
        let canonical = graph.expander_mut().canonical.take();
        graph.each_transition_by(state, &alone, &mut |graph, transition| {
            let [before, after] = transition.states.expect("it is computed");
            let owner = owner(graph.compiled.machine, transition.event);
            let same = |(event, _): &&(CompiledEvent, _)| *event == transition.event;
            let class = events.iter().find(same).and_then(|(_, class)| *class);
            let is_visible = match class {
                _ if transition.target.is_none() => !broken(Defect::ErrorsUnseen),
                _ if broken(Defect::NothingSeen) => false,
                _ if broken(Defect::SeenNowOnly) => {
                    self.visibility.is_visible(owner, &before, &after)
                }
                None => self.visibility.is_visible(owner, &before, &after),
                Some(class) => {
                    let class = (self.independence.classes_of(owner), class);
                    self.visibility
                        .may_become_visible(owner, class, &before, &after)
                }
            };
            seen |= is_visible;
            !seen
        });
        graph.expander_mut().canonical = canonical;
        seen
    }

    /// The least persistent sets with an enabled event.
    fn candidates(&self, context: &Context<'_>, all: &[CompiledEvent]) -> Vec<Candidate> {
        let machine = context.compiled.machine;
        let mut found = Vec::new();
        let mut doing: Vec<Vec<CompiledEvent>> = vec![Vec::new(); self.processes()];
        let mut by_message: Vec<(EdgeId, i64, usize)> = Vec::new();
        for event in all {
            let node = owner(machine, *event);
            let classes = self.independence.classes_of(node);
            let class = match *event {
                CompiledEvent::Run(_, block) => classes.of_block[block.index()],
                CompiledEvent::Deliver { message, .. } => {
                    classes.of_record[context.compiled.record_of(message).index()]
                }
                _ => unreachable!("there is nothing of this kind: {event:?}"),
            };
            if let CompiledEvent::Deliver { edge, message, .. } = *event {
                let drops = context.compiled.mode(context.slots, node) > Mode::Running as i64;
                if drops || classes.commutes_with_itself[class] {
                    let same = |(e, m, _): &&(EdgeId, i64, usize)| *e == edge && *m == message;
                    let at = match by_message.iter().find(same) {
                        Some((.., at)) => *at,
                        None => {
                            by_message.push((edge, message, found.len()));
                            let events = Vec::new();
                            found.push(Candidate { node, events });
                            found.len() - 1
                        }
                    };
                    let class = (!drops && classes.any_changes()).then_some(class);
                    found[at].events.push((*event, class));
                }
            }
            doing[self.independence.processes_of(node).start as usize + class].push(*event);
        }
        let needs = self.needs(context);
        let parts = all_components(self.processes() as u32, |p, ahead| {
            ahead.extend(needs[p as usize].iter().map(|p| *p as usize));
        });
        // Each component comes after those that it needs.
        let mut does_something = vec![false; self.processes()];
        for part in parts {
            let needed = || part.iter().flat_map(|p| &needs[*p as usize]);
            let behind = needed().any(|p| does_something[*p as usize]);
            let acts = part.iter().any(|p| !doing[*p as usize].is_empty());
            for p in &part {
                does_something[*p as usize] = behind || acts;
            }
            if acts && !behind {
                found.push(self.candidate(context, &part, &doing));
            }
        }
        found
    }

    /// The enabled events of a strongly connected component of processes. The processes that it needs have no enabled
    /// events.
    fn candidate(
        &self,
        context: &Context<'_>,
        part: &[u32],
        doing: &[Vec<CompiledEvent>],
    ) -> Candidate {
        let compiled = context.compiled;
        let mut events = Vec::new();
        for p in part {
            for event in &doing[*p as usize] {
                let node = owner(compiled.machine, *event);
                let own = self.independence.processes_of(node);
                let class = (p - own.start) as usize;
                let classes = self.independence.classes_of(node);
                let mut others = own.clone().filter(|other| !part.contains(other));
                let changes = compiled.mode(context.slots, node) == Mode::Running as i64
                    && others.any(|other| classes.changes((other - own.start) as usize));
                events.push((*event, changes.then_some(class)));
            }
        }
        let nodes = events.iter().map(|(e, _)| owner(compiled.machine, *e));
        let node = nodes.min().expect("it does something");
        Candidate { node, events }
    }

    fn processes(&self) -> usize {
        self.independence.processes[self.independence.processes.len() - 1] as usize
    }

    /// By process: the processes that it needs, as defined at the top of this file.
    fn needs(&self, context: &Context<'_>) -> Vec<Vec<u32>> {
        let (compiled, slots, layout) = (context.compiled, context.slots, context.layout);
        let machine = compiled.machine;
        let mut needs: Vec<Vec<u32>> = vec![Vec::new(); self.processes()];
        for node in machine.nodes() {
            let own = self.independence.processes_of(node);
            if let Some(first) = layout.outbox(slots, node).first() {
                let reader = machine.edges[compiled.outgoing(node, *first).0.index()].1;
                if reader != node && !broken(Defect::ReadersForgotten) {
                    for p in own {
                        needs[p as usize].extend(self.independence.processes_of(reader));
                    }
                }
                continue;
            }
            if compiled.mode(slots, node) != Mode::Running as i64 {
                continue; // its start, or the dropping of messages, does not depend on other nodes
            }
            for edge in &self.independence.in_edges[node.index()] {
                let writer = machine.edges[edge.index()].0;
                let head = match machine.channel {
                    Channel::Unordered if !broken(Defect::BagsLikeQueues) => None,
                    _ => layout.queue(slots, *edge).first(),
                };
                let silent =
                    !compiled.runs(slots, writer) && layout.outbox(slots, writer).is_empty();
                for (class, p) in own.clone().enumerate() {
                    if !self.independence.carries[edge.index()][class] {
                        continue;
                    }
                    match head {
                        Some(_) if broken(Defect::HeadsForgotten) => {}
                        Some(head) => {
                            let record = compiled.record_of(*head / compiled.messages.delays);
                            let first =
                                self.independence.classes_of(node).of_record[record.index()];
                            needs[p as usize].push(own.start + first as u32);
                        }
                        None if silent || broken(Defect::EmptyEdgesForgotten) => {}
                        None => needs[p as usize].extend(self.independence.processes_of(writer)),
                    }
                }
            }
        }
        needs
    }
}

fn owner(machine: &machine::Machine, event: CompiledEvent) -> NodeId {
    match event {
        CompiledEvent::Run(node, _) | CompiledEvent::Transmit(node) => node,
        CompiledEvent::Deliver { edge, .. } => machine.edges[edge.index()].1,
        _ => unreachable!("there is nothing of this kind: {event:?}"),
    }
}
