//! Tests of the command-line program and of the documents, by calling the program.

mod calling;
mod check;
mod command;
mod docs;
mod editing;
mod explain;
mod hostile;
mod mistakes;
mod proofs;
mod results;
mod runs;
mod tidy;
mod timed_automata;
mod vectors;
