//! Changes of timers as data, with their texts.

use crate::words::names::Words;
use crate::words::timers::{timer_name, window};
use crate::words::times::Times;
use machine::{Event, Mode, NodeId, State};
use rational::Rational;

/// A timer that an event sets or cancels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimerChange {
    node: NodeId,
    /// The index of the timer among the timers of the node.
    place: usize,
    kind: TimerChangeKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TimerChangeKind {
    Cancels,
    Sets {
        /// Whether the timer was already set before the event.
        anew: bool,
        /// The shortest and the longest time until it expires, if the state has a clock.
        within: Option<(Rational, Rational)>,
    },
}

impl TimerChange {
    /// A short text, such as `sets retry (9 .. 11 ms)` or `cancels retry`.
    pub(crate) fn text(&self, words: Words<'_>) -> String {
        let name = timer_name(words, self.node, self.place);
        match &self.kind {
            TimerChangeKind::Cancels => format!("cancels {name}"),
            TimerChangeKind::Sets { anew, within } => {
                let anew = if *anew { " anew" } else { "" };
                let within = match within {
                    Some((_, most)) if most.is_zero() => " (at once)".into(),
                    Some((least, most)) => {
                        format!(" ({})", Times::new(words.labels).span(least, most))
                    }
                    None => String::new(),
                };
                format!("sets {name}{anew}{within}")
            }
        }
    }
}

/// The timers of a node that an event sets or cancels. Expiry, and cancelling because the node no longer runs, are not
/// listed.
pub(crate) fn timer_changes(
    node: NodeId,
    event: &Event,
    before: &State,
    after: &State,
) -> Vec<TimerChange> {
    let (old, new) = (&before.nodes[node.index()], &after.nodes[node.index()]);
    let mut found = Vec::new();
    for place in 0..new.timers.len() {
        // With instant delivery, an event also changes timers of the nodes that receive its messages.
        let expired = matches!(event, Event::Expire(n, p, _) if *n == node && *p as usize == place);
        let (was, is) = (window(before, node, place), window(after, node, place));
        let within = || {
            let ((from, to), clock) = (is.as_ref()?, after.clock.as_ref()?);
            Some((from - &clock.now, to - &clock.now))
        };
        let kind = match (old.timers[place] && !expired, new.timers[place]) {
            (true, false) if new.mode == Mode::Running => TimerChangeKind::Cancels,
            (true, true) if was != is => TimerChangeKind::Sets {
                anew: true,
                within: within(),
            },
            (false, true) => TimerChangeKind::Sets {
                anew: false,
                within: within(),
            },
            _ => continue,
        };
        found.push(TimerChange { node, place, kind });
    }
    found
}
