//! Messages as lines: down beside the sender while they are on the way, then across to the receiver.

use super::layout::{LABEL, Layout, MARGIN, SMALL};
use super::row::Side;
use super::{Kind, Layer};
use crate::draw::measure::{shortened, width, wrapped};
use crate::replay::messages::Flight;
use machine::Outcome;

/// From a lane to the first line beside it, and from line to line.
const FIRST: f64 = 9.0;
const NEXT: f64 = 6.0;
/// So much further from the lane where messages also arrive: clear of the heads of their arrows.
pub(crate) const BOTH_WAYS: f64 = 8.0;
/// How round corners are.
const ROUND: f64 = 6.0;
/// Below the level of its row a message leaves the lane: on the level others arrive.
const LEAVES: f64 = 5.0;

/// A message that is on the way at the end: which, and where its line ends.
pub(crate) struct Open {
    flight: usize,
    y: f64,
}

impl Layout<'_> {
    /// The lines of all messages.
    pub(crate) fn arrows(&mut self, open: &[Open]) {
        let tracks = self.tracks();
        let view = self.view;
        for (f, flight) in view.flights.iter().enumerate() {
            let first = self.shapes.len();
            let end = open.iter().find(|o| o.flight == f).map(|o| o.y);
            self.arrow(flight, tracks[f], end);
            let words = view.telling.words;
            let (from, to) = words.machine.edges[flight.edge.index()];
            let title = format!(
                "{} from {} to {}",
                words.value(&flight.message),
                words.node(from),
                words.node(to)
            );
            for shape in &mut self.shapes[first..] {
                shape.title = Some(title.clone());
            }
        }
    }

    fn arrow(&mut self, flight: &Flight, track: f64, end: Option<f64>) {
        let view = self.view;
        let edge = view.telling.words.machine.edges[flight.edge.index()];
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
            .filter(|(i, _)| !self.row_of(*i).gap)
            .collect();
        let Some(from) = view.lane(edge.0) else {
            // Its sender has no lane: it comes from the edge of the picture.
            for (i, outcome) in shown {
                let (x, y) = (self.left - 8.0, self.row_of(*i).y);
                let to = self.x[view.lane(edge.1).expect("its row is shown")];
                let way = format!("M{x} {y}");
                self.arrival(*outcome, &way, (to, y), Side::Right, layer, &colour);
            }
            return;
        };
        if flight.at_once() {
            self.straight(flight, from, layer, &colour);
            return;
        }
        let (x, sent) = (self.x[from], self.row_of(flight.sent).y);
        let away = if track < x { -1.0 } else { 1.0 };
        let leave = format!(
            "M{x} {from}Q{track} {from} {track} {}",
            sent + LEAVES + ROUND,
            from = sent + LEAVES
        );
        let mut way = leave;
        for (i, outcome) in &shown {
            let y = self.row_of(*i).y;
            let to = view.lane(edge.1).expect("its row is shown");
            let side = if to == from {
                Side::Left
            } else {
                Layout::side(from, to)
            };
            let turn = if side == Side::Left { -ROUND } else { ROUND };
            let across = format!("{way}V{}Q{track} {y} {} {y}", y - ROUND, track + turn);
            self.arrival(*outcome, &across, (self.x[to], y), side, layer, &colour);
            way = format!("M{track} {}", y - ROUND);
        }
        let mut arrivals = flight.arrivals.iter();
        let hidden = arrivals.rfind(|(i, _)| self.row_of(*i).gap);
        if let Some(y) = end {
            self.shape(layer, line, Kind::Path(format!("{way}V{}", y - 4.0)));
            let open = format!("sc-open sc-m{colour}");
            self.shape(layer, open, Kind::Circle(track, y, 3.5));
        } else if let Some((i, _)) = hidden {
            // It arrives in an event that is not shown.
            let (y, x) = (self.row_of(*i).y, track + away * 8.0);
            let kind = Kind::Path(format!(
                "{way}V{}L{x} {y}",
                (y - 8.0).max(sent + LEAVES + ROUND)
            ));
            self.shape(layer, format!("{line} sc-dash"), kind);
        }
    }

    /// A message that arrives at once: straight across, in the row of the event.
    fn straight(&mut self, flight: &Flight, from: usize, layer: Layer, colour: &str) {
        let to = self.view.telling.words.machine.edges[flight.edge.index()].1;
        let row = self.row_of(flight.sent);
        let (gap, y) = (row.gap, row.y);
        for (_, outcome) in &flight.arrivals {
            if let Some(to) = self.view.lane(to).filter(|to| *to != from && !gap) {
                let way = format!("M{} {y}", self.x[from]);
                let side = Layout::side(from, to);
                self.arrival(*outcome, &way, (self.x[to], y), side, layer, colour);
            }
        }
    }

    /// The last part of a line, with what shows how the message fares.
    fn arrival(
        &mut self,
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
                self.shape(layer, line, kind);
                self.shape(layer, filled, Kind::Path(head(tip)));
            }
            Outcome::Repeat(..) => {
                let tip = x - towards * 5.0;
                let kind = Kind::Path(format!("{way}H{}", tip - towards * 13.0));
                self.shape(layer, line, kind);
                let heads = head(tip) + &head(tip - towards * 7.0);
                self.shape(layer, filled, Kind::Path(heads));
            }
            Outcome::Drop => {
                let stop = x - towards * 9.0;
                let bar = format!("{way}H{stop}M{stop} {}V{}", y - 6.0, y + 6.0);
                self.shape(layer, line, Kind::Path(bar));
            }
            Outcome::Lose(_) => {
                let stop = x - towards * 24.0;
                let cross = format!(
                    "M{} {}l10 10m0 -10l-10 10",
                    stop + towards * 5.0 - 5.0,
                    y - 5.0
                );
                self.shape(
                    layer,
                    line.clone(),
                    Kind::Path(format!("{way}H{stop}{cross}")),
                );
            }
        }
    }

    /// Messages leave a lane on this side, and others arrive there.
    pub(crate) fn both_ways(&self, lane: usize, side: Side) -> bool {
        let view = self.view;
        let edges = &view.telling.words.machine.edges;
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

    /// How far from a lane the lines of messages reach that leave it on this side.
    pub(crate) fn beside(&self, lane: usize, side: Side) -> f64 {
        let view = self.view;
        let tracks = self.tracks();
        let own = view.flights.iter().zip(tracks).filter(|(flight, _)| {
            let from = view.telling.words.machine.edges[flight.edge.index()].0;
            view.lane(from) == Some(lane)
        });
        let reach = own.map(|(_, track)| match side {
            Side::Left => self.x[lane] - track,
            Side::Right => track - self.x[lane],
        });
        reach.fold(0.0, f64::max) + 5.0
    }

    /// For each message, where it goes down beside its sender: no two of them at the same place.
    fn tracks(&self) -> Vec<f64> {
        let view = self.view;
        let mut taken: Vec<(usize, Side, Vec<usize>)> = Vec::new();
        let most = ((self.spacing * 0.42 - FIRST - BOTH_WAYS) / NEXT)
            .floor()
            .max(0.0) as usize;
        let mut tracks = Vec::new();
        for flight in &view.flights {
            let (from, to) = view.telling.words.machine.edges[flight.edge.index()];
            let Some(lane) = view.lane(from) else {
                tracks.push(self.left);
                continue;
            };
            let side = view
                .lane(to)
                .map_or(Side::Right, |to| Layout::side(lane, to));
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
            // By line: until which row it is taken.
            let ends = &mut taken[place].2;
            let free = ends.iter().position(|end| *end <= begin);
            let track = free.unwrap_or(ends.len());
            if track == ends.len() {
                ends.push(0);
            }
            ends[track] = end;
            let first = if self.both_ways(lane, side) {
                FIRST + BOTH_WAYS
            } else {
                FIRST
            };
            let offset = first + NEXT * track.min(most) as f64;
            tracks.push(match side {
                Side::Left => self.x[lane] - offset,
                Side::Right => self.x[lane] + offset,
            });
        }
        tracks
    }

    /// Words for what is on the way at the end, below the rows; says where the lines end.
    pub(crate) fn open_messages(&mut self) -> Vec<Open> {
        let view = self.view;
        let words = view.telling.words;
        let tracks = self.tracks();
        let mut open: Vec<usize> = (0..view.flights.len())
            .filter(|f| {
                let flight = &view.flights[*f];
                let shown = !self.row_of(flight.sent).gap;
                let from = words.machine.edges[flight.edge.index()].0;
                flight.open && shown && view.lane(from).is_some()
            })
            .collect();
        if open.is_empty() {
            return Vec::new();
        }
        // From the right: where the line of a message goes down, those right of it have ended.
        open.sort_by(|a, b| tracks[*b].total_cmp(&tracks[*a]));
        self.y += 14.0;
        let when = match view.loops {
            Some(_) => "on the way when it begins again",
            None => "still on the way",
        };
        let head = wrapped(when, SMALL, false, self.x[0] - 10.0 - MARGIN);
        for (i, line) in head.iter().enumerate() {
            let y = self.y + 12.0 + 14.0 * i as f64;
            self.text(MARGIN, y, SMALL, "sc-soft", line);
        }
        // By band: what is taken, the lines that end there included.
        let mut bands: Vec<Vec<[f64; 2]>> = Vec::new();
        let mut ends = Vec::new();
        for f in open {
            let flight = &view.flights[f];
            let to = words.machine.edges[flight.edge.index()].1;
            let text = format!("{} to {}", words.value(&flight.message), words.node(to));
            let track = tracks[f];
            let (before, behind) = (track - 8.0 - self.left, self.right - track - 8.0);
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
            // Below everything that it would meet: beside that, lines still go down.
            let band = bands.iter().rposition(meets).map_or(0, |last| last + 1);
            if band == bands.len() {
                bands.push(Vec::new());
            }
            bands[band].push(area);
            let y = self.y + 20.0 * band as f64 + 8.0;
            let class = if view.flight_matters(flight) {
                "sc-halo"
            } else {
                "sc-halo sc-pale"
            };
            let x = if right { track + 8.0 } else { area[0] };
            self.text(x, y + 4.0, LABEL, class, &short);
            if short != text {
                self.texts.last_mut().expect("a text").full = Some(text);
            }
            ends.push(Open { flight: f, y });
        }
        self.y += (20.0 * bands.len() as f64).max(14.0 * head.len() as f64 + 4.0);
        ends
    }
}
