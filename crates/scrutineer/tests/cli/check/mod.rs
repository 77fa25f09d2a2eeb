//! The command `check`: answers, output forms, limits, stores and checkpoints.

mod answers;
mod checkpoints;
mod data;
mod data_output;
mod state_explosion;
mod stores;
mod timed_stories;
