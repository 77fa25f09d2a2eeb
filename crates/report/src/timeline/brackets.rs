//! Brackets: silences at the lanes of their readers, gaps at the lanes of silent nodes, and the loop.

use super::layout::TimelineLayout;
use super::timers::timer_room;
use crate::draw::measure::width;
use crate::draw::shapes::{BODY, Kind, Layer, is_bold};
use crate::replay::cause::Silence;
use crate::story::loop_summary::repeats_every;
use machine::{Jitter, NodeId, Timing};

/// The ends of a bracket, in x coordinates. A bracket that is not closed has dashes at its right end.
struct Ends {
    from: f64,
    to: f64,
    closed: bool,
}

/// Draws, for each silence, a bracket between the two reads of the reader, and a bracket for the gap of each silent
/// node.
pub(crate) fn brackets(layout: &mut TimelineLayout<'_>) {
    let words = layout.replay.words;
    for s in 0..layout.cause().silences.len() {
        let silence = &layout.cause().silences[s];
        let (from, to) = (layout.x(silence.from), layout.x(silence.to));
        let span = layout.replay.time(silence.to) - layout.replay.time(silence.from);
        let silent: Vec<NodeId> = silence.silent.iter().map(|s| s.node).collect();
        let of = match silent.len() {
            1..=4 => words.nodes(&silent),
            many => format!("{many} nodes"),
        };
        let text = format!(
            "{} between two reads: nothing from {of}",
            layout.times().text(&span)
        );
        let reader = silence.reader;
        let above = is_reader_above(layout, silence);
        let gaps: Vec<_> = silence
            .silent
            .iter()
            .filter_map(|s| Some((layout.lane(s.node)?, s.before, s.after)))
            .collect();
        if let Some(lane) = layout.lane(reader) {
            let y = layout.y[lane];
            let area = [from, y - 30.0, to - from, 60.0];
            layout
                .canvas
                .shape(Layer::Band, "sc-band-wrong", Kind::Rect(area, 0.0));
            let closed = true;
            beside_lane(layout, lane, Ends { from, to, closed }, above, true, &text);
        }
        for (lane, before, after) in gaps {
            let above = is_gap_above(layout, lane, reader);
            gap(layout, lane, above, before, after, to);
        }
    }
}

/// Whether the bracket of a reader is above its lane: this is the case if all silent nodes have lanes below.
fn is_reader_above(layout: &TimelineLayout<'_>, silence: &Silence) -> bool {
    let lane = layout.lane(silence.reader);
    let mut silent = silence.silent.iter();
    silent.all(|s| layout.lane(s.node) > lane)
}

/// Whether the bracket of a silent node is above its lane: this is the case if the reader has a lane below, or none.
fn is_gap_above(layout: &TimelineLayout<'_>, lane: usize, reader: NodeId) -> bool {
    layout.lane(reader).is_none_or(|reader| lane < reader)
}

/// Whether there is a bracket above the lane of a node, and whether there is one below.
pub(crate) fn has_brackets(layout: &TimelineLayout<'_>, node: NodeId) -> [bool; 2] {
    let mut sides = [false, false];
    let Some(lane) = layout.lane(node) else {
        return sides;
    };
    for silence in &layout.cause().silences {
        if silence.reader == node {
            sides[usize::from(!is_reader_above(layout, silence))] = true;
        }
        if silence.silent.iter().any(|s| s.node == node) {
            sides[usize::from(!is_gap_above(layout, lane, silence.reader))] = true;
        }
    }
    sides
}

/// Draws a bracket with its text above or below a lane, in the colour of failures if `wrong`.
fn beside_lane(
    layout: &mut TimelineLayout<'_>,
    lane: usize,
    ends: Ends,
    above: bool,
    wrong: bool,
    text: &str,
) {
    let y = layout.y[lane];
    let (brace, class) = match wrong {
        true => ("sc-brace-wrong", "sc-wrong sc-halo"),
        false => ("sc-brace", "sc-soft sc-halo"),
    };
    let Ends { from, to, closed } = ends;
    let [over, under] = timer_room(layout, layout.lanes[lane]);
    if above {
        bracket(layout, [from, to], y - over - 38.0, 8.0, closed, brace);
        middle(layout, [from, to], y - over - 44.0, class, text);
    } else {
        bracket(layout, [from, to], y + under + 36.0, -8.0, closed, brace);
        middle(layout, [from, to], y + under + 53.0, class, text);
    }
}

/// Draws the bracket of a silent node: from its last sending before the silence (`before`) to its first one after it
/// (`after`). Without `after` the bracket is open and ends just after `to`.
fn gap(
    layout: &mut TimelineLayout<'_>,
    lane: usize,
    above: bool,
    before: Option<usize>,
    after: Option<usize>,
    to: f64,
) {
    let node = layout.lanes[lane];
    let from = before
        .map_or(layout.frame.left, |event| layout.x(event))
        .max(layout.frame.left);
    let until = after.map_or((to + 24.0).min(layout.frame.right), |event| layout.x(event));
    let text = match (before, after) {
        (Some(before), Some(after)) => one_gap(layout, node, before, after),
        (Some(_), None) => longest_gap(layout, node),
        (None, _) => "silent so far".into(),
    };
    let ends = Ends {
        from,
        to: until,
        closed: after.is_some(),
    };
    beside_lane(layout, lane, ends, above, false, &text);
}

/// The text for the time between two events of a node, with period and jitter if they are successive activations.
fn one_gap(layout: &TimelineLayout<'_>, node: NodeId, before: usize, after: usize) -> String {
    let span = layout.replay.time(after) - layout.replay.time(before);
    let text = layout.times().text(&span);
    let number = |event: usize| layout.replay.steps()[event].activation;
    let next = number(before).is_some() && number(before).map(|n| n + 1) == number(after);
    let period = layout.replay.run.frozen.periods.get(node.index());
    match period.and_then(Option::as_ref) {
        Some(period) if next => {
            let jitter = span - period;
            let sign = if jitter.is_negative() { "−" } else { "+" };
            let (period, by) = (
                layout.times().number(period),
                layout.times().number(&jitter.abs()),
            );
            format!("one gap of {text} ({period} {sign} {by})")
        }
        _ if next => format!("one gap of {text}"),
        _ => format!("silent for {text}"),
    }
}

/// The text for a gap that has not ended: the longest possible duration of a gap, unless the node has no declared
/// period or has jitter on a grid.
fn longest_gap(layout: &TimelineLayout<'_>, node: NodeId) -> String {
    let machine = layout.replay.words.machine;
    let period = layout.replay.run.frozen.periods.get(node.index());
    let period = period.and_then(Option::as_ref);
    let Some(Timing::Periodic(periodic)) = machine.timing(machine.kind_of(node)) else {
        return "silent from here on".into();
    };
    let longest = period.unwrap_or(&periodic.gap.1);
    let number = |time| layout.times().number(time);
    match &periodic.jitter {
        Jitter::PerGap(by) => format!(
            "a gap can last {} ({} + {})",
            layout.times().text(&(longest + by)),
            number(longest),
            number(by)
        ),
        Jitter::None => format!("a gap can last {}", layout.times().text(longest)),
        Jitter::OnGrid(_) => "silent from here on".into(),
    }
}

/// Draws the bracket of the loop below the lanes.
pub(crate) fn loop_bracket(layout: &mut TimelineLayout<'_>) {
    let Some(from) = layout.replay.loop_start() else {
        return;
    };
    let text = repeats_every(layout.replay);
    let (left, right) = (
        layout.x(from.max(layout.scale.first)),
        layout.x(layout.replay.run.choices.len() - 1),
    );
    bracket(
        layout,
        [left - 8.0, right + 8.0],
        layout.down + 8.0,
        -8.0,
        true,
        "sc-brace",
    );
    middle(
        layout,
        [left, right],
        layout.down + 25.0,
        "sc-b sc-soft",
        &text,
    );
    layout.down += 32.0;
}

/// Draws a horizontal line at `y` whose ends turn down by `ends`, or up if `ends` is negative. If the bracket is not
/// closed, the right end is dashed instead.
fn bracket(
    layout: &mut TimelineLayout<'_>,
    [from, to]: [f64; 2],
    y: f64,
    ends: f64,
    closed: bool,
    class: &str,
) {
    let start = format!("M{from} {}V{y}H{to}", y + ends);
    let end = if closed {
        format!("V{}", y + ends)
    } else {
        String::new()
    };
    layout
        .canvas
        .shape(Layer::Lane, class, Kind::Path(start + &end));
    if !closed {
        let tip = format!("M{to} {y}m4 0h4m4 0h4");
        layout.canvas.shape(Layer::Lane, class, Kind::Path(tip));
    }
}

/// Puts a text at the middle of a bracket, at one of its ends, or at the left edge of the frame: the first of these
/// with free space.
fn middle(
    layout: &mut TimelineLayout<'_>,
    [from, to]: [f64; 2],
    y: f64,
    class: &'static str,
    text: &str,
) {
    let wide = width(text, BODY, is_bold(class));
    let x = ((from + to) / 2.0 - wide / 2.0).clamp(
        layout.frame.left,
        (layout.frame.right - wide).max(layout.frame.left),
    );
    layout.canvas.put(
        &[(x, y), (from, y), (to - wide, y), (layout.frame.left, y)],
        BODY,
        class,
        text,
    );
}
