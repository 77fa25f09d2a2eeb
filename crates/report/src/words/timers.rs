//! Timers and messages in flight in words: when a timer expires, how long a message has been under way.

use crate::words::names::Words;
use crate::words::times::Times;
use machine::{NodeId, State};
use rational::Rational;

/// The earliest and the latest time at which a set timer expires.
pub(crate) fn window(state: &State, node: NodeId, place: usize) -> Option<(Rational, Rational)> {
    let timers = state.clock.as_ref()?.timers.get(node.index())?;
    timers.get(place)?.clone()
}

/// The name of a timer: `retry`, `retry for node 2`.
pub(crate) fn timer_name(words: Words<'_>, node: NodeId, place: usize) -> String {
    let (timer, other) = words.machine.timer_of(node, place as u32);
    let name = &words.machine.timers[timer.index()].name;
    match other {
        Some(other) => format!("{name} for {}", words.node(other)),
        None => name.clone(),
    }
}

/// The time until a timer expires, from a state: `in 3 .. 5 ms`; none if it is not set.
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

/// How long each message of an edge has been in flight: `for 1.5 ms`; empty in a state without a clock.
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
