//! The result of a chunk of a batch: the successors that an explorer found, for the search to add to the graph.

use crate::expand::event_numbers::Event;
use crate::graph::state_graph::Graph;
use crate::parallel::event_labels::EventLabels;
use crate::state::component_table::NewComponents;
use crate::store::pending_inserts::PendingInserts;
use crate::store::rows::ABSENT;
use crate::store::visited_set::{Change, RowFormat, VisitedSet};
use machine::BlockId;

/// The successors of consecutive states.
#[derive(Default)]
pub(crate) struct BatchResult {
    /// The number of the first state.
    pub(crate) first: u32,
    pub(crate) states: Vec<Note>,
    pub(crate) successors: Successors,
    /// State and block: blocks that ran for the first time.
    pub(crate) ran: Vec<(u32, BlockId)>,
    /// State and record: message types that were sent for the first time.
    pub(crate) sent: Vec<(u32, usize)>,
    pub(crate) fresh: NewComponents,
    /// Whether the states have been expanded.
    pub(crate) done: bool,
    pub(crate) met: MetEvents,
    /// The successors that are not in the visited set, in order.
    found: Vec<Found>,
    /// The index of the explorer whose pending inserts `found` refers to.
    pub(crate) pending_of: usize,
    /// All transitions, if transitions are stored.
    hops: Vec<Hop>,
    /// By entry of `found`: its state number, for the entries added to the graph so far.
    numbers: Vec<u32>,
}

/// New events of an explorer.
#[derive(Default)]
pub(crate) struct MetEvents {
    /// The index of the explorer.
    pub(crate) by: usize,
    /// The number of events that it had numbered before.
    pub(crate) before: usize,
    pub(crate) events: Vec<Event>,
}

/// Successors before their lookup. A successor is stored as a row, or as changes if it has no row yet.
#[derive(Default)]
pub(crate) struct Successors {
    /// By successor: the number of its changes; 0 if it is stored as a row.
    each: Vec<u32>,
    rows: Vec<u64>,
    hashes: Vec<u64>,
    known: Vec<u32>,
    changes: Vec<Change>,
    /// By transition: its event number, if transitions are stored.
    pub(crate) events: Vec<u32>,
}

/// A successor that is not in the visited set.
#[derive(Clone, Copy, Debug)]
enum Found {
    /// A pending insert, by index.
    Pending(u32),
    /// A successor given by this many changes, because a component has a new value or needs a wider column.
    Changes(u32),
}

/// The number of inserts that are prefetched together.
const TOGETHER: usize = 64;

/// A transition: its event number, and its target.
#[derive(Clone, Copy, Debug)]
struct Hop {
    event: u32,
    to: To,
}

/// The target of a transition.
#[derive(Clone, Copy, Debug)]
enum To {
    /// A state in the visited set.
    Known(u32),
    /// A new successor, by its index in `found`.
    Found(u32),
}

/// The result for a state. The results of a state are those between the ends of the state before and its own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Note {
    /// Whether the search must evaluate the state, because it may have something to report.
    pub(crate) look: bool,
    /// Whether the search must expand the state itself.
    pub(crate) anew: bool,
    pub(crate) transitions: u32,
    /// The end of its successors.
    pub(crate) successors: u32,
    /// After the lookup: the ends of its new successors, changes and transitions.
    found: u32,
    changes: u32,
    hops: u32,
}

impl Successors {
    /// The number of successors.
    pub(crate) fn len(&self) -> u32 {
        self.each.len() as u32
    }

    fn clear(&mut self) {
        self.each.clear();
        self.rows.clear();
        self.hashes.clear();
        self.changes.clear();
        self.events.clear();
    }

    /// Adds a successor, given by its changes to a state. `row`, `kept` and `parts` are the row, the stored hash and
    /// the components of that state. `settled`: whether all component numbers in the changes are permanent.
    pub(crate) fn add(
        &mut self,
        format: &RowFormat,
        (row, kept): (&[u64], Option<u64>),
        parts: &[u32],
        differs: &[Change],
        settled: bool,
    ) {
        let before = self.rows.len();
        append(&mut self.rows, row);
        let row = &mut self.rows[before..];
        // A successor without changes is stored as a row.
        let settled = settled || differs.is_empty();
        if settled && let Some(hash) = format.change((row, kept), parts, differs) {
            self.each.push(0);
            self.hashes.push(hash);
        } else {
            self.rows.truncate(before);
            self.each.push(differs.len() as u32);
            self.changes.extend_from_slice(differs);
        }
    }
}

/// Appends a row. Most rows are short, so copying word by word is faster than `memcpy`.
#[inline]
fn append(rows: &mut Vec<u64>, row: &[u64]) {
    match *row {
        [a] => rows.push(a),
        [a, b] => rows.extend([a, b]),
        [a, b, c] => rows.extend([a, b, c]),
        [a, b, c, d] => rows.extend([a, b, c, d]),
        _ => rows.extend_from_slice(row),
    }
}

impl BatchResult {
    /// Begins a chunk whose first state is `first`.
    pub(crate) fn begin(&mut self, first: u32) {
        self.first = first;
        self.states.clear();
        self.successors.clear();
        self.ran.clear();
        self.sent.clear();
        self.fresh.clear();
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// The result for the state at index `place` of the chunk.
    pub(crate) fn note(&self, place: usize) -> Note {
        self.states[place]
    }

    /// Whether the search can add all results without evaluating or expanding a state itself and without new component
    /// values.
    pub(crate) fn needs_no_visit(&self) -> bool {
        self.successors.changes.is_empty()
            && self.states.iter().all(|note| !note.look && !note.anew)
    }

    /// Looks up the successors in the visited set. Records the absent ones and, if wanted, all transitions. The
    /// successors of a state that the search expands itself are dropped.
    pub(crate) fn look_up(
        &mut self,
        store: &VisitedSet,
        pending: &mut PendingInserts,
        keep_transitions: bool,
    ) {
        let BatchResult {
            successors,
            found,
            hops,
            ..
        } = self;
        found.clear();
        hops.clear();
        self.numbers.clear();
        store.find_all(&successors.rows, &successors.hashes, &mut successors.known);
        let rows = successors.rows.chunks_exact(store.words());
        let mut rows = rows.zip(&successors.hashes).zip(&successors.known);
        let (mut each, mut events) = (successors.each.iter(), successors.events.iter());
        let (mut before, mut changes) = (0, 0);
        for note in &mut self.states {
            let start = (found.len(), hops.len());
            for changed in each.by_ref().take((note.successors - before) as usize) {
                let event = if keep_transitions {
                    events.next()
                } else {
                    None
                };
                let next = To::Found(found.len() as u32);
                let to = match *changed {
                    count if count > 0 => {
                        changes += count;
                        found.push(Found::Changes(count));
                        next
                    }
                    _ => {
                        let ((row, hash), known) = rows.next().expect("one for each");
                        if *known != ABSENT {
                            To::Known(*known)
                        } else if note.anew {
                            continue;
                        } else {
                            found.push(Found::Pending(pending.insert(row, *hash)));
                            next
                        }
                    }
                };
                if let Some(event) = event {
                    hops.push(Hop { event: *event, to });
                }
            }
            if note.anew {
                found.truncate(start.0);
                hops.truncate(start.1);
            }
            before = note.successors;
            note.found = found.len() as u32;
            note.changes = changes;
            note.hops = hops.len() as u32;
        }
    }

    /// Adds the successors of the state at index `place` to the graph.
    pub(crate) fn take_in(
        &mut self,
        graph: &mut Graph<'_>,
        place: usize,
        labels: &mut EventLabels,
        pending: &mut PendingInserts,
    ) {
        let before = match place.checked_sub(1) {
            Some(before) => self.states[before],
            None => Note::default(),
        };
        let note = self.states[place];
        let mut changes = before.changes as usize;
        for found in &self.found[before.found as usize..note.found as usize] {
            let done = self.numbers.len();
            if done.is_multiple_of(TOGETHER) {
                let next = &self.found[done..self.found.len().min(done + TOGETHER)];
                let next = next.iter().filter_map(|found| match found {
                    Found::Pending(claim) => Some(*claim),
                    Found::Changes(_) => None,
                });
                pending.prefetch(next, &graph.store);
            }
            let number = match found {
                Found::Pending(claim) => graph.add_pending(*claim, pending),
                Found::Changes(count) => {
                    let end = changes + *count as usize;
                    let differs = &mut self.successors.changes[changes..end];
                    changes = end;
                    graph.add_changed(self.first + place as u32, differs, &self.fresh)
                }
            };
            self.numbers.push(number);
        }
        for hop in &self.hops[before.hops as usize..note.hops as usize] {
            let target = match hop.to {
                To::Known(number) => number,
                To::Found(found) => self.numbers[found as usize],
            };
            let label = labels.of(hop.event, graph);
            graph.keep(target, label);
        }
        graph.transitions.count += u64::from(note.transitions);
        graph.end_of_state();
    }

    /// The blocks that ran and the message types that were sent for the first time in transitions of a state.
    pub(crate) fn firsts(
        &self,
        state: u32,
    ) -> (impl Iterator<Item = BlockId>, impl Iterator<Item = usize>) {
        let ran = self.ran.iter().filter(move |(s, _)| *s == state);
        let sent = self.sent.iter().filter(move |(s, _)| *s == state);
        (
            ran.map(|(_, block)| *block),
            sent.map(|(_, record)| *record),
        )
    }
}
