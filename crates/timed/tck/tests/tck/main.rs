//! The format, and verdicts and counts of systems in it.

mod random;
mod regions;
mod syntax;
mod vectors;
