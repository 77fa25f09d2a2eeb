//! A desk with a thread of its own, which does what it is told in that order.
//!
//! There is little time between two orders, and to wake a thread takes as long as the work behind a hundred states: so who waits
//! is awake for a while.

use crate::claims::Claims;
use crate::mate::Mate;
use crate::round::Round;
use crate::store::Store;
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
pub(crate) struct Helper<'a> {
    orders: Sender<Order<'a>>,
    claims: Receiver<Claims>,
}

/// So often somebody looks whether there is something to do before he falls asleep.
const AWAKE: u32 = 4096;

/// And so often before he lets others work.
const ALERT: u32 = 32;

impl<'a> Helper<'a> {
    /// Begins, as the desk with that number.
    pub(crate) fn new<'s>(scope: &'s Scope<'s, '_>, desk: usize, mut mate: Mate<'a>) -> Helper<'a>
    where
        'a: 's,
    {
        let (orders, to_do) = channel();
        let (results, claims) = channel();
        scope.spawn(move || {
            while let Some(order) = wait(&to_do) {
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
        Helper { orders, claims }
    }

    pub(crate) fn go_ahead(&self, round: &Arc<Round<'a>>) {
        self.order(Order::GoAhead(round.clone()));
    }

    pub(crate) fn finish(&self, round: &Arc<Round<'a>>, store: &Arc<Store>, claims: Claims) {
        self.order(Order::Finish(round.clone(), store.clone(), claims));
    }

    /// What it has found that was not known, once it has finished.
    pub(crate) fn claims(&self) -> Claims {
        wait(&self.claims).expect("nobody falls over")
    }

    fn order(&self, order: Order<'a>) {
        self.orders.send(order).expect("nobody falls over");
    }
}

/// What comes next, if something does.
fn wait<T>(from: &Receiver<T>) -> Option<T> {
    for look in 1..AWAKE {
        match from.try_recv() {
            Ok(next) => return Some(next),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if look % ALERT == 0 => std::thread::yield_now(),
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
        }
    }
    from.recv().ok()
}
