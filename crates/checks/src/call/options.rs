//! The options of a call of `check`.

use crate::call::checkpoint::Checkpoints;
use crate::call::limits::TotalTime;
use crate::call::load::Loaded;
use lower::Define;
use std::sync::Arc;
use std::time::Duration;
use strategy::Method;
use verdict::Storage;

/// The options of a call of `check`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Parameter values from `-D name=value`.
    pub defines: Vec<Define>,
    /// The name of the only claim to check; `None` for all claims.
    pub claim: Option<String>,
    /// The index of the only check to ask; `None` for all checks.
    pub check: Option<usize>,
    /// The limit of wall-clock time for each check.
    pub time: Option<Duration>,
    /// The time that all checks of the call share; it bounds each check in addition to `time`.
    pub total_time: Option<Arc<TotalTime>>,
    /// The limit of memory for each check, in bytes.
    pub memory: Option<u64>,
    /// The number of threads.
    pub threads: usize,
    /// The SAT solver that engines use.
    pub solver: sat::Backend,
    /// How visited states are stored, if the call says so.
    pub storage: Option<Storage>,
    /// The only method to use (`--by`), for experiments; `None` lets the strategy choose.
    pub by: Option<Method>,
    /// The checkpoint files; `None` if the call writes none.
    pub checkpoints: Option<Arc<Checkpoints>>,
}

impl Options {
    /// The limit of wall-clock time for the check that begins now.
    pub(crate) fn time_of_next(&self) -> Option<Duration> {
        let share = self.total_time.as_ref().map(|total| total.share());
        self.time.into_iter().chain(share).min()
    }
}

/// The first definition whose name is no parameter of the model, with the most similar parameter name if there is one.
pub fn unknown_parameter<'a>(
    loaded: &'a Loaded,
    defines: &'a [Define],
) -> Option<(&'a Define, Option<&'a str>)> {
    let names = || loaded.model.params.iter().map(|p| p.name.as_str());
    let unknown = defines
        .iter()
        .find(|define| names().all(|name| name != define.name))?;
    Some((unknown, model::nearest(&unknown.name, names())))
}
