//! Tests of the audit: corrupted runs are rejected, and concretisation finds times exactly where there are
//! some.

mod rejected_runs;
mod times;
