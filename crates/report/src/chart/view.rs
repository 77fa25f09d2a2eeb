//! What of a run a chart shows: which lanes, which rows, which messages.

use super::Show;
use crate::Telling;
use crate::replay::cause::fails;
use crate::replay::messages::{Flight, flights};
use crate::replay::slice::{roots, slice};
use crate::story::event::Line;
use crate::story::untimed::{event_lines, starting_together};
use machine::NodeId;

/// More lanes than this cannot be read: then only those of nodes that matter are shown.
const MOST_LANES: usize = 14;

/// What is shown.
pub(crate) struct View<'a> {
    pub(crate) telling: &'a Telling<'a>,
    /// By event.
    pub(crate) lines: Vec<Line>,
    /// By event.
    pub(crate) matters: Vec<bool>,
    pub(crate) flights: Vec<Flight>,
    pub(crate) lanes: Vec<NodeId>,
    pub(crate) entries: Vec<Entry>,
    /// By event: its entry.
    pub(crate) entry_of: Vec<usize>,
    /// The event at which the claim breaks, or which is an error.
    pub(crate) fails: Option<usize>,
    /// The first event of the loop.
    pub(crate) loops: Option<usize>,
}

/// What one row shows: these events.
pub(crate) struct Entry {
    pub(crate) first: usize,
    pub(crate) last: usize,
    pub(crate) kind: EntryKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// One event.
    Event,
    /// Several nodes start.
    Starts,
    /// Events that are not shown.
    Gap,
}

impl<'a> View<'a> {
    pub(crate) fn new(telling: &'a Telling<'a>, show: Show) -> View<'a> {
        let machine = telling.words.machine;
        let lines = event_lines(telling);
        let matters = slice(telling);
        let who: Vec<Option<NodeId>> = lines.iter().map(|line| line.who).collect();
        let lanes = lanes(telling, &who, &matters);
        let has_lane = |i: usize| lines[i].who.is_none_or(|who| lanes.contains(&who));
        let shown: Vec<bool> = (0..lines.len())
            .map(|i| has_lane(i) && (show == Show::All || matters[i]))
            .collect();
        let loops = telling.loops();
        let fails = fails(telling);
        let entries = entries(telling, &lines, &shown, &matters, fails);
        let mut entry_of = vec![0; lines.len()];
        for (e, entry) in entries.iter().enumerate() {
            entry_of[entry.first..=entry.last].fill(e);
        }
        View {
            telling,
            flights: flights(
                machine,
                &telling.run.choices,
                telling.states,
                &telling.deeds(),
            ),
            lines,
            matters,
            lanes,
            entries,
            entry_of,
            fails,
            loops,
        }
    }

    /// The lane at which an event happens.
    pub(crate) fn lane_of(&self, event: usize) -> Option<usize> {
        self.lane(self.lines[event].who?)
    }

    /// The place of a node's lane, if it has one.
    pub(crate) fn lane(&self, node: NodeId) -> Option<usize> {
        self.lanes.iter().position(|n| *n == node)
    }

    /// A message matters if one of its arrivals does; one that is still on its way, if somebody who
    /// matters sent it.
    pub(crate) fn flight_matters(&self, flight: &Flight) -> bool {
        let arrives = flight.arrivals.iter().any(|(i, _)| self.matters[*i]);
        arrives || (flight.open && self.matters[flight.sent])
    }

    /// Which events a chart of only those that matter leaves out.
    pub(crate) fn leaves_out(&self) -> usize {
        self.matters.iter().filter(|m| !**m).count()
    }
}

/// The nodes that have lanes: all, or those that matter most. Events are given by who and whether they matter.
pub(crate) fn lanes(
    telling: &Telling<'_>,
    who: &[Option<NodeId>],
    matters: &[bool],
) -> Vec<NodeId> {
    let nodes: Vec<NodeId> = telling.words.machine.nodes().collect();
    if nodes.len() <= MOST_LANES {
        return nodes;
    }
    let roots = roots(telling);
    let busy = |node: NodeId| {
        let own = who
            .iter()
            .zip(matters)
            .filter(|(who, _)| **who == Some(node));
        let (count, mattering) = own.fold((0, 0), |(c, m), (_, matters)| {
            (c + 1, m + usize::from(*matters))
        });
        (mattering, count)
    };
    let mut ranked: Vec<(NodeId, (usize, usize), bool)> = nodes
        .into_iter()
        .map(|n| (n, busy(n), roots.contains(&n)))
        .filter(|(_, (mattering, _), _)| *mattering > 0)
        .collect();
    if ranked.is_empty() {
        return telling.words.machine.nodes().take(MOST_LANES).collect();
    }
    // Those that the failure is about, then those that do most for it.
    let all_are_roots = roots.len() == telling.words.machine.node_count() as usize;
    ranked.sort_by_key(|(node, busy, root)| {
        (!*root || all_are_roots, std::cmp::Reverse(*busy), *node)
    });
    let mut lanes: Vec<NodeId> = ranked.iter().take(MOST_LANES).map(|r| r.0).collect();
    lanes.sort();
    lanes
}

fn entries(
    telling: &Telling<'_>,
    lines: &[Line],
    shown: &[bool],
    matters: &[bool],
    fails: Option<usize>,
) -> Vec<Entry> {
    let loop_start = telling.loops().unwrap_or(usize::MAX);
    let mut entries = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let (count, kind) = if shown[at] {
            // Starts that only send go together, as far as they are shown and equally important.
            let together = starting_together(telling, &lines[at..], at);
            let same = (at..at + together).take_while(|i| {
                shown[*i] && matters[*i] == matters[at] && (*i == at || fails != Some(*i))
            });
            match same.count() {
                _ if fails == Some(at) => (1, EntryKind::Event),
                0 | 1 => (1, EntryKind::Event),
                many => (many, EntryKind::Starts),
            }
        } else {
            let hidden = (at..lines.len())
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
