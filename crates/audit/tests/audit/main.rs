//! Tests of the audit: corrupted runs are rejected, and concretisation finds times if and only if they exist.

mod rejected_runs;
mod times;
