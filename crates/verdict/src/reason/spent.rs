//! The limits that can end a search.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The limit that ends a method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spent {
    /// The limit of wall-clock time.
    Time(Duration),
    /// The memory limit, in bytes.
    Memory(u64),
    /// The largest number of states of one instance that the visited set can number.
    States(u64),
    /// An interruption was requested.
    Interrupted,
    /// A limit that the caller set for a short attempt. The caller continues with another method and does not report
    /// this limit.
    Brief,
}
