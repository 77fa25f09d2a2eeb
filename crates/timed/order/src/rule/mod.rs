//! The proof rule: which finitely many queries prove a claim for all time.

