//! Lanes: what a node is as a band with words at each change, its activations as circles.

use super::Hit;
use super::sketch::{BAND, Sketch};
use crate::chart::{Kind, Layer, SMALL};
use crate::draw::measure::{shortened, width};
use crate::replay::cause::state_word;
use machine::{Event, Mode, NodeId, Outcome, State, Value};

/// A value of a node: from where to where it has it.
pub(crate) struct Stretch<T> {
    pub(crate) value: T,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Sketch<'_> {
    /// Something of a node through what is shown.
    pub(crate) fn stretches<T: PartialEq>(&self, of: impl Fn(&State) -> T) -> Vec<Stretch<T>> {
        let states = self.telling.states;
        let mut found = Vec::new();
        let mut from = self.left;
        let mut value = of(&states[self.scale.first.min(states.len() - 1)]);
        for event in self.scale.events() {
            let Some(after) = states.get(event + 1) else {
                continue;
            };
            let next = of(after);
            if next != value {
                let to = self.x(event);
                found.push(Stretch { value, from, to });
                (value, from) = (next, to);
            }
        }
        let to = self.right;
        found.push(Stretch { value, from, to });
        found
    }

    /// The bands and lines of all lanes.
    pub(crate) fn bands(&mut self) {
        for (lane, node) in self.lanes.clone().into_iter().enumerate() {
            let y = self.y[lane];
            for stretch in self.shown(node) {
                let class = format!("sc-r{}", colour(&stretch.value));
                let area = [
                    stretch.from,
                    y - BAND,
                    stretch.to - stretch.from,
                    2.0 * BAND,
                ];
                self.shape(Layer::Ground, class, Kind::Rect(area, 3.0));
            }
            let modes = self.stretches(|s: &State| s.nodes[node.index()].mode);
            for stretch in modes {
                // Who has crashed is not there any more.
                let class = match stretch.value {
                    Mode::Running | Mode::Waiting => "sc-lane",
                    Mode::Crashed => continue,
                    Mode::Halted | Mode::Off | Mode::Stopped => "sc-lane-off",
                };
                let kind = Kind::Path(format!("M{} {y}H{}", stretch.from, stretch.to));
                self.shape(Layer::Lane, class, kind);
            }
            self.wall([self.left, y - BAND, self.right, y + BAND]);
        }
    }

    /// The values of the variable that stands for a node; of one that is off it means nothing.
    pub(crate) fn shown(&self, node: NodeId) -> Vec<Stretch<Value>> {
        let kind = self.telling.words.machine.kind_of(node);
        let off = self.telling.states[0].nodes[node.index()].mode == Mode::Off;
        let Some(place) = self.crux.shown[kind.index()].filter(|_| !off) else {
            return Vec::new();
        };
        let stretches = self.stretches(|s: &State| {
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

    /// What nodes become, above their bands.
    pub(crate) fn words(&mut self) {
        for (lane, node) in self.lanes.clone().into_iter().enumerate() {
            let y = self.y[lane];
            let kind = self.telling.words.machine.kind_of(node);
            let Some(place) = self.crux.shown[kind.index()] else {
                continue;
            };
            for stretch in self.shown(node) {
                let word = state_word(self.telling, node, place, &stretch.value);
                let x = stretch.from + 4.0;
                let spots = [(x, y - 14.0), (x, y + 22.0)];
                let class = "sc-b sc-soft sc-halo";
                if self.put(&spots, SMALL, class, &word) {
                    continue;
                }
                let short = shortened(&word, SMALL, true, stretch.to - x);
                let wide = width(&short, SMALL, true);
                if short.chars().count() > 2 && wide <= stretch.to - x {
                    let done = self.put(&spots, SMALL, class, &short);
                    if let Some(text) = self.texts.last_mut().filter(|_| done) {
                        text.full = Some(word);
                    }
                }
            }
        }
    }

    /// A circle for each activation, a mark for other events; where the claim breaks, a cross.
    pub(crate) fn circles(&mut self) {
        let crowded = self.crowded();
        for event in self.scale.events() {
            let Some(lane) = self.lane_of(event) else {
                continue;
            };
            let (x, y) = (self.x(event), self.y[lane]);
            let reads = self.reads(event);
            let choice = &self.telling.run.choices[event].event;
            let said = self.said(event);
            let mark = self.mark(event).map(|mark| mark.drawn(x, y));
            let (class, kind) = match (self.crux.deeds[event].activation, choice) {
                _ if mark.is_some() => mark.expect("a mark"),
                (None, Event::Expire(..)) => (
                    "sc-dot",
                    Kind::Path(format!("M{} {y}l5 -5l5 5l-5 5Z", x - 5.0)),
                ),
                (Some(_), _) if reads => ("sc-dot", Kind::Circle(x, y, 6.5 * crowded)),
                (Some(_), _) => ("sc-ring", Kind::Circle(x, y, 4.5 * crowded)),
                (None, Event::Deliver(_, _, Outcome::Lose(_) | Outcome::Drop)) => {
                    ("sc-dot", Kind::Circle(x, y, 0.0))
                }
                (None, Event::Deliver(..)) => ("sc-dot", Kind::Circle(x, y, 2.0)),
                (None, _) => (
                    "sc-bar",
                    Kind::Path(format!("M{x} {}V{}", y - 6.0, y + 6.0)),
                ),
            };
            self.shape(Layer::Dot, class, kind);
            self.shapes.last_mut().expect("a shape").title = Some(said);
            let fails = self.crux.fails == Some(event);
            if fails {
                let (a, b) = (x - 9.0, y - 9.0);
                let kind = Kind::Path(format!("M{a} {b}l18 18m0 -18l-18 18"));
                self.shape(Layer::Box, "sc-cross", kind);
            }
            let half = 11.0 * crowded;
            self.hits.push(Hit {
                first: event,
                last: event,
                area: [x - half, y - 13.0, 2.0 * half, 26.0],
                fails,
            });
        }
        // Those at nodes without a lane stand at the left edge.
        for event in self.scale.events() {
            if self.lane_of(event).is_none() {
                let (x, y) = (self.x(event), self.top - 4.0);
                self.hits.push(Hit {
                    first: event,
                    last: event,
                    area: [x - 3.0, y, 6.0, 6.0],
                    fails: self.crux.fails == Some(event),
                });
            }
        }
    }

    /// An activation looks into the inbox of its node; where nobody ever does, all are drawn alike.
    pub(crate) fn reads(&self, event: usize) -> bool {
        let inboxes = &self.crux.deeds[event].trace.inboxes;
        let node = self.node_of(event);
        node.is_some_and(|node| inboxes.contains(&node)) || !self.somebody_reads()
    }

    pub(crate) fn somebody_reads(&self) -> bool {
        let mut deeds = self.crux.deeds.iter();
        deeds.any(|deed| !deed.trace.inboxes.is_empty())
    }

    /// How much smaller circles are because there are many.
    fn crowded(&self) -> f64 {
        let most = self.lanes.iter().map(|node| {
            let own = self
                .scale
                .events()
                .filter(|e| self.node_of(*e) == Some(*node));
            own.count()
        });
        match most.max().unwrap_or(0) {
            0..=30 => 1.0,
            31..=60 => 0.75,
            _ => 0.5,
        }
    }

    /// An event in a few words, for those who point at it.
    fn said(&self, event: usize) -> String {
        let time = self.times.text(&self.telling.time(event));
        let name = self.lines[event].name(self.telling.words);
        format!("{name} at {time}: {}", self.lines[event].what)
    }
}

/// The colour of a value.
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
