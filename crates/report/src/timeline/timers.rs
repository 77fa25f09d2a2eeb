//! Timers as thin bars beside the lane of their node: from when they are set to when that is over, the window in
//! which they may expire marked.

use super::sketch::{BAND, Sketch};
use crate::chart::{Kind, Layer, SMALL};
use crate::draw::measure::width;
use crate::replay::timers::{Alarm, AlarmEnd, timer_name};
use machine::NodeId;
use std::collections::BTreeSet;

/// From bar to bar, and from the lane to the first one.
const ROW: f64 = 21.0;
const FIRST_BELOW: f64 = BAND + 20.0;
const FIRST_ABOVE: f64 = 31.0;
/// More bars than this above each other at one lane say nothing any more.
pub(crate) const MOST_ROWS: usize = 4;

impl Sketch<'_> {
    /// How many rows of bars there are at the lane of a node.
    pub(crate) fn alarm_rows(&self, node: NodeId) -> usize {
        self.rows_of(node)
            .iter()
            .map(|(_, row)| row + 1)
            .max()
            .unwrap_or(0)
    }

    /// How far bars reach above and below the lane of a node.
    pub(crate) fn alarm_room(&self, node: NodeId) -> [f64; 2] {
        let rows = self.alarm_rows(node) as f64;
        match (rows > 0.0, self.alarms_above(node)) {
            (false, _) => [0.0, 0.0],
            (true, true) => [rows * ROW + 4.0, 0.0],
            (true, false) => [0.0, rows * ROW + 2.0],
        }
    }

    /// At the first lane they are above, where no message goes; at others below.
    fn alarms_above(&self, node: NodeId) -> bool {
        self.lane(node) == Some(0) && self.lanes.len() > 1
    }

    /// The timers of a node that are shown, each time they are set, with their rows: a row for each timer.
    fn rows_of(&self, node: NodeId) -> Vec<(usize, usize)> {
        let shown = self.alarms.iter().enumerate().filter(|(_, alarm)| {
            let (from, to) = self.reach(alarm);
            alarm.node == node && to >= self.left && from <= self.right
        });
        let shown: Vec<(usize, &Alarm)> = shown.collect();
        let expires = |place: usize| {
            let mut own = shown.iter().filter(|(_, alarm)| alarm.place == place);
            own.any(|(_, a)| a.end.is_some_and(|(_, how)| how == AlarmEnd::Expired))
        };
        let places: BTreeSet<usize> = shown.iter().map(|(_, alarm)| alarm.place).collect();
        let mut places: Vec<usize> = places.into_iter().collect();
        // Those that expire say most.
        places.sort_by_key(|place| (!expires(*place), *place));
        places.truncate(MOST_ROWS);
        places.sort_unstable();
        let rows = shown.iter().filter_map(|(a, alarm)| {
            let row = places.iter().position(|place| *place == alarm.place)?;
            Some((*a, row))
        });
        rows.collect()
    }

    /// A timer is set anew: it need not be named again.
    fn goes_on(&self, a: usize) -> bool {
        let alarm = &self.alarms[a];
        let before = self.alarms[..a].iter().rev();
        let mut own = before.filter(|b| b.node == alarm.node && b.place == alarm.place);
        let shown = alarm.set > self.scale.first;
        shown
            && own
                .next()
                .is_some_and(|b| b.end == Some((alarm.set, AlarmEnd::SetAnew)))
    }

    /// From where to where a timer is drawn.
    fn reach(&self, alarm: &Alarm) -> (f64, f64) {
        let at = |event: usize| self.scale.x(&self.telling.time(event));
        let from = match alarm.set >= self.scale.first {
            true => at(alarm.set),
            false => self.left,
        };
        let to = match alarm.end {
            Some((event, _)) if event < self.scale.end => match event >= self.scale.first {
                true => at(event),
                false => self.left - 1.0,
            },
            _ => self.right,
        };
        let from = if alarm.set < self.scale.end {
            from
        } else {
            self.right + 1.0
        };
        (from, to)
    }

    /// The bars of all lanes.
    pub(crate) fn alarm_bars(&mut self) {
        for (lane, node) in self.lanes.clone().into_iter().enumerate() {
            for (a, row) in self.rows_of(node) {
                let above = self.alarms_above(node);
                let row = row as f64;
                let y = match above {
                    true => self.y[lane] - FIRST_ABOVE - ROW * row,
                    false => self.y[lane] + FIRST_BELOW + ROW * row,
                };
                self.bar(a, lane, y);
            }
        }
    }

    fn bar(&mut self, a: usize, lane: usize, y: f64) {
        let alarm = &self.alarms[a];
        let (from, to) = self.reach(alarm);
        let node = alarm.node;
        let name = timer_name(self.telling.words, node, alarm.place);
        let set = self.telling.time(alarm.set);
        let window = (&alarm.window.0 - &set, &alarm.window.1 - &set);
        let span = self.times.span(&window.0, &window.1);
        let (first, last) = (self.scale.x(&alarm.window.0), self.scale.x(&alarm.window.1));
        let end = alarm.end.filter(|(event, _)| *event < self.scale.end);
        let how = match end.map(|(event, how)| (self.times.text(&self.telling.time(event)), how)) {
            Some((time, AlarmEnd::Expired)) => format!("expires at {time}"),
            Some((time, AlarmEnd::Cancelled)) => format!("cancelled at {time}"),
            Some((time, AlarmEnd::SetAnew)) => format!("set anew at {time}"),
            Some((time, AlarmEnd::Gone)) => format!("gone with its node at {time}"),
            None => "still set at the end".into(),
        };
        let owner = self.telling.words.node(node);
        let begun = self.times.text(&set);
        let title = format!("timer {name} of {owner}, set at {begun} for {span}: {how}");
        let start = self.shapes.len();
        self.drawn.timer = true;
        // The window, if it came to that.
        let over = end.is_some_and(|(_, how)| how != AlarmEnd::Expired);
        let (l, r) = (
            first.max(from),
            last.min(if over { to } else { self.right }),
        );
        if r > l {
            let area = [l, y - 3.0, r - l, 6.0];
            self.shape(Layer::Ground, "sc-window", Kind::Rect(area, 1.0));
        }
        let open = end.is_none();
        let dash = if open { " sc-dash" } else { "" };
        let until = if open {
            last.clamp(from, self.right)
        } else {
            to
        };
        let line = Kind::Path(format!(
            "M{from} {}V{}M{from} {y}H{until}",
            y - 4.0,
            y + 4.0
        ));
        self.shape(Layer::Lane, format!("sc-timer{dash}"), line);
        let near = self.y[lane] + if y > self.y[lane] { BAND } else { -BAND };
        match end.map(|e| e.1) {
            Some(AlarmEnd::Expired) => {
                let kind = Kind::Path(format!("M{to} {y}V{near}"));
                self.shape(Layer::Lane, "sc-timer", kind);
                self.wall([to - 2.0, y.min(near), to + 2.0, y.max(near)]);
                let ring = Kind::Path(format!("M{} {y}l4.5 -4.5l4.5 4.5l-4.5 4.5Z", to - 4.5));
                self.shape(Layer::Dot, "sc-dot", ring);
            }
            Some(AlarmEnd::Cancelled) => {
                let kind = Kind::Path(format!("M{} {}l7 -7m-7 0l7 7", to - 3.5, y + 3.5));
                self.shape(Layer::Lane, "sc-timer", kind);
            }
            Some(AlarmEnd::SetAnew | AlarmEnd::Gone) | None => {}
        }
        for shape in &mut self.shapes[start..] {
            shape.title = Some(title.clone());
        }
        self.wall([from - 1.0, y - 3.0, until.max(r) + 1.0, y + 3.0]);
        // What it is called stands on it.
        if self.goes_on(a) {
            return;
        }
        let wide = width(&name, SMALL, false);
        let full = format!("{name}: {span}");
        let full_wide = width(&full, SMALL, false);
        let spot = (from + 4.0, y - 6.5);
        let room = (until.max(r) - from + 30.0).min(self.right - from - 4.0);
        if full_wide < room && self.put(&[spot], SMALL, "sc-soft sc-halo", &full) {
            return;
        }
        if wide < room {
            self.put(&[spot], SMALL, "sc-soft sc-halo", &name);
        }
    }
}
