//! The cause of a failure in an event-driven run: a run with times in which code handles messages, timers expire,
//! faults or restarts happen, or only time passes in some event.
//!
//! - Faults and the event at which the claim becomes false matter.
//! - For each root node (see [`roots`]), the last event with an effect matters. Then, backwards from every event that
//!   matters, the previous event with an effect at the same node and the events that send the messages arriving in it
//!   matter, too.
//! - An event has an effect if it has a lasting effect ([`LastingEffects`]) or sends a message that has an effect. An
//!   event that sets a timer has an effect if the timer then expires. So has the last event that sets or cancels a
//!   timer of a root node, because the claim may wait for the expiry.
//! - A message has an effect if it is lost, or if the event of its arrival has an effect and does not drop it. A
//!   message that is in flight at the end, or that arrives at a stopped node, is *missed*: the claim may wait for it.
//!   Messages of types that arrive in the run and never have an effect are not missed. Missed messages have an effect
//!   too.

use crate::replay::claims::claim_vars;
use crate::replay::messages::Flight;
use crate::replay::run::ReplayedRun;
use crate::replay::slice::roots;
use crate::replay::transient::{LastingEffects, is_fault};
use machine::{Event, Mode, NodeId, Outcome, RecordId};
use std::collections::BTreeSet;

/// Whether a run is event-driven.
pub(crate) fn is_event_driven(replay: &ReplayedRun<'_>) -> bool {
    let drives = |event: &Event| {
        is_fault(event)
            || matches!(
                event,
                Event::Deliver(_, _, Outcome::HandOver(_) | Outcome::Repeat(_, Some(_)))
                    | Event::Expire(..)
                    | Event::Restart(_)
                    | Event::Wait
            )
    };
    replay.is_timed() && replay.run.choices.iter().any(|c| drives(&c.event))
}

/// The events and messages that matter in an event-driven run.
pub(crate) struct EventDriven {
    /// By event: whether it matters.
    pub(crate) matters: Vec<bool>,
    /// By message: whether it matters.
    pub(crate) message_matters: Vec<bool>,
    /// The transient variables, by node and index among its variables.
    pub(crate) transient: Vec<(NodeId, usize)>,
}

impl EventDriven {
    pub(crate) fn new(replay: &ReplayedRun<'_>) -> EventDriven {
        let lasting = LastingEffects::new(replay, &claim_vars(replay));
        let count = replay.steps().len();
        let end = replay.failing_event().map_or(count, |fails| fails + 1);
        let timers = timer_events(replay, end);
        let certain = effective_events(replay, &lasting, &timers, &BTreeSet::new());
        let missed = missed_messages(replay, &certain);
        let effective = effective_events(replay, &lasting, &timers, &missed);
        let matters = closure(replay, &effective, &missed, end);
        let mut found = EventDriven {
            matters,
            message_matters: Vec::new(),
            transient: lasting.transient(replay),
        };
        found.weigh_messages(replay.messages(), &effective, &missed);
        found
    }

    /// Marks the messages that matter: those with an effect whose arrival matters, and missed ones whose sending
    /// matters.
    fn weigh_messages(&mut self, flights: &[Flight], effective: &[bool], missed: &BTreeSet<usize>) {
        self.message_matters = flights
            .iter()
            .enumerate()
            .map(|(f, flight)| {
                let counts = |(i, outcome): &(usize, Outcome)| {
                    self.matters[*i] && has_effect(*outcome, effective[*i])
                };
                flight.arrivals.iter().any(counts)
                    || missed.contains(&f) && self.matters[flight.sent]
            })
            .collect();
        // The event in which a stopped node drops a missed message matters, too.
        for f in missed.iter().filter(|f| self.message_matters[**f]) {
            let arrivals = flights[*f].arrivals.iter();
            arrivals.for_each(|(i, _)| self.matters[*i] = true);
        }
    }
}

/// By event: whether it has an effect, given the events that set or cancel timers and the missed messages. The scan
/// runs from the end, so that the effects of later events are known when a sending is judged.
fn effective_events(
    replay: &ReplayedRun<'_>,
    lasting: &LastingEffects,
    timers: &BTreeSet<usize>,
    missed: &BTreeSet<usize>,
) -> Vec<bool> {
    let mut effective = vec![false; replay.steps().len()];
    for event in (0..effective.len()).rev() {
        let answers = replay.messages().iter().enumerate().any(|(f, flight)| {
            let later =
                |(i, outcome): &(usize, Outcome)| *i > event && has_effect(*outcome, effective[*i]);
            let counts = missed.contains(&f) || flight.arrivals.iter().any(later);
            flight.sent == event && counts
        });
        effective[event] = answers
            || replay.failing_event() == Some(event)
            || timers.contains(&event)
            || lasting.has(replay, event);
    }
    effective
}

/// The missed messages: in flight at the end, or dropped because the receiver is stopped. Messages of types that arrive
/// in the run, but never with an effect, are not missed.
fn missed_messages(replay: &ReplayedRun<'_>, effective: &[bool]) -> BTreeSet<usize> {
    let machine = replay.words.machine;
    let mut without_effect: BTreeSet<RecordId> = BTreeSet::new();
    let mut with_effect: BTreeSet<RecordId> = BTreeSet::new();
    for flight in replay.messages() {
        for (i, outcome) in flight.arrivals.iter().filter(|a| a.1 != Outcome::Drop) {
            match has_effect(*outcome, effective[*i]) {
                true => with_effect.insert(flight.message.record()),
                false => without_effect.insert(flight.message.record()),
            };
        }
    }
    let at_stopped_node = |flight: &Flight| {
        let to = machine.edges[flight.edge.index()].1.index();
        let mut arrivals = flight.arrivals.iter();
        arrivals.any(|(i, outcome)| {
            let mode = replay.states[*i].nodes[to].mode;
            *outcome == Outcome::Drop && mode == Mode::Stopped
        })
    };
    // The mode of the receiver is taken before the failing event: a node that halts in that event could have taken the
    // message.
    let end = match replay.failing_event() {
        Some(fails) => replay.states.get(fails),
        None => replay.states.last(),
    };
    let awaited = |flight: &Flight| {
        let to = machine.edges[flight.edge.index()].1.index();
        let last = end.map(|s| s.nodes[to].mode);
        flight.open && !matches!(last, Some(Mode::Crashed | Mode::Off | Mode::Halted))
    };
    let flights = replay.messages().iter().enumerate();
    let missed = flights.filter(|(_, flight)| {
        let record = flight.message.record();
        (awaited(flight) || at_stopped_node(flight))
            && (with_effect.contains(&record) || !without_effect.contains(&record))
    });
    missed.map(|(f, _)| f).collect()
}

/// By event: whether it matters. The backward closure of the faults before `end`, the failing event, the last event
/// with an effect at each root node, and the sendings of missed messages to root nodes.
fn closure(
    replay: &ReplayedRun<'_>,
    effective: &[bool],
    missed: &BTreeSet<usize>,
    end: usize,
) -> Vec<bool> {
    let machine = replay.words.machine;
    let flights = replay.messages();
    let node_of = |i: usize| machine.node_of(&replay.run.choices[i].event);
    let last_of = |node: NodeId, before: usize| {
        (0..before)
            .rev()
            .find(|i| effective[*i] && node_of(*i) == Some(node))
    };
    let faults = (0..end).filter(|i| is_fault(&replay.run.choices[*i].event));
    let roots = roots(replay);
    let missed = missed.iter().map(|f| &flights[*f]);
    let missed = missed.filter(|f| roots.contains(&machine.edges[f.edge.index()].1));
    let missed = missed.map(|f| f.sent).filter(|sent| *sent < end);
    let mut next: Vec<usize> = faults
        .chain(roots.iter().filter_map(|node| last_of(*node, end)))
        .chain(missed)
        .chain(replay.failing_event())
        .collect();
    let mut matters = vec![false; effective.len()];
    while let Some(i) = next.pop() {
        if std::mem::replace(&mut matters[i], true) {
            continue;
        }
        next.extend(node_of(i).and_then(|node| last_of(node, i)));
        let arrives = |f: &&Flight| {
            f.sent < i && f.arrivals.iter().any(|a| a.0 == i && has_effect(a.1, true))
        };
        next.extend(flights.iter().filter(arrives).map(|f| f.sent));
    }
    matters
}

/// The events that set timers that expire, and for each timer of a root node the last event before `end` that sets or
/// cancels it.
fn timer_events(replay: &ReplayedRun<'_>, end: usize) -> BTreeSet<usize> {
    let machine = replay.words.machine;
    let of = |state: usize, node: NodeId, place: usize| {
        let clock = replay.states.get(state)?.clock.as_ref()?;
        clock.timers.get(node.index())?.get(place)?.clone()
    };
    let changed_before = |event: usize, node: NodeId, place: usize| {
        let changes = |i: &usize| of(*i, node, place) != of(*i + 1, node, place);
        (0..event).rev().find(changes)
    };
    let choices = replay.run.choices.iter().enumerate();
    let expired = choices.filter_map(|(i, choice)| match choice.event {
        Event::Expire(node, place, _) => changed_before(i, node, place as usize),
        _ => None,
    });
    let mut found: BTreeSet<usize> = expired.collect();
    let states = end.min(replay.states.len() - 1);
    for node in roots(replay) {
        let count = machine.timer_places(machine.kind_of(node));
        found.extend((0..count).filter_map(|place| changed_before(states, node, place)));
    }
    found
}

/// Whether a message with this outcome has an effect, given whether the event of its arrival has one.
fn has_effect(outcome: Outcome, of_event: bool) -> bool {
    match outcome {
        Outcome::Drop => false,
        Outcome::Lose(_) => true,
        _ => of_event,
    }
}
