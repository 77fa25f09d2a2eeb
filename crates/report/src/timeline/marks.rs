//! Marks on lanes for crashes, stops, restarts and halts of nodes, and the line at the end of a final wait.

use super::layout::{BAND, TimelineLayout};
use crate::draw::measure::width;
use crate::draw::shapes::{BODY, Kind, Layer, SMALL};
use machine::{Event, Mode};

/// A change of the mode of a node that has a mark.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Crashes,
    Stops,
    Restarts,
    Halts,
}

impl Mark {
    /// The word beside the mark and in the legend.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Mark::Crashes => "crashes",
            Mark::Stops => "stops",
            Mark::Restarts => "begins again",
            Mark::Halts => "halts",
        }
    }

    /// The style class and the shape of the mark with its middle at (`x`, `y`).
    pub(crate) fn drawn(self, x: f64, y: f64) -> (&'static str, Kind) {
        match self {
            Mark::Crashes => (
                "sc-crash",
                Kind::Path(format!("M{} {}l13 13m0 -13l-13 13", x - 6.5, y - 6.5)),
            ),
            Mark::Stops => ("sc-dot", Kind::Rect([x - 5.0, y - 5.0, 10.0, 10.0], 1.0)),
            Mark::Restarts => (
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

/// The mark of an event; `None` if the event neither is a fault or restart nor halts its node.
pub(crate) fn mark_of(layout: &TimelineLayout<'_>, event: usize) -> Option<Mark> {
    let node = layout.node_of(event)?.index();
    match &layout.replay.run.choices[event].event {
        Event::Crash(..) | Event::CrashDuring(..) => Some(Mark::Crashes),
        Event::Stop(..) => Some(Mark::Stops),
        Event::Restart(_) => Some(Mark::Restarts),
        _ => {
            let after = layout.replay.states.get(event + 1)?;
            let was = layout.replay.states[event].nodes[node].mode;
            let halts = was != Mode::Halted && after.nodes[node].mode == Mode::Halted;
            halts.then_some(Mark::Halts)
        }
    }
}

/// Puts a word at each mark, above or below its lane; for a crash during sending also the messages, if there is free
/// space.
pub(crate) fn mark_words(layout: &mut TimelineLayout<'_>) {
    for event in layout.scale.events() {
        let (Some(mark), Some(lane)) = (mark_of(layout, event), layout.lane_of(event)) else {
            continue;
        };
        let (x, y) = (layout.x(event), layout.y[lane]);
        let mut words = vec![mark.word().to_string()];
        if let Event::CrashDuring(..) = layout.replay.run.choices[event].event {
            let sent = layout.lines[event].crash_sends();
            let sent: Vec<String> = sent.map(|send| send.text(layout.replay.words)).collect();
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
            let fits = |spot: &&(f64, f64)| {
                spot.0 >= layout.frame.left && spot.0 + wide <= layout.frame.right
            };
            let spots: Vec<_> = spots.iter().filter(fits).copied().collect();
            if layout.canvas.put(&spots, SMALL, "sc-b sc-halo", &word) {
                break;
            }
        }
    }
}

/// The last visible event, if only time passes in it; otherwise `None`.
pub(crate) fn final_wait(layout: &TimelineLayout<'_>) -> Option<usize> {
    let last = layout.scale.events().next_back()?;
    (layout.replay.run.choices[last].event == Event::Wait).then_some(last)
}

/// Draws a vertical line at the end of a final wait, with a text below the lanes.
pub(crate) fn end_line(layout: &mut TimelineLayout<'_>) {
    let Some(last) = final_wait(layout) else {
        return;
    };
    let x = layout.x(last);
    let fails = layout.cause().failing_event == Some(last);
    let class = if fails { "sc-now-wrong" } else { "sc-now" };
    let kind = Kind::Path(format!(
        "M{x} {}V{}",
        layout.frame.top - 2.0,
        layout.frame.bottom - 16.0
    ));
    layout.canvas.shape(Layer::Lane, class, kind);
    layout.canvas.reserve([
        x - 2.0,
        layout.frame.top - 2.0,
        x + 2.0,
        layout.frame.bottom - 16.0,
    ]);
    let mut text = layout.lines[last].action.text(layout.replay.words);
    if fails {
        text += match layout.replay.error.is_some() {
            true => "",
            false => ": here the claim is false",
        };
    }
    let class = if fails { "sc-b sc-wrong" } else { "sc-soft" };
    let wide = width(&text, BODY, fails);
    let least = (x - wide / 2.0)
        .min(layout.frame.right - wide)
        .max(layout.frame.left);
    layout
        .canvas
        .text(least, layout.frame.bottom, BODY, class, &text);
}
