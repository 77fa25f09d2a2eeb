//! Tests of the command and of the documents: the command is called as a person calls it.

mod answers;
mod browser;
mod by_hand;
mod calling;
mod checkpoints;
mod command;
mod data;
mod data_output;
mod docs;
mod editing;
mod mistakes;
mod proofs;
mod results;
mod run;
mod simulate;
mod state_explosion;
mod stores;
mod tidy;
mod timed_stories;
mod vectors;
