//! The cause of a failure in a run with times: the failing event, the silences before it, and the events that matter.
//!
//! If such a run is not event-driven, all nodes act only periodically, so the backward closure of the last event
//! contains nearly all events (compare `slice.rs`). The cause is smaller. It consists of
//! - the event at which the claim becomes false;
//! - for each root node (see `slice.rs`), the last event that changed its display variable;
//! - the messages that these events find in inboxes;
//! - *silences*: one of these events reads the inbox of a node, and since the previous read of this inbox no message
//!   has come from a running neighbour. Both reads belong to the cause. So do the last message of the neighbour before
//!   the silence and the first one after it;
//! - if the claim is false in every iteration of a loop: for each named node the last change before the loop of a
//!   variable in the false part, and all events of the loop if it is short;
//! - if a part of the claim never becomes true: all events;
//! - in a run without a failure: every event that changes a display variable.
//!
//! `event_driven.rs` has the rules for event-driven runs: those in which code handles messages, timers expire, faults
//! or restarts happen, or only time passes in some event.

use crate::events::reading::expected_senders;
use crate::replay::claims::{claim_vars, named_nodes, vars_at, vars_of_claim};
use crate::replay::event_driven::{EventDriven, is_event_driven};
use crate::replay::inboxes::Inboxes;
use crate::replay::messages::Flight;
use crate::replay::run::ReplayedRun;
use crate::replay::slice::roots;
use crate::words::names::is_declared;
use machine::{KindId, NodeId, Outcome, Type, VarId};
use std::collections::BTreeSet;
use verdict::PartVerdict;

/// The largest number of events of a loop of which all events matter, if the claim is false in every iteration.
const SHORT_LOOP: usize = 8;

/// The cause of a failure.
pub(crate) struct Cause {
    /// The event at which the claim becomes false, or the event that is an error; `None` if there is neither.
    pub(crate) failing_event: Option<usize>,
    /// By kind: the index of the display variable among the variables of a node. Stories and timelines show its value
    /// as the state of the node.
    pub(crate) display_var: Vec<Option<usize>>,
    pub(crate) silences: Vec<Silence>,
    /// By event: whether it matters, that is, belongs to the cause.
    pub(crate) matters: Vec<bool>,
    /// By message: whether it matters.
    pub(crate) message_matters: Vec<bool>,
    /// In an event-driven run: the transient variables, by node and index among its variables. `None` in other runs.
    pub(crate) transient: Option<Vec<(NodeId, usize)>>,
}

/// Two successive reads of a node's inbox between which no message comes from some running nodes.
pub(crate) struct Silence {
    pub(crate) reader: NodeId,
    /// The event with the read before the silence.
    pub(crate) from: usize,
    /// The event with the read that finds nothing from the silent nodes.
    pub(crate) to: usize,
    pub(crate) silent: Vec<SilentNode>,
}

/// A node from which no message arrives at the reader during a silence.
pub(crate) struct SilentNode {
    pub(crate) node: NodeId,
    /// The event that sends the last of its messages to arrive at the reader before the silence.
    pub(crate) before: Option<usize>,
    /// The event that sends the first of its messages to arrive after the silence.
    pub(crate) after: Option<usize>,
}

impl Cause {
    pub(crate) fn new(replay: &ReplayedRun<'_>) -> Cause {
        let mut cause = Cause {
            failing_event: replay.failing_event(),
            display_var: display_vars(replay),
            silences: Vec::new(),
            matters: vec![false; replay.steps().len()],
            message_matters: vec![false; replay.messages().len()],
            transient: None,
        };
        if is_event_driven(replay) {
            let found = EventDriven::new(replay);
            cause.matters = found.matters;
            cause.message_matters = found.message_matters;
            cause.transient = Some(found.transient);
            return cause;
        }
        let decisive = cause.decisive_events(replay);
        cause.find_silences(replay, &decisive);
        cause.weigh(replay, &decisive);
        cause
    }

    /// Whether an event changes the display variable of a node.
    pub(crate) fn changes(&self, replay: &ReplayedRun<'_>, event: usize, node: NodeId) -> bool {
        let kind = replay.words.machine.kind_of(node);
        let (Some(place), Some(after)) =
            (self.display_var[kind.index()], replay.states.get(event + 1))
        else {
            return false;
        };
        let n = node.index();
        replay.states[event].nodes[n].vars[place] != after.nodes[n].vars[place]
    }

    /// The nodes whose display variable an event changes.
    pub(crate) fn changed(&self, replay: &ReplayedRun<'_>, event: usize) -> Vec<NodeId> {
        let nodes = replay.words.machine.nodes();
        nodes.filter(|n| self.changes(replay, event, *n)).collect()
    }

    /// The failing event (or else the last one), the last change of the display variable of each root node, and, if the
    /// claim is false in every iteration, the last changes before the loop. Each with its node.
    fn decisive_events(&self, replay: &ReplayedRun<'_>) -> BTreeSet<(usize, NodeId)> {
        let machine = replay.words.machine;
        let choices = &replay.run.choices;
        let end = self.failing_event.map_or(choices.len(), |f| f + 1);
        let mut decisive = BTreeSet::new();
        let last = self.failing_event.or(choices.len().checked_sub(1));
        decisive.extend(last.and_then(|i| Some((i, machine.node_of(&choices[i].event)?))));
        for node in roots(replay) {
            let change = (0..end).rev().find(|i| self.changes(replay, *i, node));
            decisive.extend(change.map(|i| (i, node)));
        }
        if replay.is_false_again() {
            for node in named_nodes(replay) {
                decisive.extend(last_change_before_loop(replay, node).map(|i| (i, node)));
            }
        }
        decisive
    }

    /// Finds the silences that end at the latest decisive event with a silence.
    fn find_silences(&mut self, replay: &ReplayedRun<'_>, decisive: &BTreeSet<(usize, NodeId)>) {
        let steps = replay.steps();
        for (to, reader) in decisive.iter().rev() {
            let reads = |i: &usize| steps[*i].effects.inboxes.contains(reader);
            let before = (0..*to).rev().find(reads).filter(|_| reads(to));
            let Some(from) = before else { continue };
            let last = self.silences.last().map(|s| s.to);
            if last.is_some_and(|last| last != *to) {
                break;
            }
            let silent = expected_senders(replay.instance(), *reader, &replay.states[*to])
                .filter_map(|node| silent_node(replay, node, *reader, (from, *to)))
                .collect::<Vec<_>>();
            if !silent.is_empty() {
                self.silences.push(Silence {
                    reader: *reader,
                    from,
                    to: *to,
                    silent,
                });
            }
        }
    }

    /// Marks the events and messages that matter.
    fn weigh(&mut self, replay: &ReplayedRun<'_>, decisive: &BTreeSet<(usize, NodeId)>) {
        let machine = replay.words.machine;
        let steps = replay.steps();
        if replay.is_plain() {
            for event in 0..self.matters.len() {
                self.matters[event] = !self.changed(replay, event).is_empty();
            }
        }
        // The messages that matter, each as its receiver and the event that sends it or stores it in the inbox.
        let mut found: BTreeSet<(usize, NodeId)> = BTreeSet::new();
        let mut inboxes = Inboxes::new(machine);
        for (i, choice) in replay.run.choices.iter().enumerate() {
            for (_, node) in decisive.iter().filter(|key| key.0 == i) {
                self.matters[i] = true;
                if steps[i].effects.inboxes.contains(node) {
                    found.extend(inboxes.sources(*node).map(|event| (event, *node)));
                }
            }
            inboxes.advance(i, choice, &steps[i].effects, replay.states.get(i + 1));
        }
        for silence in &self.silences {
            self.matters[silence.from] = true;
            let around = silence.silent.iter().flat_map(|s| [s.before, s.after]);
            found.extend(around.flatten().map(|event| (event, silence.reader)));
        }
        for (f, flight) in replay.messages().iter().enumerate() {
            let (from, to) = machine.edges[flight.edge.index()];
            // The events in which the message is sent and arrives.
            let mut events = flight.arrivals.iter().map(|a| a.0).chain([flight.sent]);
            if from != to && events.any(|event| found.contains(&(event, to))) {
                self.message_matters[f] = true;
                self.matters[flight.sent] = true;
                flight
                    .arrivals
                    .iter()
                    .for_each(|a| self.matters[a.0] = true);
            }
        }
        let never = matches!(
            replay.explanation.map(|e| e.verdict),
            Some(PartVerdict::NeverAfter(_))
        );
        if never {
            self.matters.fill(true);
        }
        if let Some(from) = replay.loop_start().filter(|_| replay.is_false_again())
            && self.matters.len() - from <= SHORT_LOOP
        {
            self.matters[from..].fill(true);
        }
    }
}

/// The sendings of `node` to `reader` before and after the two reads `from` and `to`; `None` if a message arrives
/// between the reads.
fn silent_node(
    replay: &ReplayedRun<'_>,
    node: NodeId,
    reader: NodeId,
    (from, to): (usize, usize),
) -> Option<SilentNode> {
    let machine = replay.words.machine;
    let stored = |f: &&Flight| {
        let stores = f
            .arrivals
            .iter()
            .any(|(_, outcome)| matches!(outcome, Outcome::Store | Outcome::Repeat(_, None)));
        machine.edges[f.edge.index()] == (node, reader) && stores
    };
    let mut silent = SilentNode {
        node,
        before: None,
        after: None,
    };
    for flight in replay.messages().iter().filter(stored) {
        let (arrival, _) = flight.arrivals[0];
        if arrival < from {
            silent.before = Some(flight.sent);
        } else if arrival > to {
            silent.after.get_or_insert(flight.sent);
        } else {
            return None;
        }
    }
    Some(silent)
}

/// The last event before the loop that changes a variable of the node that occurs in the false part of the claim.
fn last_change_before_loop(replay: &ReplayedRun<'_>, node: NodeId) -> Option<usize> {
    let machine = replay.words.machine;
    let part = replay.explanation?.why.part?;
    let vars = vars_at(machine, &[part]).into_iter().filter(|var| {
        let var = &machine.vars[var.index()];
        var.kind == machine.kind_of(node) && is_declared(var)
    });
    let places: Vec<usize> = vars.map(|var| machine.place_of_var(var)).collect();
    let of = |state: usize, place: usize| &replay.states[state].nodes[node.index()].vars[place];
    let changes = |i: &usize| places.iter().any(|p| of(*i, *p) != of(*i + 1, *p));
    (0..replay.loop_start()?).rev().find(changes)
}

/// By kind: the display variable. It is the first of these that exists: an enum in the false part of the claim; a
/// Boolean there; an enum in the whole claim; an option in the false part; an option in the whole claim; an integer in
/// the false part; the first enum variable of the kind. The false part includes the facts of the explanation.
fn display_vars(replay: &ReplayedRun<'_>) -> Vec<Option<usize>> {
    let machine = replay.words.machine;
    let near = claim_vars(replay);
    let part = replay.explanation.and_then(|e| e.why.part);
    let whole = part.map_or(Vec::new(), |part| vars_of_claim(machine, part));
    let kinds = (0..machine.kinds.len()).map(|k| KindId(k as u32));
    kinds
        .map(|kind| {
            let own = |var: &VarId| machine.vars[var.index()].kind == kind;
            let named = |var: &VarId| matches!(machine.vars[var.index()].ty, Type::Enum(_));
            let option = |var: &VarId| matches!(machine.vars[var.index()].ty, Type::Option(_));
            let truth = |var: &VarId| machine.vars[var.index()].ty == Type::Bool;
            let number = |var: &VarId| {
                let var = &machine.vars[var.index()];
                matches!(var.ty, Type::Int(..)) && is_declared(var)
            };
            let all: Vec<VarId> = (0..machine.vars.len() as u32)
                .map(VarId)
                .filter(|var| !machine.vars[var.index()].ghost)
                .collect();
            let pick = |vars: &[VarId], fits: &dyn Fn(&VarId) -> bool| {
                vars.iter().copied().find(|var| own(var) && fits(var))
            };
            pick(&near, &named)
                .or_else(|| pick(&near, &truth))
                .or_else(|| pick(&whole, &named))
                .or_else(|| pick(&near, &option))
                .or_else(|| pick(&whole, &option))
                .or_else(|| pick(&near, &number))
                .or_else(|| pick(&all, &named))
                .map(|var| machine.place_of_var(var))
        })
        .collect()
}
