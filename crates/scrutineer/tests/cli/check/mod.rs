//! The command `check`: answers, output formats, limits, storage of states, and checkpoints.

mod answers;
mod checkpoints;
mod data;
mod data_output;
mod every_sizes;
mod limits;
mod planted_limits;
mod state_explosion;
mod stores;
mod stories;
mod timed_stories;
mod words;
