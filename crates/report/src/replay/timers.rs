//! The timers of a run: when each was set, between which times it can expire, and how that ended.

use crate::{Telling, Times, Words};
use machine::{Event, Mode, NodeId, State};
use rational::Rational;

/// A timer from the event that sets it to the event with which that is over.
pub(crate) struct Alarm {
    pub(crate) node: NodeId,
    /// Which of the node's timers.
    pub(crate) place: usize,
    /// The event that set it.
    pub(crate) set: usize,
    /// From when to when it expires.
    pub(crate) window: (Rational, Rational),
    /// The event with which it is over, and how; nothing if it is still set at the end.
    pub(crate) end: Option<(usize, AlarmEnd)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AlarmEnd {
    Expired,
    Cancelled,
    /// It is set again before it could expire.
    SetAnew,
    /// Its node does not run any more.
    Gone,
}

/// All timers of a run with times, in the order in which they were set.
pub(crate) fn alarms(telling: &Telling<'_>) -> Vec<Alarm> {
    let mut found: Vec<Alarm> = Vec::new();
    for (event, choice) in telling.run.choices.iter().enumerate() {
        let Some(after) = telling.states.get(event + 1) else {
            continue;
        };
        let before = &telling.states[event];
        for node in telling.words.machine.nodes() {
            for place in 0..before.nodes[node.index()].timers.len() {
                let (old, new) = (window(before, node, place), window(after, node, place));
                let expired = matches!(&choice.event, Event::Expire(n, p, _)
                    if *n == node && *p as usize == place);
                if old == new && !expired {
                    continue;
                }
                let open = |alarm: &&mut Alarm| {
                    alarm.node == node && alarm.place == place && alarm.end.is_none()
                };
                if let Some(alarm) = found.iter_mut().find(open) {
                    let runs = after.nodes[node.index()].mode == Mode::Running;
                    let how = match (expired, new.is_some(), runs) {
                        (true, ..) => AlarmEnd::Expired,
                        (_, true, _) => AlarmEnd::SetAnew,
                        (_, _, true) => AlarmEnd::Cancelled,
                        (_, _, false) => AlarmEnd::Gone,
                    };
                    alarm.end = Some((event, how));
                }
                if let Some(window) = new {
                    found.push(Alarm {
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

/// From when to when a timer that is set expires.
fn window(state: &State, node: NodeId, place: usize) -> Option<(Rational, Rational)> {
    let timers = state.clock.as_ref()?.timers.get(node.index())?;
    timers.get(place)?.clone()
}

/// What a timer is called: `retry`, `retry for node 2`.
pub(crate) fn timer_name(words: Words<'_>, node: NodeId, place: usize) -> String {
    let (timer, other) = words.machine.timer_of(node, place as u32);
    let name = &words.machine.timers[timer.index()].name;
    match other {
        Some(other) => format!("{name} for {}", words.node(other)),
        None => name.clone(),
    }
}

/// What an event did with the timers of a node that still runs: `sets retry (9 .. 11 ms)`, `cancels retry`.
pub(crate) fn timer_changes(
    words: Words<'_>,
    node: NodeId,
    event: &Event,
    before: &State,
    after: &State,
) -> Vec<String> {
    let (old, new) = (&before.nodes[node.index()], &after.nodes[node.index()]);
    let mut found = Vec::new();
    for place in 0..new.timers.len() {
        let expired = matches!(event, Event::Expire(_, p, _) if *p as usize == place);
        let (was, is) = (window(before, node, place), window(after, node, place));
        let name = || timer_name(words, node, place);
        match (old.timers[place] && !expired, new.timers[place]) {
            (true, false) if new.mode == Mode::Running => {
                found.push(format!("cancels {}", name()));
            }
            (true, true) if was != is => {
                found.push(format!("sets {} anew{}", name(), ahead(words, after, &is)));
            }
            (false, true) => found.push(format!("sets {}{}", name(), ahead(words, after, &is))),
            _ => {}
        }
    }
    found
}

/// How far ahead a window is, in parentheses.
fn ahead(words: Words<'_>, state: &State, window: &Option<(Rational, Rational)>) -> String {
    match (window, &state.clock) {
        (Some((_, to)), Some(clock)) if *to == clock.now => " (at once)".into(),
        (Some((from, to)), Some(clock)) => {
            let times = Times::new(words.labels);
            format!(
                " ({})",
                times.span(&(from - &clock.now), &(to - &clock.now))
            )
        }
        _ => String::new(),
    }
}

/// When a timer will expire, seen from a state: `in 3 .. 5 ms`; nothing if it is not set.
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

/// How long each message of an edge has been on its way: `for 1.5 ms`; empty where nobody knows.
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
