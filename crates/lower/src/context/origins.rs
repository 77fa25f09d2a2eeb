//! Origins: the numbers in a Machine that refer to spans of the text.

use machine::Origin;
use model::Unit;
use source::{Sources, Span};
use std::collections::HashMap;
use verdict::{Label, Labels};

/// Assigns one number to each span.
pub(crate) struct Origins<'a> {
    sources: &'a Sources,
    known: HashMap<Span, Origin>,
    pub(crate) labels: Labels,
}

impl<'a> Origins<'a> {
    pub(crate) fn new(sources: &'a Sources, unit: Option<Unit>) -> Origins<'a> {
        Origins {
            sources,
            known: HashMap::new(),
            labels: Labels {
                unit: unit.map(|unit| unit.name().to_string()),
                ..Labels::default()
            },
        }
    }

    /// The text of a span, on one line.
    pub(crate) fn text(&self, span: Span) -> String {
        let words: Vec<&str> = self.sources.slice(span).split_whitespace().collect();
        words.join(" ")
    }

    /// The number of a span.
    pub(crate) fn of(&mut self, span: Span) -> Origin {
        if let Some(origin) = self.known.get(&span) {
            return *origin;
        }
        let origin = self.labels.add(Label {
            text: self.text(span),
            file: self.sources.name(span.file).to_string(),
            line: self.sources.line(span) as u32,
        });
        self.known.insert(span, origin);
        origin
    }
}
