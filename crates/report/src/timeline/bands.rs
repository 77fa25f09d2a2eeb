//! Lanes: the display variable of a node as a coloured band with a word at each change, and its activations as circles.

use super::Hit;
use super::layout::{BAND, TimelineLayout};
use super::marks::mark_of;
use crate::draw::measure::{shortened, width};
use crate::draw::shapes::{Kind, Layer, SMALL};
use crate::words::state::state_word;
use machine::{Event, Mode, NodeId, Outcome, State, Value};

/// A value and the x coordinates between which a node has it.
pub(crate) struct Stretch<T> {
    pub(crate) value: T,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

/// The successive values of the function `of` in the states of the visible events.
pub(crate) fn stretches<T: PartialEq>(
    layout: &TimelineLayout<'_>,
    of: impl Fn(&State) -> T,
) -> Vec<Stretch<T>> {
    let states = layout.replay.states;
    let mut found = Vec::new();
    let mut from = layout.frame.left;
    let mut value = of(&states[layout.scale.first.min(states.len() - 1)]);
    for event in layout.scale.events() {
        let Some(after) = states.get(event + 1) else {
            continue;
        };
        let next = of(after);
        if next != value {
            let to = layout.x(event);
            found.push(Stretch { value, from, to });
            (value, from) = (next, to);
        }
    }
    let to = layout.frame.right;
    found.push(Stretch { value, from, to });
    found
}

/// Draws the bands and lines of all lanes.
pub(crate) fn bands(layout: &mut TimelineLayout<'_>) {
    for (lane, node) in layout.lanes.clone().into_iter().enumerate() {
        let y = layout.y[lane];
        for stretch in display_values(layout, node) {
            let class = format!("sc-r{}", colour(&stretch.value));
            let area = [
                stretch.from,
                y - BAND,
                stretch.to - stretch.from,
                2.0 * BAND,
            ];
            layout
                .canvas
                .shape(Layer::Ground, class, Kind::Rect(area, 3.0));
        }
        let modes = stretches(layout, |s: &State| s.nodes[node.index()].mode);
        for stretch in modes {
            // The lane of a node ends where the node crashes.
            let class = match stretch.value {
                Mode::Running | Mode::Waiting => "sc-lane",
                Mode::Crashed => continue,
                Mode::Halted | Mode::Off | Mode::Stopped => "sc-lane-off",
            };
            let kind = Kind::Path(format!("M{} {y}H{}", stretch.from, stretch.to));
            layout.canvas.shape(Layer::Lane, class, kind);
        }
        layout
            .canvas
            .reserve([layout.frame.left, y - BAND, layout.frame.right, y + BAND]);
    }
}

/// The successive values of a node's display variable, without the times at which the node is crashed or stopped. Empty
/// if the node is off from the start or has no display variable.
pub(crate) fn display_values(layout: &TimelineLayout<'_>, node: NodeId) -> Vec<Stretch<Value>> {
    let kind = layout.replay.words.machine.kind_of(node);
    let off = layout.replay.states[0].nodes[node.index()].mode == Mode::Off;
    let Some(place) = layout.cause().display_var[kind.index()].filter(|_| !off) else {
        return Vec::new();
    };
    let stretches = stretches(layout, |s: &State| {
        let node = &s.nodes[node.index()];
        let there = !matches!(node.mode, Mode::Crashed | Mode::Stopped);
        there.then(|| node.vars[place].clone())
    });
    let there = stretches.into_iter().filter_map(|stretch| {
        Some(Stretch {
            value: stretch.value?,
            from: stretch.from,
            to: stretch.to,
        })
    });
    there.collect()
}

/// Writes the values of display variables above or below the bands, where there is free space.
pub(crate) fn value_words(layout: &mut TimelineLayout<'_>) {
    for (lane, node) in layout.lanes.clone().into_iter().enumerate() {
        let y = layout.y[lane];
        let kind = layout.replay.words.machine.kind_of(node);
        let Some(place) = layout.cause().display_var[kind.index()] else {
            continue;
        };
        for stretch in display_values(layout, node) {
            let word = state_word(layout.replay.words, node, place, &stretch.value);
            let x = stretch.from + 4.0;
            let spots = [(x, y - 14.0), (x, y + 22.0)];
            let class = "sc-b sc-soft sc-halo";
            if layout.canvas.put(&spots, SMALL, class, &word) {
                continue;
            }
            let short = shortened(&word, SMALL, true, stretch.to - x);
            let wide = width(&short, SMALL, true);
            if short.chars().count() > 2 && wide <= stretch.to - x {
                let done = layout.canvas.put(&spots, SMALL, class, &short);
                if let Some(text) = layout.canvas.texts.last_mut().filter(|_| done) {
                    text.full = Some(word);
                }
            }
        }
    }
}

/// Draws a circle for each activation, a mark for each other event, and a cross at the failing event. Adds the hit
/// areas.
pub(crate) fn circles(layout: &mut TimelineLayout<'_>) {
    let scale = circle_scale(layout);
    for event in layout.scale.events() {
        let Some(lane) = layout.lane_of(event) else {
            continue;
        };
        let (x, y) = (layout.x(event), layout.y[lane]);
        let reads = reads(layout, event);
        let choice = &layout.replay.run.choices[event].event;
        let tooltip = tooltip(layout, event);
        let mark = mark_of(layout, event).map(|mark| mark.drawn(x, y));
        let (class, kind) = match (layout.replay.steps()[event].activation, choice) {
            _ if mark.is_some() => mark.expect("a mark"),
            (None, Event::Expire(..)) => (
                "sc-dot",
                Kind::Path(format!("M{} {y}l5 -5l5 5l-5 5Z", x - 5.0)),
            ),
            (Some(_), _) if reads => ("sc-dot", Kind::Circle(x, y, 6.5 * scale)),
            (Some(_), _) => ("sc-ring", Kind::Circle(x, y, 4.5 * scale)),
            (None, Event::Deliver(_, _, Outcome::Lose(_) | Outcome::Drop)) => {
                ("sc-dot", Kind::Circle(x, y, 0.0))
            }
            (None, Event::Deliver(..)) => ("sc-dot", Kind::Circle(x, y, 2.0)),
            (None, _) => (
                "sc-bar",
                Kind::Path(format!("M{x} {}V{}", y - 6.0, y + 6.0)),
            ),
        };
        layout.canvas.shape(Layer::Dot, class, kind);
        layout.canvas.title_last(Some(tooltip));
        let fails = layout.cause().failing_event == Some(event);
        if fails {
            let (a, b) = (x - 9.0, y - 9.0);
            let kind = Kind::Path(format!("M{a} {b}l18 18m0 -18l-18 18"));
            layout.canvas.shape(Layer::Box, "sc-cross", kind);
        }
        let half = 11.0 * scale;
        layout.hits.push(Hit {
            first: event,
            last: event,
            area: [x - half, y - 13.0, 2.0 * half, 26.0],
            fails,
        });
    }
    // The hit areas of events at nodes without a lane are at the top edge.
    for event in layout.scale.events() {
        if layout.lane_of(event).is_none() {
            let (x, y) = (layout.x(event), layout.frame.top - 4.0);
            layout.hits.push(Hit {
                first: event,
                last: event,
                area: [x - 3.0, y, 6.0, 6.0],
                fails: layout.cause().failing_event == Some(event),
            });
        }
    }
}

/// Whether an activation is drawn as one that reads the inbox of its node. If no event of the run reads an inbox, all
/// activations are drawn in this way.
pub(crate) fn reads(layout: &TimelineLayout<'_>, event: usize) -> bool {
    let inboxes = &layout.replay.steps()[event].effects.inboxes;
    let node = layout.node_of(event);
    node.is_some_and(|node| inboxes.contains(&node)) || !any_reads(layout)
}

/// Whether some event of the run reads an inbox.
pub(crate) fn any_reads(layout: &TimelineLayout<'_>) -> bool {
    let mut steps = layout.replay.steps().iter();
    steps.any(|step| !step.effects.inboxes.is_empty())
}

/// The factor for the radius of circles: smaller if some lane has many events.
fn circle_scale(layout: &TimelineLayout<'_>) -> f64 {
    let most = layout.lanes.iter().map(|node| {
        let own = layout
            .scale
            .events()
            .filter(|e| layout.node_of(*e) == Some(*node));
        own.count()
    });
    match most.max().unwrap_or(0) {
        0..=30 => 1.0,
        31..=60 => 0.75,
        _ => 0.5,
    }
}

/// The tooltip of an event: node, time and action.
fn tooltip(layout: &TimelineLayout<'_>, event: usize) -> String {
    let time = layout.times().text(&layout.replay.time(event));
    let (line, words) = (&layout.lines[event], layout.replay.words);
    format!(
        "{} at {time}: {}",
        line.name(words),
        line.action.text(words)
    )
}

/// The index of the background colour (see `Palette::roles`) for a value of a display variable.
pub(crate) fn colour(value: &Value) -> u32 {
    match value {
        Value::Enum(_, v) => v % 6,
        Value::Bool(true) => 1,
        Value::Some(inner) => match **inner {
            Value::Int(i) => i.rem_euclid(5) as u32,
            Value::Id(id) => id % 5,
            Value::Node(node) => node.0 % 5,
            _ => 0,
        },
        _ => 5,
    }
}
