//! Brackets: how long somebody heard nothing, how long somebody was silent, what repeats.

use super::sketch::Sketch;
use crate::chart::{BODY, Kind, Layer};
use crate::draw::measure::width;
use crate::replay::cause::Silence;
use crate::story::loop_summary::again;
use machine::{Jitter, NodeId, Timing};

/// From where to where a bracket goes; one that is not closed goes on behind the end.
struct Ends {
    from: f64,
    to: f64,
    closed: bool,
}

impl Sketch<'_> {
    /// For each silence, the time between the two reads, and the gaps of those who were silent.
    pub(crate) fn brackets(&mut self) {
        let words = self.telling.words;
        for s in 0..self.crux.silences.len() {
            let silence = &self.crux.silences[s];
            let (from, to) = (self.x(silence.from), self.x(silence.to));
            let span = self.telling.time(silence.to) - self.telling.time(silence.from);
            let quiet: Vec<NodeId> = silence.quiet.iter().map(|q| q.node).collect();
            let of = match quiet.len() {
                1..=4 => words.nodes(&quiet),
                many => format!("{many} nodes"),
            };
            let text = format!(
                "{} between two reads: nothing from {of}",
                self.times.text(&span)
            );
            let reader = silence.reader;
            let above = self.reader_above(silence);
            let gaps: Vec<_> = silence
                .quiet
                .iter()
                .filter_map(|q| Some((self.lane(q.node)?, q.before, q.after)))
                .collect();
            if let Some(lane) = self.lane(reader) {
                let y = self.y[lane];
                let area = [from, y - 30.0, to - from, 60.0];
                self.shape(Layer::Band, "sc-band-wrong", Kind::Rect(area, 0.0));
                let closed = true;
                self.beside_lane(lane, Ends { from, to, closed }, above, true, &text);
            }
            for (lane, before, after) in gaps {
                let above = self.quiet_above(lane, reader);
                self.gap(lane, above, before, after, to);
            }
        }
    }

    /// Whether the bracket of a reader is above its lane: away from those who were silent.
    fn reader_above(&self, silence: &Silence) -> bool {
        let lane = self.lane(silence.reader);
        let mut quiet = silence.quiet.iter();
        quiet.all(|q| self.lane(q.node) > lane)
    }

    /// Whether the bracket of who was silent is above its lane: away from the reader.
    fn quiet_above(&self, lane: usize, reader: NodeId) -> bool {
        self.lane(reader).is_none_or(|reader| lane < reader)
    }

    /// Whether there are brackets above and below the lane of a node.
    pub(crate) fn bracketed(&self, node: NodeId) -> [bool; 2] {
        let mut sides = [false, false];
        let Some(lane) = self.lane(node) else {
            return sides;
        };
        for silence in &self.crux.silences {
            if silence.reader == node {
                sides[usize::from(!self.reader_above(silence))] = true;
            }
            if silence.quiet.iter().any(|q| q.node == node) {
                sides[usize::from(!self.quiet_above(lane, silence.reader))] = true;
            }
        }
        sides
    }

    /// A bracket beside a lane, with its words.
    fn beside_lane(&mut self, lane: usize, ends: Ends, above: bool, wrong: bool, text: &str) {
        let y = self.y[lane];
        let (brace, class) = match wrong {
            true => ("sc-brace-wrong", "sc-wrong sc-halo"),
            false => ("sc-brace", "sc-soft sc-halo"),
        };
        let Ends { from, to, closed } = ends;
        let [over, under] = self.alarm_room(self.lanes[lane]);
        if above {
            self.bracket([from, to], y - over - 38.0, 8.0, closed, brace);
            self.middle([from, to], y - over - 44.0, class, text);
        } else {
            self.bracket([from, to], y + under + 36.0, -8.0, closed, brace);
            self.middle([from, to], y + under + 53.0, class, text);
        }
    }

    /// How long a node was silent.
    fn gap(
        &mut self,
        lane: usize,
        above: bool,
        before: Option<usize>,
        after: Option<usize>,
        to: f64,
    ) {
        let node = self.lanes[lane];
        let from = before
            .map_or(self.left, |event| self.x(event))
            .max(self.left);
        let until = after.map_or((to + 24.0).min(self.right), |event| self.x(event));
        let text = match (before, after) {
            (Some(before), Some(after)) => self.one_gap(node, before, after),
            (Some(_), None) => self.longest_gap(node),
            (None, _) => "silent so far".into(),
        };
        let ends = Ends {
            from,
            to: until,
            closed: after.is_some(),
        };
        self.beside_lane(lane, ends, above, false, &text);
    }

    /// The time between two events of a node, as period and jitter if it is one gap.
    fn one_gap(&self, node: NodeId, before: usize, after: usize) -> String {
        let span = self.telling.time(after) - self.telling.time(before);
        let text = self.times.text(&span);
        let number = |event: usize| self.crux.deeds[event].activation;
        let next = number(before).is_some() && number(before).map(|n| n + 1) == number(after);
        let period = self.telling.run.frozen.periods.get(node.index());
        match period.and_then(Option::as_ref) {
            Some(period) if next => {
                let jitter = span - period;
                let sign = if jitter.is_negative() { "−" } else { "+" };
                let (period, by) = (self.times.number(period), self.times.number(&jitter.abs()));
                format!("one gap of {text} ({period} {sign} {by})")
            }
            _ if next => format!("one gap of {text}"),
            _ => format!("silent for {text}"),
        }
    }

    /// How long a gap of a node can be that has not ended.
    fn longest_gap(&self, node: NodeId) -> String {
        let machine = self.telling.words.machine;
        let period = self.telling.run.frozen.periods.get(node.index());
        let period = period.and_then(Option::as_ref);
        let Some(Timing::Periodic(periodic)) = machine.timing(machine.kind_of(node)) else {
            return "silent from here on".into();
        };
        let longest = period.unwrap_or(&periodic.gap.1);
        let number = |time| self.times.number(time);
        match &periodic.jitter {
            Jitter::PerGap(by) => format!(
                "a gap can last {} ({} + {})",
                self.times.text(&(longest + by)),
                number(longest),
                number(by)
            ),
            Jitter::None => format!("a gap can last {}", self.times.text(longest)),
            Jitter::OnGrid(_) => "silent from here on".into(),
        }
    }

    /// What repeats, below the lanes.
    pub(crate) fn round(&mut self) {
        let Some(from) = self.telling.loops() else {
            return;
        };
        let text = again(self.telling);
        let (left, right) = (
            self.x(from.max(self.scale.first)),
            self.x(self.telling.run.choices.len() - 1),
        );
        self.bracket(
            [left - 8.0, right + 8.0],
            self.down + 8.0,
            -8.0,
            true,
            "sc-brace",
        );
        self.middle([left, right], self.down + 25.0, "sc-b sc-soft", &text);
        self.down += 32.0;
    }

    /// A line with ends that go up or down by so much; the second end may be open.
    fn bracket(&mut self, [from, to]: [f64; 2], y: f64, ends: f64, closed: bool, class: &str) {
        let start = format!("M{from} {}V{y}H{to}", y + ends);
        let end = if closed {
            format!("V{}", y + ends)
        } else {
            String::new()
        };
        self.shape(Layer::Lane, class, Kind::Path(start + &end));
        if !closed {
            let tip = format!("M{to} {y}m4 0h4m4 0h4");
            self.shape(Layer::Lane, class, Kind::Path(tip));
        }
    }

    /// A text in the middle of a bracket, or where there is room beside that.
    fn middle(&mut self, [from, to]: [f64; 2], y: f64, class: &'static str, text: &str) {
        let wide = width(text, BODY, class.contains("sc-b"));
        let x =
            ((from + to) / 2.0 - wide / 2.0).clamp(self.left, (self.right - wide).max(self.left));
        self.put(
            &[(x, y), (from, y), (to - wide, y), (self.left, y)],
            BODY,
            class,
            text,
        );
    }
}
