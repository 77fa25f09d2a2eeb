//! What lies behind and below the messages: lanes, dots, the bracket of a loop, the legend.

use super::layout::{Layout, MARGIN, SMALL};
use super::row::idle;
use super::view::EntryKind;
use super::{Kind, Layer};
use crate::draw::measure::width;
use machine::{EnumId, Event, Mode, NodeId, Outcome, Type, Value};
use std::collections::BTreeSet;
use verdict::Ending;

impl Layout<'_> {
    /// The lanes, down to the end of the rows.
    pub(crate) fn lanes(&mut self, end: f64) {
        let view = self.view;
        for (lane, node) in view.lanes.iter().enumerate() {
            let x = self.x[lane];
            self.roles(*node, x, end);
            let mode = |s: &machine::State| s.nodes[node.index()].mode;
            let mut from = self.header;
            for (mode, until) in self.segments(*node, end, mode) {
                let row = self.rows.iter().find(|r| r.y == until);
                let after = row.and_then(|r| view.telling.states.get(r.last + 1));
                let after = after.map(|s| s.nodes[node.index()].mode);
                let halts = mode == Mode::Running && after == Some(Mode::Halted) && until < end;
                let until = row.filter(|_| halts).map_or(until, |r| r.bottom - 1.0);
                let class = match mode {
                    Mode::Running | Mode::Waiting => "sc-lane",
                    _ => "sc-lane-off",
                };
                // Who has crashed is not there any more.
                if mode != Mode::Crashed {
                    let kind = Kind::Path(format!("M{x} {from}V{until}"));
                    self.shape(Layer::Lane, class, kind);
                }
                if halts {
                    let kind = Kind::Path(format!("M{} {until}H{}", x - 8.0, x + 8.0));
                    self.shape(Layer::Lane, "sc-bar", kind);
                }
                from = until;
            }
        }
        let (first, last) = (self.x.first(), self.x.last());
        if let (Ending::StandsStill, Some(first), Some(last)) =
            (&view.telling.run.ending, first, last)
        {
            let kind = Kind::Path(format!("M{} {end}H{}", first - 20.0, last + 20.0));
            self.shape(Layer::Lane, "sc-bar", kind);
        }
    }

    /// Something of a node through the run: each value, and how far down it goes.
    fn segments<T: PartialEq>(
        &self,
        node: NodeId,
        end: f64,
        of: impl Fn(&machine::State) -> T,
    ) -> Vec<(T, f64)> {
        let view = self.view;
        let states = view.telling.states;
        let mut found = Vec::new();
        let mut now = of(&states[0]);
        for i in 0..view.lines.len() {
            let Some(after) = states
                .get(i + 1)
                .filter(|_| view.lines[i].who == Some(node))
            else {
                continue;
            };
            let next = of(after);
            if next != now {
                found.push((now, self.row_of(i).y));
                now = next;
            }
        }
        found.push((now, end));
        found
    }

    /// A broad stripe behind the lane in the colour of the node's role, if it has one.
    fn roles(&mut self, node: NodeId, x: f64, end: f64) {
        let Some((place, _)) = self.role(node) else {
            return;
        };
        let role = |s: &machine::State| s.nodes[node.index()].vars[place].clone();
        let mut from = self.header;
        for (value, until) in self.segments(node, end, role) {
            if let Value::Enum(_, v) = value {
                let area = [x - 6.0, from, 12.0, until - from];
                self.shape(
                    Layer::Ground,
                    format!("sc-r{}", v % 6),
                    Kind::Rect(area, 0.0),
                );
            }
            from = until;
        }
    }

    /// The variable that is a node's role: its first one that has named values.
    fn role(&self, node: NodeId) -> Option<(usize, EnumId)> {
        let machine = self.view.telling.words.machine;
        let vars = machine.vars_of(machine.kind_of(node)).enumerate();
        let mut named = vars.filter_map(|(place, var)| match var.ty {
            Type::Enum(e) if !var.ghost => Some((place, e)),
            _ => None,
        });
        named.next()
    }

    /// A dot for each event that is shown; where the claim breaks, a cross.
    pub(crate) fn dots(&mut self) {
        let view = self.view;
        for (e, entry) in view.entries.iter().enumerate() {
            if entry.kind == EntryKind::Gap {
                continue;
            }
            let (y, top, bottom, fails) = {
                let row = &self.rows[e];
                (row.y, row.top, row.bottom, row.fails)
            };
            for i in entry.first..=entry.last {
                let Some(lane) = view.lane_of(i) else {
                    continue;
                };
                let class = match (idle(view, i), view.matters[i]) {
                    (false, true) => "sc-dot",
                    (true, true) => "sc-ring",
                    (false, false) => "sc-dot-pale",
                    (true, false) => "sc-ring-pale",
                };
                let x = self.x[lane];
                let (class, kind) = mark(&view.telling.run.choices[i].event, x, y)
                    .unwrap_or((class, Kind::Circle(x, y, 4.0)));
                self.shape(Layer::Dot, class, kind);
                if fails {
                    let (a, b) = (x - 7.0, y - 7.0);
                    let kind = Kind::Path(format!("M{a} {b}l14 14m0 -14l-14 14"));
                    self.shape(Layer::Dot, "sc-cross", kind);
                }
            }
            if fails {
                let area = [0.0, top, self.width, bottom - top];
                self.shape(Layer::Band, "sc-band-wrong", Kind::Rect(area, 0.0));
                let area = [0.0, top, 4.0, bottom - top];
                self.shape(Layer::Band, "sc-mark-wrong", Kind::Rect(area, 0.0));
            }
        }
    }

    /// The bracket around a loop, with its way back.
    pub(crate) fn round(&mut self) {
        let Some(from) = self.view.loops else { return };
        let Some(last) = self.rows.last() else { return };
        let (top, bottom) = (self.row_of(from).top - 8.0, last.bottom - 4.0);
        let x = MARGIN + 42.0;
        let kind = Kind::Path(format!(
            "M{r} {bottom}H{h}Q{x} {bottom} {x} {b}V{t}Q{x} {top} {h} {top}H{r}",
            r = x + 9.0,
            h = x + 5.0,
            b = bottom - 5.0,
            t = top + 5.0,
        ));
        self.shape(Layer::Lane, "sc-round", kind);
        let tip = x + 16.0;
        let kind = Kind::Path(format!(
            "M{tip} {top}L{back} {}V{}Z",
            top - 4.0,
            top + 4.0,
            back = tip - 8.0
        ));
        self.shape(Layer::Lane, "sc-round-head", kind);
    }

    /// What the signs mean, as far as they occur.
    pub(crate) fn legend(&mut self) {
        let signs = self.signs();
        if signs.is_empty() {
            return;
        }
        self.y += 26.0;
        let mut x = MARGIN;
        for (sign, text) in signs {
            let wide = 30.0 + width(&text, SMALL, false) + 18.0;
            if x + wide > self.width && x > MARGIN {
                x = MARGIN;
                self.y += 20.0;
            }
            self.sign(sign, x + 12.0, self.y - 4.0);
            self.text(x + 30.0, self.y, SMALL, "sc-soft", &text);
            x += wide;
        }
        self.y += 4.0;
    }

    fn signs(&self) -> Vec<(Sign, String)> {
        let view = self.view;
        let mut signs: Vec<(Sign, String)> = Vec::new();
        let idles = (0..view.lines.len()).any(|i| idle(view, i));
        if idles {
            signs.push((Sign::Ring, "nothing comes of it".into()));
        }
        let outcomes = || view.flights.iter().flat_map(|f| &f.arrivals).map(|a| a.1);
        if outcomes().any(|o| matches!(o, Outcome::Lose(_))) {
            signs.push((Sign::Lost, "lost".into()));
        }
        if outcomes().any(|o| o == Outcome::Drop) {
            signs.push((Sign::Dropped, "dropped or ignored".into()));
        }
        if outcomes().any(|o| matches!(o, Outcome::Repeat(..))) {
            signs.push((Sign::Repeated, "handed over, comes again".into()));
        }
        if view.flights.iter().any(|f| f.open) {
            signs.push((Sign::Open, "still on the way".into()));
        }
        let states = view.telling.states;
        if states
            .last()
            .is_some_and(|s| s.nodes.iter().any(|n| n.mode == Mode::Halted))
        {
            signs.push((Sign::Halted, "halts".into()));
        }
        if view.leaves_out() > 0 {
            let text = match view.telling.explanation.is_some() || view.telling.error.is_some() {
                true => "pale: the failure does not depend on it",
                false => "pale: does not matter for this",
            };
            signs.push((Sign::Pale, text.into()));
        }
        let machine = view.telling.words.machine;
        let mut roles: BTreeSet<(EnumId, u32)> = BTreeSet::new();
        for node in &view.lanes {
            let Some((place, _)) = self.role(*node) else {
                continue;
            };
            for state in states {
                if let Value::Enum(e, v) = state.nodes[node.index()].vars[place] {
                    roles.insert((e, v));
                }
            }
        }
        for (e, v) in roles {
            let name = machine.enums[e.index()].values[v as usize].clone();
            signs.push((Sign::Role(v as usize % 6), name));
        }
        signs
    }

    fn sign(&mut self, sign: Sign, x: f64, y: f64) {
        let line = "sc-line sc-m5";
        let (class, kind) = match sign {
            Sign::Ring => ("sc-ring".to_string(), Kind::Circle(x, y, 4.0)),
            Sign::Lost => {
                let (l, a) = (x - 10.0, x - 2.0);
                let way = format!("M{l} {y}H{}M{a} {}l10 10m0 -10l-10 10", x + 3.0, y - 5.0);
                (line.into(), Kind::Path(way))
            }
            Sign::Dropped => {
                let way = format!("M{} {y}H{}m0 -6v12", x - 10.0, x + 8.0);
                (line.into(), Kind::Path(way))
            }
            Sign::Repeated => {
                let head = |t: f64| format!("M{t} {y}l-8 -4v8Z");
                let kind = Kind::Path(head(x + 10.0) + &head(x + 3.0));
                self.shape(Layer::Arrow, "sc-h5", kind);
                (
                    line.into(),
                    Kind::Path(format!("M{} {y}H{}", x - 12.0, x - 4.0)),
                )
            }
            Sign::Open => {
                self.shape(Layer::Arrow, "sc-open sc-m5", Kind::Circle(x, y + 3.0, 3.5));
                (
                    line.into(),
                    Kind::Path(format!("M{x} {}V{}", y - 7.0, y - 1.0)),
                )
            }
            Sign::Halted => {
                let kind = Kind::Path(format!("M{} {}h16", x - 8.0, y + 4.0));
                self.shape(Layer::Lane, "sc-bar", kind);
                ("sc-lane".into(), Kind::Path(format!("M{x} {}v11", y - 7.0)))
            }
            Sign::Pale => {
                self.shape(Layer::Dot, "sc-dot-pale", Kind::Circle(x + 8.0, y, 4.0));
                (
                    "sc-line sc-mpale".into(),
                    Kind::Path(format!("M{} {y}h16", x - 10.0)),
                )
            }
            Sign::Role(v) => {
                let area = [x - 6.0, y - 6.0, 12.0, 12.0];
                (format!("sc-r{v}"), Kind::Rect(area, 0.0))
            }
        };
        self.shape(Layer::Arrow, class, kind);
    }
}

/// The mark of an event that is more than a dot.
fn mark(event: &Event, x: f64, y: f64) -> Option<(&'static str, Kind)> {
    let at = |dx: f64, dy: f64| format!("M{} {}", x + dx, y + dy);
    match event {
        Event::Crash(..) | Event::CrashDuring(..) => {
            let cross = format!("{}l12 12m0 -12l-12 12", at(-6.0, -6.0));
            Some(("sc-bar", Kind::Path(cross)))
        }
        Event::Stop(..) => Some(("sc-dot", Kind::Rect([x - 5.0, y - 5.0, 10.0, 10.0], 1.0))),
        Event::Restart(_) => {
            let down = format!("{}h13l-6.5 11Z", at(-6.5, -5.0));
            Some(("sc-dot", Kind::Path(down)))
        }
        Event::Expire(..) => {
            let diamond = format!("{}l5 -5l5 5l-5 5Z", at(-5.0, 0.0));
            Some(("sc-dot", Kind::Path(diamond)))
        }
        _ => None,
    }
}

/// A sign that the legend explains.
#[derive(Clone, Copy)]
enum Sign {
    Ring,
    Lost,
    Dropped,
    Repeated,
    Open,
    Halted,
    Pale,
    Role(usize),
}
