//! What outlives a process: whoever searches hands over what it has found so far, piece by piece, and may get it back.
//!
//! Who searches says what the pieces mean; who keeps them says where they are, and makes sure that they come back as they
//! were, or not at all.

/// Keeps what searches have found.
pub trait CheckpointStore {
    /// Where what is found of a question is kept. The text says everything on which that depends, down to the numbering of
    /// states: what was kept for another text is not given back.
    fn log(&self, question: &str) -> Box<dyn Log + '_>;

    /// Takes note of something about checkpoints that whoever wants to know all wants to know.
    fn note(&self, text: &str);
}

/// What is kept of one question.
pub trait Log {
    /// Gives back all pieces that are kept, in order, until somebody is not content; says what is wrong.
    fn each(&mut self, visit: &mut dyn FnMut(&[u8]) -> Result<(), String>) -> Result<(), String>;

    /// Says in words for people that what is kept cannot be used: where it is, why, and what to do.
    fn refuse(&self, why: &str) -> String;

    /// Whether it is time to keep something; at a milestone, behind which much would have to be done again, that is sooner.
    fn is_due(&self, milestone: bool) -> bool;

    /// The next pieces are in place of all that are kept, as soon as they are committed.
    fn begin(&mut self);

    /// Adds a piece, which counts once it is committed.
    fn put(&mut self, piece: &[u8]);

    /// All pieces so far belong together and are kept from now on; or, if that is not possible, none since the last time:
    /// then it says `false`, and whoever keeps them says why.
    fn commit(&mut self) -> bool;
}
