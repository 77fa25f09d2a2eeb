//! The interface between a search and the storage of its checkpoints.
//!
//! The search defines the contents of the pieces. The store defines where they are kept. It returns pieces unchanged or
//! not at all.

/// A store for checkpoints of searches.
pub trait CheckpointStore {
    /// The log of a search. The text `question` must contain everything on which the pieces depend, including the
    /// numbering of states. Pieces that were stored for another text are not returned.
    fn log(&self, question: &str) -> Box<dyn Log + '_>;

    /// Passes on a remark about checkpoints, for verbose output.
    fn note(&self, text: &str);
}

/// The stored pieces of one search.
pub trait Log {
    /// Calls `visit` on all stored pieces in order. Stops at the first error of `visit` and returns it.
    fn each(&mut self, visit: &mut dyn FnMut(&[u8]) -> Result<(), String>) -> Result<(), String>;

    /// The message that tells users that the stored log cannot be used: where the log is, why, and what to do.
    fn refuse(&self, why: &str) -> String;

    /// Whether a checkpoint is due. At a milestone, which concludes much work, it is due earlier.
    fn is_due(&self, milestone: bool) -> bool;

    /// Starts a new log: at the next commit the pieces added from now on replace all stored pieces.
    fn begin(&mut self);

    /// Adds a piece, which is stored at the next commit.
    fn put(&mut self, piece: &[u8]);

    /// Stores all pieces added since the last commit, atomically. Returns false if this fails; the store then reports
    /// why.
    fn commit(&mut self) -> bool;
}
