//! Checks of the tree itself, and long runs.
