//! What the signs of a timeline mean, as far as they occur.

use super::bands::colour;
use super::marks::Mark;
use super::sketch::{Sketch, WIDTH};
use crate::chart::{Kind, Layer, MARGIN, SMALL};
use crate::draw::measure::width;
use crate::replay::cause::state_word;
use machine::{Event, Value};

#[derive(Clone, Copy)]
enum Sign {
    Reads,
    Sends,
    Pale,
    Cross,
    Lost,
    Dropped,
    Open,
    Timer,
    Expires,
    Lane(Mark),
    Role(u32),
    Nothing,
}

impl Sketch<'_> {
    pub(crate) fn legend(&mut self) {
        self.down += 24.0;
        let mut x = MARGIN;
        for (sign, text) in self.signs() {
            let wide = 28.0 + width(&text, SMALL, false) + 20.0;
            if x + wide > WIDTH && x > MARGIN {
                x = MARGIN;
                self.down += 20.0;
            }
            self.sign(sign, x + 12.0, self.down - 4.0);
            self.text(x + 28.0, self.down, SMALL, "sc-soft", &text);
            x += wide;
        }
        self.down += 2.0;
    }

    fn signs(&self) -> Vec<(Sign, String)> {
        let mut signs: Vec<(Sign, String)> = Vec::new();
        let activations = || {
            let events = self.scale.events();
            events.filter(|e| self.crux.deeds[*e].activation.is_some())
        };
        let some_read = self.somebody_reads();
        if some_read && activations().any(|e| self.reads(e)) {
            signs.push((Sign::Reads, "activation that reads the inbox".into()));
        }
        if some_read && activations().any(|e| !self.reads(e)) {
            signs.push((Sign::Sends, "activation that does not".into()));
        }
        if !some_read && activations().next().is_some() {
            signs.push((Sign::Reads, "activation".into()));
        }
        for mark in [Mark::Crashes, Mark::Stops, Mark::Again, Mark::Halts] {
            if self
                .scale
                .events()
                .any(|e| self.lane_of(e).is_some() && self.mark(e) == Some(mark))
            {
                signs.push((Sign::Lane(mark), mark.word().into()));
            }
        }
        if self.drawn.timer {
            let text = "timer, and when it may expire";
            signs.push((Sign::Timer, text.into()));
        }
        let expires = |e: usize| matches!(self.telling.run.choices[e].event, Event::Expire(..));
        if self
            .scale
            .events()
            .any(|e| expires(e) && self.lane_of(e).is_some())
        {
            signs.push((Sign::Expires, "it expires".into()));
        }
        if self.crux.fails.is_some() && self.crux.fails != self.waits() {
            let text = match self.telling.error.is_some() {
                true => "here is the error",
                false => "here the claim is false",
            };
            signs.push((Sign::Cross, text.into()));
        }
        let on_it = match self.telling.explanation.is_some() || self.telling.error.is_some() {
            true => "the failure does not depend on it",
            false => "does not matter for this",
        };
        if self.drawn.pale {
            signs.push((Sign::Pale, format!("pale: {on_it}")));
        }
        if self.drawn.lost {
            signs.push((Sign::Lost, "lost".into()));
        }
        if self.drawn.open {
            signs.push((Sign::Open, "still on the way".into()));
        }
        if self.drawn.dropped {
            signs.push((Sign::Dropped, "dropped or ignored".into()));
        }
        for (value, word) in self.roles() {
            signs.push((Sign::Role(colour(&value)), word));
        }
        if self.drawn.left_out {
            let text = "only messages on which it depends are drawn: there are too many";
            signs.push((Sign::Nothing, text.into()));
        }
        signs
    }

    /// The values that bands have, each once.
    fn roles(&self) -> Vec<(Value, String)> {
        let mut found: Vec<(Value, String)> = Vec::new();
        for node in &self.lanes {
            let kind = self.telling.words.machine.kind_of(*node);
            let Some(place) = self.crux.shown[kind.index()] else {
                continue;
            };
            for stretch in self.shown(*node) {
                let word = state_word(self.telling, *node, place, &stretch.value);
                if !found.iter().any(|f| f.1 == word) {
                    found.push((stretch.value, word));
                }
            }
        }
        found.sort();
        found
    }

    fn sign(&mut self, sign: Sign, x: f64, y: f64) {
        let line = "sc-line sc-m5";
        let (class, kind) = match sign {
            Sign::Nothing => return,
            Sign::Reads => ("sc-dot".to_string(), Kind::Circle(x, y, 6.0)),
            Sign::Sends => ("sc-ring".into(), Kind::Circle(x, y, 4.5)),
            Sign::Cross => {
                let cross = format!("M{} {}l12 12m0 -12l-12 12", x - 6.0, y - 6.0);
                ("sc-cross".into(), Kind::Path(cross))
            }
            Sign::Pale => {
                let head = format!("M{x} {}l-4 -7h8Z", y + 7.0);
                self.shape(Layer::Arrow, "sc-hpale", Kind::Path(head));
                (
                    "sc-line sc-mpale".into(),
                    Kind::Path(format!("M{x} {}v9", y - 8.0)),
                )
            }
            Sign::Lost => {
                let way = format!(
                    "M{x} {}v4M{} {}l10 10m0 -10l-10 10",
                    y - 8.0,
                    x - 5.0,
                    y - 4.0
                );
                (line.into(), Kind::Path(way))
            }
            Sign::Dropped => {
                let way = format!("M{x} {}v13m-6 0h12", y - 8.0);
                (line.into(), Kind::Path(way))
            }
            Sign::Open => (
                format!("{line} sc-dash"),
                Kind::Path(format!("M{} {}l20 12", x - 10.0, y - 6.0)),
            ),
            Sign::Timer => {
                let area = [x, y - 3.0, 8.0, 6.0];
                self.shape(Layer::Ground, "sc-window", Kind::Rect(area, 1.0));
                let bar = format!("M{} {}v8m0 -4h18", x - 10.0, y - 4.0);
                ("sc-timer".into(), Kind::Path(bar))
            }
            Sign::Expires => {
                let kind = Kind::Path(format!("M{} {y}l5 -5l5 5l-5 5Z", x - 5.0));
                ("sc-dot".into(), kind)
            }
            Sign::Lane(mark) => {
                let (class, kind) = mark.drawn(x, y);
                (class.into(), kind)
            }
            Sign::Role(v) => {
                let area = [x - 8.0, y - 6.0, 16.0, 12.0];
                (format!("sc-r{v}"), Kind::Rect(area, 3.0))
            }
        };
        self.shape(Layer::Arrow, class, kind);
    }
}
