//! Where everything of a chart stands: columns, then rows from above, then what lies below them.

use super::row::{Content, Side};
use super::view::{EntryKind, View};
use super::{Caption, Chart, Kind, Layer, Row, Shape, Text};
use crate::Telling;
use crate::draw::measure::{shortened, width, wrapped};
use crate::story::loop_summary::AGAIN;
use crate::story::untimed::{digest, initial_choices, standstill};
use machine::{Event, Value};
use rational::Rational;

/// A chart is not wider than this.
pub(crate) const MOST_WIDE: f64 = 1200.0;
/// And not narrower than this.
const LEAST_WIDE: f64 = 640.0;
/// Few lanes take as much as this.
const ROOMY: f64 = 800.0;
/// Sizes of texts.
pub(crate) const TITLE: f64 = 18.0;
pub(crate) const NAME: f64 = 14.0;
pub(crate) const BODY: f64 = 13.0;
pub(crate) const LABEL: f64 = 12.0;
pub(crate) const SMALL: f64 = 11.0;
/// From the upper edge of a row to its level.
const ABOVE: f64 = 20.0;
/// Left of everything.
pub(crate) const MARGIN: f64 = 16.0;
/// For the numbers of events and the bracket of a loop.
const GUTTER: f64 = 62.0;

/// A chart that is being made.
pub(crate) struct Layout<'a> {
    pub(crate) view: &'a View<'a>,
    caption: &'a Caption<'a>,
    /// Texts in rows stand between these.
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) width: f64,
    /// From lane to lane.
    pub(crate) spacing: f64,
    /// By lane.
    pub(crate) x: Vec<f64>,
    pub(crate) texts: Vec<Text>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) rows: Vec<Row>,
    /// How far down the chart is made.
    pub(crate) y: f64,
    pub(crate) header: f64,
    /// By event: its time, if all of them fit into the gutter.
    times: Vec<String>,
}

impl<'a> Layout<'a> {
    pub(crate) fn new(view: &'a View<'a>, caption: &'a Caption<'a>) -> Layout<'a> {
        let words = view.telling.words;
        let count = view.lanes.len().max(1) as f64;
        let heads = view
            .lanes
            .iter()
            .map(|n| width(&words.node(*n), NAME, true));
        let constants = view.lanes.iter().map(|n| {
            let text = constants(view.telling, *n);
            width(&text, SMALL, false).min(150.0)
        });
        let head = heads.chain(constants).fold(0.0, f64::max);
        let label = view.flights.iter().map(|f| words.value(&f.message));
        let label = label.map(|t| width(&t, LABEL, false)).fold(0.0, f64::max);
        let natural = (label + 46.0).max(head + 18.0).clamp(124.0, 230.0);
        // What stands right of the last lane, and left of the first.
        let again = match view.loops {
            Some(_) => width(AGAIN, LABEL, true) + 10.0,
            None => 36.0,
        };
        let before = GUTTER + MARGIN + (head / 2.0).min(70.0).max(again);
        let behind = 150.0 + MARGIN;
        let gaps = (count - 1.0).max(1.0);
        let most = (MOST_WIDE - before - behind) / gaps;
        // Few lanes stand further apart, so that what happens at one does not cover the next.
        let roomy = ((ROOMY - before - behind) / gaps).min(360.0);
        let spacing = natural.max(roomy).min(most).floor();
        let wide = before + spacing * (count - 1.0) + behind;
        let width = wide.max(LEAST_WIDE).ceil();
        let x = (0..view.lanes.len()).map(|i| (before + spacing * i as f64).round());
        Layout {
            view,
            caption,
            left: GUTTER + MARGIN,
            right: width - MARGIN,
            width,
            spacing,
            x: x.collect(),
            texts: Vec::new(),
            shapes: Vec::new(),
            rows: Vec::new(),
            y: MARGIN,
            header: 0.0,
            times: times(view.telling),
        }
    }

    /// Lays out everything.
    pub(crate) fn chart(mut self) -> Chart {
        self.title();
        self.lane_heads();
        self.all_rows();
        let end = self.y;
        let open = self.open_messages();
        self.lanes(end);
        self.arrows(&open);
        self.dots();
        self.round();
        self.ending();
        self.legend();
        let alternative = self.alternative();
        self.shapes.sort_by_key(|s| s.layer);
        Chart {
            width: self.width,
            height: (self.y + MARGIN).ceil(),
            texts: self.texts,
            rows: self.rows,
            header: self.header,
            shapes: self.shapes,
            alternative,
        }
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, x: f64, y: f64, size: f64, class: &'static str, text: &str) {
        if !text.is_empty() {
            self.texts.push(Text {
                x,
                y,
                size,
                bold: class.contains("sc-b"),
                text: text.into(),
                full: None,
                row: None,
                class,
            });
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

    /// Adds lines of a paragraph below what is there.
    pub(crate) fn paragraph(&mut self, text: &str, size: f64, class: &'static str, indent: f64) {
        let most = self.width - 2.0 * MARGIN - indent;
        for line in wrapped(text, size, class.contains("sc-b"), most) {
            self.y += size * 1.4;
            self.text(MARGIN + indent, self.y - size * 0.35, size, class, &line);
        }
    }

    /// Without a title it is part of something that says the rest.
    fn bare(&self) -> bool {
        self.caption.title.is_empty()
    }

    fn title(&mut self) {
        let (title, subtitle) = (self.caption.title, self.caption.subtitle);
        self.paragraph(title, TITLE, "sc-b", 0.0);
        self.paragraph(subtitle, BODY, "sc-soft", 0.0);
        if self.bare() {
            return;
        }
        for line in initial_choices(self.view.telling) {
            self.paragraph(&line, BODY, "sc-soft", 0.0);
        }
        self.y += 12.0;
    }

    fn lane_heads(&mut self) {
        let lanes = self.view.lanes.clone();
        let most = self.spacing - 10.0;
        let mut second = false;
        for (lane, node) in lanes.iter().enumerate() {
            let name = self.view.telling.words.node(*node);
            let short = shortened(&name, NAME, true, most);
            let x = self.x[lane];
            let (w, y) = (width(&short, NAME, true), self.y + 16.0);
            self.text(x - w / 2.0, y, NAME, "sc-b", &short);
            self.full_if(&short, name);
            let constants = constants(self.view.telling, *node);
            if !constants.is_empty() {
                second = true;
                let short = shortened(&constants, SMALL, false, most);
                let w = width(&short, SMALL, false);
                self.text(x - w / 2.0, y + 17.0, SMALL, "sc-soft", &short);
                self.full_if(&short, constants);
            }
        }
        if !self.times.is_empty() {
            let unit = self.view.telling.times().unit();
            let head = if unit.is_empty() { "time" } else { unit };
            let (x, y) = (MARGIN + 34.0 - width(head, SMALL, false), self.y + 16.0);
            self.text(x, y, SMALL, "sc-soft", head);
        }
        let hidden = self.view.telling.words.machine.node_count() as usize - lanes.len();
        self.y += if second { 42.0 } else { 26.0 };
        if hidden > 0 {
            let lines = self.view.lines.iter().zip(&self.view.matters);
            let some = lines.filter(|(line, matters)| {
                **matters && line.who.is_some_and(|who| !lanes.contains(&who))
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

    /// What was to be written in the last text, if it was too long.
    fn full_if(&mut self, short: &str, full: String) {
        if short != full
            && let Some(text) = self.texts.last_mut()
        {
            text.full = Some(full);
        }
    }

    fn all_rows(&mut self) {
        let view = self.view;
        for (e, entry) in view.entries.iter().enumerate() {
            if view.loops == Some(entry.first) {
                self.y += 20.0;
                let y = self.y - 5.0;
                self.text(self.left, y, LABEL, "sc-b sc-halo", AGAIN);
            }
            let content = self.content(entry);
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
                fails: view.fails.is_some_and(|i| events.contains(&i)),
            };
            self.y = row.bottom;
            self.row(e, &row, content);
            self.rows.push(row);
        }
        self.y += 4.0;
    }

    fn row(&mut self, number: usize, row: &Row, content: Content) {
        let first = self.texts.len();
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
        self.text(
            (numbers_end - w).max(1.0),
            row.y + 4.0,
            SMALL,
            class,
            &numbers,
        );
        if let Some(label) = content.label {
            self.text(label.x, row.y - 6.0, LABEL, "sc-halo", &label.text);
            self.texts.last_mut().expect("a text").full = label.full;
        }
        for words in content.words {
            let across = row.gap || self.view.lines[row.last].who.is_none();
            let y = row.y + if across { 4.0 } else { -3.0 };
            self.text(words.x, y, SMALL, "sc-soft sc-halo", &words.text);
            self.texts.last_mut().expect("a text").full = words.full;
        }
        if let Some(note) = content.note {
            let class = if row.pale { "sc-box-pale" } else { "sc-box" };
            let area = [note.x, row.y + note.top(), note.width, note.height()];
            self.shape(Layer::Box, class, Kind::Rect(area, 4.0));
            self.shapes.last_mut().expect("a shape").title = note.full.clone();
            for (x, y, line) in note.places() {
                self.text(x, row.y + y, LABEL, "", line);
                self.texts.last_mut().expect("a text").full = note.full.clone();
            }
        }
        for text in &mut self.texts[first..] {
            text.row = Some(number);
        }
    }

    fn ending(&mut self) {
        // What a page says elsewhere is not said here, but why it ends.
        let lines = match self.bare() {
            true => standstill(self.view.telling),
            false => digest(self.view.telling),
        };
        if lines.is_empty() {
            return;
        }
        self.y += 10.0;
        let from = self.y;
        let wrong = self.view.telling.error.is_some() || self.view.telling.explanation.is_some();
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
        self.shape(Layer::Ground, class, Kind::Rect(area, 2.0));
    }

    fn alternative(&self) -> String {
        let words = self.view.telling.words;
        let nodes: Vec<String> = self.view.lanes.iter().map(|n| words.node(*n)).collect();
        let events = self.view.lines.len();
        let end = digest(self.view.telling).join("; ");
        format!(
            "Sequence chart of {events} events at {}. {end}",
            nodes.join(", ")
        )
    }

    /// The row of an event.
    pub(crate) fn row_of(&self, event: usize) -> &Row {
        &self.rows[self.view.entry_of[event]]
    }

    /// Which way it is from one lane to another.
    pub(crate) fn side(from: usize, to: usize) -> Side {
        if to < from { Side::Left } else { Side::Right }
    }
}

/// The time of each event, if events have times that fit beside the rows; otherwise nothing.
fn times(telling: &Telling<'_>) -> Vec<String> {
    let grid = telling.words.machine.digitisation();
    let mut now = Rational::default();
    let times: Option<Vec<String>> = telling
        .run
        .choices
        .iter()
        .map(|choice| {
            // Where times pass one by one, states do not count for ever.
            if let (Event::Wait, Some(grid)) = (&choice.event, grid) {
                now = &now + &grid.unit;
            }
            let time = choice.time.as_ref().or(grid.map(|_| &now))?;
            Some(telling.times().number(time))
        })
        .collect();
    let fits = |times: &Vec<String>| times.iter().all(|t| width(t, SMALL, true) <= 34.0);
    times.filter(fits).unwrap_or_default()
}

/// What never changes of a node: `id #3`.
pub(crate) fn constants(telling: &Telling<'_>, node: machine::NodeId) -> String {
    let words = telling.words;
    let machine = words.machine;
    let (kind, place) = (machine.kind_of(node), machine.place_in_kind(node));
    let own = machine.frozen_vars.iter().zip(&telling.run.frozen.values);
    let own = own
        .filter(|(var, _)| var.kind == kind)
        .map(|(var, values)| {
            let value: &Value = &values[place];
            format!("{} {}", var.name, words.value(value))
        });
    own.collect::<Vec<_>>().join(", ")
}
