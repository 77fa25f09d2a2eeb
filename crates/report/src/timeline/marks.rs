//! Marks on lanes: who crashes, stops, begins again or halts; and the moment until which nothing happens.

use super::sketch::{BAND, Sketch};
use crate::chart::{BODY, Kind, Layer, SMALL};
use crate::draw::measure::width;
use machine::{Event, Mode};

/// What a lane can go through.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Crashes,
    Stops,
    Again,
    Halts,
}

impl Mark {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Mark::Crashes => "crashes",
            Mark::Stops => "stops",
            Mark::Again => "begins again",
            Mark::Halts => "halts",
        }
    }

    /// How it is drawn.
    pub(crate) fn drawn(self, x: f64, y: f64) -> (&'static str, Kind) {
        match self {
            Mark::Crashes => (
                "sc-crash",
                Kind::Path(format!("M{} {}l13 13m0 -13l-13 13", x - 6.5, y - 6.5)),
            ),
            Mark::Stops => ("sc-dot", Kind::Rect([x - 5.0, y - 5.0, 10.0, 10.0], 1.0)),
            Mark::Again => (
                "sc-dot",
                Kind::Path(format!("M{} {}l11 7l-11 7Z", x - 4.0, y - 7.0)),
            ),
            Mark::Halts => (
                "sc-bar",
                Kind::Path(format!("M{x} {}V{}", y - BAND, y + BAND)),
            ),
        }
    }
}

impl Sketch<'_> {
    /// What a lane goes through in an event of its node.
    pub(crate) fn mark(&self, event: usize) -> Option<Mark> {
        let node = self.node_of(event)?.index();
        match &self.telling.run.choices[event].event {
            Event::Crash(..) | Event::CrashDuring(..) => Some(Mark::Crashes),
            Event::Stop(..) => Some(Mark::Stops),
            Event::Restart(_) => Some(Mark::Again),
            _ => {
                let after = self.telling.states.get(event + 1)?;
                let was = self.telling.states[event].nodes[node].mode;
                let halts = was != Mode::Halted && after.nodes[node].mode == Mode::Halted;
                halts.then_some(Mark::Halts)
            }
        }
    }

    /// Words at the marks, above their lanes.
    pub(crate) fn mark_words(&mut self) {
        for event in self.scale.events() {
            let (Some(mark), Some(lane)) = (self.mark(event), self.lane_of(event)) else {
                continue;
            };
            let (x, y) = (self.x(event), self.y[lane]);
            let mut words = vec![mark.word().to_string()];
            if let Event::CrashDuring(..) = self.telling.run.choices[event].event {
                let sent = self.lines[event].effects.iter();
                let sent: Vec<&str> = sent.filter_map(|e| e.strip_prefix("→ ")).collect();
                words.insert(0, format!("crashes; {}", sent.join(", ")));
            }
            for word in words {
                let wide = width(&word, SMALL, true);
                let spots = [
                    (x - 4.0, y - 14.0),
                    (x + 4.0 - wide, y - 14.0),
                    (x + 5.0, y - 14.0),
                    (x - 4.0, y + 22.0),
                    (x + 4.0 - wide, y + 22.0),
                ];
                let fits = |spot: &&(f64, f64)| spot.0 >= self.left && spot.0 + wide <= self.right;
                let spots: Vec<_> = spots.iter().filter(fits).copied().collect();
                if self.put(&spots, SMALL, "sc-b sc-halo", &word) {
                    break;
                }
            }
        }
    }

    /// The last event is that time passes.
    pub(crate) fn waits(&self) -> Option<usize> {
        let last = self.scale.events().next_back()?;
        (self.telling.run.choices[last].event == Event::Wait).then_some(last)
    }

    /// A line down at the moment until which nothing happens, with words below the lanes.
    pub(crate) fn now(&mut self) {
        let Some(last) = self.waits() else {
            return;
        };
        let x = self.x(last);
        let fails = self.crux.fails == Some(last);
        let class = if fails { "sc-now-wrong" } else { "sc-now" };
        let kind = Kind::Path(format!("M{x} {}V{}", self.top - 2.0, self.bottom - 16.0));
        self.shape(Layer::Lane, class, kind);
        self.wall([x - 2.0, self.top - 2.0, x + 2.0, self.bottom - 16.0]);
        let mut text = self.lines[last].what.clone();
        if fails {
            text += match self.telling.error.is_some() {
                true => "",
                false => ": here the claim is false",
            };
        }
        let class = if fails { "sc-b sc-wrong" } else { "sc-soft" };
        let wide = width(&text, BODY, fails);
        let least = (x - wide / 2.0).min(self.right - wide).max(self.left);
        self.text(least, self.bottom, BODY, class, &text);
    }
}
