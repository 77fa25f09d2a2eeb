//! Lays out a timeline from top to bottom: heading, lanes, loop, end of the story, legend.

use super::arrows::arrows;
use super::bands::{bands, circles, value_words};
use super::brackets::{brackets, has_brackets, loop_bracket};
use super::legend::legend;
use super::marks::{end_line, final_wait, mark_words};
use super::scale::{Scale, visible_events};
use super::timers::{timer_bars, timer_room};
use super::{Hit, Timeline};
use crate::chart::lanes::{constants, lanes};
use crate::draw::canvas::Canvas;
use crate::draw::measure::{width, wrapped};
use crate::draw::shapes::{BODY, Caption, Kind, Layer, MARGIN, NAME, SMALL, TITLE, is_bold};
use crate::events::line::EventLine;
use crate::replay::cause::Cause;
use crate::replay::run::ReplayedRun;
use crate::replay::timers::{ArmedTimer, armed_timers};
use crate::story::headline::failure_sentence;
use crate::story::lines::digest;
use crate::story::timed::start;
use crate::words::names::fault_word;
use crate::words::times::Times;
use machine::{Mode, NodeId};

/// The width of a timeline, in pixels.
const WIDTH: f64 = 1200.0;
/// Half the height of the band of a lane, in pixels.
pub(crate) const BAND: f64 = 9.0;
/// The height above the middle of a lane that its band and the words above it take, in pixels.
const WORDS: f64 = 32.0;
/// The height of a bracket with its text, in pixels.
const BRACKET: f64 = 30.0;

/// Which kinds of messages and timers have been drawn. The legend explains these.
#[derive(Default)]
pub(crate) struct Drawn {
    pub(crate) pale: bool,
    pub(crate) lost: bool,
    pub(crate) dropped: bool,
    pub(crate) open: bool,
    pub(crate) timer: bool,
    /// Whether messages that do not matter are left out, because there are too many lanes.
    pub(crate) left_out: bool,
}

/// The edges of the area with the lanes, in pixels.
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

/// A timeline that is being laid out.
pub(crate) struct TimelineLayout<'a> {
    pub(crate) replay: &'a ReplayedRun<'a>,
    caption: &'a Caption<'a>,
    pub(crate) canvas: Canvas,
    pub(crate) scale: Scale<'a>,
    pub(crate) frame: Frame,
    /// The nodes that have lanes.
    pub(crate) lanes: Vec<NodeId>,
    /// By lane: the y coordinate of its middle.
    pub(crate) y: Vec<f64>,
    pub(crate) hits: Vec<Hit>,
    /// By event: its action and effects.
    pub(crate) lines: &'a [EventLine],
    pub(crate) timers: Vec<ArmedTimer>,
    pub(crate) drawn: Drawn,
    /// The y coordinate below everything that is laid out so far.
    pub(crate) down: f64,
}

impl<'a> TimelineLayout<'a> {
    pub(crate) fn new(replay: &'a ReplayedRun<'a>, caption: &'a Caption<'a>) -> TimelineLayout<'a> {
        let machine = replay.words.machine;
        let choices = replay.run.choices.iter();
        let nodes: Vec<Option<NodeId>> = choices.map(|c| machine.node_of(&c.event)).collect();
        let lanes = lanes(replay, &nodes, &replay.cause().matters);
        let names = lanes.iter().flat_map(|node| {
            let name = width(&replay.words.node(*node), NAME, true);
            let rest = second_lines(replay, *node);
            let rest = rest.into_iter().map(|t| width(&t, SMALL, false));
            rest.chain([name]).collect::<Vec<_>>()
        });
        let before = match visible_events(replay).start {
            0 => 0.0,
            first => width(&format!("⋯ {first} activations before "), SMALL, false),
        };
        let column = names.fold(96.0, f64::max).min(170.0).max(before).ceil();
        let (left, right) = (MARGIN + column + 12.0, WIDTH - MARGIN);
        TimelineLayout {
            replay,
            caption,
            canvas: Canvas::new(WIDTH),
            scale: Scale::new(replay, left, right),
            frame: Frame {
                left,
                right,
                top: 0.0,
                bottom: 0.0,
            },
            lanes,
            y: Vec::new(),
            hits: Vec::new(),
            lines: replay.lines(),
            timers: armed_timers(replay),
            drawn: Drawn::default(),
            down: MARGIN,
        }
    }

    /// The cause of the failure.
    pub(crate) fn cause(&self) -> &'a Cause {
        self.replay.cause()
    }

    /// Converts times to texts, with the unit of the model.
    pub(crate) fn times(&self) -> Times<'a> {
        self.replay.times()
    }

    /// Lays out everything.
    pub(crate) fn timeline(mut self) -> Timeline {
        self.head();
        self.place_lanes();
        self.axis();
        self.names();
        bands(&mut self);
        circles(&mut self);
        timer_bars(&mut self);
        end_line(&mut self);
        brackets(&mut self);
        mark_words(&mut self);
        value_words(&mut self);
        arrows(&mut self);
        self.down = self.frame.bottom + 8.0;
        loop_bracket(&mut self);
        self.ending();
        legend(&mut self);
        let alternative = self.alternative();
        self.canvas.shapes.sort_by_key(|s| s.layer);
        Timeline {
            width: WIDTH,
            height: (self.down + MARGIN).ceil(),
            texts: self.canvas.texts,
            hits: self.hits,
            shapes: self.canvas.shapes,
            alternative,
        }
    }

    /// The index of the lane of a node; `None` if the node has no lane.
    pub(crate) fn lane(&self, node: NodeId) -> Option<usize> {
        self.lanes.iter().position(|n| *n == node)
    }

    /// The index of the lane of the node at which an event happens; `None` without a node or a lane.
    pub(crate) fn lane_of(&self, event: usize) -> Option<usize> {
        self.lane(self.node_of(event)?)
    }

    /// The x coordinate of an event.
    pub(crate) fn x(&self, event: usize) -> f64 {
        self.scale.x(&self.replay.time(event))
    }

    /// The node at which an event happens; `None` if only time passes.
    pub(crate) fn node_of(&self, event: usize) -> Option<NodeId> {
        self.replay
            .words
            .machine
            .node_of(&self.replay.run.choices[event].event)
    }

    /// Adds a paragraph below everything laid out so far, wrapped to the width of the picture.
    fn paragraph(&mut self, text: &str, size: f64, class: &'static str, indent: f64) {
        let most = WIDTH - 2.0 * MARGIN - indent;
        for line in wrapped(text, size, is_bold(class), most) {
            self.down += size * 1.4;
            self.canvas
                .text(MARGIN + indent, self.down - size * 0.35, size, class, &line);
        }
    }

    /// Whether the timeline is part of a page. The page itself shows the title and the end of the story.
    fn is_embedded(&self) -> bool {
        self.caption.title.is_empty()
    }

    fn head(&mut self) {
        if self.is_embedded() {
            return;
        }
        let (title, subtitle) = (self.caption.title, self.caption.subtitle);
        self.paragraph(title, TITLE, "sc-b", 0.0);
        if let Some(sentence) = failure_sentence(self.replay) {
            self.paragraph(&sentence, NAME, "sc-b sc-soft", 0.0);
        }
        self.paragraph(subtitle, BODY, "sc-soft", 0.0);
        let start = format!("start: {}", start(self.replay));
        self.paragraph(&start, BODY, "sc-soft", 0.0);
        self.down += 10.0;
    }

    /// Computes the y coordinates of the lanes, with space for the texts, brackets and timers above and below them.
    fn place_lanes(&mut self) {
        let hidden = self.replay.words.machine.node_count() as usize - self.lanes.len();
        if hidden > 0 {
            let text = format!("{hidden} other nodes have no lane here: what they do matters less");
            self.paragraph(&text, SMALL, "sc-soft", 0.0);
        }
        let least = match self.lanes.len() {
            0..=3 => 116.0,
            4..=6 => 88.0,
            _ => 66.0,
        };
        self.frame.top = self.down + 26.0;
        let mut y = self.frame.top + 4.0;
        let mut free = 0.0;
        for (lane, node) in self.lanes.clone().into_iter().enumerate() {
            let [above, below] = has_brackets(self, node);
            let [over, under] = timer_room(self, node);
            let above = WORDS + over + if above { BRACKET } else { 0.0 };
            let below = 22.0 + under + if below { BRACKET + 8.0 } else { 0.0 };
            let off = self.replay.states[0].nodes[node.index()].mode == Mode::Off;
            let least = if off { 60.0 } else { least };
            let middle = if lane == 0 {
                y + above
            } else {
                (y + above + 16.0).max(free + least)
            };
            self.y.push(middle);
            y = middle + below;
            free = middle;
        }
        self.frame.bottom = y + 12.0;
        if final_wait(self).is_some() {
            self.frame.bottom += 18.0;
        }
    }

    /// Draws the time axis: times above the lanes, with vertical grid lines.
    fn axis(&mut self) {
        let y = self.frame.top - 8.0;
        self.hidden_events(y);
        let bottom = self.frame.bottom
            - if final_wait(self).is_some() {
                16.0
            } else {
                0.0
            };
        for (x, text) in self.scale.ticks(self.frame.right - 4.0) {
            let kind = Kind::Path(format!("M{x} {}V{bottom}", self.frame.top - 2.0));
            self.canvas.shape(Layer::Band, "sc-tick", kind);
            let wide = width(&text, SMALL, false);
            self.canvas
                .put(&[(x - wide / 2.0, y)], SMALL, "sc-soft", &text);
        }
    }

    /// Writes the numbers of hidden events at the left and right end of the axis.
    fn hidden_events(&mut self, y: f64) {
        let count = self.replay.run.choices.len();
        let (first, end) = (self.scale.first, self.scale.end);
        if first > 0 {
            let text = format!("⋯ {first} {} before", self.noun(0..first));
            self.canvas.short(
                (MARGIN, y),
                SMALL,
                "sc-soft",
                &text,
                self.frame.left - MARGIN,
            );
            self.hit_last(0, first - 1, y);
        }
        if end < count {
            let text = format!("{} {} behind ⋯", count - end, self.noun(end..count));
            let wide = width(&text, SMALL, false);
            self.canvas
                .text(self.frame.right - wide, y, SMALL, "sc-soft", &text);
            self.hit_last(end, count - 1, y);
        }
    }

    /// The noun for these events: `activation` if all are activations, otherwise `event`; in the plural if there are
    /// several.
    fn noun(&self, events: std::ops::Range<usize>) -> &'static str {
        let one = events.len() == 1;
        let mut events = events.into_iter();
        match (
            one,
            events.all(|i| self.replay.steps()[i].activation.is_some()),
        ) {
            (true, true) => "activation",
            (true, false) => "event",
            (false, true) => "activations",
            (false, false) => "events",
        }
    }

    /// Makes the area of the last text the hit area of the hidden events `first` to `last`.
    fn hit_last(&mut self, first: usize, last: usize, y: f64) {
        if let Some(text) = self.canvas.texts.last().cloned() {
            let [left, top, right, bottom] = text.bounds();
            self.canvas.reserve([left - 14.0, top, right + 8.0, bottom]);
            self.hits.push(Hit {
                first,
                last,
                area: [text.x - 2.0, y - 12.0, text.width() + 4.0, 17.0],
                fails: false,
            });
        }
    }

    fn names(&mut self) {
        for (lane, node) in self.lanes.clone().into_iter().enumerate() {
            let y = self.y[lane];
            let most = self.frame.left - MARGIN - 8.0;
            let name = self.replay.words.node(node);
            self.canvas
                .short((MARGIN, y + 2.0), NAME, "sc-b", &name, most);
            for (i, line) in second_lines(self.replay, node).iter().enumerate() {
                let y = y + 17.0 + 14.0 * i as f64;
                self.canvas.short((MARGIN, y), SMALL, "sc-soft", line, most);
            }
        }
    }

    fn ending(&mut self) {
        let lines = digest(self.replay);
        if lines.is_empty() || self.is_embedded() {
            return;
        }
        let from = self.down + 2.0;
        self.down += 4.0;
        let wrong = self.replay.error.is_some() || self.replay.explanation.is_some();
        for (i, line) in lines.iter().enumerate() {
            let class = if i == 0 && wrong { "sc-b" } else { "" };
            self.paragraph(line, BODY, class, 14.0);
        }
        self.down += 4.0;
        let area = [MARGIN, from, 4.0, self.down - from];
        let class = if wrong {
            "sc-mark-wrong"
        } else {
            "sc-round-head"
        };
        self.canvas
            .shape(Layer::Ground, class, Kind::Rect(area, 2.0));
    }

    fn alternative(&self) -> String {
        let words = self.replay.words;
        let nodes: Vec<String> = self.lanes.iter().map(|n| words.node(*n)).collect();
        let events = self.replay.run.choices.len();
        let sentence = failure_sentence(self.replay);
        let sentence = sentence.map_or(String::new(), |s| format!("{s}. "));
        let end = digest(self.replay).join("; ");
        format!(
            "Timeline of {events} events at {}. {sentence}{end}",
            nodes.join(", ")
        )
    }
}

/// The lines below the name of a node: its frozen values, then its static fault and its period.
fn second_lines(replay: &ReplayedRun<'_>, node: NodeId) -> Vec<String> {
    let frozen = &replay.run.frozen;
    let period = frozen.periods.get(node.index()).and_then(Option::as_ref);
    let period = period.map(|p| format!("period {}", replay.times().text(p)));
    let fault = frozen.fault(node).map(|f| fault_word(f).to_string());
    let timing = match frozen.fault(node) {
        Some(machine::Fault::Off) => fault,
        Some(_) => fault.map(|f| period.map_or(f.clone(), |p| format!("{f}, {p}"))),
        None => period,
    };
    let lines = [Some(constants(replay, node)), timing];
    lines
        .into_iter()
        .flatten()
        .filter(|l| !l.is_empty())
        .collect()
}
