//! Tests of the command and of the documents: the command is called as a person calls it.

mod calling;
mod check;
mod command;
mod docs;
mod editing;
mod mistakes;
mod proofs;
mod results;
mod runs;
mod tidy;
mod vectors;
