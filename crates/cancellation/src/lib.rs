//! Cancellation: another thread ends a computation; the stack unwinds to the caller that can continue without its
//! result.
//!
//! A caller runs a computation [`with`] a [`Token`], and another thread sets the token when a limit is reached. Code
//! whose running time is not bounded by the length of the model calls [`poll`] in its loops. If the token is set,
//! `poll` unwinds the stack, without a panic message, up to the next [`catch`]. So no function needs a second result
//! for "not finished", and an unfinished computation cannot be mistaken for a finished one, because it returns no
//! result.
//!
//! The rule: a loop or a recursion calls `poll` once per iteration if the number of iterations grows with the number of
//! nodes, values, instances, states or clauses. An engine that keeps partial results calls [`is_cancelled`] instead.
//! When the limit is reached, it [`acknowledge`]s the limit, stops its loops and returns the partial results; `poll`
//! unwinds it only after [`Token::end`].
//!
//! A watchdog notices memory that grows in small steps. Code that allocates a large block [`claim`]s it first: a block
//! beyond the memory limit ends the computation instead of being allocated.
//!
//! Tests plant a limit at a poll instead of at a time ([`Token::after_polls`]), so that the limit is reached at the
//! same step on every computer.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Blocks of fewer bytes are not claimed: the watchdog notices many of them early enough.
const SMALL: usize = 1_000_000;

/// The flags of a token. They are never freed, so that `poll`, which is called for each gate and each expression, reads
/// a flag through a plain reference.
#[derive(Debug)]
struct Flags {
    /// Whether a limit is reached (of a planted token: if it is due). Computations end, unless they have acknowledged
    /// it.
    limit: AtomicBool,
    /// Whether all computations end (of a planted token: if it is due).
    end: AtomicBool,
    /// The number of polls of a planted token so far. Its flags are set from the beginning.
    polls: AtomicU64,
    /// The numbers of polls before the limit and before the end; 0 unless the token is planted.
    planted: (AtomicU64, AtomicU64),
    /// The number of bytes that computations may still claim; `u64::MAX` without a memory limit.
    room: AtomicU64,
    /// Whether memory is used up.
    out_of_memory: AtomicBool,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags {
            limit: AtomicBool::default(),
            end: AtomicBool::default(),
            polls: AtomicU64::default(),
            planted: Default::default(),
            room: AtomicU64::new(u64::MAX),
            out_of_memory: AtomicBool::default(),
        }
    }
}

impl Flags {
    /// Counts a poll. Returns whether a set flag (the end if `end` is true, otherwise the limit) is due: at once,
    /// unless the token is planted.
    fn is_due(&self, end: bool) -> bool {
        let due = if end {
            &self.planted.1
        } else {
            &self.planted.0
        };
        self.polls.fetch_add(1, Ordering::Relaxed) >= due.load(Ordering::Relaxed)
    }

    /// Makes the limit due after `limit` polls and the end after `end` polls, counted from now.
    fn plant(&self, limit: u64, end: u64) {
        self.polls.store(0, Ordering::Relaxed);
        self.planted.0.store(limit, Ordering::Relaxed);
        self.planted.1.store(end, Ordering::Relaxed);
    }
}

/// Flags that no token uses.
static UNUSED: Mutex<Vec<&'static Flags>> = Mutex::new(Vec::new());

/// The flag of computations without a token; it is never set.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The flags of a token and its clones. When the last clone is dropped, the flags return to `UNUSED`.
#[derive(Debug)]
struct Lease(&'static Flags);

impl Drop for Lease {
    fn drop(&mut self) {
        self.0.limit.store(false, Ordering::Relaxed);
        self.0.end.store(false, Ordering::Relaxed);
        self.0.plant(0, 0);
        self.0.room.store(u64::MAX, Ordering::Relaxed);
        self.0.out_of_memory.store(false, Ordering::Relaxed);
        let mut unused = UNUSED.lock().unwrap_or_else(PoisonError::into_inner);
        unused.push(self.0);
    }
}

/// A token that ends the computations that run with it. Clones are the same token.
#[derive(Clone, Debug)]
pub struct Token(Arc<Lease>);

impl Default for Token {
    fn default() -> Token {
        let mut unused = UNUSED.lock().unwrap_or_else(PoisonError::into_inner);
        let flags = unused.pop().unwrap_or_else(|| Box::leak(Box::default()));
        Token(Arc::new(Lease(flags)))
    }
}

impl Token {
    /// A token whose limit is reached after `polls` polls of its computations, and that is ended `grace` polls later.
    pub fn after_polls(polls: u64, grace: u64) -> Token {
        let token = Token::default();
        token.end();
        // An end after no poll at all would be a token that is not planted.
        token.0.0.plant(polls, polls.saturating_add(grace).max(1));
        token
    }

    /// The number of polls of the computations of a token made by [`Token::after_polls`], including polls after the
    /// limit. Calls of [`Token::is_reached`] and [`Token::is_ended`] count as polls.
    pub fn polls(&self) -> u64 {
        self.0.0.polls.load(Ordering::Relaxed)
    }

    /// Ends the computations that run with this token, except for those that acknowledge it.
    pub fn cancel(&self) {
        self.0.0.planted.0.store(0, Ordering::Relaxed);
        self.0.0.limit.store(true, Ordering::Relaxed);
    }

    /// Ends all computations that run with this token.
    pub fn end(&self) {
        self.cancel();
        self.0.0.planted.1.store(0, Ordering::Relaxed);
        self.0.0.end.store(true, Ordering::Relaxed);
    }

    /// Whether the limit is reached, also if computations have acknowledged it.
    pub fn is_reached(&self) -> bool {
        let flags = self.0.0;
        flags.limit.load(Ordering::Relaxed) && flags.is_due(false)
    }

    /// Whether all computations end, for work that several threads share and of which only one may unwind. If so, the
    /// call unwinds to the next [`catch`] on the thread that runs with this token. On other threads it returns true,
    /// and the caller must not use their results.
    pub fn is_ended(&self) -> bool {
        let flags = self.0.0;
        let ended = flags.end.load(Ordering::Relaxed) && flags.is_due(true);
        if ended {
            poll();
        }
        ended
    }

    /// Sets the number of bytes that computations may claim from now on.
    pub fn set_room(&self, bytes: u64) {
        self.0.0.room.store(bytes, Ordering::Relaxed);
    }

    /// Ends the computations that run with this token, except for those that acknowledge it, because memory is used up.
    pub fn run_out_of_memory(&self) {
        self.0.0.out_of_memory.store(true, Ordering::Relaxed);
        self.cancel();
    }

    /// Whether memory is used up: [`Token::run_out_of_memory`] was called, or a claim was refused.
    pub fn is_out_of_memory(&self) -> bool {
        self.0.0.out_of_memory.load(Ordering::Relaxed)
    }

    /// Subtracts bytes from the room. Returns whether there was enough room.
    fn takes(&self, bytes: u64) -> bool {
        let room = &self.0.0.room;
        let less = |room: u64| match room {
            u64::MAX => Some(room),
            _ => room.checked_sub(bytes),
        };
        room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
            .is_ok()
    }
}

/// A computation was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

thread_local! {
    /// The token of the computation that runs on this thread; `None` if it cannot be cancelled.
    static CURRENT: RefCell<Option<Token>> = const { RefCell::new(None) };

    /// The flag of that token which ends the computation of this thread.
    static ENDS: Cell<&'static AtomicBool> = const { Cell::new(&NEVER) };
}

/// Restores the token of the surrounding computation, also if the inner one unwinds.
struct Restore(Option<Token>, &'static AtomicBool);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
        ENDS.set(self.1);
    }
}

/// Runs a computation with a token. Inside, the token replaces that of the surrounding computation.
pub fn with<T>(token: &Token, work: impl FnOnce() -> T) -> T {
    let current = CURRENT.replace(Some(token.clone()));
    let _restore = Restore(current, ENDS.replace(&token.0.0.limit));
    work()
}

/// The token of the computation of this thread, to be passed to threads that work for this computation. If the
/// computation has no token: a new token, which is never set.
pub fn current() -> Token {
    CURRENT.with_borrow(|token| token.clone().unwrap_or_default())
}

/// The token of the computation of this thread, if it was made by [`Token::after_polls`]. The watchdog uses it instead
/// of a token of its own.
pub fn planted() -> Option<Token> {
    let is_planted = |token: &&Token| token.0.0.planted.1.load(Ordering::Relaxed) > 0;
    CURRENT.with_borrow(|token| token.as_ref().filter(is_planted).cloned())
}

/// Notes that the computation of this thread stops its loops and returns partial results: from now on, only
/// [`Token::end`] unwinds it.
pub fn acknowledge() {
    CURRENT.with_borrow(|token| {
        if let Some(token) = token {
            ENDS.set(&token.0.0.end);
        }
    });
}

/// Runs a computation; returns its result, or `Cancelled` if it unwound. Other panics continue.
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
        unwind();
    }
}

#[cold]
fn unwind() -> ! {
    resume_unwind(Box::new(Cancelled))
}

/// Claims the memory of a block before it is allocated: unwinds to the next [`catch`] if the block exceeds the
/// remaining room ([`Token::set_room`]). Memory that is freed later, such as the old block of a vector that grows, is
/// not returned to the room.
pub fn claim(bytes: usize) {
    if bytes < SMALL {
        return;
    }
    let refused = CURRENT.with_borrow(|token| {
        let refused = token.as_ref().filter(|token| !token.takes(bytes as u64));
        refused.inspect(|token| token.run_out_of_memory()).is_some()
    });
    if refused {
        unwind();
    }
}

/// Claims the memory of the next block of a vector, if its next element needs one.
#[inline]
pub fn claim_next<T>(items: &Vec<T>) {
    if items.len() == items.capacity() {
        claim(items.len().saturating_mul(2 * size_of::<T>()));
    }
}

/// Whether the token of this thread ends its computation. False if the computation has no token.
#[inline]
pub fn is_cancelled() -> bool {
    ENDS.get().load(Ordering::Relaxed) && is_due()
}

/// Whether the set flag of this thread is due.
#[cold]
fn is_due() -> bool {
    let flag = ENDS.get();
    CURRENT.with_borrow(|token| {
        let flags = token.as_ref().map(|token| token.0.0);
        flags.is_none_or(|flags| flags.is_due(std::ptr::eq(flag, &flags.end)))
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
    fn a_thread_that_works_for_a_computation_ends_with_it() {
        let token = Token::default();
        let ended = with(&token, || {
            let current = current();
            token.cancel();
            let worker = std::thread::spawn(move || with(&current, || catch(poll)));
            worker.join().expect("the thread ends regularly")
        });
        assert_eq!(ended, Err(Cancelled));
        with(&current(), poll);
    }

    #[test]
    fn a_token_is_not_set_by_those_that_used_its_flags_before() {
        for _ in 0..3 {
            let token = Token::default();
            with(&token, poll);
            token.end();
            assert_eq!(with(&token, || catch(poll)), Err(Cancelled));
        }
    }

    #[test]
    fn a_planted_limit_comes_at_its_poll() {
        for limit in 0..5 {
            let token = Token::after_polls(limit, 3);
            let mut steps = 0;
            let work = || {
                loop {
                    poll();
                    steps += 1;
                }
            };
            assert_eq!(with(&token, || catch::<()>(work)), Err(Cancelled));
            assert_eq!(steps, limit);
            assert_eq!(token.polls(), limit + 1);
            let acknowledged = with(&token, || {
                acknowledge();
                catch(|| (poll(), poll()).1)
            });
            assert_eq!(acknowledged, Ok(()), "there is time left");
            let ended = with(&token, || (acknowledge(), catch(poll)).1);
            assert_eq!(ended, Err(Cancelled));
        }
    }

    #[test]
    fn a_planted_token_is_found_by_what_watches_limits() {
        assert!(planted().is_none());
        with(&Token::default(), || assert!(planted().is_none()));
        let token = Token::after_polls(7, 0);
        with(&token, || {
            let found = planted().expect("a planted token");
            with(&found, poll);
        });
        assert_eq!(token.polls(), 1);
    }

    #[test]
    fn a_block_beyond_the_memory_ends_the_computation() {
        let token = Token::default();
        let block = 3 * SMALL;
        with(&token, || claim(usize::MAX));
        assert!(!token.is_out_of_memory(), "nothing limits the memory");
        token.set_room(7 * SMALL as u64);
        let mut claimed = 0;
        let work = || {
            loop {
                claim(block);
                claimed += 1;
            }
        };
        assert_eq!(with(&token, || catch::<()>(work)), Err(Cancelled));
        assert_eq!(claimed, 2, "the third block is too large");
        assert!(token.is_out_of_memory() && token.is_reached());
        assert_eq!(with(&token, || catch(poll)), Err(Cancelled));
    }

    #[test]
    fn a_vector_claims_its_next_block_only() {
        let token = Token::default();
        token.set_room(2 * SMALL as u64);
        with(&token, || {
            let mut items = vec![0u8; SMALL - 1];
            items.reserve_exact(1);
            claim_next(&items);
            assert!(!token.is_out_of_memory(), "there is a place left");
            items.push(0);
            claim_next(&items);
            assert_eq!(catch(|| claim_next(&items)), Err(Cancelled));
        });
    }

    #[test]
    fn a_limit_is_seen_also_after_it_is_acknowledged() {
        let token = Token::after_polls(1, 100);
        with(&token, || {
            poll();
            assert!(token.is_reached());
            acknowledge();
            assert!(!is_cancelled() && token.is_reached());
        });
        let token = Token::default();
        assert!(!token.is_reached());
        token.cancel();
        assert!(token.is_reached());
    }

    #[test]
    fn an_end_unwinds_only_the_thread_of_the_token() {
        let token = Token::default();
        token.cancel();
        assert_eq!(with(&token, || catch(|| token.is_ended())), Ok(false));
        token.end();
        assert_eq!(with(&token, || catch(|| token.is_ended())), Err(Cancelled));
        let helper = std::thread::spawn(move || token.is_ended());
        assert!(helper.join().expect("it does not unwind"));
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
