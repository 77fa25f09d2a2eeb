//! The armed timers of a run: when each is set, in which window it can expire, and how it ends.

use crate::replay::run::ReplayedRun;
use crate::words::timers::window;
use machine::{Event, Mode, NodeId};
use rational::Rational;

/// A timer from the event that sets it to the event that ends it.
pub(crate) struct ArmedTimer {
    pub(crate) node: NodeId,
    /// The index of the timer among the timers of the node.
    pub(crate) place: usize,
    /// The event that sets it.
    pub(crate) set: usize,
    /// The earliest and the latest time at which it can expire.
    pub(crate) window: (Rational, Rational),
    /// The event that ends it, and how; `None` if it is still set at the end of the run.
    pub(crate) end: Option<(usize, TimerEnd)>,
}

/// How an armed timer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimerEnd {
    Expired,
    Cancelled,
    /// It is set again before it expires.
    SetAnew,
    /// Its node crashed, stopped or halted.
    NodeGone,
}

/// All armed timers of a run with times, in the order in which they are set.
pub(crate) fn armed_timers(replay: &ReplayedRun<'_>) -> Vec<ArmedTimer> {
    let mut found: Vec<ArmedTimer> = Vec::new();
    for (event, choice) in replay.run.choices.iter().enumerate() {
        let Some(after) = replay.states.get(event + 1) else {
            continue;
        };
        let before = &replay.states[event];
        for node in replay.words.machine.nodes() {
            for place in 0..before.nodes[node.index()].timers.len() {
                let (old, new) = (window(before, node, place), window(after, node, place));
                let expired = matches!(&choice.event, Event::Expire(n, p, _)
                    if *n == node && *p as usize == place);
                if old == new && !expired {
                    continue;
                }
                let open = |timer: &&mut ArmedTimer| {
                    timer.node == node && timer.place == place && timer.end.is_none()
                };
                if let Some(timer) = found.iter_mut().find(open) {
                    let runs = after.nodes[node.index()].mode == Mode::Running;
                    let how = match (expired, new.is_some(), runs) {
                        (true, ..) => TimerEnd::Expired,
                        (_, true, _) => TimerEnd::SetAnew,
                        (_, _, true) => TimerEnd::Cancelled,
                        (_, _, false) => TimerEnd::NodeGone,
                    };
                    timer.end = Some((event, how));
                }
                if let Some(window) = new {
                    found.push(ArmedTimer {
                        node,
                        place,
                        set: event,
                        window,
                        end: None,
                    });
                }
            }
        }
    }
    found
}
