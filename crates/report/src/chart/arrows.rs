//! The lines of messages. A line goes down beside the sender while the message is in flight, then across to the
//! receiver.

use super::layout::{Layout, Side, side_of};
use crate::draw::measure::{shortened, width, wrapped};
use crate::draw::shapes::{Kind, LABEL, Layer, MARGIN, SMALL};
use crate::replay::messages::Flight;
use machine::Outcome;

/// The distance from a lane to the first line beside it, in pixels.
const FIRST: f64 = 9.0;
/// The distance between lines beside a lane, in pixels.
const NEXT: f64 = 6.0;
/// Additional distance of lines from a lane on a side where messages also arrive, in pixels. It keeps the lines clear
/// of arrow heads.
pub(crate) const BOTH_WAYS: f64 = 8.0;
/// Radius of corners, in pixels.
const ROUND: f64 = 6.0;
/// The distance below the level of a row at which its messages leave the lane, in pixels. Arriving messages are on the
/// level of the row.
const LEAVES: f64 = 5.0;

/// The lower end of the line of a message that is in flight at the end of the run.
pub(crate) struct OpenEnd {
    flight: usize,
    y: f64,
}

/// Draws the lines of all messages.
pub(crate) fn arrows(layout: &mut Layout<'_>, open: &[OpenEnd]) {
    let tracks = tracks(layout);
    let view = layout.view;
    for (f, flight) in view.flights.iter().enumerate() {
        let first = layout.canvas.shapes.len();
        let end = open.iter().find(|o| o.flight == f).map(|o| o.y);
        arrow(layout, flight, tracks[f], end);
        let words = view.replay.words;
        let (from, to) = words.machine.edges[flight.edge.index()];
        let title = format!(
            "{} from {} to {}",
            words.value(&flight.message),
            words.node(from),
            words.node(to)
        );
        layout.canvas.title_since(first, &title);
    }
}

fn arrow(layout: &mut Layout<'_>, flight: &Flight, track: f64, end: Option<f64>) {
    let view = layout.view;
    let edge = view.replay.words.machine.edges[flight.edge.index()];
    let matters = view.flight_matters(flight);
    let layer = if matters {
        Layer::Arrow
    } else {
        Layer::PaleArrow
    };
    let colour = if matters {
        format!("{}", flight.message.record().index() % 6)
    } else {
        "pale".into()
    };
    let line = format!("sc-line sc-m{colour}");
    let shown: Vec<_> = flight
        .arrivals
        .iter()
        .filter(|(i, _)| !layout.row_of(*i).gap)
        .collect();
    let Some(from) = view.lane(edge.0) else {
        // The sender has no lane: the line begins at the left edge of the picture.
        for (i, outcome) in shown {
            let (x, y) = (layout.left - 8.0, layout.row_of(*i).y);
            let to = layout.x[view.lane(edge.1).expect("its row is shown")];
            let way = format!("M{x} {y}");
            arrival(layout, *outcome, &way, (to, y), Side::Right, layer, &colour);
        }
        return;
    };
    if flight.at_once() {
        straight(layout, flight, from, layer, &colour);
        return;
    }
    let (x, sent) = (layout.x[from], layout.row_of(flight.sent).y);
    let away = if track < x { -1.0 } else { 1.0 };
    let leave = format!(
        "M{x} {from}Q{track} {from} {track} {}",
        sent + LEAVES + ROUND,
        from = sent + LEAVES
    );
    let mut way = leave;
    for (i, outcome) in &shown {
        let y = layout.row_of(*i).y;
        let to = view.lane(edge.1).expect("its row is shown");
        let side = if to == from {
            Side::Left
        } else {
            side_of(from, to)
        };
        let turn = if side == Side::Left { -ROUND } else { ROUND };
        let across = format!("{way}V{}Q{track} {y} {} {y}", y - ROUND, track + turn);
        arrival(
            layout,
            *outcome,
            &across,
            (layout.x[to], y),
            side,
            layer,
            &colour,
        );
        way = format!("M{track} {}", y - ROUND);
    }
    let mut arrivals = flight.arrivals.iter();
    let hidden = arrivals.rfind(|(i, _)| layout.row_of(*i).gap);
    if let Some(y) = end {
        layout
            .canvas
            .shape(layer, line, Kind::Path(format!("{way}V{}", y - 4.0)));
        let open = format!("sc-open sc-m{colour}");
        layout
            .canvas
            .shape(layer, open, Kind::Circle(track, y, 3.5));
    } else if let Some((i, _)) = hidden {
        // The message arrives in a hidden event: the line ends dashed in the row of hidden events.
        let (y, x) = (layout.row_of(*i).y, track + away * 8.0);
        let kind = Kind::Path(format!(
            "{way}V{}L{x} {y}",
            (y - 8.0).max(sent + LEAVES + ROUND)
        ));
        layout.canvas.shape(layer, format!("{line} sc-dash"), kind);
    }
}

/// Draws a message on an instant channel as a straight line in the row of the event.
fn straight(layout: &mut Layout<'_>, flight: &Flight, from: usize, layer: Layer, colour: &str) {
    let to = layout.view.replay.words.machine.edges[flight.edge.index()].1;
    let row = layout.row_of(flight.sent);
    let (gap, y) = (row.gap, row.y);
    for (_, outcome) in &flight.arrivals {
        if let Some(to) = layout.view.lane(to).filter(|to| *to != from && !gap) {
            let way = format!("M{} {y}", layout.x[from]);
            let side = side_of(from, to);
            arrival(
                layout,
                *outcome,
                &way,
                (layout.x[to], y),
                side,
                layer,
                colour,
            );
        }
    }
}

/// Draws the last part of a line: from the path `way` to the lane at `to`, with an end that shows the outcome.
fn arrival(
    layout: &mut Layout<'_>,
    outcome: Outcome,
    way: &str,
    to: (f64, f64),
    side: Side,
    layer: Layer,
    colour: &str,
) {
    let (x, y) = to;
    let towards = if side == Side::Left { -1.0 } else { 1.0 };
    let line = format!("sc-line sc-m{colour}");
    let head = |tip: f64| {
        let back = tip - towards * 8.0;
        format!("M{tip} {y}L{back} {}V{}Z", y - 4.0, y + 4.0)
    };
    let filled = format!("sc-h{colour}");
    match outcome {
        Outcome::HandOver(_) | Outcome::Store | Outcome::Unhandled => {
            let tip = x - towards * 5.0;
            let kind = Kind::Path(format!("{way}H{}", tip - towards * 7.0));
            layout.canvas.shape(layer, line, kind);
            layout.canvas.shape(layer, filled, Kind::Path(head(tip)));
        }
        Outcome::Repeat(..) => {
            let tip = x - towards * 5.0;
            let kind = Kind::Path(format!("{way}H{}", tip - towards * 13.0));
            layout.canvas.shape(layer, line, kind);
            let heads = head(tip) + &head(tip - towards * 7.0);
            layout.canvas.shape(layer, filled, Kind::Path(heads));
        }
        Outcome::Drop => {
            let stop = x - towards * 9.0;
            let bar = format!("{way}H{stop}M{stop} {}V{}", y - 6.0, y + 6.0);
            layout.canvas.shape(layer, line, Kind::Path(bar));
        }
        Outcome::Lose(_) => {
            let stop = x - towards * 24.0;
            let cross = format!(
                "M{} {}l10 10m0 -10l-10 10",
                stop + towards * 5.0 - 5.0,
                y - 5.0
            );
            layout.canvas.shape(
                layer,
                line.clone(),
                Kind::Path(format!("{way}H{stop}{cross}")),
            );
        }
    }
}

/// Whether there are both messages that leave a lane on this side and messages that arrive on this side.
pub(crate) fn both_ways(layout: &Layout<'_>, lane: usize, side: Side) -> bool {
    let view = layout.view;
    let edges = &view.replay.words.machine.edges;
    let lanes = |f: &Flight| {
        let (from, to) = edges[f.edge.index()];
        (view.lane(from), view.lane(to))
    };
    let beyond = |other: usize| match side {
        Side::Left => other < lane,
        Side::Right => other >= lane,
    };
    let mut leaves = false;
    let mut arrives = false;
    for (from, to) in view.flights.iter().map(lanes) {
        leaves |= from == Some(lane) && to.map_or(side == Side::Right, beyond);
        arrives |= to == Some(lane) && from.map_or(side == Side::Left, beyond);
    }
    leaves && arrives
}

/// The distance from a lane to the farthest line of a message that leaves it on this side, plus a margin.
pub(crate) fn reach(layout: &Layout<'_>, lane: usize, side: Side) -> f64 {
    let view = layout.view;
    let tracks = tracks(layout);
    let own = view.flights.iter().zip(tracks).filter(|(flight, _)| {
        let from = view.replay.words.machine.edges[flight.edge.index()].0;
        view.lane(from) == Some(lane)
    });
    let reach = own.map(|(_, track)| match side {
        Side::Left => layout.x[lane] - track,
        Side::Right => track - layout.x[lane],
    });
    reach.fold(0.0, f64::max) + 5.0
}

/// By message: the x coordinate at which its line goes down beside the sender. Messages of one lane in flight at the
/// same time have different x coordinates, as far as there is space.
fn tracks(layout: &Layout<'_>) -> Vec<f64> {
    let view = layout.view;
    let mut taken: Vec<(usize, Side, Vec<usize>)> = Vec::new();
    let most = ((layout.spacing * 0.42 - FIRST - BOTH_WAYS) / NEXT)
        .floor()
        .max(0.0) as usize;
    let mut tracks = Vec::new();
    for flight in view.flights {
        let (from, to) = view.replay.words.machine.edges[flight.edge.index()];
        let Some(lane) = view.lane(from) else {
            tracks.push(layout.left);
            continue;
        };
        let side = view.lane(to).map_or(Side::Right, |to| side_of(lane, to));
        let begin = view.entry_of[flight.sent];
        let end = match flight.arrivals.last() {
            Some((i, _)) if !flight.open => view.entry_of[*i],
            _ => usize::MAX,
        };
        let place = taken.iter().position(|(l, s, _)| *l == lane && *s == side);
        let place = place.unwrap_or_else(|| {
            taken.push((lane, side, Vec::new()));
            taken.len() - 1
        });
        // By track: the row up to which it is occupied.
        let ends = &mut taken[place].2;
        let free = ends.iter().position(|end| *end <= begin);
        let track = free.unwrap_or(ends.len());
        if track == ends.len() {
            ends.push(0);
        }
        ends[track] = end;
        let first = if both_ways(layout, lane, side) {
            FIRST + BOTH_WAYS
        } else {
            FIRST
        };
        let offset = first + NEXT * track.min(most) as f64;
        tracks.push(match side {
            Side::Left => layout.x[lane] - offset,
            Side::Right => layout.x[lane] + offset,
        });
    }
    tracks
}

/// Writes labels below the rows for the messages in flight at the end of the run, and returns the lower ends of their
/// lines.
pub(crate) fn open_messages(layout: &mut Layout<'_>) -> Vec<OpenEnd> {
    let view = layout.view;
    let words = view.replay.words;
    let tracks = tracks(layout);
    let mut open: Vec<usize> = (0..view.flights.len())
        .filter(|f| {
            let flight = &view.flights[*f];
            let shown = !layout.row_of(flight.sent).gap;
            let from = words.machine.edges[flight.edge.index()].0;
            flight.open && shown && view.lane(from).is_some()
        })
        .collect();
    if open.is_empty() {
        return Vec::new();
    }
    // From right to left: when a label is placed, all lines to the right of its line have already ended.
    open.sort_by(|a, b| tracks[*b].total_cmp(&tracks[*a]));
    layout.y += 14.0;
    let when = match view.loop_start {
        Some(_) => "on the way when it begins again",
        None => "still on the way",
    };
    let head = wrapped(when, SMALL, false, layout.x[0] - 10.0 - MARGIN);
    for (i, line) in head.iter().enumerate() {
        let y = layout.y + 12.0 + 14.0 * i as f64;
        layout.canvas.text(MARGIN, y, SMALL, "sc-soft", line);
    }
    // By band of labels: the occupied intervals of x coordinates, each a label with the end of its line.
    let mut bands: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut ends = Vec::new();
    for f in open {
        let flight = &view.flights[f];
        let to = words.machine.edges[flight.edge.index()].1;
        let text = format!("{} to {}", words.value(&flight.message), words.node(to));
        let track = tracks[f];
        let (before, behind) = (track - 8.0 - layout.left, layout.right - track - 8.0);
        let wide = width(&text, LABEL, false);
        let right = wide <= behind || behind >= before;
        let short = shortened(&text, LABEL, false, if right { behind } else { before });
        let wide = width(&short, LABEL, false);
        let area = if right {
            [track - 5.0, track + 8.0 + wide]
        } else {
            [track - 8.0 - wide, track + 5.0]
        };
        let meets = |band: &Vec<[f64; 2]>| {
            band.iter()
                .any(|a| area[1] + 6.0 > a[0] && a[1] + 6.0 > area[0])
        };
        // The label goes below the last band in which it would overlap something, because its line crosses all bands
        // above.
        let band = bands.iter().rposition(meets).map_or(0, |last| last + 1);
        if band == bands.len() {
            bands.push(Vec::new());
        }
        bands[band].push(area);
        let y = layout.y + 20.0 * band as f64 + 8.0;
        let class = if view.flight_matters(flight) {
            "sc-halo"
        } else {
            "sc-halo sc-pale"
        };
        let x = if right { track + 8.0 } else { area[0] };
        layout.canvas.text(x, y + 4.0, LABEL, class, &short);
        if short != text {
            layout.canvas.full_last(Some(text));
        }
        ends.push(OpenEnd { flight: f, y });
    }
    layout.y += (20.0 * bands.len() as f64).max(14.0 * head.len() as f64 + 4.0);
    ends
}
