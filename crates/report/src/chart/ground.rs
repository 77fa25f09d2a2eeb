//! The lanes, the dots and the bracket of the loop in a chart.

use super::layout::Layout;
use super::row::is_idle;
use super::view::EntryKind;
use crate::draw::shapes::{Kind, Layer, MARGIN};
use machine::{EnumId, Event, Mode, NodeId, Type, Value};
use verdict::Ending;

/// Draws the lanes down to the y coordinate `end`, the end of the rows.
pub(crate) fn lanes(layout: &mut Layout<'_>, end: f64) {
    let view = layout.view;
    for (lane, node) in view.lanes.iter().enumerate() {
        let x = layout.x[lane];
        roles(layout, *node, x, end);
        let mode = |s: &machine::State| s.nodes[node.index()].mode;
        let mut from = layout.header;
        for (mode, until) in segments(layout, *node, end, mode) {
            let row = layout.rows.iter().find(|r| r.y == until);
            let after = row.and_then(|r| view.replay.states.get(r.last + 1));
            let after = after.map(|s| s.nodes[node.index()].mode);
            let halts = mode == Mode::Running && after == Some(Mode::Halted) && until < end;
            let until = row.filter(|_| halts).map_or(until, |r| r.bottom - 1.0);
            let class = match mode {
                Mode::Running | Mode::Waiting => "sc-lane",
                _ => "sc-lane-off",
            };
            // The lane of a node ends where the node crashes.
            if mode != Mode::Crashed {
                let kind = Kind::Path(format!("M{x} {from}V{until}"));
                layout.canvas.shape(Layer::Lane, class, kind);
            }
            if halts {
                let kind = Kind::Path(format!("M{} {until}H{}", x - 8.0, x + 8.0));
                layout.canvas.shape(Layer::Lane, "sc-bar", kind);
            }
            from = until;
        }
    }
    let (first, last) = (layout.x.first(), layout.x.last());
    if let (Ending::StandsStill, Some(first), Some(last)) = (&view.replay.run.ending, first, last) {
        let kind = Kind::Path(format!("M{} {end}H{}", first - 20.0, last + 20.0));
        layout.canvas.shape(Layer::Lane, "sc-bar", kind);
    }
}

/// The successive values of the function `of`, as the events of a node change them, each with the y coordinate down to
/// which it holds.
fn segments<T: PartialEq>(
    layout: &Layout<'_>,
    node: NodeId,
    end: f64,
    of: impl Fn(&machine::State) -> T,
) -> Vec<(T, f64)> {
    let view = layout.view;
    let states = view.replay.states;
    let mut found = Vec::new();
    let mut now = of(&states[0]);
    for i in 0..view.lines.len() {
        let Some(after) = states
            .get(i + 1)
            .filter(|_| view.lines[i].node == Some(node))
        else {
            continue;
        };
        let next = of(after);
        if next != now {
            found.push((now, layout.row_of(i).y));
            now = next;
        }
    }
    found.push((now, end));
    found
}

/// Draws a broad stripe behind the lane of a node in the colour of the node's role, if it has one.
fn roles(layout: &mut Layout<'_>, node: NodeId, x: f64, end: f64) {
    let Some((place, _)) = role(layout, node) else {
        return;
    };
    let role = |s: &machine::State| s.nodes[node.index()].vars[place].clone();
    let mut from = layout.header;
    for (value, until) in segments(layout, node, end, role) {
        if let Value::Enum(_, v) = value {
            let area = [x - 6.0, from, 12.0, until - from];
            layout.canvas.shape(
                Layer::Ground,
                format!("sc-r{}", v % 6),
                Kind::Rect(area, 0.0),
            );
        }
        from = until;
    }
}

/// The role of a node: the index and the type of its first enum variable that is not a ghost variable; `None` if there
/// is none.
pub(crate) fn role(layout: &Layout<'_>, node: NodeId) -> Option<(usize, EnumId)> {
    let machine = layout.view.replay.words.machine;
    let vars = machine.vars_of(machine.kind_of(node)).enumerate();
    let mut named = vars.filter_map(|(place, var)| match var.ty {
        Type::Enum(e) if !var.ghost => Some((place, e)),
        _ => None,
    });
    named.next()
}

/// Draws a dot or another mark for each shown event of a node with a lane, and a cross at the failing event.
pub(crate) fn dots(layout: &mut Layout<'_>) {
    let view = layout.view;
    for (e, entry) in view.entries.iter().enumerate() {
        if entry.kind == EntryKind::Gap {
            continue;
        }
        let (y, top, bottom, fails) = {
            let row = &layout.rows[e];
            (row.y, row.top, row.bottom, row.fails)
        };
        for i in entry.first..=entry.last {
            let Some(lane) = view.lane_of(i) else {
                continue;
            };
            let class = match (is_idle(view, i), view.matters[i]) {
                (false, true) => "sc-dot",
                (true, true) => "sc-ring",
                (false, false) => "sc-dot-pale",
                (true, false) => "sc-ring-pale",
            };
            let x = layout.x[lane];
            let (class, kind) = mark(&view.replay.run.choices[i].event, x, y)
                .unwrap_or((class, Kind::Circle(x, y, 4.0)));
            layout.canvas.shape(Layer::Dot, class, kind);
            if fails {
                let (a, b) = (x - 7.0, y - 7.0);
                let kind = Kind::Path(format!("M{a} {b}l14 14m0 -14l-14 14"));
                layout.canvas.shape(Layer::Dot, "sc-cross", kind);
            }
        }
        if fails {
            let area = [0.0, top, layout.canvas.width, bottom - top];
            layout
                .canvas
                .shape(Layer::Band, "sc-band-wrong", Kind::Rect(area, 0.0));
            let area = [0.0, top, 4.0, bottom - top];
            layout
                .canvas
                .shape(Layer::Band, "sc-mark-wrong", Kind::Rect(area, 0.0));
        }
    }
}

/// Draws the bracket of the loop, with an arrow back to its start.
pub(crate) fn loop_bracket(layout: &mut Layout<'_>) {
    let Some(from) = layout.view.loop_start else {
        return;
    };
    let Some(last) = layout.rows.last() else {
        return;
    };
    let (top, bottom) = (layout.row_of(from).top - 8.0, last.bottom - 4.0);
    let x = MARGIN + 42.0;
    let kind = Kind::Path(format!(
        "M{r} {bottom}H{h}Q{x} {bottom} {x} {b}V{t}Q{x} {top} {h} {top}H{r}",
        r = x + 9.0,
        h = x + 5.0,
        b = bottom - 5.0,
        t = top + 5.0,
    ));
    layout.canvas.shape(Layer::Lane, "sc-round", kind);
    let tip = x + 16.0;
    let kind = Kind::Path(format!(
        "M{tip} {top}L{back} {}V{}Z",
        top - 4.0,
        top + 4.0,
        back = tip - 8.0
    ));
    layout.canvas.shape(Layer::Lane, "sc-round-head", kind);
}

/// The style class and shape of an event that is not drawn as a dot: a fault, a restart or an expiry. `None` for other
/// events.
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
