//! The commands that run a model: `run`, `run --by-hand`, `simulate`, and the pages of runs.

mod browser;
mod by_hand;
mod run;
mod simulate;
