//! Compares answers with those of independent algorithms and with textbook examples.

mod agreement;
mod differences;
mod oracle;
mod random;
mod simple;
mod textbook;
mod times;
