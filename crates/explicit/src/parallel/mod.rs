//! Parallel exploration with the same results as a sequential one: worker pool, explorers, batches.

pub(crate) mod batch;
pub(crate) mod batch_result;
pub(crate) mod event_labels;
pub(crate) mod explorer;
pub(crate) mod worker;
pub(crate) mod worker_pool;
