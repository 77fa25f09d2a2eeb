//! What a chart shows: its lanes, the events of its rows, and its messages.

use super::Show;
use super::lanes::lanes;
use crate::events::line::EventLine;
use crate::replay::messages::Flight;
use crate::replay::run::ReplayedRun;
use crate::story::untimed::starting_together;
use machine::NodeId;

/// What a chart shows.
pub(crate) struct View<'a> {
    pub(crate) replay: &'a ReplayedRun<'a>,
    /// By event: its action and effects.
    pub(crate) lines: &'a [EventLine],
    /// By event: whether it matters.
    pub(crate) matters: &'a [bool],
    pub(crate) flights: &'a [Flight],
    pub(crate) lanes: Vec<NodeId>,
    pub(crate) entries: Vec<Entry>,
    /// By event: the index of its entry.
    pub(crate) entry_of: Vec<usize>,
    /// The event at which the claim becomes false, or the event that is an error.
    pub(crate) failing_event: Option<usize>,
    /// The index of the first event of the loop.
    pub(crate) loop_start: Option<usize>,
}

/// The events of one row.
pub(crate) struct Entry {
    pub(crate) first: usize,
    pub(crate) last: usize,
    pub(crate) kind: EntryKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// One event.
    Event,
    /// Several successive starts.
    Starts,
    /// Successive hidden events.
    Gap,
}

impl<'a> View<'a> {
    pub(crate) fn new(replay: &'a ReplayedRun<'a>, show: Show) -> View<'a> {
        let lines = replay.lines();
        let matters = replay.slice();
        let nodes: Vec<Option<NodeId>> = lines.iter().map(|line| line.node).collect();
        let lanes = lanes(replay, &nodes, matters);
        let has_lane = |i: usize| lines[i].node.is_none_or(|node| lanes.contains(&node));
        let shown: Vec<bool> = (0..lines.len())
            .map(|i| has_lane(i) && (show == Show::All || matters[i]))
            .collect();
        let entries = entries(replay, &shown);
        let mut entry_of = vec![0; lines.len()];
        for (e, entry) in entries.iter().enumerate() {
            entry_of[entry.first..=entry.last].fill(e);
        }
        View {
            replay,
            flights: replay.messages(),
            lines,
            matters,
            lanes,
            entries,
            entry_of,
            failing_event: replay.failing_event(),
            loop_start: replay.loop_start(),
        }
    }

    /// The index of the lane of the node at which an event happens; `None` without a node or a lane.
    pub(crate) fn lane_of(&self, event: usize) -> Option<usize> {
        self.lane(self.lines[event].node?)
    }

    /// The index of the lane of a node; `None` if the node has no lane.
    pub(crate) fn lane(&self, node: NodeId) -> Option<usize> {
        self.lanes.iter().position(|n| *n == node)
    }

    /// Whether a message matters: one of its arrivals does, or it is still in flight and its sending matters.
    pub(crate) fn flight_matters(&self, flight: &Flight) -> bool {
        let arrives = flight.arrivals.iter().any(|(i, _)| self.matters[*i]);
        arrives || (flight.open && self.matters[flight.sent])
    }

    /// The number of events that do not matter.
    pub(crate) fn leaves_out(&self) -> usize {
        self.matters.iter().filter(|m| !**m).count()
    }
}

/// The entries of the rows, given by event whether it is shown.
fn entries(replay: &ReplayedRun<'_>, shown: &[bool]) -> Vec<Entry> {
    let (matters, fails) = (replay.slice(), replay.failing_event());
    let loop_start = replay.loop_start().unwrap_or(usize::MAX);
    let mut entries = Vec::new();
    let mut at = 0;
    while at < shown.len() {
        let (count, kind) = if shown[at] {
            // Starts that only send share a row, if all of them are shown, either all or none matter, and none of them
            // is the failing event.
            let together = starting_together(replay, at);
            let same = (at..at + together).take_while(|i| {
                shown[*i] && matters[*i] == matters[at] && (*i == at || fails != Some(*i))
            });
            match same.count() {
                _ if fails == Some(at) => (1, EntryKind::Event),
                0 | 1 => (1, EntryKind::Event),
                many => (many, EntryKind::Starts),
            }
        } else {
            let hidden = (at..shown.len())
                .take_while(|i| !shown[*i] && (*i == at || *i != loop_start))
                .count();
            (hidden, EntryKind::Gap)
        };
        entries.push(Entry {
            first: at,
            last: at + count - 1,
            kind,
        });
        at += count;
    }
    entries
}
