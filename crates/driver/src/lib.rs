//! The order of things: which instance, which engine, which limits, which answer.
