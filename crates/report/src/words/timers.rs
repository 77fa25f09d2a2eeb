//! Timers and messages in flight in words: when a timer expires, and how long a message has been in flight.

use crate::words::names::Words;
use crate::words::times::Times;
use machine::{NodeId, State};
use rational::Rational;

/// The earliest and the latest time at which a timer can expire; `None` if it is not set or the state has no clock.
pub(crate) fn window(state: &State, node: NodeId, place: usize) -> Option<(Rational, Rational)> {
    let timers = state.clock.as_ref()?.timers.get(node.index())?;
    timers.get(place)?.clone()
}

/// The name of a timer, such as `retry`, or `retry for node 2` if the node has one such timer for each node.
pub(crate) fn timer_name(words: Words<'_>, node: NodeId, place: usize) -> String {
    let (timer, other) = words.machine.timer_of(node, place as u32);
    let name = &words.machine.timers[timer.index()].name;
    match other {
        Some(other) => format!("{name} for {}", words.node(other)),
        None => name.clone(),
    }
}

/// When a timer expires, relative to the time of a state, such as `in 3 .. 5 ms`; `None` if the timer is not set.
pub(crate) fn expires(
    words: Words<'_>,
    state: &State,
    node: NodeId,
    place: usize,
) -> Option<String> {
    if !state.nodes[node.index()].timers[place] {
        return None;
    }
    let times = Times::new(words.labels);
    Some(match (window(state, node, place), &state.clock) {
        (Some((_, to)), Some(clock)) if to <= clock.now => "now".into(),
        (Some((from, to)), Some(clock)) if from <= clock.now => {
            format!("now or in up to {}", times.text(&(&to - &clock.now)))
        }
        (Some((from, to)), Some(clock)) => {
            format!(
                "in {}",
                times.span(&(&from - &clock.now), &(&to - &clock.now))
            )
        }
        _ => "some day".into(),
    })
}

/// By message on an edge: how long it has been in flight, such as `for 1.5 ms`. Empty in a state without a clock.
pub(crate) fn under_way(words: Words<'_>, state: &State, edge: usize) -> Vec<String> {
    let Some(clock) = &state.clock else {
        return Vec::new();
    };
    let times = Times::new(words.labels);
    let sent = clock.sent.get(edge).into_iter().flatten();
    sent.map(|sent| match &clock.now - sent {
        since if since.is_zero() => "just sent".into(),
        since => format!("for {}", times.text(&since)),
    })
    .collect()
}
