//! Partial orders: of events that do not disturb each other one order is enough.
//!
//! In a state only the events of a *persistent set* are followed, if none of them can be seen. What makes a set
//! persistent, why nothing is lost, and where this steps aside:
//!
//! *Who meets where.* Every event is one of one node, its *owner*: of a message that arrives, the receiver. An
//! event reads and changes what its owner has, takes from an edge to it, and puts on edges from it (`locality.rs`
//! makes sure of that, or says why not). An edge has one writer and one reader. That one node takes from a queue
//! and another puts something behind can happen in either order, once there is something to take; so nodes never
//! disable each other's events, and only enable them: by a message on an edge that was empty (or on any, if it is a
//! bag).
//!
//! *What goes out.* On an edge with a bound a message may have to wait in the outbox, and then its sender does
//! nothing else. A state is *settled* if no outbox can let anything out. In others one `Transmit` is enough: it
//! stays possible whatever others do, as room only grows, its node can do nothing else, and no property sees it
//! (who counts messages on edges with a bound is not served). Several of them end in the same settled state, and at
//! some time they end. So what remains is a system of settled states, in which each event is followed by what can
//! then go out. In it the argument above holds for edges with a bound, too: to send is to put everything at the end
//! of the outbox and let out what finds room; taking something from an edge and then letting out as much as
//! possible gives the same state whether something was let out before or not. So if j sends on a full edge and i
//! takes from it, the order makes no difference: before, the message goes out at once, behind, it goes out when i
//! has taken.
//!
//! *Processes.* The code of a node may fall into classes that do not disturb each other (`updates.rs`): each is a
//! process of its own. A set of processes is *closed* if, for each of them, it contains whoever must act before
//! this one can do something else than it can now: for a node whose outbox waits for room, the reader of that edge;
//! otherwise for each edge that can carry something for the process, if it is empty (or a bag), its writer, and if
//! its first message is for another process of the node, that one. Nobody who has halted and has nothing in its
//! outbox need be there; and before its start a node needs nobody. As long as nothing outside of a closed set C
//! happens but by others, what processes of C can do stays as it is. So the events T(C) that they can do now are a
//! persistent set, and they all stay possible: what others do commutes with each of them. The sets that count are
//! the least closed ones with something to do: strongly connected parts of `needs`, in one pass. A class whose
//! events do not even disturb each other needs nobody: each message that is there for it is a set, and so is one
//! that a halted node will drop.
//!
//! *Losses and repetitions* are events of the receiver. If there may be only so many of them, others may use that
//! up before T(C) happens, and then some events of T(C) are not possible any more; but which of them still are when
//! one happens could have happened first, too, and the plain fate of each message stays possible. That is all that
//! is needed.
//!
//! *What is seen.* No event of a set that is followed alone may change what a property sees, nor be an error. Both
//! depend on the owner (its process, if it has several) only, and so stay true as long as T(C) has not happened: if
//! a node is one process the literals of that node are compared before and behind the event (`sight.rs`); if it is
//! several, nothing that the class writes may be read by any property. `quiescent` needs no care: where T(C) is
//! followed alone something else is possible, before and behind it, and in all states between the one in which T(C)
//! is chosen and the one in which it happens it is possible, so all of these are not quiescent in either order. For
//! errors and states without value likewise: what a run meets before is what it meets in the other order.
//!
//! *Cycles.* Each cycle of what is left has a settled state in which everything is followed (`cycles.rs`). So every
//! run can be followed: at each state the first event of it that is in T(C) is moved to the front, or, if there is
//! none and runs need not be fair, an event of T(C) is put in front; where everything is followed the run's own
//! first event comes. In the end every event of the run comes. So what is reachable by one event (errors, blocks
//! that run, what is sent), final states, and what formulas without `next` say of runs stays.
//!
//! *Fair runs.* In a fair run some event of T(C) happens, as these stay possible and what counts as them is done by
//! nobody else: nothing is put in front, and the same events happen in another order, for each process in the same
//! order. What is put on lossy edges and arrives there is the same. What is *possible* is taken from all events,
//! not from those that are followed; so a run that is fair here is fair. The other direction has a gap: the new
//! order may keep something possible that the old one made impossible now and then, namely where its node was busy
//! for a while, or where a block is offered messages now from one edge, now from another. That concerns only nodes
//! that act again and again. So if no fair run breaks a claim it is looked at once more, with less owed: for those
//! nodes only what cannot be interrupted by others. If then no run breaks it either, it holds. Otherwise this steps
//! aside.
//!
//! Runs that are found are runs, but not always shortest ones.

use crate::defects::{Defect, broken};
use crate::graph::partial_expansion::{Expanded, PartialExpansion};
use crate::graph::state_graph::Graph;
use crate::por::independence::Independence;
use crate::por::visibility::Visibility;
use crate::program::event::CompiledEvent;
use crate::program::expression::Context;
use ltl::scc::all_components;
use machine::{Channel, EdgeId, Mode, NodeId};

/// A set of events that can be followed alone if nobody sees them.
struct Candidate {
    node: NodeId,
    /// Each with its class, if its node may change meanwhile, by events of other classes.
    events: Vec<(CompiledEvent, Option<usize>)>,
}

/// Chooses the events that are fired in each state of an instance.
pub(crate) struct StubbornSets {
    independence: Independence,
    visibility: Visibility,
    /// By node: it can send.
    sends: Vec<bool>,
}

impl StubbornSets {
    /// For a graph that has its initial states.
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

    /// The events that are to be fired in a state of a graph that is expanded in part.
    pub(crate) fn chosen_events(&self, graph: &mut Graph<'_>, state: u32) -> Vec<CompiledEvent> {
        graph.open(state);
        let mut all = Vec::new();
        graph.compiled.enabled_events(&graph.context(), &mut all);
        let mut partial = graph.partial.take().expect("the graph is expanded in part");
        let (chosen, how) = self.choose(graph, &mut partial, state, all);
        partial.note(state, how);
        graph.partial = Some(partial);
        chosen
    }

    /// Of all events of a state those that are to be followed.
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

    /// Counts as taken what need not be owed because of the orders that are left out.
    pub(crate) fn excuse(&self, graph: &Graph<'_>, taken: &mut [bool]) {
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

    /// The least persistent set that nobody sees, if it is not all.
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

    /// Whether somebody can see an event of a set, or one of them is an error.
    fn is_visible(
        &self,
        graph: &mut Graph<'_>,
        state: u32,
        events: &[(CompiledEvent, Option<usize>)],
    ) -> bool {
        let mut seen = false;
        let alone: Vec<CompiledEvent> = events.iter().map(|(event, _)| *event).collect();
        // Who is who behind an event must stay as it is.
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

    /// The least persistent sets with something to do.
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
        // Parts come behind those that they need.
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

    /// The events of a closed set of processes, of which only those of this part do something.
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

    /// By process: who must act before it can do something else than it can now.
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
                continue; // it starts or drops, whatever others do
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
