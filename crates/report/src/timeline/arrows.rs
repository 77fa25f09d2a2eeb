//! Messages as arrows: vertical on an instant channel, slanted if delivery takes time.

use super::layout::{BAND, TimelineLayout};
use crate::draw::measure::width;
use crate::draw::shapes::{Kind, LABEL, Layer};
use crate::replay::messages::Flight;
use machine::{Delay, Mode, Outcome};

/// The horizontal offset of a vertical arrow if its receiver has another event at the same time, in pixels.
const BESIDE: f64 = 6.0;

/// The largest number of lanes with which all messages are drawn; with more lanes, only messages that matter are drawn.
const MOST_LANES: usize = 4;

/// The two ends of the arrow of a message, and what happens to the message; no outcome if it is still in flight.
struct Arrow {
    from: (f64, f64),
    to: (f64, f64),
    outcome: Option<Outcome>,
}

/// Draws all messages, then labels those that matter.
pub(crate) fn arrows(layout: &mut TimelineLayout<'_>) {
    let labelled: Vec<usize> = (0..layout.replay.messages().len())
        .filter(|f| layout.cause().message_matters[*f])
        .collect();
    for f in 0..layout.replay.messages().len() {
        let Some(arrow) = arrow(layout, &layout.replay.messages()[f]) else {
            continue;
        };
        if !layout.cause().message_matters[f] && layout.lanes.len() > MOST_LANES {
            layout.drawn.left_out = true;
            continue;
        }
        draw(layout, f, &arrow);
        if layout.cause().message_matters[f] {
            reserve(layout, &arrow);
        }
    }
    for f in labelled {
        if let Some(arrow) = arrow(layout, &layout.replay.messages()[f]) {
            label(layout, f, &arrow);
        }
    }
}

/// The arrow of a message. `None` if it lies outside the visible events, if sender or receiver has no lane, if the
/// receiver is off from the start, or if the node sends to itself.
fn arrow(layout: &TimelineLayout<'_>, flight: &Flight) -> Option<Arrow> {
    let (from, to) = layout.replay.words.machine.edges[flight.edge.index()];
    let (a, b) = (layout.y[layout.lane(from)?], layout.y[layout.lane(to)?]);
    if from == to || layout.replay.states[0].nodes[to.index()].mode == Mode::Off {
        return None;
    }
    let shown = layout.scale.events();
    let way = if b > a { 1.0 } else { -1.0 };
    let (start, end) = (a + way * BAND, b - way * (BAND + 1.0));
    if flight.at_once() {
        if !shown.contains(&flight.sent) {
            return None;
        }
        let x = layout.x(flight.sent) + beside(layout, flight);
        return Some(Arrow {
            from: (x, start),
            to: (x, end),
            outcome: flight.arrivals.first().map(|a| a.1),
        });
    }
    let arrival = flight.arrivals.first().filter(|(i, _)| *i < shown.end);
    let x = match flight.sent >= shown.start {
        true if flight.sent < shown.end => layout.x(flight.sent),
        true => return None,
        false => layout.frame.left,
    };
    match arrival {
        Some((i, _)) if *i < shown.start => None,
        Some((i, outcome)) => Some(Arrow {
            from: (x, start),
            to: (layout.x(*i), end),
            outcome: Some(*outcome),
        }),
        // The message is in flight at the last visible event.
        None => Some(Arrow {
            from: (x, start),
            to: towards(layout, flight, (x, start), end),
            outcome: None,
        }),
    }
}

/// The end of the arrow of a message in flight. The arrow points to the latest possible arrival; if that is beyond the
/// right edge of the frame, it is cut there.
fn towards(
    layout: &TimelineLayout<'_>,
    flight: &Flight,
    (x, start): (f64, f64),
    end: f64,
) -> (f64, f64) {
    let right = layout.frame.right;
    let latest = match &layout.replay.words.machine.delay {
        Delay::Within(_, most) => {
            let sent = layout.replay.time(flight.sent);
            layout.scale.x(&(sent + most))
        }
        _ => right + (right - x) / 3.0,
    };
    match latest > right {
        true if latest > x => (right, start + (end - start) * (right - x) / (latest - x)),
        _ => (latest, end),
    }
}

/// The horizontal offset of a vertical arrow: zero, or `BESIDE` to the left or right if the receiver has another event
/// at the same time.
fn beside(layout: &TimelineLayout<'_>, flight: &Flight) -> f64 {
    let to = layout.replay.words.machine.edges[flight.edge.index()].1;
    let time = layout.replay.time(flight.sent);
    let mut events = layout.scale.events();
    let other = events.find(|i| {
        *i != flight.sent && layout.node_of(*i) == Some(to) && layout.replay.time(*i) == time
    });
    match other {
        Some(other) if other > flight.sent => -BESIDE,
        Some(_) => BESIDE,
        None => 0.0,
    }
}

/// Draws the arrow of the message with index `f`.
fn draw(layout: &mut TimelineLayout<'_>, f: usize, arrow: &Arrow) {
    let flight = &layout.replay.messages()[f];
    let words = layout.replay.words;
    let (from, to) = words.machine.edges[flight.edge.index()];
    let title = format!(
        "{} from {} to {}",
        words.value(&flight.message),
        words.node(from),
        words.node(to)
    );
    let (layer, colour) = match layout.cause().message_matters[f] {
        true => (
            Layer::Arrow,
            (flight.message.record().index() % 6).to_string(),
        ),
        false => (Layer::PaleArrow, "pale".to_string()),
    };
    let ((ax, ay), (bx, by)) = (arrow.from, arrow.to);
    let length = (bx - ax).hypot(by - ay).max(1.0);
    let (ux, uy) = ((bx - ax) / length, (by - ay) / length);
    layout.drawn.pale |= !layout.cause().message_matters[f];
    let first = layout.canvas.shapes.len();
    let line = |back: f64| Kind::Path(format!("M{ax} {ay}L{} {}", bx - back * ux, by - back * uy));
    let class = format!("sc-line sc-m{colour}");
    match arrow.outcome {
        None => {
            layout.drawn.open = true;
            layout
                .canvas
                .shape(layer, format!("{class} sc-dash"), line(0.0));
        }
        Some(Outcome::Drop) => {
            layout.drawn.dropped = true;
            layout.canvas.shape(layer, class.clone(), line(3.0));
            let (x, y) = (bx - 3.0 * ux, by - 3.0 * uy);
            let bar = format!(
                "M{} {}L{} {}",
                x - 6.0 * uy,
                y + 6.0 * ux,
                x + 6.0 * uy,
                y - 6.0 * ux
            );
            layout.canvas.shape(layer, class, Kind::Path(bar));
        }
        Some(Outcome::Lose(_)) => {
            layout.drawn.lost = true;
            layout.canvas.shape(layer, class.clone(), line(20.0));
            let (x, y) = (bx - 20.0 * ux, by - 20.0 * uy);
            let cross = format!("M{} {}l10 10m0 -10l-10 10", x - 5.0, y - 5.0);
            layout.canvas.shape(layer, class, Kind::Path(cross));
        }
        Some(_) => {
            layout.canvas.shape(layer, class, line(7.0));
            let (x, y) = (bx - 8.0 * ux, by - 8.0 * uy);
            let head = format!(
                "M{bx} {by}L{} {}L{} {}Z",
                x - 4.0 * uy,
                y + 4.0 * ux,
                x + 4.0 * uy,
                y - 4.0 * ux
            );
            layout
                .canvas
                .shape(layer, format!("sc-h{colour}"), Kind::Path(head));
        }
    }
    layout.canvas.title_since(first, &title);
}

/// Reserves the area along an arrow, so that no text is put on it.
fn reserve(layout: &mut TimelineLayout<'_>, arrow: &Arrow) {
    let ((ax, ay), (bx, by)) = (arrow.from, arrow.to);
    let steps = ((bx - ax).abs() / 3.0).ceil().max(1.0) as usize;
    for step in 0..steps {
        let at = |k: usize, a: f64, b: f64| a + (b - a) * k as f64 / steps as f64;
        let (x, y) = (
            [at(step, ax, bx), at(step + 1, ax, bx)],
            [at(step, ay, by), at(step + 1, ay, by)],
        );
        layout.canvas.reserve([
            x[0].min(x[1]) - 2.0,
            y[0].min(y[1]),
            x[0].max(x[1]) + 2.0,
            y[0].max(y[1]),
        ]);
    }
}

/// Puts a label at an arrow, near its receiver: the longest of three texts that has free space.
fn label(layout: &mut TimelineLayout<'_>, f: usize, arrow: &Arrow) {
    let flight = &layout.replay.messages()[f];
    let message = layout.replay.words.value(&flight.message);
    let (note, late) = note(layout, flight);
    let note = note.or_else(|| outcome(layout, flight));
    let full = match &note {
        Some(note) => format!("{message}, {note}"),
        None => message.clone(),
    };
    let way = if arrow.to.1 > arrow.from.1 { 1.0 } else { -1.0 };
    let deep = (arrow.to.1 - arrow.from.1).abs();
    let short = note.filter(|_| !layout.cause().silences.is_empty());
    let short = short.unwrap_or_else(|| message.clone());
    for text in [full, short, message] {
        let wide = width(&text, LABEL, false);
        let mut spots = Vec::new();
        for back in [40.0, 26.0, 56.0, 72.0, 88.0, 104.0, 120.0] {
            if back > deep - 4.0 {
                continue;
            }
            let y = arrow.to.1 - way * back;
            // The x coordinate of the arrow at height `y`. The label has to clear it over its whole height.
            let at = |y: f64| {
                let back = (arrow.to.1 - y) * way;
                arrow.to.0 - (arrow.to.0 - arrow.from.0) * back / deep
            };
            let (above, below) = (at(y - 8.0), at(y + 8.0));
            let (most, least) = (above.max(below), above.min(below));
            let (right, left) = ((most + 7.0, y + 4.0), (least - 7.0 - wide, y + 4.0));
            spots.extend(if late { [right, left] } else { [left, right] });
        }
        let fits = |(x, _): &(f64, f64)| *x >= layout.frame.left && x + wide <= layout.frame.right;
        spots.retain(fits);
        if layout.canvas.put(&spots, LABEL, "sc-halo", &text) {
            return;
        }
    }
}

/// The outcome of a message that is lost, dropped by a node that does not run, or in flight; otherwise `None`.
fn outcome(layout: &TimelineLayout<'_>, flight: &Flight) -> Option<String> {
    let to = layout.replay.words.machine.edges[flight.edge.index()].1;
    match flight.arrivals.first() {
        Some((_, Outcome::Lose(_))) => Some("lost".into()),
        Some((i, Outcome::Drop)) => {
            let mode = layout.replay.states[*i].nodes[to.index()].mode;
            (!mode.runs()).then(|| "dropped".into())
        }
        Some(_) => None,
        None => Some("on the way".into()),
    }
}

/// For the last message before a silence or the first one after it: how much too early or too late it arrives. The
/// Boolean is true for a message after the silence.
fn note(layout: &TimelineLayout<'_>, flight: &Flight) -> (Option<String>, bool) {
    let (from, to) = layout.replay.words.machine.edges[flight.edge.index()];
    for silence in layout.cause().silences.iter().filter(|s| s.reader == to) {
        for silent in silence.silent.iter().filter(|s| s.node == from) {
            let arrival = flight.arrivals.first().map_or(flight.sent, |a| a.0);
            let time = layout.replay.time(arrival);
            if silent.before == Some(flight.sent) {
                let early = layout.replay.time(silence.from) - time;
                let note = match early.is_zero() {
                    true => "same instant, sent first".into(),
                    false => format!("{} before the read", layout.times().text(&early)),
                };
                return (Some(note), false);
            }
            if silent.after == Some(flight.sent) {
                let late = time - layout.replay.time(silence.to);
                let note = match late.is_zero() {
                    true => "same instant, sent behind".into(),
                    false => format!("{} late", layout.times().text(&late)),
                };
                return (Some(note), true);
            }
        }
    }
    (None, false)
}
