//! The legend of a timeline: explains the signs that occur in it.

use super::bands::{any_reads, colour, display_values, reads};
use super::layout::TimelineLayout;
use super::marks::{Mark, final_wait, mark_of};
use crate::draw::measure::width;
use crate::draw::shapes::{Kind, Layer, MARGIN, SMALL};
use crate::words::state::state_word;
use machine::{Event, Value};

/// A sign that the legend explains.
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

/// Draws the legend below everything laid out so far.
pub(crate) fn legend(layout: &mut TimelineLayout<'_>) {
    layout.down += 24.0;
    let mut x = MARGIN;
    for (sign, text) in signs(layout) {
        let wide = 28.0 + width(&text, SMALL, false) + 20.0;
        if x + wide > layout.canvas.width && x > MARGIN {
            x = MARGIN;
            layout.down += 20.0;
        }
        draw_sign(layout, sign, x + 12.0, layout.down - 4.0);
        layout
            .canvas
            .text(x + 28.0, layout.down, SMALL, "sc-soft", &text);
        x += wide;
    }
    layout.down += 2.0;
}

/// The signs that occur, with their meanings.
fn signs(layout: &TimelineLayout<'_>) -> Vec<(Sign, String)> {
    let mut signs: Vec<(Sign, String)> = Vec::new();
    let activations = || {
        let events = layout.scale.events();
        events.filter(|e| layout.replay.steps()[*e].activation.is_some())
    };
    let some_read = any_reads(layout);
    if some_read && activations().any(|e| reads(layout, e)) {
        signs.push((Sign::Reads, "activation that reads the inbox".into()));
    }
    if some_read && activations().any(|e| !reads(layout, e)) {
        signs.push((Sign::Sends, "activation that does not".into()));
    }
    if !some_read && activations().next().is_some() {
        signs.push((Sign::Reads, "activation".into()));
    }
    for mark in [Mark::Crashes, Mark::Stops, Mark::Restarts, Mark::Halts] {
        if layout
            .scale
            .events()
            .any(|e| layout.lane_of(e).is_some() && mark_of(layout, e) == Some(mark))
        {
            signs.push((Sign::Lane(mark), mark.word().into()));
        }
    }
    if layout.drawn.timer {
        let text = "timer, and when it may expire";
        signs.push((Sign::Timer, text.into()));
    }
    let expires = |e: usize| matches!(layout.replay.run.choices[e].event, Event::Expire(..));
    if layout
        .scale
        .events()
        .any(|e| expires(e) && layout.lane_of(e).is_some())
    {
        signs.push((Sign::Expires, "it expires".into()));
    }
    if layout.cause().failing_event.is_some() && layout.cause().failing_event != final_wait(layout)
    {
        let text = match layout.replay.error.is_some() {
            true => "here is the error",
            false => "here the claim is false",
        };
        signs.push((Sign::Cross, text.into()));
    }
    let on_it = match layout.replay.explanation.is_some() || layout.replay.error.is_some() {
        true => "the failure does not depend on it",
        false => "does not matter for this",
    };
    if layout.drawn.pale {
        signs.push((Sign::Pale, format!("pale: {on_it}")));
    }
    if layout.drawn.lost {
        signs.push((Sign::Lost, "lost".into()));
    }
    if layout.drawn.open {
        signs.push((Sign::Open, "still on the way".into()));
    }
    if layout.drawn.dropped {
        signs.push((Sign::Dropped, "dropped or ignored".into()));
    }
    for (value, word) in roles(layout) {
        signs.push((Sign::Role(colour(&value)), word));
    }
    if layout.drawn.left_out {
        let text = "only messages on which it depends are drawn: there are too many";
        signs.push((Sign::Nothing, text.into()));
    }
    signs
}

/// The values of display variables that occur in bands, each once, with the word for it.
fn roles(layout: &TimelineLayout<'_>) -> Vec<(Value, String)> {
    let mut found: Vec<(Value, String)> = Vec::new();
    for node in &layout.lanes {
        let kind = layout.replay.words.machine.kind_of(*node);
        let Some(place) = layout.cause().display_var[kind.index()] else {
            continue;
        };
        for stretch in display_values(layout, *node) {
            let word = state_word(layout.replay.words, *node, place, &stretch.value);
            if !found.iter().any(|f| f.1 == word) {
                found.push((stretch.value, word));
            }
        }
    }
    found.sort();
    found
}

/// Draws a sign of the legend with its middle at (`x`, `y`).
fn draw_sign(layout: &mut TimelineLayout<'_>, sign: Sign, x: f64, y: f64) {
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
            layout
                .canvas
                .shape(Layer::Arrow, "sc-hpale", Kind::Path(head));
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
            layout
                .canvas
                .shape(Layer::Ground, "sc-window", Kind::Rect(area, 1.0));
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
    layout.canvas.shape(Layer::Arrow, class, kind);
}
