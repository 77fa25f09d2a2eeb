//! Lays out a chart: columns of lanes, then rows from top to bottom, then the parts below the rows.

use super::arrows::{arrows, open_messages};
use super::ground::{dots, lanes, loop_bracket};
use super::lanes::constants;
use super::legend::legend;
use super::row::{Content, content};
use super::view::{EntryKind, View};
use super::{Chart, Row};
use crate::draw::canvas::Canvas;
use crate::draw::measure::{shortened, width, wrapped};
use crate::draw::shapes::{BODY, Caption, Kind, LABEL, Layer, MARGIN, NAME, SMALL, TITLE, is_bold};
use crate::replay::run::ReplayedRun;
use crate::story::ending::standstill;
use crate::story::lines::digest;
use crate::story::loop_summary::REPEATS;
use crate::story::untimed::initial_choices;
use machine::Event;
use rational::Rational;

/// The largest width of a chart, in pixels.
const MOST_WIDE: f64 = 1200.0;
/// The smallest width, in pixels.
const LEAST_WIDE: f64 = 640.0;
/// The width to which a chart with few lanes is widened, in pixels.
const ROOMY: f64 = 800.0;
/// The distance from the upper edge of a row to the level of its dots and arrow heads, in pixels.
const ABOVE: f64 = 20.0;
/// Width of the column for the numbers of events and the bracket of a loop, in pixels.
const GUTTER: f64 = 62.0;

/// A chart that is being laid out.
pub(crate) struct Layout<'a> {
    pub(crate) view: &'a View<'a>,
    caption: &'a Caption<'a>,
    pub(crate) canvas: Canvas,
    /// The left edge of the area for texts of rows.
    pub(crate) left: f64,
    /// The right edge of that area.
    pub(crate) right: f64,
    /// The distance between lanes.
    pub(crate) spacing: f64,
    /// By lane: its x coordinate.
    pub(crate) x: Vec<f64>,
    pub(crate) rows: Vec<Row>,
    /// The y coordinate below everything that is laid out so far.
    pub(crate) y: f64,
    /// The lower edge of the header.
    pub(crate) header: f64,
    /// By event: its time as text. Empty if events have no times or some text does not fit into the gutter.
    times: Vec<String>,
}

impl<'a> Layout<'a> {
    pub(crate) fn new(view: &'a View<'a>, caption: &'a Caption<'a>) -> Layout<'a> {
        let words = view.replay.words;
        let count = view.lanes.len().max(1) as f64;
        let heads = view
            .lanes
            .iter()
            .map(|n| width(&words.node(*n), NAME, true));
        let constants = view.lanes.iter().map(|n| {
            let text = constants(view.replay, *n);
            width(&text, SMALL, false).min(150.0)
        });
        let head = heads.chain(constants).fold(0.0, f64::max);
        let label = view.flights.iter().map(|f| words.value(&f.message));
        let label = label.map(|t| width(&t, LABEL, false)).fold(0.0, f64::max);
        let natural = (label + 46.0).max(head + 18.0).clamp(124.0, 230.0);
        // `before` is the space left of the first lane, `behind` the space right of the last one.
        let mark = match view.loop_start {
            Some(_) => width(REPEATS, LABEL, true) + 10.0,
            None => 36.0,
        };
        let before = GUTTER + MARGIN + (head / 2.0).min(70.0).max(mark);
        let behind = 150.0 + MARGIN;
        let gaps = (count - 1.0).max(1.0);
        let most = (MOST_WIDE - before - behind) / gaps;
        // If there are few lanes, they are farther apart, so that the box of one lane does not cover the next lane.
        let roomy = ((ROOMY - before - behind) / gaps).min(360.0);
        let spacing = natural.max(roomy).min(most).floor();
        let wide = before + spacing * (count - 1.0) + behind;
        let width = wide.max(LEAST_WIDE).ceil();
        let x = (0..view.lanes.len()).map(|i| (before + spacing * i as f64).round());
        Layout {
            view,
            caption,
            canvas: Canvas::new(width),
            left: GUTTER + MARGIN,
            right: width - MARGIN,
            spacing,
            x: x.collect(),
            rows: Vec::new(),
            y: MARGIN,
            header: 0.0,
            times: times(view.replay),
        }
    }

    /// Lays out everything.
    pub(crate) fn chart(mut self) -> Chart {
        self.title();
        self.lane_heads();
        self.all_rows();
        let end = self.y;
        let open = open_messages(&mut self);
        lanes(&mut self, end);
        arrows(&mut self, &open);
        dots(&mut self);
        loop_bracket(&mut self);
        self.ending();
        legend(&mut self);
        let alternative = self.alternative();
        self.canvas.shapes.sort_by_key(|s| s.layer);
        Chart {
            width: self.canvas.width,
            height: (self.y + MARGIN).ceil(),
            texts: self.canvas.texts,
            rows: self.rows,
            header: self.header,
            shapes: self.canvas.shapes,
            alternative,
        }
    }

    /// Adds a paragraph below everything laid out so far, wrapped to the width of the chart.
    pub(crate) fn paragraph(&mut self, text: &str, size: f64, class: &'static str, indent: f64) {
        let most = self.canvas.width - 2.0 * MARGIN - indent;
        for line in wrapped(text, size, is_bold(class), most) {
            self.y += size * 1.4;
            self.canvas
                .text(MARGIN + indent, self.y - size * 0.35, size, class, &line);
        }
    }

    /// Whether the chart is part of a page. The page itself shows the title and the end of the story.
    fn is_embedded(&self) -> bool {
        self.caption.title.is_empty()
    }

    fn title(&mut self) {
        let (title, subtitle) = (self.caption.title, self.caption.subtitle);
        self.paragraph(title, TITLE, "sc-b", 0.0);
        self.paragraph(subtitle, BODY, "sc-soft", 0.0);
        if self.is_embedded() {
            return;
        }
        for line in initial_choices(self.view.replay) {
            self.paragraph(&line, BODY, "sc-soft", 0.0);
        }
        self.y += 12.0;
    }

    fn lane_heads(&mut self) {
        let lanes = self.view.lanes.clone();
        let most = self.spacing - 10.0;
        let mut second = false;
        for (lane, node) in lanes.iter().enumerate() {
            let name = self.view.replay.words.node(*node);
            let short = shortened(&name, NAME, true, most);
            let x = self.x[lane];
            let (w, y) = (width(&short, NAME, true), self.y + 16.0);
            self.canvas.text(x - w / 2.0, y, NAME, "sc-b", &short);
            self.full_if(&short, name);
            let constants = constants(self.view.replay, *node);
            if !constants.is_empty() {
                second = true;
                let short = shortened(&constants, SMALL, false, most);
                let w = width(&short, SMALL, false);
                self.canvas
                    .text(x - w / 2.0, y + 17.0, SMALL, "sc-soft", &short);
                self.full_if(&short, constants);
            }
        }
        if !self.times.is_empty() {
            let unit = self.view.replay.times().unit();
            let head = if unit.is_empty() { "time" } else { unit };
            let (x, y) = (MARGIN + 34.0 - width(head, SMALL, false), self.y + 16.0);
            self.canvas.text(x, y, SMALL, "sc-soft", head);
        }
        let hidden = self.view.replay.words.machine.node_count() as usize - lanes.len();
        self.y += if second { 42.0 } else { 26.0 };
        if hidden > 0 {
            let lines = self.view.lines.iter().zip(self.view.matters);
            let some = lines.filter(|(line, matters)| {
                **matters && line.node.is_some_and(|node| !lanes.contains(&node))
            });
            let least = if some.count() > 0 {
                "matters less"
            } else {
                "does not matter"
            };
            let text = format!("{hidden} other nodes have no lane here: what they do {least}");
            self.paragraph(&text, SMALL, "sc-soft", GUTTER);
            self.y += 4.0;
        }
        self.header = self.y;
        self.y += 6.0;
    }

    /// Sets the tooltip of the last text to `full`, if the written text `short` differs from it.
    fn full_if(&mut self, short: &str, full: String) {
        if short != full
            && let Some(text) = self.canvas.texts.last_mut()
        {
            text.full = Some(full);
        }
    }

    fn all_rows(&mut self) {
        let view = self.view;
        for (e, entry) in view.entries.iter().enumerate() {
            if view.loop_start == Some(entry.first) {
                self.y += 20.0;
                let y = self.y - 5.0;
                self.canvas
                    .text(self.left, y, LABEL, "sc-b sc-halo", REPEATS);
            }
            let content = content(self, entry);
            let gap = entry.kind == EntryKind::Gap;
            let above = if gap { 12.0 } else { ABOVE };
            let events = entry.first..=entry.last;
            let row = Row {
                first: entry.first,
                last: entry.last,
                top: self.y,
                y: self.y + above,
                bottom: self.y + above + content.depth(),
                x: match view.lane_of(entry.last) {
                    Some(lane) => self.x[lane],
                    None => self.left,
                },
                gap,
                pale: events.clone().all(|i| !view.matters[i]),
                fails: view.failing_event.is_some_and(|i| events.contains(&i)),
            };
            self.y = row.bottom;
            self.row(e, &row, content);
            self.rows.push(row);
        }
        self.y += 4.0;
    }

    fn row(&mut self, number: usize, row: &Row, content: Content) {
        let first = self.canvas.texts.len();
        let numbers = if let Some(time) = self.times.get(row.last) {
            time.clone()
        } else if row.first == row.last {
            format!("{}", row.first + 1)
        } else {
            format!("{}–{}", row.first + 1, row.last + 1)
        };
        let w = width(&numbers, SMALL, row.fails);
        let class = if row.fails {
            "sc-b sc-wrong"
        } else {
            "sc-soft"
        };
        let numbers_end = MARGIN + 34.0;
        self.canvas.text(
            (numbers_end - w).max(1.0),
            row.y + 4.0,
            SMALL,
            class,
            &numbers,
        );
        if let Some(label) = content.label {
            self.canvas
                .text(label.x, row.y - 6.0, LABEL, "sc-halo", &label.text);
            self.canvas.full_last(label.full);
        }
        for words in content.words {
            let across = row.gap || self.view.lines[row.last].node.is_none();
            let y = row.y + if across { 4.0 } else { -3.0 };
            self.canvas
                .text(words.x, y, SMALL, "sc-soft sc-halo", &words.text);
            self.canvas.full_last(words.full);
        }
        if let Some(note) = content.note {
            let class = if row.pale { "sc-box-pale" } else { "sc-box" };
            let area = [note.x, row.y + note.top(), note.width, note.height()];
            self.canvas.shape(Layer::Box, class, Kind::Rect(area, 4.0));
            self.canvas.title_last(note.full.clone());
            for (x, y, line) in note.places() {
                self.canvas.text(x, row.y + y, LABEL, "", line);
                self.canvas.full_last(note.full.clone());
            }
        }
        for text in &mut self.canvas.texts[first..] {
            text.row = Some(number);
        }
    }

    fn ending(&mut self) {
        // On a page the chart only says why no event is enabled at the end.
        let lines = match self.is_embedded() {
            true => standstill(self.view.replay),
            false => digest(self.view.replay),
        };
        if lines.is_empty() {
            return;
        }
        self.y += 10.0;
        let from = self.y;
        let wrong = self.view.replay.error.is_some() || self.view.replay.explanation.is_some();
        for (i, line) in lines.iter().enumerate() {
            let class = if i == 0 && wrong { "sc-b" } else { "" };
            self.paragraph(line, BODY, class, 14.0);
        }
        self.y += 4.0;
        let area = [MARGIN, from + 1.0, 4.0, self.y - from - 2.0];
        let class = if wrong {
            "sc-mark-wrong"
        } else {
            "sc-round-head"
        };
        self.canvas
            .shape(Layer::Ground, class, Kind::Rect(area, 2.0));
    }

    fn alternative(&self) -> String {
        let words = self.view.replay.words;
        let nodes: Vec<String> = self.view.lanes.iter().map(|n| words.node(*n)).collect();
        let events = self.view.lines.len();
        let end = digest(self.view.replay).join("; ");
        format!(
            "Sequence chart of {events} events at {}. {end}",
            nodes.join(", ")
        )
    }

    /// The row of an event.
    pub(crate) fn row_of(&self, event: usize) -> &Row {
        &self.rows[self.view.entry_of[event]]
    }
}

/// A side of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// The side of the lane `from` on which the lane `to` is; right if they are the same.
pub(crate) fn side_of(from: usize, to: usize) -> Side {
    if to < from { Side::Left } else { Side::Right }
}

/// By event: its time as text. Empty if events have no times or some text does not fit beside the rows.
fn times(replay: &ReplayedRun<'_>) -> Vec<String> {
    let grid = replay.words.machine.digitisation();
    let mut now = Rational::default();
    let times: Option<Vec<String>> = replay
        .run
        .choices
        .iter()
        .map(|choice| {
            // In a digitised run each wait takes one unit. The states do not record the absolute time.
            if let (Event::Wait, Some(grid)) = (&choice.event, grid) {
                now = &now + &grid.unit;
            }
            let time = choice.time.as_ref().or(grid.map(|_| &now))?;
            Some(replay.times().number(time))
        })
        .collect();
    let fits = |times: &Vec<String>| times.iter().all(|t| width(t, SMALL, true) <= 34.0);
    times.filter(fits).unwrap_or_default()
}
