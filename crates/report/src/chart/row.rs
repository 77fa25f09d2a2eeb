//! The content of one row: the label of the arriving message, and the box with the actions and changes of the node.

use super::arrows::{BOTH_WAYS, both_ways, reach};
use super::layout::{Layout, Side, side_of};
use super::view::{Entry, EntryKind, View};
use crate::draw::measure::{shortened, width, wrapped};
use crate::draw::shapes::{LABEL, SMALL};
use crate::events::effect::{Effect, kept_text};
use machine::{Event, Outcome, Value};

/// The distance from the lane to the box beside it, in pixels.
const BESIDE: f64 = 11.0;
/// The distance from the left or right edge of a box to its text, in pixels.
const INSIDE: f64 = 6.0;
/// The distance between the lines of a box, in pixels.
const LINE: f64 = 16.0;

/// A text beside a lane.
pub(crate) struct Beside {
    /// Its left edge.
    pub(crate) x: f64,
    pub(crate) text: String,
    pub(crate) full: Option<String>,
}

/// A box with its lines.
pub(crate) struct Note {
    pub(crate) x: f64,
    pub(crate) width: f64,
    pub(crate) lines: Vec<String>,
    pub(crate) full: Option<String>,
    /// Whether the box is below the arrow instead of beside the lane.
    pub(crate) below: bool,
}

/// The content of a row.
#[derive(Default)]
pub(crate) struct Content {
    /// The label of the arriving message.
    pub(crate) label: Option<Beside>,
    /// The box with the actions and changes of the node.
    pub(crate) note: Option<Note>,
    /// Texts at several lanes, or one text across the row.
    pub(crate) words: Vec<Beside>,
}

impl Note {
    pub(crate) fn height(&self) -> f64 {
        18.0 + LINE * (self.lines.len() as f64 - 1.0)
    }

    /// The y coordinate of its upper edge, relative to the level of the row.
    pub(crate) fn top(&self) -> f64 {
        if self.below { 7.0 } else { -9.0 }
    }

    /// The lines, each with the x coordinate of its left edge and the y coordinate of its base line relative to the
    /// level of the row.
    pub(crate) fn places(&self) -> impl Iterator<Item = (f64, f64, &str)> {
        let lines = self.lines.iter().enumerate();
        lines.map(|(i, line)| {
            let y = self.top() + 13.0 + LINE * i as f64;
            (self.x + INSIDE, y, &line[..])
        })
    }
}

impl Content {
    /// The height of the row below its level.
    pub(crate) fn depth(&self) -> f64 {
        let note = self.note.as_ref().map(|n| n.top() + n.height() + 3.0);
        note.unwrap_or(0.0).max(12.0)
    }
}

/// The content of the row of an entry.
pub(crate) fn content(layout: &Layout<'_>, entry: &Entry) -> Content {
    match entry.kind {
        EntryKind::Gap => gap(layout, entry),
        EntryKind::Starts => {
            let nodes = (entry.first..=entry.last).filter_map(|i| layout.view.lines[i].node);
            let words = nodes.filter_map(|node| {
                let lane = layout.view.lane(node)?;
                let room = layout.spacing - BESIDE - 4.0;
                Some(Beside {
                    x: layout.x[lane] + BESIDE,
                    text: shortened("starts", SMALL, false, room),
                    full: None,
                })
            });
            Content {
                words: words.collect(),
                ..Content::default()
            }
        }
        EntryKind::Event => event(layout, entry.first),
    }
}

fn gap(layout: &Layout<'_>, entry: &Entry) -> Content {
    let count = entry.last - entry.first + 1;
    let events = if count == 1 { "event" } else { "events" };
    let text = format!("⋯ {count} {events} not shown");
    Content {
        words: vec![Beside {
            x: layout.left,
            text: shortened(&text, SMALL, false, layout.right - layout.left),
            full: None,
        }],
        ..Content::default()
    }
}

fn event(layout: &Layout<'_>, i: usize) -> Content {
    let view = layout.view;
    let Some(lane) = view.lane_of(i) else {
        return time_passes(layout, i);
    };
    let x = layout.x[lane];
    let crossing = crossing(layout, i);
    let mut label = label(view, i).or_else(|| crossing.clone());
    if let Some((text, side @ Side::Left)) = &mut label
        && width(text, LABEL, false) > x - BESIDE - layout.left
    {
        *side = Side::Right; // there is not enough space between the lane and the left edge
    }
    let side = label.as_ref().map(|(_, side)| *side);
    let label = label.map(|(text, side)| {
        // The label is beyond the lines of messages that leave on the same side, if there is enough space.
        let wide = width(&text, LABEL, false);
        let clear = (layout.spacing - wide) / 2.0;
        let far = match both_ways(layout, lane, side) {
            true => (BESIDE + BOTH_WAYS).max(reach(layout, lane, side).min(clear)),
            false => BESIDE,
        };
        let room = match side {
            Side::Left => x - far - layout.left,
            Side::Right => layout.right - x - far,
        };
        let most = room.min((layout.spacing - 2.0 * BESIDE).max(190.0));
        let short = shortened(&text, LABEL, false, most);
        Beside {
            x: match side {
                Side::Left => x - far - width(&short, LABEL, false),
                Side::Right => x + far,
            },
            full: (short != text).then_some(text),
            text: short,
        }
    });
    let items = items(view, i);
    let note = (!items.is_empty()).then(|| note(layout, &items, x, side, crossing.is_some()));
    Content {
        label,
        note,
        words: Vec::new(),
    }
}

/// The text across the row of an event in which only time passes.
fn time_passes(layout: &Layout<'_>, i: usize) -> Content {
    let text = layout.view.lines[i].action.text(layout.view.replay.words);
    let short = shortened(&text, LABEL, false, layout.right - layout.left);
    Content {
        words: vec![Beside {
            x: layout.left,
            full: (short != text).then_some(text),
            text: short,
        }],
        ..Content::default()
    }
}

/// The label of the messages that the event sends on an instant channel, whose arrows cross the row, and the side on
/// which they leave. `None` if there are no such messages between lanes.
fn crossing(layout: &Layout<'_>, i: usize) -> Option<(String, Side)> {
    let view = layout.view;
    let words = view.replay.words;
    let own = view.flights.iter().filter(|f| f.sent == i && f.at_once());
    let mut messages: Vec<&Value> = Vec::new();
    let mut side = None;
    for flight in own {
        let (from, to) = words.machine.edges[flight.edge.index()];
        let (Some(from), Some(to)) = (view.lane(from), view.lane(to)) else {
            continue;
        };
        if from == to {
            continue;
        }
        if !messages.contains(&&flight.message) {
            messages.push(&flight.message);
        }
        if side != Some(Side::Right) {
            side = Some(side_of(from, to));
        }
    }
    let texts: Vec<String> = messages.iter().map(|m| words.value(m)).collect();
    side.map(|side| (texts.join(", "), side))
}

/// The box: beside the lane, on the side opposite to the label, if it fits there. Otherwise, or if messages cross the
/// row, below the arrow.
fn note(layout: &Layout<'_>, items: &[String], x: f64, label: Option<Side>, crossed: bool) -> Note {
    let wanted = match label {
        Some(Side::Right) => Side::Left,
        _ => Side::Right,
    };
    let room = |side| match side {
        Side::Left => x - BESIDE - layout.left,
        Side::Right => layout.right - x - BESIDE,
    };
    let widest = items.iter().map(|t| width(t, LABEL, false));
    let widest = widest.fold(0.0, f64::max) + 2.0 * INSIDE;
    let other = match wanted {
        Side::Left => Side::Right,
        Side::Right => Side::Left,
    };
    // If lanes are far apart, a box stays between two lanes.
    let between = layout.spacing - 2.0 * BESIDE;
    let most_beside = if between >= 200.0 {
        between
    } else {
        (layout.spacing * 1.5).max(150.0)
    };
    let side = if crossed {
        None
    } else if widest.min(most_beside) <= room(wanted) {
        Some(wanted)
    } else if label.is_none() && widest.min(most_beside) <= room(other) {
        Some(other)
    } else {
        None
    };
    let most = match side {
        Some(side) => room(side).min(most_beside).min(300.0),
        None => (layout.right - layout.left).min(widest.max(most_beside)),
    };
    let lines = lines_of(items, most - 2.0 * INSIDE);
    let wide = lines.iter().map(|t| width(t, LABEL, false));
    let wide = wide.fold(0.0, f64::max) + 2.0 * INSIDE;
    let left = match side {
        Some(Side::Right) => x + BESIDE,
        Some(Side::Left) => x - BESIDE - wide,
        None => (x - wide / 2.0).clamp(layout.left, (layout.right - wide).max(layout.left)),
    };
    let whole = items.join(", ");
    Note {
        x: left,
        width: wide,
        full: (lines.join(", ") != whole).then_some(whole),
        lines,
        below: side.is_none(),
    }
}

/// The items in at most four lines of width at most `most`; further lines are replaced by `…`.
fn lines_of(items: &[String], most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        if let Some(last) = lines.last_mut() {
            let longer = format!("{last}, {item}");
            if width(&longer, LABEL, false) <= most {
                *last = longer;
                continue;
            }
        }
        let mut broken = wrapped(item, LABEL, false, most);
        if broken.len() > 2 {
            broken = vec![shortened(item, LABEL, false, most)];
        }
        lines.extend(broken);
    }
    if lines.len() > 4 {
        lines.truncate(3);
        lines.push("…".into());
    }
    lines
}

/// The label of the message that is delivered in an event, and the side of the receiver on which it arrives. `None` for
/// other events.
fn label(view: &View<'_>, i: usize) -> Option<(String, Side)> {
    let words = view.replay.words;
    let Event::Deliver(edge, message, outcome) = &view.replay.run.choices[i].event else {
        return None;
    };
    let (from, to) = words.machine.edges[edge.index()];
    let before = &view.replay.states[i].nodes[to.index()];
    let mut text = words.value(message);
    if view.lane(from).is_none() {
        text += &format!(" from {}", words.node(from));
    }
    text += match outcome {
        Outcome::HandOver(_) | Outcome::Store | Outcome::Unhandled => "",
        Outcome::Repeat(..) => " (comes again)",
        Outcome::Lose(_) => " lost",
        Outcome::Drop if !before.mode.runs() => " dropped",
        Outcome::Drop => " ignored",
    };
    let side = match (view.lane(from), view.lane(to)) {
        (Some(from), Some(to)) if from >= to => Side::Right,
        _ => Side::Left,
    };
    Some((text, side))
}

/// The items in the box of an event: the action of the node, what it reads, chooses and changes.
fn items(view: &View<'_>, i: usize) -> Vec<String> {
    let replay = view.replay;
    let words = replay.words;
    let line = &view.lines[i];
    let mut items = Vec::new();
    match &replay.run.choices[i].event {
        Event::Transmit(_) => items.push("channel free: sends".into()),
        Event::Deliver(_, _, Outcome::Unhandled) => items.push("cannot handle it".into()),
        Event::Deliver(..) => {}
        _ => items.push(line.action.text(words)),
    }
    items.extend(line.reads.as_ref().map(|reads| reads.text(words)));
    // A message that is not sent because of a crash has no arrow, so the box lists the messages.
    items.extend(line.crash_sends().map(|send| send.text(words)));
    for effect in &line.effects {
        match effect {
            Effect::KeptBack(kept) => {
                items.push(format!("{}: channel full", kept_text(words, kept)));
            }
            Effect::Send(_) | Effect::CrashSend(_) | Effect::PassesOn | Effect::Swallows => {}
            other => items.push(other.text(words)),
        }
    }
    if replay.error.is_some() && i + 1 == replay.run.choices.len() && items.is_empty() {
        items.push("error".into());
    }
    items
}

/// Whether an event is a delivery without effect: the message is dropped or lost, or its handler neither changes nor
/// sends anything.
pub(crate) fn is_idle(view: &View<'_>, i: usize) -> bool {
    let runs = matches!(
        view.replay.run.choices[i].event,
        Event::Deliver(_, _, Outcome::Drop | Outcome::Lose(_))
    );
    let line = &view.lines[i];
    runs || (line.sends.is_empty()
        && line.effects.iter().all(|e| *e == Effect::Swallows)
        && matches!(view.replay.run.choices[i].event, Event::Deliver(..)))
}
