//! Partial-order reduction by persistent (stubborn) sets: of independent events one order suffices.
//!
//! In a state only the events of a *persistent set* are fired, if all of them are invisible. This comment says what
//! makes a set persistent, why the reduction is sound, and where it does not apply.
//!
//! *Independence.* Every event belongs to one node, its *owner*; a delivery belongs to the receiver. An event reads and
//! changes components of its owner, takes from an edge to it, and puts on edges from it (`independence.rs` checks that,
//! or says why not). An edge has one writer and one reader. Taking from a queue commutes with putting at its end, once
//! the queue is non-empty; so nodes never disable each other's events, and enable them only by a message on an empty
//! edge (or on any edge, if channels are unordered).
//!
//! *Transmissions.* On a bounded edge a message may have to wait in the outbox, and then its sender does nothing else.
//! A state is *settled* if no outbox can transmit. In other states one `Transmit` suffices: it stays enabled whatever
//! other nodes do, because room only grows; its node can do nothing else; and it is invisible (properties that count
//! messages on bounded edges are excluded). All orders of transmissions end in the same settled state. So the reduced
//! system consists of settled states, in which each event is followed by the transmissions that it allows. In it the
//! argument above holds for bounded edges, too: sending appends everything to the outbox and transmits what finds room;
//! taking from an edge and then transmitting as much as possible gives the same state whether something was transmitted
//! before or not. So if j sends on a full edge and i takes from it, the order makes no difference: the message is
//! transmitted either at once or when i has taken.
//!
//! *Processes.* The code of a node may fall into classes that are independent of each other (`commuting_updates.rs`):
//! each is a process. A set of processes is *closed* if, for each of them, it contains every process that must act
//! before this one can do something else than now: for a node whose outbox waits for room, the reader of that edge;
//! otherwise, for each edge that can carry something for the process, its writer if the edge is empty (or unordered),
//! and if its first message is for another process of the node, that process. A halted node with an empty outbox is not
//! needed; and before its start a node needs no other. While only processes outside of a closed set C act, what the
//! processes of C can do stays the same. So the events T(C) that they can do now form a persistent set, and all of them
//! stay enabled: they commute with the events of others. The candidates are the least closed sets with an enabled
//! event: strongly connected components of `needs`, in one pass. A class whose events commute with each other needs no
//! process: each message for it is a set of its own, and so is one that a halted node will drop.
//!
//! *Losses and repetitions* are events of the receiver. If their number is limited, other processes may use up the
//! limit before T(C) fires, and then some events of T(C) are disabled; but those that are still enabled when one fires
//! could have fired first, and the plain delivery of each message stays enabled. That suffices.
//!
//! *Visibility.* No event of a set that is fired alone may be visible or an error. Both depend only on the owner (on
//! its process, if it has several), and so stay true until T(C) fires: if a node is one process, the literals of that
//! node are compared before and after the event (`visibility.rs`); if it has several, no property may read what the
//! class writes. `quiescent` needs no care: where T(C) is fired alone, another event is enabled before and after it,
//! and T(C) is enabled in all states between its choice and its firing, so none of these states is quiescent in either
//! order. The same holds for errors and states without a value: a run meets the same ones in either order.
//!
//! *Cycles.* Each cycle of the reduced graph has a settled state that is expanded fully (`cycle_proviso.rs`). So every
//! run has a counterpart: at each state the first event of the run that is in T(C) is moved to the front, or, if there
//! is none and runs need not be fair, an event of T(C) is inserted; where a state is expanded fully, the first event of
//! the run follows. In the end every event of the run occurs. So what is reachable by one event (errors, blocks that
//! run, messages that are sent), final states, and the values of formulas without `next` are preserved.
//!
//! *Fair runs.* In a fair run some event of T(C) fires, because these stay enabled and no other process takes their
//! units: nothing is inserted, and the same events fire in another order, for each process in the same order. Messages
//! put on lossy edges and arriving there are the same. What is *enabled* is computed from all events, not from those
//! that are fired; so a fair run of the reduced graph is fair. The other direction has a gap: the new order may keep an
//! event enabled that the old one disabled now and then, namely where its node was busy for a while, or where a block
//! is offered messages from several edges in turn. That concerns only nodes that act infinitely often. So if no fair
//! run violates a claim, it is checked again with weaker fairness: for those nodes only events that other processes
//! cannot interrupt are required. If no run violates it then either, it holds. Otherwise partial-order reduction does
//! not apply.
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

/// A set of events that can be fired alone if they are invisible.
struct Candidate {
    node: NodeId,
    /// Each event with its class, if other classes may change the node meanwhile.
    events: Vec<(CompiledEvent, Option<usize>)>,
}

/// Chooses the events that are fired in each state of an instance.
pub(crate) struct StubbornSets {
    independence: Independence,
    visibility: Visibility,
    /// By node: whether it can send.
    sends: Vec<bool>,
}

impl StubbornSets {
    /// The stubborn sets of a graph that has its initial states.
    pub(crate) fn new(graph: &mut Graph<'_>) -> Result<Box<StubbornSets>, String> {
        graph.open(0);
        let context = graph.context();
        let independence = Independence::new(&context);
        let sends = context.compiled.machine.nodes().map(|node| {
            let blocks = context.compiled.blocks_of(node);
            let sends = |block: machine::BlockId| context.compiled.sends[block.index()];
            context.compiled.can_send(context.frozen, node) && { blocks }.any(sends)
        });
        Ok(Box::new(StubbornSets {
            sends: sends.collect(),
            visibility: Visibility::new(&context)?,
            independence,
        }))
    }

    /// The events that are fired in a state.
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

    /// Chooses among all enabled events of a state.
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

    /// Marks units as taken that the weaker fairness does not require.
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

    /// The least persistent set of invisible events, if it is a proper subset.
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
        // Components come after those that they need.
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

    /// The events of a closed set of processes; only processes of this component have enabled events.
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

    /// By process: the processes that must act before it can do something else than now.
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
                continue; // its start or its drops do not depend on others
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
                            let record = compiled.record_of(*head / compiled.delays);
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
