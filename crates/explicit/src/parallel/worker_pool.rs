//! Several desks at work on one level of the search, with the same outcome as one.
//!
//! Work goes in rounds. States of a level are divided among the desks in order, and each computes what is behind its states
//! (`mate.rs`). That is looked up in what was visited before; nobody changes that meanwhile. What is not found there
//! (`claims.rs`) is then taken into the graph by one hand, in the order of states, while the other desks begin with the next round. A
//! state in which there is something to see, or whose transitions are an error or none, is only pointed out, and visited anew by
//! that hand as if there had been one desk. So numbers of states, runs and counts do not depend on how many desks there are.

use crate::graph::state_graph::Graph;
use crate::parallel::batch::Batch;
use crate::parallel::batch_result::BatchResult;
use crate::parallel::event_labels::EventLabels;
use crate::parallel::explorer::{Explorer, Job};
use crate::parallel::worker::Worker;
use crate::properties::monitor::Monitor;
use crate::properties::property_cache::PropertyCaches;
use crate::store::pending_inserts::PendingInserts;
use std::mem::{replace, take};
use std::ops::Range;
use std::sync::Arc;
use std::thread::Scope;
use verdict::Budget;

/// States for one desk alone at a time.
const ALONE: u32 = 128;

/// So many shares there are for each of several desks.
const SHARES: usize = 32;

/// However many desks there are.
const MOST_CHUNKS: usize = 256;

/// Fewer states are not worth a sheet.
const FEWEST: u32 = 16;

/// What is on all sheets should not have many more bytes than this.
const BATCH_BYTES: u64 = 1 << 25;

/// Who works ahead sees values as they were before. So many bytes of them may be copied if there are new ones.
const FEW_VALUES: u64 = 1 << 20;

/// So often somebody looks for something to do before he falls asleep.
const SPINS: u32 = 4096;

/// The desks beside that of the graph.
pub(crate) struct WorkerPool<'s, 'e, 'a> {
    scope: &'s Scope<'s, 'e>,
    /// The first is at work here, the others wait until there is enough for them to do.
    explorers: Vec<Explorer<'a>>,
    workers: Vec<Worker<'a>>,
    /// By desk.
    labels: Vec<EventLabels>,
    pending: Vec<PendingInserts>,
    batch: Batch<'a>,
    /// The next round, if somebody has begun with it.
    ahead: Option<Arc<Batch<'a>>>,
    /// One that is over.
    spare: Batch<'a>,
    /// How many sheets there are for a round.
    chunks: u32,
    /// States for one desk at a time: enough that it pays to hand them out, and few enough that what is found stays at hand.
    each: u32,
    /// Fewer states than this are for one desk, without another thread.
    too_few: usize,
}

impl<'s, 'e, 'a: 's> WorkerPool<'s, 'e, 'a> {
    /// So many desks; one, if there is to be only one, where it is faster to look up many states together. None otherwise, and
    /// where not all events are followed.
    pub(crate) fn new(
        scope: &'s Scope<'s, 'e>,
        graph: &Graph<'a>,
        budget: &dyn Budget,
        make_property_caches: &dyn Fn() -> Option<PropertyCaches>,
    ) -> Option<WorkerPool<'s, 'e, 'a>> {
        let (count, stride) = (budget.threads().max(1), budget.stride());
        let pays = count > 1 || graph.caches_transitions();
        let (chunks, each, too_few) = match count {
            1 => (1, ALONE.min(stride).max(1), 1),
            _ => (
                (SHARES * count).min(MOST_CHUNKS) as u32,
                (stride / 8).max(1),
                (stride as usize / 2).max(1),
            ),
        };
        (pays && graph.partial.is_none()).then(|| WorkerPool {
            scope,
            explorers: (0..count)
                .map(|_| Explorer::new(graph, make_property_caches()))
                .collect(),
            workers: Vec::new(),
            labels: (0..count).map(|_| EventLabels::default()).collect(),
            pending: (0..count).map(|_| PendingInserts::default()).collect(),
            batch: Batch::default(),
            ahead: None,
            spare: Batch::default(),
            chunks,
            each,
            too_few,
        })
    }

    /// Looks behind states from the first on, as many as there are sheets for, and says up to which.
    pub(crate) fn work(
        &mut self,
        graph: &mut Graph<'a>,
        states: Range<u32>,
        monitor: impl FnOnce() -> Monitor<'a>,
    ) -> u32 {
        let batch = match self.ahead.take() {
            Some(batch) if batch.job.fits(graph, states.start) => batch,
            other => {
                if let Some(other) = other {
                    other.close(|chunk| learn_events(&mut self.labels, chunk));
                }
                Arc::new(self.plan(graph, states, monitor()))
            }
        };
        let batch = self.finish(graph, batch);
        self.spare = replace(&mut self.batch, batch);
        self.batch.job.tables = Arc::default(); // so that nobody must copy them to change them
        for chunk in self.batch.chunks() {
            learn_events(&mut self.labels, chunk);
        }
        self.batch.job.states.end
    }

    /// Does what is left of a round. Meanwhile the states visited so far belong to all.
    fn finish(&mut self, graph: &mut Graph<'a>, batch: Arc<Batch<'a>>) -> Batch<'a> {
        if batch.len() > 1 {
            self.start_workers();
        }
        // With one sheet there is something for one desk only.
        let workers = &self.workers[..if batch.len() > 1 {
            self.workers.len()
        } else {
            0
        }];
        let store = Arc::new(take(&mut graph.store));
        for (worker, pending) in workers.iter().zip(&mut self.pending[1..]) {
            worker.finish(&batch, &store, take(pending));
        }
        batch.finish(0, &mut self.explorers[0], &store, &mut self.pending[0]);
        for (worker, pending) in workers.iter().zip(&mut self.pending[1..]) {
            *pending = worker.pending();
        }
        graph.store = Arc::into_inner(store).expect("everybody has given it back");
        Arc::into_inner(batch).expect("everybody is done with it")
    }

    /// From now on there is enough to do for all.
    fn start_workers(&mut self) {
        // Where desks have to share cores nobody should be in the way of others.
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let awake = if self.labels.len() > cores { 0 } else { SPINS };
        for explorer in self.explorers.drain(1..) {
            let expander = self.workers.len() + 1;
            self.workers
                .push(Worker::new(self.scope, expander, explorer, awake));
        }
    }

    /// What is to be done behind states from the first on.
    fn plan(&mut self, graph: &Graph<'a>, states: Range<u32>, monitor: Monitor<'a>) -> Batch<'a> {
        let chunks = match states.len() < self.too_few {
            true => 1,
            false => self.chunks,
        };
        let words = graph.store.words();
        let visited = u64::from(graph.predecessors.visits()).max(1);
        let bytes = (graph.transitions.count / visited + 1) * (words as u64 + 3) * 8;
        let most = (BATCH_BYTES / u64::from(chunks) / bytes).clamp(1, u64::from(self.each)) as u32;
        let rounds = (states.len() as u32).div_ceil(chunks * most).max(1);
        let each = (states.len() as u32).div_ceil(chunks * rounds);
        let each = each.max(FEWEST).min(most);
        let states = states.start..states.end.min(states.start + chunks * each);
        let mut old = take(&mut self.spare);
        let (mut rows, mut hashes) = (take(&mut old.job.rows), take(&mut old.job.hashes));
        rows.clear();
        hashes.clear();
        let store = &graph.store;
        store.read_rows(states.clone(), &mut rows, &mut hashes);
        let job = Job {
            states,
            each,
            format: graph.store.format(),
            tables: graph.tables(),
            words,
            rows,
            hashes,
            monitor,
            keeps: graph.transitions.keep,
        };
        Batch::new(job, old)
    }

    /// Whether to look behind the next states while what was found is taken in.
    pub(crate) fn explores_ahead(&mut self, graph: &Graph<'a>, next: &Range<u32>) -> bool {
        let many = next.len() >= 4 * self.too_few;
        let several = !self.workers.is_empty() && self.batch.len() > 1 && many;
        let mut quiet = || self.batch.chunks().all(|chunk| chunk.is_quiet());
        several && (graph.tables.memory() < FEW_VALUES || quiet())
    }

    /// Does something with what was found, while others look behind the states that come next, if that is wanted.
    pub(crate) fn take_in<R>(
        &mut self,
        graph: &mut Graph<'a>,
        ahead: Option<(Range<u32>, Monitor<'a>)>,
        mut take_in: impl FnMut(
            &mut Graph<'a>,
            &mut BatchResult,
            &mut EventLabels,
            &mut PendingInserts,
        ) -> Option<R>,
    ) -> Option<R> {
        let ahead = ahead.map(|(next, monitor)| self.plan(graph, next, monitor));
        self.ahead = ahead.filter(|batch| batch.len() > 1).map(Arc::new);
        if let Some(ahead) = &self.ahead {
            self.workers
                .iter()
                .for_each(|worker| worker.explore_ahead(ahead));
        }
        let (labels, pending) = (&mut self.labels[..], &mut self.pending[..]);
        let mut chunks = self.batch.chunks();
        let result = chunks.find_map(|chunk| {
            let (labels, pending) = (&mut labels[chunk.by], &mut pending[chunk.pending_of]);
            take_in(graph, chunk, labels, pending)
        });
        if let Some(ahead) = &self.ahead {
            ahead.stop_ahead();
        }
        result
    }
}

/// Takes note of events that are on a sheet.
fn learn_events(labels: &mut [EventLabels], chunk: &mut BatchResult) {
    if !chunk.met.is_empty() {
        labels[chunk.by].learn(chunk.met_before, chunk.met.drain(..));
    }
}

impl Job<'_> {
    /// Whether it is about states from this one on, as they are kept now.
    fn fits(&self, graph: &Graph<'_>, state: u32) -> bool {
        self.states.start == state && graph.store.has_format(&self.format)
    }
}
