//! The time axis: which events are visible, and the mapping from times to x coordinates.

use crate::draw::measure::width;
use crate::draw::shapes::LABEL;
use crate::replay::run::ReplayedRun;
use crate::words::times::Times;
use machine::Event;
use rational::Rational;
use std::ops::Range;

/// The largest number of visible events of one node. If the cause of the failure reaches farther back, there are more.
const MOST_EVENTS: usize = 26;
/// Space left of the first visible event, in pixels.
const BEFORE: f64 = 16.0;
/// Space right of the last visible event for a word, in pixels.
const AFTER: f64 = 92.0;
/// The largest space right of the last visible event for the label of a late message, in pixels.
const MOST_AFTER: f64 = 290.0;

/// The mapping from times to x coordinates.
pub(crate) struct Scale<'a> {
    times: Times<'a>,
    /// The first visible event.
    pub(crate) first: usize,
    /// The event after the last visible one.
    pub(crate) end: usize,
    from: f64,
    to: f64,
    left: f64,
    right: f64,
}

impl<'a> Scale<'a> {
    pub(crate) fn new(replay: &'a ReplayedRun<'_>, left: f64, right: f64) -> Scale<'a> {
        let times = replay.times();
        let Range { start: first, end } = visible_events(replay);
        let begin = match first {
            0 => Rational::default(),
            first => replay.time(first),
        };
        let last = if end > first {
            replay.time(end - 1)
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
            right: right - space_after(replay, end),
        }
    }

    /// The visible events.
    pub(crate) fn events(&self) -> Range<usize> {
        self.first..self.end
    }

    /// The x coordinate of a time.
    pub(crate) fn x(&self, time: &Rational) -> f64 {
        self.place(self.times.float(time))
    }

    fn place(&self, time: f64) -> f64 {
        self.left + (time - self.from) / (self.to - self.from) * (self.right - self.left)
    }

    /// The ticks of the axis up to the x coordinate `until`: round times at least 74 pixels apart, each with its x
    /// coordinate and its text.
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

/// The space right of the last visible event (`end - 1`): enough for the label of its message, if that is the first one
/// after a silence.
fn space_after(replay: &ReplayedRun<'_>, end: usize) -> f64 {
    let mut space = AFTER;
    for silence in &replay.cause().silences {
        let after = silence.silent.iter().filter_map(|s| s.after);
        for event in after.filter(|after| after + 1 == end) {
            let late = replay.time(event) - replay.time(silence.to);
            let late = replay.times().text(&late);
            if let Some(flight) = replay.messages().iter().find(|f| f.sent == event) {
                let message = replay.words.value(&flight.message);
                let label = width(&format!("{message}, {late} late"), LABEL, false) + 20.0;
                space = space.max(label.min(MOST_AFTER));
            }
        }
    }
    space
}

/// The visible events. The last is the failing event or the first sending after a silence, if that is later; in a loop
/// or without a failure it is the last event of the run. The first is the earliest one for which no node has more than
/// `MOST_EVENTS` visible events, or earlier if the cause or the loop begins earlier.
pub(crate) fn visible_events(replay: &ReplayedRun<'_>) -> Range<usize> {
    let cause = replay.cause();
    let machine = replay.words.machine;
    let choices = &replay.run.choices;
    let silences = &cause.silences;
    let after = silences
        .iter()
        .flat_map(|s| &s.silent)
        .filter_map(|s| s.after);
    let looping = replay.loop_start();
    let end = match (cause.failing_event, looping) {
        (Some(fails), None) => after.max().unwrap_or(0).max(fails) + 1,
        _ => choices.len(),
    };
    let before = silences
        .iter()
        .flat_map(|s| &s.silent)
        .filter_map(|s| s.before);
    let decisive = silences
        .iter()
        .map(|s| s.from)
        .chain(cause.failing_event)
        .chain(looping);
    let decisive = decisive.chain(before).min().unwrap_or(end);
    let mut counts = vec![0; machine.node_count() as usize];
    let mut first = end;
    while first > 0 {
        let event = &choices[first - 1].event;
        // In an event-driven run arrivals do not count, because they take little space.
        let small = cause.transient.is_some() && matches!(event, Event::Deliver(..));
        if let Some(node) = machine.node_of(event).filter(|_| !small) {
            counts[node.index()] += 1;
            if counts[node.index()] > MOST_EVENTS && first <= decisive {
                break;
            }
        }
        first -= 1;
    }
    first..end
}
