//! Handles Ctrl-C, the termination signal and a closed terminal. The first signal ends all searches regularly; the
//! second ends the process immediately.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Installs the handler of Ctrl-C and similar signals. At the first signal the returned flag is set to true, and `then`
/// is called on another thread.
pub(crate) fn listen(mut then: impl FnMut() + Send + 'static) -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // If the handler cannot be installed, Ctrl-C ends the process immediately, which is acceptable.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130); // the second signal
        }
        then();
    });
    interrupted
}
