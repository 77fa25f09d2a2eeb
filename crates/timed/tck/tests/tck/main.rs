//! The format, and verdicts and counts of systems in it.

mod random;
mod regions;
mod runs;
mod syntax;
mod vectors;
