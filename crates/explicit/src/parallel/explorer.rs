//! An explorer: expands states of a batch without access to the visited set.

use crate::expand::event_numbers::Events;
use crate::expand::expander::Expander;
use crate::graph::state_graph::Graph;
use crate::parallel::batch_result::{BatchResult, Note};
use crate::properties::monitor::Monitor;
use crate::properties::property_cache::PropertyCaches;
use crate::state::component_table::{ComponentTables, Overlay};
use crate::store::visited_set::{RowFormat, Size};
use std::ops::Range;
use std::sync::Arc;

/// An expander with its property caches and event numbers.
pub(crate) struct Explorer<'a> {
    expander: Expander<'a>,
    property_caches: Option<PropertyCaches>,
    events: Events,
}

/// The states of a batch and everything needed to expand them: a snapshot, so that concurrent changes have no effect.
#[derive(Default)]
pub(crate) struct Job<'a> {
    pub(crate) states: Range<u32>,
    /// The number of states per chunk.
    pub(crate) each: u32,
    pub(crate) format: Arc<RowFormat>,
    pub(crate) tables: Arc<ComponentTables>,
    /// The number of words per row.
    pub(crate) words: usize,
    /// The rows of the states.
    pub(crate) rows: Vec<u64>,
    /// The stored hashes of the states, under hash compaction.
    pub(crate) hashes: Vec<u64>,
    pub(crate) monitor: Monitor<'a>,
    /// Whether transitions are stored.
    pub(crate) keep_transitions: bool,
}

impl Job<'_> {
    /// The states of a chunk.
    pub(crate) fn share(&self, chunk: usize) -> Range<u32> {
        let first = (self.states.start + chunk as u32 * self.each).min(self.states.end);
        first..(first + self.each).min(self.states.end)
    }

    /// The number of chunks.
    pub(crate) fn chunks(&self) -> usize {
        self.states.len().div_ceil(self.each.max(1) as usize)
    }

    /// The row of a state, and its stored hash under hash compaction.
    fn row(&self, state: u32) -> (&[u64], Option<u64>) {
        let place = (state - self.states.start) as usize;
        let row = &self.rows[place * self.words..(place + 1) * self.words];
        (row, self.hashes.get(place).copied())
    }
}

impl<'a> Explorer<'a> {
    /// An explorer for the same instance as the graph.
    pub(crate) fn new(graph: &Graph<'a>, property_caches: Option<PropertyCaches>) -> Explorer<'a> {
        Explorer {
            expander: graph.expander().another(),
            property_caches,
            events: Events::new(graph.compiled),
        }
    }

    /// Expands the states of a chunk.
    pub(crate) fn work(&mut self, job: &Job<'_>, share: Range<u32>, chunk: &mut BatchResult) {
        chunk.begin(share.start);
        chunk.met.before = self.events.len();
        let mut overlay = Overlay {
            base: &job.tables,
            fresh: std::mem::take(&mut chunk.fresh),
        };
        for state in share {
            self.explore(job, state, &mut overlay, chunk);
        }
        chunk.fresh = overlay.fresh;
        chunk.met.events.append(&mut self.events.new);
    }

    fn explore(
        &mut self,
        job: &Job<'_>,
        state: u32,
        overlay: &mut Overlay<'_>,
        chunk: &mut BatchResult,
    ) {
        let Explorer {
            expander,
            property_caches,
            events,
        } = self;
        let Job {
            format,
            monitor,
            keep_transitions,
            ..
        } = job;
        let mut note = Note::default();
        let (row, kept) = job.row(state);
        expander.take_row(format, row);
        note.look = monitor.always
            || match property_caches {
                Some(property_caches) => {
                    !property_caches.nothing_to_report(&monitor.met, expander, overlay)
                }
                None => {
                    expander.make_sure_open(overlay);
                    monitor.may_report(expander)
                }
            };
        note.look |= expander.is_stuck(); // the evaluation of conditions may have set a failure
        let BatchResult {
            ran,
            sent,
            successors,
            ..
        } = chunk;
        if expander.cache.is_some() {
            expander.each_step(overlay, |step| {
                note.transitions += 1;
                if let Some(way) = step.way {
                    monitor.note(state, way, ran, sent);
                }
                match step.changes {
                    None => note.anew = true,
                    Some(differs) => {
                        if *keep_transitions {
                            successors.events.push(events.of(step));
                        }
                        successors.add(format, (row, kept), step.numbers, differs, step.settled);
                    }
                }
                !note.anew
            });
        } else {
            let (compiled, before) = (expander.compiled, expander.numbers.clone());
            let base = overlay.base;
            let mut different = Vec::new();
            expander.each_transition(overlay, &mut |transition| {
                note.transitions += 1;
                monitor.note_ran(state, &transition.effects.ran, ran);
                let messages = transition.effects.sent.iter().map(|(_, message)| *message);
                let records = messages.map(|message| compiled.record_of(message));
                monitor.note_sent(state, records, sent);
                match transition.target {
                    None => note.anew = true,
                    Some((numbers, differs)) => {
                        if *keep_transitions {
                            let put = &transition.effects.put;
                            let event = events.number(transition.event, put);
                            successors.events.push(event);
                        }
                        let change = |part: &u32| (*part, numbers[*part as usize]);
                        different.clear();
                        different.extend(differs.iter().map(change));
                        let settled = different.iter().all(|(part, number)| {
                            let part = *part as usize;
                            match format.sizes()[part] {
                                Size::Bits(_) => true, // the value is the component number
                                Size::Group(_) => *number < base.count(part),
                            }
                        });
                        successors.add(format, (row, kept), &before, &different, settled);
                    }
                }
                !note.anew
            });
        }
        note.anew |= note.transitions == 0 || expander.is_stuck();
        note.successors = successors.len();
        chunk.states.push(note);
    }
}
