//! Tests of the library: examples, errors, results as data, limits, and threads.

mod errors;
mod examples;
mod results;
mod threads;
