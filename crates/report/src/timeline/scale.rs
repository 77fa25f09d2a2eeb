//! Which events a timeline shows, and where their times are.

use crate::chart::LABEL;
use crate::draw::measure::width;
use crate::replay::cause::Crux;
use crate::{Telling, Times};
use machine::Event;
use rational::Rational;

/// So many events of one node fit beside each other.
const MOST_EVENTS: usize = 26;
/// Before the first time, and behind the last one: room for a word, or for the label of a late message.
const BEFORE: f64 = 16.0;
const BEHIND: f64 = 92.0;
const MOST_BEHIND: f64 = 290.0;

/// From times to places.
pub(crate) struct Scale<'a> {
    times: Times<'a>,
    /// The first event that is shown.
    pub(crate) first: usize,
    /// One more than the last.
    pub(crate) end: usize,
    from: f64,
    to: f64,
    left: f64,
    right: f64,
}

impl<'a> Scale<'a> {
    pub(crate) fn new(telling: &'a Telling<'_>, crux: &Crux, left: f64, right: f64) -> Scale<'a> {
        let times = telling.times();
        let (first, end) = part(telling, crux);
        let begin = match first {
            0 => Rational::default(),
            first => telling.time(first),
        };
        let last = if end > first {
            telling.time(end - 1)
        } else {
            begin.clone()
        };
        let (from, to) = (times.float(&begin), times.float(&last));
        Scale {
            times,
            first,
            end,
            from,
            to: if to > from { to } else { from + 1.0 },
            left: left + BEFORE,
            right: right - behind(telling, crux, end),
        }
    }

    /// The events that are shown.
    pub(crate) fn events(&self) -> std::ops::Range<usize> {
        self.first..self.end
    }

    /// Where a time is.
    pub(crate) fn x(&self, time: &Rational) -> f64 {
        self.place(self.times.float(time))
    }

    fn place(&self, time: f64) -> f64 {
        self.left + (time - self.from) / (self.to - self.from) * (self.right - self.left)
    }

    /// Round times at a distance that can be read, each with its place and words.
    pub(crate) fn ticks(&self, until: f64) -> Vec<(f64, String)> {
        let per_pixel = (self.to - self.from) / (self.right - self.left);
        let least = per_pixel * 74.0;
        let power = 10f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|s| s * power);
        let step = steps
            .into_iter()
            .find(|s| *s >= least)
            .unwrap_or(power * 10.0);
        let mut number = (self.from / step).ceil() as i64;
        let mut ticks = Vec::new();
        loop {
            let time = number as f64 * step;
            let x = self.place(time);
            if x > until {
                return ticks;
            }
            let digits = (1.0 - step.log10().floor()).max(0.0) as usize;
            let mut text = format!("{time:.digits$}");
            if text.contains('.') {
                text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
            }
            let unit = self.times.unit();
            let space = if unit.is_empty() { "" } else { " " };
            ticks.push((x, format!("{text}{space}{unit}")));
            number += 1;
        }
    }
}

/// Room behind the last time: if a message is too late there, for what it says.
fn behind(telling: &Telling<'_>, crux: &Crux, end: usize) -> f64 {
    let mut room = BEHIND;
    for silence in &crux.silences {
        let after = silence.quiet.iter().filter_map(|q| q.after);
        for event in after.filter(|after| after + 1 == end) {
            let late = telling.time(event) - telling.time(silence.to);
            let late = telling.times().text(&late);
            if let Some(flight) = crux.flights.iter().find(|f| f.sent == event) {
                let message = telling.words.value(&flight.message);
                let label = width(&format!("{message}, {late} late"), LABEL, false) + 20.0;
                room = room.max(label.min(MOST_BEHIND));
            }
        }
    }
    room
}

/// The events that are shown: to where it is decided, back as far as there is room, and in any case what
/// decides.
pub(crate) fn part(telling: &Telling<'_>, crux: &Crux) -> (usize, usize) {
    let machine = telling.words.machine;
    let choices = &telling.run.choices;
    let silences = &crux.silences;
    let after = silences
        .iter()
        .flat_map(|s| &s.quiet)
        .filter_map(|q| q.after);
    let looping = telling.loops();
    let end = match (crux.fails, looping) {
        (Some(fails), None) => after.max().unwrap_or(0).max(fails) + 1,
        _ => choices.len(),
    };
    let before = silences
        .iter()
        .flat_map(|s| &s.quiet)
        .filter_map(|q| q.before);
    let decisive = silences
        .iter()
        .map(|s| s.from)
        .chain(crux.fails)
        .chain(looping);
    let decisive = decisive.chain(before).min().unwrap_or(end);
    let mut counts = vec![0; machine.node_count() as usize];
    let mut first = end;
    while first > 0 {
        let event = &choices[first - 1].event;
        // Where messages are handed over, what arrives takes little room.
        let small = crux.fleeting.is_some() && matches!(event, Event::Deliver(..));
        if let Some(node) = machine.node_of(event).filter(|_| !small) {
            counts[node.index()] += 1;
            if counts[node.index()] > MOST_EVENTS && first <= decisive {
                break;
            }
        }
        first -= 1;
    }
    (first, end)
}
