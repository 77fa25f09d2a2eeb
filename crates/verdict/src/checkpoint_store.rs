//! The interface between a search and the storage of its checkpoints.
//!
//! The search defines the meaning of the pieces. The store defines where they are kept, and guarantees that they come
//! back unchanged or not at all.

/// A store for checkpoints of searches.
pub trait CheckpointStore {
    /// The log of a question. The text contains everything on which the pieces depend, down to the numbering of states:
    /// pieces of another text are not returned.
    fn log(&self, question: &str) -> Box<dyn Log + '_>;

    /// Reports an observation about checkpoints, for verbose output.
    fn note(&self, text: &str);
}

/// The log of one question.
pub trait Log {
    /// Visits all stored pieces in order, until `visit` returns an error; returns the error.
    fn each(&mut self, visit: &mut dyn FnMut(&[u8]) -> Result<(), String>) -> Result<(), String>;

    /// A message for users that the stored log cannot be used: where it is, why, and what to do.
    fn refuse(&self, why: &str) -> String;

    /// Whether a checkpoint is due; earlier at a milestone, because much work would be lost behind it.
    fn is_due(&self, milestone: bool) -> bool;

    /// The following pieces replace all stored pieces when they are committed.
    fn begin(&mut self);

    /// Adds a piece; it takes effect at the next commit.
    fn put(&mut self, piece: &[u8]);

    /// Stores all pieces since the last commit atomically. Returns false if that fails; the store reports the reason.
    fn commit(&mut self) -> bool;
}
