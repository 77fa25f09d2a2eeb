//! The Machine: what a protocol does, without its language; with text form, verifier and reference interpreter.
