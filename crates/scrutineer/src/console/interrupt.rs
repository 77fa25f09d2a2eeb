//! Ctrl-C, the termination signal and a closed terminal: the first signal ends all work in order, the second one ends
//! the process at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Installs the handler of Ctrl-C and similar signals. At the first signal the flag is set and `then` is called on
/// another thread.
pub(crate) fn listen(mut then: impl FnMut() + Send + 'static) -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // Without a handler Ctrl-C ends the program at once, which is acceptable.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130); // even during other work
        }
        then();
    });
    interrupted
}
