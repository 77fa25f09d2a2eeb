//! Ctrl-C, being asked to end and a terminal that is closed: the first time everything comes to a proper
//! end, the second time at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Listens to Ctrl-C and its like from now on. The first time the flag is set and `then` is called, on another thread.
pub(crate) fn listen(mut then: impl FnMut() + Send + 'static) -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // Without a handler Ctrl-C ends the program at once: a pity, but no reason not to go on.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130); // whatever is going on
        }
        then();
    });
    interrupted
}
