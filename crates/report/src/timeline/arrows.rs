//! Messages as arrows: straight down or up where they arrive at once, slanted where they take time.

use super::sketch::{BAND, Sketch};
use crate::chart::{Kind, LABEL, Layer};
use crate::draw::measure::width;
use crate::replay::messages::Flight;
use machine::{Delay, Mode, Outcome};

/// Beside an event of the same instant.
const BESIDE: f64 = 6.0;

/// With more lanes than this, messages that do not matter are a fence.
const MOST_LANES: usize = 4;

/// A line from place to place, and what became of the message.
struct Arrow {
    from: (f64, f64),
    to: (f64, f64),
    outcome: Option<Outcome>,
}

impl Sketch<'_> {
    pub(crate) fn arrows(&mut self) {
        let heavy: Vec<usize> = (0..self.crux.flights.len())
            .filter(|f| self.crux.heavy[*f])
            .collect();
        for f in 0..self.crux.flights.len() {
            let Some(arrow) = self.arrow(&self.crux.flights[f]) else {
                continue;
            };
            if !self.crux.heavy[f] && self.lanes.len() > MOST_LANES {
                self.drawn.left_out = true;
                continue;
            }
            self.draw(f, &arrow);
            if self.crux.heavy[f] {
                self.block(&arrow);
            }
        }
        for f in heavy {
            if let Some(arrow) = self.arrow(&self.crux.flights[f]) {
                self.label(f, &arrow);
            }
        }
    }

    /// Where a message is drawn, if it is.
    fn arrow(&self, flight: &Flight) -> Option<Arrow> {
        let (from, to) = self.telling.words.machine.edges[flight.edge.index()];
        let (a, b) = (self.y[self.lane(from)?], self.y[self.lane(to)?]);
        if from == to || self.telling.states[0].nodes[to.index()].mode == Mode::Off {
            return None;
        }
        let shown = self.scale.events();
        let way = if b > a { 1.0 } else { -1.0 };
        let (start, end) = (a + way * BAND, b - way * (BAND + 1.0));
        if flight.at_once() {
            if !shown.contains(&flight.sent) {
                return None;
            }
            let x = self.x(flight.sent) + self.beside(flight);
            return Some(Arrow {
                from: (x, start),
                to: (x, end),
                outcome: flight.arrivals.first().map(|a| a.1),
            });
        }
        let arrival = flight.arrivals.first().filter(|(i, _)| *i < shown.end);
        let x = match flight.sent >= shown.start {
            true if flight.sent < shown.end => self.x(flight.sent),
            true => return None,
            false => self.left,
        };
        match arrival {
            Some((i, _)) if *i < shown.start => None,
            Some((i, outcome)) => Some(Arrow {
                from: (x, start),
                to: (self.x(*i), end),
                outcome: Some(*outcome),
            }),
            // It is on its way at the end.
            None => Some(Arrow {
                from: (x, start),
                to: self.towards(flight, (x, start), end),
                outcome: None,
            }),
        }
    }

    /// Where the line of a message that is still on its way ends: towards where it must be handed over, at the edge.
    fn towards(&self, flight: &Flight, (x, start): (f64, f64), end: f64) -> (f64, f64) {
        let right = self.right;
        let latest = match &self.telling.words.machine.delay {
            Delay::Within(_, most) => {
                let sent = self.telling.time(flight.sent);
                self.scale.x(&(sent + most))
            }
            _ => right + (right - x) / 3.0,
        };
        match latest > right {
            true if latest > x => (right, start + (end - start) * (right - x) / (latest - x)),
            _ => (latest, end),
        }
    }

    /// To which side a message is moved because the receiver has an event at the same instant.
    fn beside(&self, flight: &Flight) -> f64 {
        let to = self.telling.words.machine.edges[flight.edge.index()].1;
        let time = self.telling.time(flight.sent);
        let mut events = self.scale.events();
        let other = events.find(|i| {
            *i != flight.sent && self.node_of(*i) == Some(to) && self.telling.time(*i) == time
        });
        match other {
            Some(other) if other > flight.sent => -BESIDE,
            Some(_) => BESIDE,
            None => 0.0,
        }
    }

    fn draw(&mut self, f: usize, arrow: &Arrow) {
        let flight = &self.crux.flights[f];
        let words = self.telling.words;
        let (from, to) = words.machine.edges[flight.edge.index()];
        let title = format!(
            "{} from {} to {}",
            words.value(&flight.message),
            words.node(from),
            words.node(to)
        );
        let (layer, colour) = match self.crux.heavy[f] {
            true => (
                Layer::Arrow,
                (flight.message.record().index() % 6).to_string(),
            ),
            false => (Layer::PaleArrow, "pale".to_string()),
        };
        let ((ax, ay), (bx, by)) = (arrow.from, arrow.to);
        let length = (bx - ax).hypot(by - ay).max(1.0);
        let (ux, uy) = ((bx - ax) / length, (by - ay) / length);
        self.drawn.pale |= !self.crux.heavy[f];
        let first = self.shapes.len();
        let line =
            |back: f64| Kind::Path(format!("M{ax} {ay}L{} {}", bx - back * ux, by - back * uy));
        let class = format!("sc-line sc-m{colour}");
        match arrow.outcome {
            None => {
                self.drawn.open = true;
                self.shape(layer, format!("{class} sc-dash"), line(0.0));
            }
            Some(Outcome::Drop) => {
                self.drawn.dropped = true;
                self.shape(layer, class.clone(), line(3.0));
                let (x, y) = (bx - 3.0 * ux, by - 3.0 * uy);
                let bar = format!(
                    "M{} {}L{} {}",
                    x - 6.0 * uy,
                    y + 6.0 * ux,
                    x + 6.0 * uy,
                    y - 6.0 * ux
                );
                self.shape(layer, class, Kind::Path(bar));
            }
            Some(Outcome::Lose(_)) => {
                self.drawn.lost = true;
                self.shape(layer, class.clone(), line(20.0));
                let (x, y) = (bx - 20.0 * ux, by - 20.0 * uy);
                let cross = format!("M{} {}l10 10m0 -10l-10 10", x - 5.0, y - 5.0);
                self.shape(layer, class, Kind::Path(cross));
            }
            Some(_) => {
                self.shape(layer, class, line(7.0));
                let (x, y) = (bx - 8.0 * ux, by - 8.0 * uy);
                let head = format!(
                    "M{bx} {by}L{} {}L{} {}Z",
                    x - 4.0 * uy,
                    y + 4.0 * ux,
                    x + 4.0 * uy,
                    y - 4.0 * ux
                );
                self.shape(layer, format!("sc-h{colour}"), Kind::Path(head));
            }
        }
        for shape in &mut self.shapes[first..] {
            shape.title = Some(title.clone());
        }
    }

    /// No text crosses an arrow that matters.
    fn block(&mut self, arrow: &Arrow) {
        let ((ax, ay), (bx, by)) = (arrow.from, arrow.to);
        let steps = ((bx - ax).abs() / 3.0).ceil().max(1.0) as usize;
        for step in 0..steps {
            let at = |k: usize, a: f64, b: f64| a + (b - a) * k as f64 / steps as f64;
            let (x, y) = (
                [at(step, ax, bx), at(step + 1, ax, bx)],
                [at(step, ay, by), at(step + 1, ay, by)],
            );
            self.wall([
                x[0].min(x[1]) - 2.0,
                y[0].min(y[1]),
                x[0].max(x[1]) + 2.0,
                y[0].max(y[1]),
            ]);
        }
    }

    /// Words at an arrow that matters, near its receiver.
    fn label(&mut self, f: usize, arrow: &Arrow) {
        let flight = &self.crux.flights[f];
        let message = self.telling.words.value(&flight.message);
        let (note, late) = self.note(flight);
        let note = note.or_else(|| self.fate(flight));
        let full = match &note {
            Some(note) => format!("{message}, {note}"),
            None => message.clone(),
        };
        let way = if arrow.to.1 > arrow.from.1 { 1.0 } else { -1.0 };
        let deep = (arrow.to.1 - arrow.from.1).abs();
        let short = note.filter(|_| !self.crux.silences.is_empty());
        let short = short.unwrap_or_else(|| message.clone());
        for text in [full, short, message] {
            let wide = width(&text, LABEL, false);
            let mut spots = Vec::new();
            for back in [40.0, 26.0, 56.0, 72.0, 88.0, 104.0, 120.0] {
                if back > deep - 4.0 {
                    continue;
                }
                let y = arrow.to.1 - way * back;
                // Clear of the line along the whole height of the text.
                let at = |y: f64| {
                    let back = (arrow.to.1 - y) * way;
                    arrow.to.0 - (arrow.to.0 - arrow.from.0) * back / deep
                };
                let (above, below) = (at(y - 8.0), at(y + 8.0));
                let (most, least) = (above.max(below), above.min(below));
                let (right, left) = ((most + 7.0, y + 4.0), (least - 7.0 - wide, y + 4.0));
                spots.extend(if late { [right, left] } else { [left, right] });
            }
            let fits = |(x, _): &(f64, f64)| *x >= self.left && x + wide <= self.right;
            spots.retain(fits);
            if self.put(&spots, LABEL, "sc-halo", &text) {
                return;
            }
        }
    }

    /// What became of a message that was not taken.
    fn fate(&self, flight: &Flight) -> Option<String> {
        let to = self.telling.words.machine.edges[flight.edge.index()].1;
        match flight.arrivals.first() {
            Some((_, Outcome::Lose(_))) => Some("lost".into()),
            Some((i, Outcome::Drop)) => {
                let mode = self.telling.states[*i].nodes[to.index()].mode;
                (!mode.runs()).then(|| "dropped".into())
            }
            Some(_) => None,
            None => Some("on the way".into()),
        }
    }

    /// How a message lies to a silence, and whether it is behind it.
    fn note(&self, flight: &Flight) -> (Option<String>, bool) {
        let (from, to) = self.telling.words.machine.edges[flight.edge.index()];
        for silence in self.crux.silences.iter().filter(|s| s.reader == to) {
            for quiet in silence.quiet.iter().filter(|q| q.node == from) {
                let arrival = flight.arrivals.first().map_or(flight.sent, |a| a.0);
                let time = self.telling.time(arrival);
                if quiet.before == Some(flight.sent) {
                    let early = self.telling.time(silence.from) - time;
                    let note = match early.is_zero() {
                        true => "same instant, sent first".into(),
                        false => format!("{} before the read", self.times.text(&early)),
                    };
                    return (Some(note), false);
                }
                if quiet.after == Some(flight.sent) {
                    let late = time - self.telling.time(silence.to);
                    let note = match late.is_zero() {
                        true => "same instant, sent behind".into(),
                        false => format!("{} late", self.times.text(&late)),
                    };
                    return (Some(note), true);
                }
            }
        }
        (None, false)
    }
}
