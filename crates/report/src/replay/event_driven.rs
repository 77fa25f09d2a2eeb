//! What decides in a run with times in which messages are handed over to code, or nodes have timers or meet with
//! faults.
//!
//! - Faults decide, and so does the event at which the claim breaks.
//! - Of each node that the claim names, the last event does of which something comes that lasts
//!   ([`Lasting`]); then, going back, the events before it at the same node of which something comes, the
//!   expiries of its timers among them, and the events that sent what was handed over there.
//! - Of an event that sets a timer something comes if the timer then expires; and of the last event that set or
//!   cancelled a timer of a node that the claim names: it may be what is missed.
//! - A message matters if something comes of it, or if it is lost. One that is still on its way, or that came
//!   while its receiver had stopped, may be the one that is missed: unless nothing comes of its type anyway.

use crate::Telling;
use crate::replay::cause::{Crux, claimed};
use crate::replay::messages::Flight;
use crate::replay::slice::roots;
use crate::replay::transient::{Lasting, is_fault};
use machine::{Event, Mode, NodeId, Outcome, RecordId};
use std::collections::BTreeSet;

/// Messages are handed over one by one in the run, timers expire, or faults happen.
pub(crate) fn is_handed(telling: &Telling<'_>) -> bool {
    let handed = |event: &Event| {
        is_fault(event)
            || matches!(
                event,
                Event::Deliver(_, _, Outcome::HandOver(_) | Outcome::Repeat(_, Some(_)))
                    | Event::Expire(..)
                    | Event::Restart(_)
                    | Event::Wait
            )
    };
    telling.is_timed() && telling.run.choices.iter().any(|c| handed(&c.event))
}

impl Crux {
    /// Weighs events and messages by what comes of them.
    pub(crate) fn follow(&mut self, telling: &Telling<'_>) {
        let lasting = Lasting::new(telling, &claimed(telling));
        let count = self.matters.len();
        let end = self.fails.map_or(count, |fails| fails + 1);
        let timers = timers(telling, end);
        let certain = self.stirring(telling, &lasting, &timers, &BTreeSet::new());
        let missed = self.missed(telling, &certain);
        let stirs = self.stirring(telling, &lasting, &timers, &missed);
        self.back_from(telling, &stirs, &missed, end);
        self.weigh_messages(&stirs, &missed);
        self.fleeting = Some(lasting.fleeting(telling));
    }

    /// The events of which something comes, given messages that are missed; from the end, so that answers count for
    /// questions.
    fn stirring(
        &self,
        telling: &Telling<'_>,
        lasting: &Lasting,
        timers: &BTreeSet<usize>,
        missed: &BTreeSet<usize>,
    ) -> Vec<bool> {
        let mut stirs = vec![false; self.matters.len()];
        for event in (0..stirs.len()).rev() {
            let answers = self.flights.iter().enumerate().any(|(f, flight)| {
                let comes =
                    |(i, outcome): &(usize, Outcome)| *i > event && comes(*outcome, stirs[*i]);
                let counts = missed.contains(&f) || flight.arrivals.iter().any(comes);
                flight.sent == event && counts
            });
            stirs[event] = answers
                || self.fails == Some(event)
                || timers.contains(&event)
                || lasting.stirs(telling, event);
        }
        stirs
    }

    /// Messages that may be missed: on the way at the end, or dropped because the receiver has stopped for a while;
    /// but for those of types of which nothing comes when they arrive.
    fn missed(&self, telling: &Telling<'_>, stirs: &[bool]) -> BTreeSet<usize> {
        let machine = telling.words.machine;
        let mut idle: BTreeSet<RecordId> = BTreeSet::new();
        let mut known: BTreeSet<RecordId> = BTreeSet::new();
        for flight in &self.flights {
            for (i, outcome) in flight.arrivals.iter().filter(|a| a.1 != Outcome::Drop) {
                match comes(*outcome, stirs[*i]) {
                    true => known.insert(flight.message.record()),
                    false => idle.insert(flight.message.record()),
                };
            }
        }
        let stopped = |flight: &Flight| {
            let to = machine.edges[flight.edge.index()].1.index();
            let mut arrivals = flight.arrivals.iter();
            arrivals.any(|(i, outcome)| {
                let mode = telling.states[*i].nodes[to].mode;
                *outcome == Outcome::Drop && mode == Mode::Stopped
            })
        };
        // Who ends with what is wrong would have taken it.
        let end = match self.fails {
            Some(fails) => telling.states.get(fails),
            None => telling.states.last(),
        };
        let awaited = |flight: &Flight| {
            let to = machine.edges[flight.edge.index()].1.index();
            let last = end.map(|s| s.nodes[to].mode);
            flight.open && !matches!(last, Some(Mode::Crashed | Mode::Off | Mode::Halted))
        };
        let flights = self.flights.iter().enumerate();
        let missed = flights.filter(|(_, flight)| {
            let record = flight.message.record();
            (awaited(flight) || stopped(flight))
                && (known.contains(&record) || !idle.contains(&record))
        });
        missed.map(|(f, _)| f).collect()
    }

    /// The events that matter: back from faults and from the last ones at nodes that the claim names.
    fn back_from(
        &mut self,
        telling: &Telling<'_>,
        stirs: &[bool],
        missed: &BTreeSet<usize>,
        end: usize,
    ) {
        let machine = telling.words.machine;
        let node = |i: usize| machine.node_of(&telling.run.choices[i].event);
        let last_of = |who: NodeId, before: usize| {
            (0..before)
                .rev()
                .find(|i| stirs[*i] && node(*i) == Some(who))
        };
        let faults = (0..end).filter(|i| is_fault(&telling.run.choices[*i].event));
        let roots = roots(telling);
        let missed = missed.iter().map(|f| &self.flights[*f]);
        let missed = missed.filter(|f| roots.contains(&machine.edges[f.edge.index()].1));
        let missed = missed.map(|f| f.sent).filter(|sent| *sent < end);
        let mut next: Vec<usize> = faults
            .chain(roots.iter().filter_map(|who| last_of(*who, end)))
            .chain(missed)
            .chain(self.fails)
            .collect();
        while let Some(i) = next.pop() {
            if std::mem::replace(&mut self.matters[i], true) {
                continue;
            }
            next.extend(node(i).and_then(|who| last_of(who, i)));
            let arrives =
                |f: &&Flight| f.sent < i && f.arrivals.iter().any(|a| a.0 == i && comes(a.1, true));
            next.extend(self.flights.iter().filter(arrives).map(|f| f.sent));
        }
    }

    /// The messages that matter, given which events do.
    fn weigh_messages(&mut self, stirs: &[bool], missed: &BTreeSet<usize>) {
        let flights = self.flights.iter().enumerate();
        self.heavy = flights
            .map(|(f, flight)| {
                let comes = |(i, outcome): &(usize, Outcome)| {
                    self.matters[*i] && comes(*outcome, stirs[*i])
                };
                flight.arrivals.iter().any(comes)
                    || missed.contains(&f) && self.matters[flight.sent]
            })
            .collect();
        // That somebody who has stopped does not take it matters, too.
        for f in missed.iter().filter(|f| self.heavy[**f]) {
            let arrivals = self.flights[*f].arrivals.iter();
            arrivals.for_each(|(i, _)| self.matters[*i] = true);
        }
    }
}

/// The events that set timers which expire, and those that set or cancelled a timer of a node that the claim names
/// last.
fn timers(telling: &Telling<'_>, end: usize) -> BTreeSet<usize> {
    let machine = telling.words.machine;
    let of = |state: usize, node: NodeId, place: usize| {
        let clock = telling.states.get(state)?.clock.as_ref()?;
        clock.timers.get(node.index())?.get(place)?.clone()
    };
    let changed_before = |event: usize, node: NodeId, place: usize| {
        let changes = |i: &usize| of(*i, node, place) != of(*i + 1, node, place);
        (0..event).rev().find(changes)
    };
    let choices = telling.run.choices.iter().enumerate();
    let expired = choices.filter_map(|(i, choice)| match choice.event {
        Event::Expire(node, place, _) => changed_before(i, node, place as usize),
        _ => None,
    });
    let mut found: BTreeSet<usize> = expired.collect();
    let states = end.min(telling.states.len() - 1);
    for node in roots(telling) {
        let count = machine.timer_places(machine.kind_of(node));
        found.extend((0..count).filter_map(|place| changed_before(states, node, place)));
    }
    found
}

/// Something comes of a message that arrives in an event, given whether something comes of the event. Of one that
/// nobody takes nothing does.
fn comes(outcome: Outcome, of_event: bool) -> bool {
    match outcome {
        Outcome::Drop => false,
        Outcome::Lose(_) => true,
        _ => of_event,
    }
}
