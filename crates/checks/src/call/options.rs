//! The options of a call.

use crate::call::checkpoint::Checkpoints;
use lower::Define;
use std::rc::Rc;
use std::time::Duration;
use strategy::Method;
use verdict::Storage;

/// The options of a call.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `-D name=value`.
    pub defines: Vec<Define>,
    /// Only this claim.
    pub claim: Option<String>,
    /// Wall-clock time for each check.
    pub time: Option<Duration>,
    /// Bytes for each check.
    pub memory: Option<u64>,
    /// The number of threads.
    pub threads: usize,
    /// The SAT solver that engines use.
    pub solver: sat::Backend,
    /// The storage of visited states, if the call names one.
    pub storage: Option<Storage>,
    /// Only this method, for experiments.
    pub by: Option<Method>,
    /// The checkpoints of long searches, if the call wants them.
    pub checkpoints: Option<Rc<Checkpoints>>,
}
