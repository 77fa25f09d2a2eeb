//! A worker: an explorer in its own thread, which executes orders in sequence.
//!
//! The time between two orders is short, and waking a thread takes as long as expanding about a hundred states. So a
//! waiting worker polls for a while before it sleeps.

use crate::parallel::batch::Batch;
use crate::parallel::explorer::Explorer;
use crate::store::pending_inserts::PendingInserts;
use crate::store::visited_set::VisitedSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::Scope;

/// An order for a worker.
enum Order<'a> {
    /// Expand chunks until the search stops the batch.
    ExploreAhead(Arc<Batch<'a>>),
    /// Finish the batch. The visited set is shared; the buffer receives new states.
    Finish(Arc<Batch<'a>>, Arc<VisitedSet>, PendingInserts),
}

/// An explorer in its own thread.
pub(crate) struct Worker<'a> {
    orders: Sender<Order<'a>>,
    pending: Receiver<PendingInserts>,
    /// The number of polls before a waiting thread sleeps.
    awake: u32,
}

/// The number of polls of a polling thread between two yields.
const SPINS_PER_YIELD: u32 = 32;

impl<'a> Worker<'a> {
    /// Starts a thread for the explorer with this index. `awake` is the number of polls before a waiting thread sleeps.
    pub(crate) fn new<'s>(
        scope: &'s Scope<'s, '_>,
        index: usize,
        mut explorer: Explorer<'a>,
        awake: u32,
    ) -> Worker<'a>
    where
        'a: 's,
    {
        let (orders, to_do) = channel();
        let (results, pending) = channel();
        scope.spawn(move || {
            while let Some(order) = wait(&to_do, awake) {
                match order {
                    Order::ExploreAhead(batch) => batch.explore_ahead(index, &mut explorer),
                    Order::Finish(batch, store, mut pending) => {
                        batch.finish(index, &mut explorer, &store, &mut pending);
                        // The pool needs exclusive ownership of the batch and the visited set when it receives the
                        // pending inserts.
                        drop((batch, store));
                        if results.send(pending).is_err() {
                            break; // the pool has been dropped
                        }
                    }
                }
            }
        });
        Worker {
            orders,
            pending,
            awake,
        }
    }

    pub(crate) fn explore_ahead(&self, batch: &Arc<Batch<'a>>) {
        self.order(Order::ExploreAhead(batch.clone()));
    }

    pub(crate) fn finish(
        &self,
        batch: &Arc<Batch<'a>>,
        store: &Arc<VisitedSet>,
        pending: PendingInserts,
    ) {
        self.order(Order::Finish(batch.clone(), store.clone(), pending));
    }

    /// Waits until the worker has finished the batch. Returns the new states that it found.
    pub(crate) fn pending(&self) -> PendingInserts {
        wait(&self.pending, self.awake).expect("no worker panics")
    }

    fn order(&self, order: Order<'a>) {
        self.orders.send(order).expect("no worker panics");
    }
}

/// Waits for the next message; `None` if the channel is closed.
fn wait<T>(from: &Receiver<T>, awake: u32) -> Option<T> {
    for look in 1..=awake {
        match from.try_recv() {
            Ok(next) => return Some(next),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if look % SPINS_PER_YIELD == 0 => std::thread::yield_now(),
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
        }
    }
    from.recv().ok()
}
