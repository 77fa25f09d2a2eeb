//! Answers against those of another make, and against what books say.

mod agreement;
mod differences;
mod oracle;
mod random;
mod simple;
mod textbook;
mod times;
