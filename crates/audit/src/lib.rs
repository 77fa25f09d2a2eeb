//! Whether an answer is true: replays runs on the reference interpreter; knows no engine.
