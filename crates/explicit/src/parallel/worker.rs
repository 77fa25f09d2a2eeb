//! A desk with a thread of its own, which does what it is told in the order in which it is told.
//!
//! There is little time between two orders, and to wake a thread takes as long as the work behind a hundred states: so who waits
//! is awake for a while.

use crate::parallel::batch::Batch;
use crate::parallel::explorer::Explorer;
use crate::store::pending_inserts::PendingInserts;
use crate::store::visited_set::VisitedSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::Scope;

/// What to do.
enum Order<'a> {
    /// To look behind states until it is time to look up.
    GoAhead(Arc<Batch<'a>>),
    /// To do what is left, with the states that were visited before and room for what is new.
    Finish(Arc<Batch<'a>>, Arc<VisitedSet>, PendingInserts),
}

/// A desk with a thread of its own.
pub(crate) struct Worker<'a> {
    orders: Sender<Order<'a>>,
    pending: Receiver<PendingInserts>,
    /// How often somebody looks for something to do before he falls asleep.
    awake: u32,
}

/// So often somebody looks before he lets others work.
const SPINS_PER_YIELD: u32 = 32;

impl<'a> Worker<'a> {
    /// Begins, as the desk with that number; who waits looks so often before he falls asleep.
    pub(crate) fn new<'s>(
        scope: &'s Scope<'s, '_>,
        expander: usize,
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
                    Order::GoAhead(batch) => batch.explore_ahead(expander, &mut explorer),
                    Order::Finish(batch, store, mut pending) => {
                        batch.finish(expander, &mut explorer, &store, &mut pending);
                        // Whoever gets the claims wants these for himself, too.
                        drop((batch, store));
                        if results.send(pending).is_err() {
                            break; // nobody wants to know
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
        self.order(Order::GoAhead(batch.clone()));
    }

    pub(crate) fn finish(
        &self,
        batch: &Arc<Batch<'a>>,
        store: &Arc<VisitedSet>,
        pending: PendingInserts,
    ) {
        self.order(Order::Finish(batch.clone(), store.clone(), pending));
    }

    /// What it has found that was not known, once it has finished.
    pub(crate) fn pending(&self) -> PendingInserts {
        wait(&self.pending, self.awake).expect("no desk has fallen over")
    }

    fn order(&self, order: Order<'a>) {
        self.orders.send(order).expect("no desk has fallen over");
    }
}

/// What comes next, if something does.
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
