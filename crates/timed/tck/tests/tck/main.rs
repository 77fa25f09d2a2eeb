//! The format, and verdicts and counts of systems in it.

mod syntax;
mod vectors;
