//! The headline of a run with times: one sentence about the failure.

use crate::replay::run::ReplayedRun;
use crate::story::loop_summary::unchanging;
use crate::words::state::state_word;
use crate::words::timers::timer_name;
use machine::{Event, Mode, NodeId, Value};

/// The failure in one sentence, such as `node 1 becomes Candidate: for 72 ms it hears nothing from node 2`. `None` for
/// runs without times or with an error, and if there is no short description of the failing event.
pub fn headline(replay: &ReplayedRun<'_>) -> Option<String> {
    if !replay.is_timed() {
        return None;
    }
    failure_sentence(replay)
}

/// The headline, without the check that the run has times.
pub(crate) fn failure_sentence(replay: &ReplayedRun<'_>) -> Option<String> {
    let words = replay.words;
    let cause = replay.cause();
    if replay.is_false_throughout() {
        return unchanging(replay);
    }
    let fails = cause.failing_event.filter(|_| replay.error.is_none())?;
    let changed = cause.changed(replay, fails);
    let first = words.machine.node_of(&replay.run.choices[fails].event);
    if replay.run.choices[fails].event == Event::Wait {
        let time = replay.times().text(&replay.time(fails));
        return Some(format!("it breaks at {time}, while nothing happens"));
    }
    let first = first?;
    if changed.is_empty() {
        return halts(replay, fails);
    }
    let node = match changed.contains(&first) {
        true => first,
        false => *changed.first()?,
    };
    let becomes = becomes(replay, node, fails)?;
    let silence = cause
        .silences
        .iter()
        .find(|s| s.to == fails && s.reader == node);
    let heard = silence.map(|silence| {
        let span = replay.time(silence.to) - replay.time(silence.from);
        let silent: Vec<NodeId> = silence.silent.iter().map(|s| s.node).collect();
        let from = match silent.len() {
            1..=3 => words.nodes(&silent),
            many => format!("{many} nodes"),
        };
        format!(
            ": for {} it hears nothing from {from}",
            replay.times().text(&span)
        )
    });
    let again = match replay.is_false_again() {
        true => "; again in every round, for ever",
        false => "",
    };
    Some(format!(
        "{} {becomes}{}{again}",
        words.node(node),
        heard.unwrap_or_default()
    ))
}

/// The sentence that the node of an event halts: `Watch halts, as its timer patience expires`. `None` if the event does
/// not halt the node.
fn halts(replay: &ReplayedRun<'_>, event: usize) -> Option<String> {
    let words = replay.words;
    let choice = &replay.run.choices[event].event;
    let node = words.machine.node_of(choice)?;
    let after = replay.states.get(event + 1)?.nodes[node.index()].mode;
    let halts = after == Mode::Halted && replay.states[event].nodes[node.index()].mode != after;
    let name = words.node(node);
    match choice {
        Event::Expire(_, place, _) if halts => {
            let timer = timer_name(words, node, *place as usize);
            Some(format!("{name} halts, as its timer {timer} expires"))
        }
        _ => halts.then(|| format!("{name} halts")),
    }
}

/// The value of a node's display variable after an event: `becomes Leader`, `now has serves = true`. `None` if the node
/// has no such variable or the event is an error.
fn becomes(replay: &ReplayedRun<'_>, node: NodeId, event: usize) -> Option<String> {
    let kind = replay.words.machine.kind_of(node);
    let place = replay.cause().display_var[kind.index()]?;
    let value = &replay.states.get(event + 1)?.nodes[node.index()].vars[place];
    let word = state_word(replay.words, node, place, value);
    let mut vars = replay.words.machine.vars_of(kind);
    let name = vars.nth(place).map_or("", |var| &var.name);
    Some(match value {
        // The name of the variable may be a verb, an adjective or a noun, so the text quotes it unchanged.
        Value::Bool(truth) => format!("now has {name} = {truth}"),
        Value::None | Value::Some(_) => format!("has {word}"),
        _ => format!("becomes {word}"),
    })
}
