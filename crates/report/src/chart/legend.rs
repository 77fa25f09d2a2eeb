//! The legend of a sequence chart: explains the signs that occur in it.

use super::ground::role;
use super::layout::Layout;
use super::row::is_idle;
use crate::draw::measure::width;
use crate::draw::shapes::{Kind, Layer, MARGIN, SMALL};
use machine::{EnumId, Mode, Outcome, Value};
use std::collections::BTreeSet;

/// Draws the legend below everything laid out so far.
pub(crate) fn legend(layout: &mut Layout<'_>) {
    let signs = signs(layout);
    if signs.is_empty() {
        return;
    }
    layout.y += 26.0;
    let mut x = MARGIN;
    for (sign, text) in signs {
        let wide = 30.0 + width(&text, SMALL, false) + 18.0;
        if x + wide > layout.canvas.width && x > MARGIN {
            x = MARGIN;
            layout.y += 20.0;
        }
        draw_sign(layout, sign, x + 12.0, layout.y - 4.0);
        layout
            .canvas
            .text(x + 30.0, layout.y, SMALL, "sc-soft", &text);
        x += wide;
    }
    layout.y += 4.0;
}

/// The signs that occur, with their meanings.
fn signs(layout: &Layout<'_>) -> Vec<(Sign, String)> {
    let view = layout.view;
    let mut signs: Vec<(Sign, String)> = Vec::new();
    let idles = (0..view.lines.len()).any(|i| is_idle(view, i));
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
    let states = view.replay.states;
    if states
        .last()
        .is_some_and(|s| s.nodes.iter().any(|n| n.mode == Mode::Halted))
    {
        signs.push((Sign::Halted, "halts".into()));
    }
    if view.leaves_out() > 0 {
        let text = match view.replay.explanation.is_some() || view.replay.error.is_some() {
            true => "pale: the failure does not depend on it",
            false => "pale: does not matter for this",
        };
        signs.push((Sign::Pale, text.into()));
    }
    let machine = view.replay.words.machine;
    let mut roles: BTreeSet<(EnumId, u32)> = BTreeSet::new();
    for node in &view.lanes {
        let Some((place, _)) = role(layout, *node) else {
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

/// Draws a sign of the legend with its middle at (`x`, `y`).
fn draw_sign(layout: &mut Layout<'_>, sign: Sign, x: f64, y: f64) {
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
            layout.canvas.shape(Layer::Arrow, "sc-h5", kind);
            (
                line.into(),
                Kind::Path(format!("M{} {y}H{}", x - 12.0, x - 4.0)),
            )
        }
        Sign::Open => {
            layout
                .canvas
                .shape(Layer::Arrow, "sc-open sc-m5", Kind::Circle(x, y + 3.0, 3.5));
            (
                line.into(),
                Kind::Path(format!("M{x} {}V{}", y - 7.0, y - 1.0)),
            )
        }
        Sign::Halted => {
            let kind = Kind::Path(format!("M{} {}h16", x - 8.0, y + 4.0));
            layout.canvas.shape(Layer::Lane, "sc-bar", kind);
            ("sc-lane".into(), Kind::Path(format!("M{x} {}v11", y - 7.0)))
        }
        Sign::Pale => {
            layout
                .canvas
                .shape(Layer::Dot, "sc-dot-pale", Kind::Circle(x + 8.0, y, 4.0));
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
    layout.canvas.shape(Layer::Arrow, class, kind);
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
