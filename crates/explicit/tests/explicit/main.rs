//! The tests of the explicit-state model checker.

mod checkpoints;
mod differential;
mod early;
mod found;
mod kept;
mod limits;
mod oracle;
mod sample;
mod searches;
mod stores;
