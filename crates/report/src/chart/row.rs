//! What stands in one row: the label of the message that arrives, and the box of what changes.

use super::arrows::BOTH_WAYS;
use super::layout::{LABEL, Layout, SMALL};
use super::view::{Entry, EntryKind, View};
use crate::draw::measure::{shortened, width, wrapped};
use crate::story::event::KEPT_BACK;
use machine::{Event, Outcome, Trigger};

/// From the lane to the box beside it.
const BESIDE: f64 = 11.0;
/// Inside a box, left and right of its text.
const INSIDE: f64 = 6.0;
/// From one line of a box to the next.
const LINE: f64 = 16.0;

/// Left or right of the lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A text at one side of a lane.
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
    /// Below the arrow instead of on its level.
    pub(crate) below: bool,
}

/// What stands in a row.
#[derive(Default)]
pub(crate) struct Content {
    /// The message that arrives.
    pub(crate) label: Option<Beside>,
    /// What the node does and changes.
    pub(crate) note: Option<Note>,
    /// Words at several lanes, or in place of everything.
    pub(crate) words: Vec<Beside>,
}

impl Note {
    pub(crate) fn height(&self) -> f64 {
        18.0 + LINE * (self.lines.len() as f64 - 1.0)
    }

    /// Its upper edge, from the level of the row.
    pub(crate) fn top(&self) -> f64 {
        if self.below { 7.0 } else { -9.0 }
    }

    /// Where each line begins: left edge, and base line from the level of the row.
    pub(crate) fn places(&self) -> impl Iterator<Item = (f64, f64, &str)> {
        let lines = self.lines.iter().enumerate();
        lines.map(|(i, line)| {
            let y = self.top() + 13.0 + LINE * i as f64;
            (self.x + INSIDE, y, &line[..])
        })
    }
}

impl Content {
    /// How far it reaches below the level of the row.
    pub(crate) fn depth(&self) -> f64 {
        let note = self.note.as_ref().map(|n| n.top() + n.height() + 3.0);
        note.unwrap_or(0.0).max(12.0)
    }
}

impl Layout<'_> {
    /// What stands in the row of an entry.
    pub(crate) fn content(&self, entry: &Entry) -> Content {
        match entry.kind {
            EntryKind::Gap => self.gap(entry),
            EntryKind::Starts => {
                let who = (entry.first..=entry.last).filter_map(|i| self.view.lines[i].who);
                let words = who.filter_map(|node| {
                    let lane = self.view.lane(node)?;
                    let room = self.spacing - BESIDE - 4.0;
                    Some(Beside {
                        x: self.x[lane] + BESIDE,
                        text: shortened("starts", SMALL, false, room),
                        full: None,
                    })
                });
                Content {
                    words: words.collect(),
                    ..Content::default()
                }
            }
            EntryKind::Event => self.event(entry.first),
        }
    }

    fn gap(&self, entry: &Entry) -> Content {
        let count = entry.last - entry.first + 1;
        let events = if count == 1 { "event" } else { "events" };
        let text = format!("⋯ {count} {events} not shown");
        Content {
            words: vec![Beside {
                x: self.left,
                text: shortened(&text, SMALL, false, self.right - self.left),
                full: None,
            }],
            ..Content::default()
        }
    }

    fn event(&self, i: usize) -> Content {
        let view = self.view;
        let Some(lane) = view.lane_of(i) else {
            return self.nobody(i);
        };
        let x = self.x[lane];
        let crossing = self.crossing(i);
        let mut label = label(view, i).or_else(|| crossing.clone());
        if let Some((text, side @ Side::Left)) = &mut label
            && width(text, LABEL, false) > x - BESIDE - self.left
        {
            *side = Side::Right; // it comes from the edge, and there is no room
        }
        let side = label.as_ref().map(|(_, side)| *side);
        let label = label.map(|(text, side)| {
            // Beyond the lines of messages that leave on the same side, as far as there is room.
            let wide = width(&text, LABEL, false);
            let clear = (self.spacing - wide) / 2.0;
            let far = match self.both_ways(lane, side) {
                true => (BESIDE + BOTH_WAYS).max(self.beside(lane, side).min(clear)),
                false => BESIDE,
            };
            let room = match side {
                Side::Left => x - far - self.left,
                Side::Right => self.right - x - far,
            };
            let most = room.min((self.spacing - 2.0 * BESIDE).max(190.0));
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
        let note = (!items.is_empty()).then(|| self.note(&items, x, side, crossing.is_some()));
        Content {
            label,
            note,
            words: Vec::new(),
        }
    }

    /// Words across the row of an event that happens to no node: time passes.
    fn nobody(&self, i: usize) -> Content {
        let text = self.view.lines[i].what.clone();
        let short = shortened(&text, LABEL, false, self.right - self.left);
        Content {
            words: vec![Beside {
                x: self.left,
                full: (short != text).then_some(text),
                text: short,
            }],
            ..Content::default()
        }
    }

    /// What arrives at once and crosses the row, and on which side it leaves.
    fn crossing(&self, i: usize) -> Option<(String, Side)> {
        let view = self.view;
        let words = view.telling.words;
        let own = view.flights.iter().filter(|f| f.sent == i && f.at_once());
        let mut texts: Vec<String> = Vec::new();
        let mut side = None;
        for flight in own {
            let (from, to) = words.machine.edges[flight.edge.index()];
            let (Some(from), Some(to)) = (view.lane(from), view.lane(to)) else {
                continue;
            };
            if from == to {
                continue;
            }
            let text = words.value(&flight.message);
            if !texts.contains(&text) {
                texts.push(text);
            }
            if side != Some(Side::Right) {
                side = Some(Layout::side(from, to));
            }
        }
        side.map(|side| (texts.join(", "), side))
    }

    /// The box: on the other side than the label if it fits there, or below the arrow; surely below what
    /// crosses the whole row.
    fn note(&self, items: &[String], x: f64, label: Option<Side>, crossed: bool) -> Note {
        let wanted = match label {
            Some(Side::Right) => Side::Left,
            _ => Side::Right,
        };
        let room = |side| match side {
            Side::Left => x - BESIDE - self.left,
            Side::Right => self.right - x - BESIDE,
        };
        let widest = items.iter().map(|t| width(t, LABEL, false));
        let widest = widest.fold(0.0, f64::max) + 2.0 * INSIDE;
        let other = match wanted {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        };
        // Where there is room between lanes, a box stays between them.
        let between = self.spacing - 2.0 * BESIDE;
        let most_beside = if between >= 200.0 {
            between
        } else {
            (self.spacing * 1.5).max(150.0)
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
            None => (self.right - self.left).min(widest.max(most_beside)),
        };
        let lines = lines_of(items, most - 2.0 * INSIDE);
        let wide = lines.iter().map(|t| width(t, LABEL, false));
        let wide = wide.fold(0.0, f64::max) + 2.0 * INSIDE;
        let left = match side {
            Some(Side::Right) => x + BESIDE,
            Some(Side::Left) => x - BESIDE - wide,
            None => (x - wide / 2.0).clamp(self.left, (self.right - wide).max(self.left)),
        };
        let said = items.join(", ");
        Note {
            x: left,
            width: wide,
            full: (lines.join(", ") != said).then_some(said),
            lines,
            below: side.is_none(),
        }
    }
}

/// Items in lines that are not wider; at most four lines.
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

/// The text at an arrow, and on which side of the receiver it arrives.
fn label(view: &View<'_>, i: usize) -> Option<(String, Side)> {
    let words = view.telling.words;
    let Event::Deliver(edge, message, outcome) = &view.telling.run.choices[i].event else {
        return None;
    };
    let (from, to) = words.machine.edges[edge.index()];
    let before = &view.telling.states[i].nodes[to.index()];
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

/// What stands in the box of an event: what the node does of its own accord, chooses and changes.
fn items(view: &View<'_>, i: usize) -> Vec<String> {
    let telling = view.telling;
    let line = &view.lines[i];
    let mut items = Vec::new();
    match &telling.run.choices[i].event {
        Event::Run(_, block) => {
            let plain = telling.words.machine.blocks[block.index()].trigger == Trigger::Start;
            items.push(if plain {
                "starts".into()
            } else {
                line.what.clone()
            });
        }
        Event::Transmit(_) => items.push("channel free: sends".into()),
        Event::Deliver(_, _, Outcome::Unhandled) => items.push("cannot handle it".into()),
        Event::Deliver(..) => {}
        _ => items.push(line.what.clone()),
    }
    items.extend(line.reads.clone());
    if let Event::CrashDuring(..) = telling.run.choices[i].event {
        // What is not sent cannot be seen.
        let sent = line.effects.iter().filter_map(|e| e.strip_prefix("→ "));
        items.extend(sent.map(str::to_string));
    }
    for effect in &line.effects {
        if let Some(kept) = effect.strip_suffix(KEPT_BACK) {
            items.push(format!("{kept}: channel full"));
        } else if !effect.starts_with('→') && effect != "passes it on" && effect != "swallows it"
        {
            items.push(effect.clone());
        }
    }
    if telling.error.is_some() && i + 1 == telling.run.choices.len() && items.is_empty() {
        items.push("error".into());
    }
    items
}

/// Nothing came of an event: no change, no message.
pub(crate) fn idle(view: &View<'_>, i: usize) -> bool {
    let runs = matches!(
        view.telling.run.choices[i].event,
        Event::Deliver(_, _, Outcome::Drop | Outcome::Lose(_))
    );
    let line = &view.lines[i];
    runs || (line.sends.is_empty()
        && line.effects.iter().all(|e| e == "swallows it")
        && matches!(view.telling.run.choices[i].event, Event::Deliver(..)))
}
