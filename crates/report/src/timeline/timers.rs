//! Timers as thin bars beside the lane of their node. A bar reaches from the event that sets the timer to the event
//! that ends it, and shows the window in which the timer can expire.

use super::layout::{BAND, TimelineLayout};
use crate::draw::measure::width;
use crate::draw::shapes::{Kind, Layer, SMALL};
use crate::replay::timers::{ArmedTimer, TimerEnd};
use crate::words::timers::timer_name;
use machine::NodeId;
use std::collections::BTreeSet;

/// The distance between rows of bars, in pixels.
const ROW: f64 = 21.0;
/// The distance from the middle of the lane to the first row below it, in pixels.
const FIRST_BELOW: f64 = BAND + 20.0;
/// The distance from the middle of the lane to the first row above it, in pixels.
const FIRST_ABOVE: f64 = 31.0;
/// The largest number of rows at one lane. Further timers are not drawn.
const MOST_ROWS: usize = 4;

/// The number of rows of bars at the lane of a node.
fn row_count(layout: &TimelineLayout<'_>, node: NodeId) -> usize {
    rows_of(layout, node)
        .iter()
        .map(|(_, row)| row + 1)
        .max()
        .unwrap_or(0)
}

/// The heights of all rows above the lane of a node, and of all rows below it.
pub(crate) fn timer_room(layout: &TimelineLayout<'_>, node: NodeId) -> [f64; 2] {
    let rows = row_count(layout, node) as f64;
    match (rows > 0.0, is_above(layout, node)) {
        (false, _) => [0.0, 0.0],
        (true, true) => [rows * ROW + 4.0, 0.0],
        (true, false) => [0.0, rows * ROW + 2.0],
    }
}

/// Whether the bars of a node are above its lane. This is so only for the first of several lanes, because no messages
/// are drawn above it.
fn is_above(layout: &TimelineLayout<'_>, node: NodeId) -> bool {
    layout.lane(node) == Some(0) && layout.lanes.len() > 1
}

/// The visible armed timers of a node, by index in `layout.timers`, each with its row. All bars of one timer are in one
/// row.
fn rows_of(layout: &TimelineLayout<'_>, node: NodeId) -> Vec<(usize, usize)> {
    let shown = layout.timers.iter().enumerate().filter(|(_, timer)| {
        let (from, to) = reach(layout, timer);
        timer.node == node && to >= layout.frame.left && from <= layout.frame.right
    });
    let shown: Vec<(usize, &ArmedTimer)> = shown.collect();
    let expires = |place: usize| {
        let mut own = shown.iter().filter(|(_, timer)| timer.place == place);
        own.any(|(_, a)| a.end.is_some_and(|(_, how)| how == TimerEnd::Expired))
    };
    let places: BTreeSet<usize> = shown.iter().map(|(_, timer)| timer.place).collect();
    let mut places: Vec<usize> = places.into_iter().collect();
    // If there are too many, timers that expire are preferred.
    places.sort_by_key(|place| (!expires(*place), *place));
    places.truncate(MOST_ROWS);
    places.sort_unstable();
    let rows = shown.iter().filter_map(|(a, timer)| {
        let row = places.iter().position(|place| *place == timer.place)?;
        Some((*a, row))
    });
    rows.collect()
}

/// Whether the previous bar of the same timer ends where this one begins. Then the name is already written at the
/// previous bar.
fn is_named(layout: &TimelineLayout<'_>, a: usize) -> bool {
    let timer = &layout.timers[a];
    let before = layout.timers[..a].iter().rev();
    let mut own = before.filter(|b| b.node == timer.node && b.place == timer.place);
    let shown = timer.set > layout.scale.first;
    shown
        && own
            .next()
            .is_some_and(|b| b.end == Some((timer.set, TimerEnd::SetAnew)))
}

/// The x coordinates of the ends of a bar, cut at the frame. A bar outside the visible events lies outside the frame.
fn reach(layout: &TimelineLayout<'_>, timer: &ArmedTimer) -> (f64, f64) {
    let at = |event: usize| layout.scale.x(&layout.replay.time(event));
    let from = match timer.set >= layout.scale.first {
        true => at(timer.set),
        false => layout.frame.left,
    };
    let to = match timer.end {
        Some((event, _)) if event < layout.scale.end => match event >= layout.scale.first {
            true => at(event),
            false => layout.frame.left - 1.0,
        },
        _ => layout.frame.right,
    };
    let from = if timer.set < layout.scale.end {
        from
    } else {
        layout.frame.right + 1.0
    };
    (from, to)
}

/// Draws the bars of all lanes.
pub(crate) fn timer_bars(layout: &mut TimelineLayout<'_>) {
    for (lane, node) in layout.lanes.clone().into_iter().enumerate() {
        for (a, row) in rows_of(layout, node) {
            let above = is_above(layout, node);
            let row = row as f64;
            let y = match above {
                true => layout.y[lane] - FIRST_ABOVE - ROW * row,
                false => layout.y[lane] + FIRST_BELOW + ROW * row,
            };
            bar(layout, a, lane, y);
        }
    }
}

/// Draws the bar of the armed timer `a` at height `y`, with its name and window.
fn bar(layout: &mut TimelineLayout<'_>, a: usize, lane: usize, y: f64) {
    let timer = &layout.timers[a];
    let (from, to) = reach(layout, timer);
    let node = timer.node;
    let name = timer_name(layout.replay.words, node, timer.place);
    let set = layout.replay.time(timer.set);
    let window = (&timer.window.0 - &set, &timer.window.1 - &set);
    let span = layout.times().span(&window.0, &window.1);
    let (first, last) = (
        layout.scale.x(&timer.window.0),
        layout.scale.x(&timer.window.1),
    );
    let end = timer.end.filter(|(event, _)| *event < layout.scale.end);
    let how = match end.map(|(event, how)| (layout.times().text(&layout.replay.time(event)), how)) {
        Some((time, TimerEnd::Expired)) => format!("expires at {time}"),
        Some((time, TimerEnd::Cancelled)) => format!("cancelled at {time}"),
        Some((time, TimerEnd::SetAnew)) => format!("set anew at {time}"),
        Some((time, TimerEnd::NodeGone)) => format!("gone with its node at {time}"),
        None => "still set at the end".into(),
    };
    let owner = layout.replay.words.node(node);
    let begun = layout.times().text(&set);
    let title = format!("timer {name} of {owner}, set at {begun} for {span}: {how}");
    let start = layout.canvas.shapes.len();
    layout.drawn.timer = true;
    // The window in which the timer can expire, if this window begins before the timer is cancelled or set anew or its
    // node is gone.
    let over = end.is_some_and(|(_, how)| how != TimerEnd::Expired);
    let (l, r) = (
        first.max(from),
        last.min(if over { to } else { layout.frame.right }),
    );
    if r > l {
        let area = [l, y - 3.0, r - l, 6.0];
        layout
            .canvas
            .shape(Layer::Ground, "sc-window", Kind::Rect(area, 1.0));
    }
    let open = end.is_none();
    let dash = if open { " sc-dash" } else { "" };
    let until = if open {
        last.clamp(from, layout.frame.right)
    } else {
        to
    };
    let line = Kind::Path(format!(
        "M{from} {}V{}M{from} {y}H{until}",
        y - 4.0,
        y + 4.0
    ));
    layout
        .canvas
        .shape(Layer::Lane, format!("sc-timer{dash}"), line);
    let near = layout.y[lane] + if y > layout.y[lane] { BAND } else { -BAND };
    match end.map(|e| e.1) {
        Some(TimerEnd::Expired) => {
            let kind = Kind::Path(format!("M{to} {y}V{near}"));
            layout.canvas.shape(Layer::Lane, "sc-timer", kind);
            layout
                .canvas
                .reserve([to - 2.0, y.min(near), to + 2.0, y.max(near)]);
            let ring = Kind::Path(format!("M{} {y}l4.5 -4.5l4.5 4.5l-4.5 4.5Z", to - 4.5));
            layout.canvas.shape(Layer::Dot, "sc-dot", ring);
        }
        Some(TimerEnd::Cancelled) => {
            let kind = Kind::Path(format!("M{} {}l7 -7m-7 0l7 7", to - 3.5, y + 3.5));
            layout.canvas.shape(Layer::Lane, "sc-timer", kind);
        }
        Some(TimerEnd::SetAnew | TimerEnd::NodeGone) | None => {}
    }
    layout.canvas.title_since(start, &title);
    layout
        .canvas
        .reserve([from - 1.0, y - 3.0, until.max(r) + 1.0, y + 3.0]);
    // The previous bar has the name.
    if is_named(layout, a) {
        return;
    }
    let wide = width(&name, SMALL, false);
    let full = format!("{name}: {span}");
    let full_wide = width(&full, SMALL, false);
    let spot = (from + 4.0, y - 6.5);
    let room = (until.max(r) - from + 30.0).min(layout.frame.right - from - 4.0);
    if full_wide < room && layout.canvas.put(&[spot], SMALL, "sc-soft sc-halo", &full) {
        return;
    }
    if wide < room {
        layout.canvas.put(&[spot], SMALL, "sc-soft sc-halo", &name);
    }
}
