//! What decides in a run with times in which messages are handed over to code, or nodes have timers or meet with
//! faults.
//!
//! - Faults decide, and so does the event at which the claim breaks.
//! - Of each node that the claim names, the last event does of which something comes that lasts
//!   ([`Lasting`]); then, going back, the events before it at the same node of which something comes, the
//!   expiries of its timers among them, and the events that sent what was handed over there.
//! - A message matters if something comes of it, if it is lost, or if what sent it matters and others of its
//!   type do: one that is still on its way may be the one that is missed.

use crate::Telling;
use crate::crux::{Crux, mentioned};
use crate::flights::node_of;
use crate::lasting::{Lasting, is_fault};
use crate::slice::roots;
use machine::{Event, NodeId, Outcome, RecordId};
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
        let why = telling.explanation.map(|e| &e.why);
        let part = why.and_then(|why| why.part);
        let facts = why.iter().flat_map(|why| &why.facts).map(|f| f.origin);
        let claimed: Vec<_> = part.into_iter().chain(facts).collect();
        let claimed = mentioned(telling.words.machine, &claimed);
        let lasting = Lasting::new(telling, &claimed);
        let count = self.matters.len();
        let end = self.fails.map_or(count, |fails| fails + 1);
        // Who does something of which something comes; from the end, so that answers count for questions.
        let mut stirs = vec![false; count];
        for event in (0..count).rev() {
            let answers = self.flights.iter().any(|flight| {
                let comes =
                    |(i, outcome): &(usize, Outcome)| *i > event && comes(*outcome, stirs[*i]);
                flight.sent == event && flight.arrivals.iter().any(comes)
            });
            stirs[event] = answers || self.fails == Some(event) || lasting.stirs(telling, event);
        }
        self.back_from(telling, &stirs, end);
        self.weigh_messages(&stirs);
        self.fleeting = Some(lasting.fleeting(telling));
    }

    /// The events that matter: back from faults and from the last ones at nodes that the claim names.
    fn back_from(&mut self, telling: &Telling<'_>, stirs: &[bool], end: usize) {
        let machine = telling.words.machine;
        let node = |i: usize| node_of(machine, &telling.run.choices[i].event);
        let last_of = |who: NodeId, before: usize| {
            (0..before)
                .rev()
                .find(|i| stirs[*i] && node(*i) == Some(who))
        };
        let faults = (0..end).filter(|i| is_fault(&telling.run.choices[*i].event));
        let roots = roots(telling).into_iter();
        let mut next: Vec<usize> = faults
            .chain(roots.filter_map(|who| last_of(who, end)))
            .chain(self.fails)
            .collect();
        while let Some(i) = next.pop() {
            if std::mem::replace(&mut self.matters[i], true) {
                continue;
            }
            next.extend(node(i).and_then(|who| last_of(who, i)));
            let arrives = |f: &&crate::flights::Flight| {
                f.sent < i && f.arrivals.iter().any(|a| a.0 == i && comes(a.1, true))
            };
            next.extend(self.flights.iter().filter(arrives).map(|f| f.sent));
        }
    }

    /// The messages that matter, given which events do.
    fn weigh_messages(&mut self, stirs: &[bool]) {
        let flights = self.flights.iter();
        self.heavy = flights
            .map(|flight| {
                let comes = |(i, outcome): &(usize, Outcome)| {
                    self.matters[*i] && comes(*outcome, stirs[*i])
                };
                flight.arrivals.iter().any(comes)
            })
            .collect();
        let known = self.flights.iter().zip(&self.heavy);
        let known = known.filter(|(_, heavy)| **heavy);
        let records: BTreeSet<RecordId> = known.map(|(f, _)| f.message.record()).collect();
        for (flight, heavy) in self.flights.iter().zip(&mut self.heavy) {
            *heavy |= flight.open
                && self.matters[flight.sent]
                && (records.is_empty() || records.contains(&flight.message.record()));
        }
    }
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
