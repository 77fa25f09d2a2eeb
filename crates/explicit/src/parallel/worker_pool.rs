//! The worker pool: several explorers work on one level of the search, with the same results as one.
//!
//! Work proceeds in batches. The states of a level are divided into chunks, and the explorers compute the successors of
//! the chunks (`explorer.rs`). They look the successors up in the visited set, which does not change meanwhile. Then
//! the search adds the new states (`store/pending_inserts.rs`) to the graph sequentially, in the order of states, while
//! the explorers begin the next batch. A state that has something to report, has an event that is an error, or has no
//! successors is only marked, and the search evaluates or expands it itself. So state numbers, runs and counts do not
//! depend on the number of explorers.

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

/// The greatest number of states per batch with one explorer.
const ALONE: u32 = 128;

/// The number of chunks per explorer in a batch, with several explorers.
const SHARES: usize = 32;

/// The greatest number of chunks of a batch.
const MOST_CHUNKS: usize = 256;

/// The least number of states of a chunk, unless [`BATCH_BYTES`] or the number of states requires fewer.
const FEWEST: u32 = 16;

/// The approximate size of the results of a batch, in bytes.
const BATCH_BYTES: u64 = 1 << 25;

/// The largest number of bytes of the component tables that a batch may copy. A change copies the tables while
/// explorers that run ahead read a snapshot of them.
const FEW_VALUES: u64 = 1 << 20;

/// The number of polls before a waiting worker sleeps.
const SPINS: u32 = 4096;

/// The explorers of a search, and the batches that they work on.
pub(crate) struct WorkerPool<'s, 'e, 'a> {
    scope: &'s Scope<'s, 'e>,
    /// The first explorer runs in the thread of the search. The others wait here until their threads are started.
    explorers: Vec<Explorer<'a>>,
    workers: Vec<Worker<'a>>,
    /// By explorer: the labels of its events.
    labels: Vec<EventLabels>,
    /// By explorer: the new states that it found in the batch.
    pending: Vec<PendingInserts>,
    batch: Batch<'a>,
    /// The next batch, if explorers run ahead.
    ahead: Option<Arc<Batch<'a>>>,
    /// A finished batch, whose allocations are reused.
    spare: Batch<'a>,
    /// The number of chunks of a batch.
    chunks: u32,
    /// The greatest number of states per chunk: few enough for the results to stay in the processor cache.
    each: u32,
    /// If fewer states of a level are left, one explorer expands them, without other threads.
    too_few: usize,
}

impl<'s, 'e, 'a: 's> WorkerPool<'s, 'e, 'a> {
    /// A pool with as many explorers as the budget has threads. `None` with partial-order reduction. With one thread,
    /// there is a pool only if the transition cache applies, because then the joint lookup of many states is faster.
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

    /// Expands states from the first one on, as many as fit into a batch. Returns the end of the batch.
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
                    other.close(|chunk| record_events(&mut self.labels, chunk));
                }
                Arc::new(self.plan(graph, states, monitor()))
            }
        };
        let batch = self.finish(graph, batch);
        self.spare = replace(&mut self.batch, batch);
        self.batch.job.tables = Arc::default(); // otherwise a change would copy the tables
        for chunk in self.batch.chunks() {
            record_events(&mut self.labels, chunk);
        }
        self.batch.job.states.end
    }

    /// Finishes a batch. Meanwhile all explorers share the visited set.
    fn finish(&mut self, graph: &mut Graph<'a>, batch: Arc<Batch<'a>>) -> Batch<'a> {
        if batch.len() > 1 {
            self.start_workers();
        }
        // A batch of one chunk is expanded by the first explorer.
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
        graph.store = Arc::into_inner(store).expect("all workers have released it");
        // If the computation has been ended, this call unwinds before incomplete results of the workers are used.
        graph.compiled.token.is_ended();
        Arc::into_inner(batch).expect("all workers have released it")
    }

    /// Starts the threads of all explorers but the first.
    fn start_workers(&mut self) {
        // If there are more explorers than cores, waiting threads must not poll.
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let awake = if self.labels.len() > cores { 0 } else { SPINS };
        for explorer in self.explorers.drain(1..) {
            let expander = self.workers.len() + 1;
            self.workers
                .push(Worker::new(self.scope, expander, explorer, awake));
        }
    }

    /// Plans a batch of states from the first one on.
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
            keep_transitions: graph.transitions.keep,
        };
        Batch::new(job, old)
    }

    /// Whether explorers should run ahead on the states `next` while the search adds the results of the batch.
    pub(crate) fn explores_ahead(&mut self, graph: &Graph<'a>, next: &Range<u32>) -> bool {
        let many = next.len() >= 4 * self.too_few;
        let several = !self.workers.is_empty() && self.batch.len() > 1 && many;
        let mut plain = || self.batch.chunks().all(|chunk| chunk.needs_no_visit());
        several && (graph.tables.memory() < FEW_VALUES || plain())
    }

    /// Adds the results of the batch to the graph by calling `take_in` for each chunk, until it returns a value.
    /// Meanwhile explorers run ahead on the states in `ahead`, if given.
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
            let (labels, pending) = (&mut labels[chunk.met.by], &mut pending[chunk.pending_of]);
            take_in(graph, chunk, labels, pending)
        });
        if let Some(ahead) = &self.ahead {
            ahead.stop_ahead();
        }
        result
    }
}

/// Records the new events of a result.
fn record_events(labels: &mut [EventLabels], chunk: &mut BatchResult) {
    if !chunk.met.events.is_empty() {
        labels[chunk.met.by].record(chunk.met.before, chunk.met.events.drain(..));
    }
}

impl Job<'_> {
    /// Whether the job begins with this state and has the current row format.
    fn fits(&self, graph: &Graph<'_>, state: u32) -> bool {
        self.states.start == state && graph.store.has_format(&self.format)
    }
}
