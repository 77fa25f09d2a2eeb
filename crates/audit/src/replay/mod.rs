//! Replay of a run on the reference interpreter, and direct evaluation of the property on it.

