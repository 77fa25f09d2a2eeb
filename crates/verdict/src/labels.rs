//! Names and source text for what a Machine refers to by numbers.

use machine::{NodeId, Origin};
use serde::{Deserialize, Serialize};

/// Names and source text; filled by who made the Machine, read by who shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labels {
    /// What each node is called, such as `node 3`, or `B` for the only one of its kind.
    pub nodes: Vec<String>,
    /// What each id is called, least first, such as `#32`.
    pub ids: Vec<String>,
    /// By number of the origin.
    pub origins: Vec<Label>,
    /// The unit in which the author writes times, if there are any.
    #[serde(default)]
    pub unit: Option<TimeUnit>,
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TimeUnit {
    /// Nanoseconds.
    Nanosecond,
    /// Microseconds.
    Microsecond,
    /// Milliseconds.
    Millisecond,
    /// Seconds.
    Second,
    /// Minutes.
    Minute,
    /// Hours.
    Hour,
}

impl TimeUnit {
    /// All of them, the shortest first.
    pub const ALL: [TimeUnit; 6] = [
        TimeUnit::Nanosecond,
        TimeUnit::Microsecond,
        TimeUnit::Millisecond,
        TimeUnit::Second,
        TimeUnit::Minute,
        TimeUnit::Hour,
    ];

    /// What is written behind a number.
    pub fn name(self) -> &'static str {
        match self {
            TimeUnit::Nanosecond => "ns",
            TimeUnit::Microsecond => "µs",
            TimeUnit::Millisecond => "ms",
            TimeUnit::Second => "s",
            TimeUnit::Minute => "min",
            TimeUnit::Hour => "h",
        }
    }

    /// How long it is, as a fraction of a second.
    pub fn seconds(self) -> (i64, i64) {
        match self {
            TimeUnit::Nanosecond => (1, 1_000_000_000),
            TimeUnit::Microsecond => (1, 1_000_000),
            TimeUnit::Millisecond => (1, 1000),
            TimeUnit::Second => (1, 1),
            TimeUnit::Minute => (60, 1),
            TimeUnit::Hour => (3600, 1),
        }
    }
}

/// A place in a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The text there, on one line.
    pub text: String,
    /// The file, as messages name it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl Labels {
    /// What a node is called.
    pub fn node(&self, node: NodeId) -> String {
        self.nodes
            .get(node.index())
            .cloned()
            .unwrap_or_else(|| node.to_string())
    }

    /// What an id is called, by its place in the order, from 1.
    pub fn id(&self, place: u32) -> String {
        let known = self.ids.get(place as usize - 1);
        known.cloned().unwrap_or_else(|| format!("#{place}"))
    }

    /// The place in the model, if it is known.
    pub fn origin(&self, origin: Origin) -> Option<&Label> {
        self.origins.get(origin.index())
    }

    /// Registers a place.
    pub fn add(&mut self, label: Label) -> Origin {
        self.origins.push(label);
        Origin(self.origins.len() as u32 - 1)
    }
}
