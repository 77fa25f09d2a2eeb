//! Answers against those of an independent algorithm, and against textbook examples.

mod agreement;
mod differences;
mod oracle;
mod random;
mod simple;
mod textbook;
mod times;
