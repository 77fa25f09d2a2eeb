//! Cancellation: ends a computation of this thread from outside, by unwinding to the caller that can go on without it.
//!
//! A caller runs a computation [`with`] a [`Token`], and another thread sets the token when a limit is reached. Code whose
//! running time is not bounded by the length of the model calls [`poll`] in its loops. If the token is set, `poll` unwinds
//! the stack, without a panic message, up to the next [`catch`]. So no function needs a second result for "not finished", and
//! an unfinished computation cannot be mistaken for a finished one: its result does not exist.
//!
//! The rule: a loop or a recursion calls `poll` once per iteration if the number of iterations grows with the number of
//! nodes, values, instances, states or clauses. An engine that keeps partial results asks [`is_cancelled`] instead, and ends by
//! itself: it [`acknowledge`]s the limit, and has until [`Token::end`] to bring its results home.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A limit is reached: computations end, unless they have acknowledged it.
const LIMIT: u8 = 1;
/// All computations end.
const END: u8 = 2;

/// A flag that ends the computations that run with it. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Token(Arc<AtomicU8>);

impl Token {
    /// Ends the computations that run with this token, except for those that acknowledge it.
    pub fn cancel(&self) {
        self.0.fetch_max(LIMIT, Ordering::Relaxed);
    }

    /// Ends all computations that run with this token.
    pub fn end(&self) {
        self.0.store(END, Ordering::Relaxed);
    }
}

/// A computation was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

thread_local! {
    /// The token of the computation that runs on this thread; `None` if it cannot be cancelled.
    static CURRENT: RefCell<Option<Token>> = const { RefCell::new(None) };

    /// The value of the token from which on the computation of this thread ends.
    static ENDS_AT: Cell<u8> = const { Cell::new(LIMIT) };
}

/// Restores the token of the surrounding computation, also if the inner one unwinds.
struct Restore(Option<Token>, u8);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
        ENDS_AT.set(self.1);
    }
}

/// Runs a computation with a token. Inside, the token replaces that of the surrounding computation.
pub fn with<T>(token: &Token, work: impl FnOnce() -> T) -> T {
    let _restore = Restore(CURRENT.replace(Some(token.clone())), ENDS_AT.replace(LIMIT));
    work()
}

/// Notes that the computation of this thread ends by itself with partial results: from now on only [`Token::end`] unwinds it.
pub fn acknowledge() {
    ENDS_AT.set(END);
}

/// The result of a computation, or that it was cancelled. Other panics continue.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Cancelled> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        if !payload.is::<Cancelled>() {
            resume_unwind(payload);
        }
        Cancelled
    })
}

/// Unwinds to the next [`catch`] if the token of this thread is set.
#[inline]
pub fn poll() {
    if is_cancelled() {
        resume_unwind(Box::new(Cancelled));
    }
}

/// Whether the token of this thread ends its computation. False if the computation has no token.
#[inline]
pub fn is_cancelled() -> bool {
    CURRENT.with_borrow(|token| {
        let value = token
            .as_ref()
            .map_or(0, |token| token.0.load(Ordering::Relaxed));
        value >= ENDS_AT.get()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_token_unwinds_to_the_next_catch() {
        let token = Token::default();
        let work = || {
            for step in 0..10 {
                if step == 3 {
                    token.cancel();
                }
                poll();
                assert!(step < 3, "poll does not return after the token is set");
            }
        };
        assert_eq!(with(&token, || catch(work)), Err(Cancelled));
        assert!(!is_cancelled(), "the token ends with its computation");
        poll();
    }

    #[test]
    fn an_acknowledged_limit_leaves_time_for_results() {
        let token = Token::default();
        token.cancel();
        let kept = with(&token, || {
            assert!(is_cancelled());
            acknowledge();
            catch(|| (poll(), 7).1)
        });
        assert_eq!(kept, Ok(7));
        let ended = with(&token, || {
            assert!(
                is_cancelled(),
                "the next computation has not acknowledged it"
            );
            acknowledge();
            token.end();
            catch(poll)
        });
        assert_eq!(ended, Err(Cancelled));
        token.cancel();
        assert_eq!(
            with(&token, || (acknowledge(), catch(poll)).1),
            Err(Cancelled),
            "an end is final"
        );
    }

    #[test]
    fn other_panics_are_not_caught() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let other = catch_unwind(|| catch(|| panic!("a defect")));
        std::panic::set_hook(hook);
        assert!(other.is_err());
    }
}
