//! The story of a run as lines of text, complete or in part, and its events in words as data.

use crate::events::line::PARTS;
use crate::replay::run::ReplayedRun;
use crate::story::ending::ending;
use crate::story::timed::timed_events;
use crate::story::untimed::{columns, initial_choices, untimed_events};

/// The lines of the story, without indentation. In a run with times or activations, events that do not matter are left
/// out or folded.
pub fn story(replay: &ReplayedRun<'_>) -> Vec<String> {
    story_of(replay, false)
}

/// The lines of the story with every event.
pub fn whole_story(replay: &ReplayedRun<'_>) -> Vec<String> {
    story_of(replay, true)
}

fn story_of(replay: &ReplayedRun<'_>, all: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if replay.has_activations() {
        lines.extend(timed_events(replay, all));
    } else {
        lines.extend(initial_choices(replay));
        lines.extend(untimed_events(replay));
    }
    lines.extend(ending(replay));
    lines
}

/// One line for each event from index `event` on, and the end of the story.
pub fn story_since(replay: &ReplayedRun<'_>, event: usize) -> Vec<String> {
    let rows: Vec<_> = replay.lines()[event..]
        .iter()
        .enumerate()
        .map(|(i, line)| {
            let number = (event + i + 1).to_string();
            let name = line.name(replay.words);
            let what = line.action.text(replay.words);
            (number, name, what, line.effects_text(replay.words, PARTS))
        })
        .collect();
    let mut text = columns(&rows);
    text.extend(ending(replay));
    text
}

/// The end of the story: the error, or how the run ends, the false part of the claim and the values that make it false.
pub fn digest(replay: &ReplayedRun<'_>) -> Vec<String> {
    ending(replay)
}

/// An event of a run in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventText {
    /// The node at which the event happens; empty if only time passes.
    pub node: String,
    /// What happens to the node.
    pub what: String,
    /// What the node reads, changes and sends, one text each.
    pub effects: Vec<String>,
}

/// The events of a run in words, in order.
pub fn event_texts(replay: &ReplayedRun<'_>) -> Vec<EventText> {
    let words = replay.words;
    let lines = replay.lines().iter();
    lines
        .map(|line| EventText {
            node: line.name(words),
            what: line.action.text(words),
            effects: {
                let reads = line.reads.iter().map(|reads| reads.text(words));
                let effects = line.effects.iter().map(|effect| effect.text(words));
                reads.chain(effects).collect()
            },
        })
        .collect()
}
