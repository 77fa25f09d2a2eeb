//! Tests of the passes: each reduction keeps all answers, and each of its conditions is necessary.

mod compare;
mod fields;
mod overwritten;
mod projection;
mod random;
mod variables;
