//! What a run with times shows, in one sentence.

use crate::Telling;
use crate::replay::cause::{Crux, state_word};
use crate::replay::timers::timer_name;
use crate::story::loop_summary::remains;
use machine::{Event, Mode, NodeId, Value};

/// What happens where the claim breaks: `node 1 becomes Candidate: for 72 ms it hears nothing from node 2`.
/// Nothing for runs without times, and if nothing that the claim says of a node changes there.
pub fn headline(telling: &Telling<'_>) -> Option<String> {
    if !telling.is_timed() {
        return None;
    }
    sentence(telling, &Crux::new(telling))
}

pub(crate) fn sentence(telling: &Telling<'_>, crux: &Crux) -> Option<String> {
    let words = telling.words;
    if telling.is_false_throughout() {
        return remains(telling);
    }
    let fails = crux.fails.filter(|_| telling.error.is_none())?;
    let changed = crux.changed(telling, fails);
    let first = words.machine.node_of(&telling.run.choices[fails].event);
    if telling.run.choices[fails].event == Event::Wait {
        let time = telling.times().text(&telling.time(fails));
        return Some(format!("it breaks at {time}, while nothing happens"));
    }
    let first = first?;
    if changed.is_empty() {
        return halts(telling, fails);
    }
    let node = match changed.contains(&first) {
        true => first,
        false => *changed.first()?,
    };
    let becomes = becomes(telling, crux, node, fails)?;
    let silence = crux
        .silences
        .iter()
        .find(|s| s.to == fails && s.reader == node);
    let heard = silence.map(|silence| {
        let span = telling.time(silence.to) - telling.time(silence.from);
        let quiet: Vec<NodeId> = silence.quiet.iter().map(|q| q.node).collect();
        let from = match quiet.len() {
            1..=3 => words.nodes(&quiet),
            many => format!("{many} nodes"),
        };
        format!(
            ": for {} it hears nothing from {from}",
            telling.times().text(&span)
        )
    });
    let again = match telling.is_false_again() {
        true => "; again in every round, for ever",
        false => "",
    };
    Some(format!(
        "{} {becomes}{}{again}",
        words.node(node),
        heard.unwrap_or_default()
    ))
}

/// Who ends in an event: `Watch halts, as its timer patience expires`.
fn halts(telling: &Telling<'_>, event: usize) -> Option<String> {
    let words = telling.words;
    let choice = &telling.run.choices[event].event;
    let node = words.machine.node_of(choice)?;
    let after = telling.states.get(event + 1)?.nodes[node.index()].mode;
    let halts = after == Mode::Halted && telling.states[event].nodes[node.index()].mode != after;
    let name = words.node(node);
    match choice {
        Event::Expire(_, place, _) if halts => {
            let timer = timer_name(words, node, *place as usize);
            Some(format!("{name} halts, as its timer {timer} expires"))
        }
        _ => halts.then(|| format!("{name} halts")),
    }
}

/// `becomes Leader`, `is voted now`.
fn becomes(telling: &Telling<'_>, crux: &Crux, node: NodeId, event: usize) -> Option<String> {
    let place = crux.shown[telling.words.machine.kind_of(node).index()]?;
    let value = &telling.states.get(event + 1)?.nodes[node.index()].vars[place];
    let word = state_word(telling, node, place, value);
    Some(match value {
        Value::Bool(_) => format!("is now {word}"),
        Value::None | Value::Some(_) => format!("has {word}"),
        _ => format!("becomes {word}"),
    })
}
