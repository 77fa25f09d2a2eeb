//! A desk with a thread of its own, which does what it is told in the order in which it is told.
//!
//! There is little time between two orders, and to wake a thread takes as long as the work behind a hundred states: so who waits
//! is awake for a while.

use crate::parallel::batch::Round;
use crate::parallel::explorer::Mate;
use crate::store::pending_inserts::Claims;
use crate::store::visited_set::Store;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::Scope;

/// What to do.
enum Order<'a> {
    /// To look behind states until it is time to look up.
    GoAhead(Arc<Round<'a>>),
    /// To do what is left, with the states that were visited before and room for what is new.
    Finish(Arc<Round<'a>>, Arc<Store>, Claims),
}

/// A desk with a thread of its own.
pub(crate) struct Worker<'a> {
    orders: Sender<Order<'a>>,
    claims: Receiver<Claims>,
    /// How often somebody looks for something to do before he falls asleep.
    awake: u32,
}

/// So often somebody looks before he lets others work.
const ALERT: u32 = 32;

impl<'a> Worker<'a> {
    /// Begins, as the desk with that number; who waits looks so often before he falls asleep.
    pub(crate) fn new<'s>(
        scope: &'s Scope<'s, '_>,
        desk: usize,
        mut mate: Mate<'a>,
        awake: u32,
    ) -> Worker<'a>
    where
        'a: 's,
    {
        let (orders, to_do) = channel();
        let (results, claims) = channel();
        scope.spawn(move || {
            while let Some(order) = wait(&to_do, awake) {
                match order {
                    Order::GoAhead(round) => round.go_ahead(desk, &mut mate),
                    Order::Finish(round, store, mut claims) => {
                        round.finish(desk, &mut mate, &store, &mut claims);
                        // Whoever gets the claims wants these for himself, too.
                        drop((round, store));
                        if results.send(claims).is_err() {
                            break; // nobody wants to know
                        }
                    }
                }
            }
        });
        Worker {
            orders,
            claims,
            awake,
        }
    }

    pub(crate) fn go_ahead(&self, round: &Arc<Round<'a>>) {
        self.order(Order::GoAhead(round.clone()));
    }

    pub(crate) fn finish(&self, round: &Arc<Round<'a>>, store: &Arc<Store>, claims: Claims) {
        self.order(Order::Finish(round.clone(), store.clone(), claims));
    }

    /// What it has found that was not known, once it has finished.
    pub(crate) fn claims(&self) -> Claims {
        wait(&self.claims, self.awake).expect("no desk has fallen over")
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
            Err(TryRecvError::Empty) if look % ALERT == 0 => std::thread::yield_now(),
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
        }
    }
    from.recv().ok()
}
