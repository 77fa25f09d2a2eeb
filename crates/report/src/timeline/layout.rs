//! A timeline that is being made: head, lanes from above, what lies below them.

use super::scale::{Scale, part};
use super::{Hit, Timeline};
use crate::chart::{BODY, Kind, Layer, MARGIN, NAME, SMALL, Shape, TITLE, constants, lanes};
use crate::draw::measure::{width, wrapped};
use crate::replay::cause::Crux;
use crate::replay::timers::{Alarm, alarms};
use crate::story::event::Line;
use crate::story::headline::sentence;
use crate::story::timed::start;
use crate::story::untimed::{digest, event_lines};
use crate::words::names::fault_word;
use crate::{Caption, Telling, Text, Times};
use machine::{Mode, NodeId};

/// A timeline is so wide.
pub(crate) const WIDTH: f64 = 1200.0;
/// Around the middle of a lane: its band, the words above it.
pub(crate) const BAND: f64 = 9.0;
const WORDS: f64 = 32.0;
/// For a bracket with its words.
const BRACKET: f64 = 30.0;

/// Which sorts of messages there are in the picture.
#[derive(Default)]
pub(crate) struct Drawn {
    pub(crate) pale: bool,
    pub(crate) lost: bool,
    pub(crate) dropped: bool,
    pub(crate) open: bool,
    pub(crate) timer: bool,
    /// Some are not drawn because there are too many.
    pub(crate) left_out: bool,
}

pub(crate) struct Sketch<'a> {
    pub(crate) telling: &'a Telling<'a>,
    caption: &'a Caption<'a>,
    pub(crate) crux: Crux,
    pub(crate) times: Times<'a>,
    pub(crate) scale: Scale<'a>,
    pub(crate) lanes: Vec<NodeId>,
    /// By lane: its middle.
    pub(crate) y: Vec<f64>,
    pub(crate) left: f64,
    pub(crate) right: f64,
    /// Where lanes begin and end, from above.
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    pub(crate) texts: Vec<Text>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) hits: Vec<Hit>,
    /// By event, in words.
    pub(crate) lines: Vec<Line>,
    pub(crate) alarms: Vec<Alarm>,
    /// What the legend has to explain of messages.
    pub(crate) drawn: Drawn,
    /// Where nothing can be written.
    pub(crate) walls: Vec<[f64; 4]>,
    /// How far down it is made.
    pub(crate) down: f64,
}

impl<'a> Sketch<'a> {
    pub(crate) fn new(telling: &'a Telling<'a>, caption: &'a Caption<'a>) -> Sketch<'a> {
        let crux = Crux::new(telling);
        let machine = telling.words.machine;
        let choices = telling.run.choices.iter();
        let who: Vec<Option<NodeId>> = choices.map(|c| machine.node_of(&c.event)).collect();
        let lanes = lanes(telling, &who, &crux.matters);
        let names = lanes.iter().flat_map(|node| {
            let name = width(&telling.words.node(*node), NAME, true);
            let rest = second_lines(telling, *node);
            let rest = rest.into_iter().map(|t| width(&t, SMALL, false));
            rest.chain([name]).collect::<Vec<_>>()
        });
        let before = match part(telling, &crux).0 {
            0 => 0.0,
            first => width(&format!("⋯ {first} activations before "), SMALL, false),
        };
        let column = names.fold(96.0, f64::max).min(170.0).max(before).ceil();
        let (left, right) = (MARGIN + column + 12.0, WIDTH - MARGIN);
        let scale = Scale::new(telling, &crux, left, right);
        Sketch {
            telling,
            caption,
            times: telling.times(),
            scale,
            crux,
            lanes,
            y: Vec::new(),
            left,
            right,
            top: 0.0,
            bottom: 0.0,
            texts: Vec::new(),
            shapes: Vec::new(),
            hits: Vec::new(),
            lines: event_lines(telling),
            alarms: alarms(telling),
            drawn: Drawn::default(),
            walls: Vec::new(),
            down: MARGIN,
        }
    }

    pub(crate) fn timeline(mut self) -> Timeline {
        self.head();
        self.place_lanes();
        self.axis();
        self.names();
        self.bands();
        self.circles();
        self.alarm_bars();
        self.now();
        self.brackets();
        self.mark_words();
        self.words();
        self.arrows();
        self.down = self.bottom + 8.0;
        self.round();
        self.claim();
        self.legend();
        let alternative = self.alternative();
        self.shapes.sort_by_key(|s| s.layer);
        Timeline {
            width: WIDTH,
            height: (self.down + MARGIN).ceil(),
            texts: self.texts,
            hits: self.hits,
            shapes: self.shapes,
            alternative,
        }
    }

    pub(crate) fn shape(&mut self, layer: Layer, class: impl Into<String>, kind: Kind) {
        self.shapes.push(Shape {
            layer,
            class: class.into(),
            kind,
            title: None,
        });
    }

    /// The place of a node's lane, if it has one.
    pub(crate) fn lane(&self, node: NodeId) -> Option<usize> {
        self.lanes.iter().position(|n| *n == node)
    }

    /// The place of the lane at which an event happens, if it has one.
    pub(crate) fn lane_of(&self, event: usize) -> Option<usize> {
        self.lane(self.node_of(event)?)
    }

    /// Where an event is in time.
    pub(crate) fn x(&self, event: usize) -> f64 {
        self.scale.x(&self.telling.time(event))
    }

    /// At which node an event happens.
    pub(crate) fn node_of(&self, event: usize) -> Option<NodeId> {
        self.telling
            .words
            .machine
            .node_of(&self.telling.run.choices[event].event)
    }

    /// Adds lines of a paragraph below what is there.
    fn paragraph(&mut self, text: &str, size: f64, class: &'static str, indent: f64) {
        let most = WIDTH - 2.0 * MARGIN - indent;
        for line in wrapped(text, size, class.contains("sc-b"), most) {
            self.down += size * 1.4;
            self.text(MARGIN + indent, self.down - size * 0.35, size, class, &line);
        }
    }

    /// Without a title it is part of something that says the rest.
    fn bare(&self) -> bool {
        self.caption.title.is_empty()
    }

    fn head(&mut self) {
        if self.bare() {
            return;
        }
        let (title, subtitle) = (self.caption.title, self.caption.subtitle);
        self.paragraph(title, TITLE, "sc-b", 0.0);
        if let Some(sentence) = sentence(self.telling, &self.crux) {
            self.paragraph(&sentence, NAME, "sc-b sc-soft", 0.0);
        }
        self.paragraph(subtitle, BODY, "sc-soft", 0.0);
        let start = format!("start: {}", start(self.telling, &self.crux));
        self.paragraph(&start, BODY, "sc-soft", 0.0);
        self.down += 10.0;
    }

    /// Lanes have room for what stands above and below them.
    fn place_lanes(&mut self) {
        let hidden = self.telling.words.machine.node_count() as usize - self.lanes.len();
        if hidden > 0 {
            let text = format!("{hidden} other nodes have no lane here: what they do matters less");
            self.paragraph(&text, SMALL, "sc-soft", 0.0);
        }
        let least = match self.lanes.len() {
            0..=3 => 116.0,
            4..=6 => 88.0,
            _ => 66.0,
        };
        self.top = self.down + 26.0;
        let mut y = self.top + 4.0;
        let mut free = 0.0;
        for (lane, node) in self.lanes.clone().into_iter().enumerate() {
            let [above, below] = self.bracketed(node);
            let [over, under] = self.alarm_room(node);
            let above = WORDS + over + if above { BRACKET } else { 0.0 };
            let below = 22.0 + under + if below { BRACKET + 8.0 } else { 0.0 };
            let off = self.telling.states[0].nodes[node.index()].mode == Mode::Off;
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
        self.bottom = y + 12.0;
        if self.waits().is_some() {
            self.bottom += 18.0;
        }
    }

    /// Times above, fine lines down.
    fn axis(&mut self) {
        let y = self.top - 8.0;
        self.left_out(y);
        let bottom = self.bottom - if self.waits().is_some() { 16.0 } else { 0.0 };
        for (x, text) in self.scale.ticks(self.right - 4.0) {
            let kind = Kind::Path(format!("M{x} {}V{bottom}", self.top - 2.0));
            self.shape(Layer::Band, "sc-tick", kind);
            let wide = width(&text, SMALL, false);
            self.put(&[(x - wide / 2.0, y)], SMALL, "sc-soft", &text);
        }
    }

    /// How many events are left out at the edges.
    fn left_out(&mut self, y: f64) {
        let count = self.telling.run.choices.len();
        let (first, end) = (self.scale.first, self.scale.end);
        if first > 0 {
            let text = format!("⋯ {first} {} before", self.what(0..first));
            self.short((MARGIN, y), SMALL, "sc-soft", &text, self.left - MARGIN);
            self.edge(0, first - 1, y);
        }
        if end < count {
            let text = format!("{} {} behind ⋯", count - end, self.what(end..count));
            let wide = width(&text, SMALL, false);
            self.text(self.right - wide, y, SMALL, "sc-soft", &text);
            self.edge(end, count - 1, y);
        }
    }

    /// What events are, in a word.
    fn what(&self, events: std::ops::Range<usize>) -> &'static str {
        let one = events.len() == 1;
        let mut events = events.into_iter();
        match (one, events.all(|i| self.crux.deeds[i].activation.is_some())) {
            (true, true) => "activation",
            (true, false) => "event",
            (false, true) => "activations",
            (false, false) => "events",
        }
    }

    /// The text that was written last stands for these events.
    fn edge(&mut self, first: usize, last: usize, y: f64) {
        if let Some(text) = self.texts.last() {
            let [left, top, right, bottom] = text.bounds();
            self.walls.push([left - 14.0, top, right + 8.0, bottom]);
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
            let most = self.left - MARGIN - 8.0;
            let name = self.telling.words.node(node);
            self.short((MARGIN, y + 2.0), NAME, "sc-b", &name, most);
            for (i, line) in second_lines(self.telling, node).iter().enumerate() {
                let y = y + 17.0 + 14.0 * i as f64;
                self.short((MARGIN, y), SMALL, "sc-soft", line, most);
            }
        }
    }

    fn claim(&mut self) {
        let lines = digest(self.telling);
        if lines.is_empty() || self.bare() {
            return;
        }
        let from = self.down + 2.0;
        self.down += 4.0;
        let wrong = self.telling.error.is_some() || self.telling.explanation.is_some();
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
        self.shape(Layer::Ground, class, Kind::Rect(area, 2.0));
    }

    fn alternative(&self) -> String {
        let words = self.telling.words;
        let nodes: Vec<String> = self.lanes.iter().map(|n| words.node(*n)).collect();
        let events = self.telling.run.choices.len();
        let sentence = sentence(self.telling, &self.crux);
        let sentence = sentence.map_or(String::new(), |s| format!("{s}. "));
        let end = digest(self.telling).join("; ");
        format!(
            "Timeline of {events} events at {}. {sentence}{end}",
            nodes.join(", ")
        )
    }
}

/// What never changes of a node, a line each: its constants, its period or what is wrong with it.
fn second_lines(telling: &Telling<'_>, node: NodeId) -> Vec<String> {
    let frozen = &telling.run.frozen;
    let period = frozen.periods.get(node.index()).and_then(Option::as_ref);
    let period = period.map(|p| format!("period {}", telling.times().text(p)));
    let fault = frozen.fault(node).map(|f| fault_word(f).to_string());
    let rhythm = match frozen.fault(node) {
        Some(machine::Fault::Off) => fault,
        Some(_) => fault.map(|f| period.map_or(f.clone(), |p| format!("{f}, {p}"))),
        None => period,
    };
    let lines = [Some(constants(telling, node)), rhythm];
    lines
        .into_iter()
        .flatten()
        .filter(|l| !l.is_empty())
        .collect()
}
