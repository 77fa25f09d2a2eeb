//! A batch of states for several explorers, divided into chunks.
//!
//! An explorer that has finished a chunk takes the next one. The assignment of chunks to explorers does not affect the
//! results.

use crate::parallel::batch_result::BatchResult;
use crate::parallel::explorer::{Explorer, Job};
use crate::store::pending_inserts::PendingInserts;
use crate::store::visited_set::VisitedSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The states to expand, and the results by chunk.
#[derive(Default)]
pub(crate) struct Batch<'a> {
    pub(crate) job: Job<'a>,
    chunks: Vec<Mutex<BatchResult>>,
    /// The number of chunks that explorers have taken while they run ahead of the search.
    begun: Mutex<usize>,
    /// The number of chunks whose lookup has begun.
    looked_up: AtomicUsize,
    /// Whether explorers that run ahead must stop.
    stop: AtomicBool,
}

impl<'a> Batch<'a> {
    /// A new batch that reuses the allocations of a finished one.
    pub(crate) fn new(job: Job<'a>, mut old: Batch<'a>) -> Batch<'a> {
        let count = job.chunks().max(old.chunks.len());
        old.chunks.resize_with(count, Mutex::default);
        for chunk in &mut old.chunks {
            chunk.get_mut().expect("no thread panics").done = false;
        }
        Batch {
            job,
            chunks: old.chunks,
            ..Batch::default()
        }
    }

    /// The number of chunks.
    pub(crate) fn len(&self) -> usize {
        self.job.chunks()
    }

    /// Expands chunks while the search still adds the results of the batch before. Ends when no chunk is left or the
    /// search calls [`Batch::stop_ahead`].
    pub(crate) fn explore_ahead(&self, index: usize, explorer: &mut Explorer<'a>) {
        while !self.stop.load(Ordering::Relaxed)
            && let Some((number, mut chunk)) = self.next_chunk()
        {
            self.make(index, explorer, number, &mut chunk);
        }
    }

    /// The next chunk for an explorer that runs ahead. It is locked before another explorer can take the chunk after
    /// it. So the explorer that finishes the batch never expands a chunk that another one has taken, and every explorer
    /// meets states and new events in order.
    fn next_chunk(&self) -> Option<(usize, MutexGuard<'_, BatchResult>)> {
        let mut begun = self.begun.lock().expect("no thread panics");
        let number = *begun;
        if number == self.len() {
            return None;
        }
        *begun += 1;
        Some((number, self.lock(number)))
    }

    /// Stops the explorers that run ahead.
    pub(crate) fn stop_ahead(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Expands all chunks that have not been expanded yet, and looks up the successors of all chunks in the visited
    /// set.
    pub(crate) fn finish(
        &self,
        index: usize,
        explorer: &mut Explorer<'a>,
        store: &VisitedSet,
        pending: &mut PendingInserts,
    ) {
        pending.begin(store);
        loop {
            let number = self.looked_up.fetch_add(1, Ordering::Relaxed);
            if number >= self.len() {
                break;
            }
            let mut chunk = self.lock(number);
            self.make(index, explorer, number, &mut chunk);
            chunk.pending_of = index;
            chunk.look_up(store, pending, self.job.keep_transitions);
        }
    }

    /// The results, in the order of states.
    pub(crate) fn chunks(&mut self) -> impl Iterator<Item = &mut BatchResult> {
        let count = self.len();
        let chunks = self.chunks[..count].iter_mut();
        chunks.map(|chunk| chunk.get_mut().expect("no thread panics"))
    }

    /// Stops the batch. Calls `look` with each result after the explorer working on it has finished.
    pub(crate) fn close(&self, mut look: impl FnMut(&mut BatchResult)) {
        self.stop_ahead();
        for number in 0..self.len() {
            let mut chunk = self.lock(number);
            chunk.done = true;
            look(&mut chunk);
        }
    }

    fn lock(&self, number: usize) -> MutexGuard<'_, BatchResult> {
        self.chunks[number].lock().expect("no thread panics")
    }

    /// Expands a chunk, unless that has been done.
    fn make(
        &self,
        index: usize,
        explorer: &mut Explorer<'a>,
        number: usize,
        chunk: &mut BatchResult,
    ) {
        if !chunk.done {
            chunk.met.by = index;
            explorer.work(&self.job, self.job.share(number), chunk);
            chunk.done = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_is_locked_before_the_next_one_is_handed_out() {
        let job = Job {
            states: 0..2,
            each: 1,
            ..Job::default()
        };
        let batch = Batch::new(job, Batch::default());
        let free = |number: usize| batch.chunks[number].try_lock().is_ok();
        let (first, _held) = batch.next_chunk().expect("there are two");
        assert_eq!((first, free(0), free(1)), (0, false, true));
        let (second, _too) = batch.next_chunk().expect("there is another");
        assert_eq!((second, free(1)), (1, false));
        assert!(batch.next_chunk().is_none());
    }
}
