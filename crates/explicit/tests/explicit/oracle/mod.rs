//! The oracle: decides the properties of a Machine by simple and slow algorithms, for differential tests of the engine.
//!
//! It shares with the engine the parts of the reference interpreter (initial states, classification of formulas) and
//! the translation of formulas to automata. It shares nothing of the search, the representation of states, or the
//! detection of cycles.

pub mod broken;
pub mod constructs;
pub mod fixpoint;
pub mod graph;
pub mod judge;
pub mod referee;
pub mod shortest;

/// The result for a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The claim holds; the condition of a `possible` is impossible.
    Never,
    /// A run violates the claim or reaches the condition. If a finite run suffices: its least number of events.
    Happens(Option<usize>),
    /// No such run, but an error is reachable.
    Error,
    /// The automaton of the claim is too large.
    TooLarge,
}

impl Judgement {
    /// The result for two sets of runs together.
    pub fn and(self, other: Judgement) -> Judgement {
        use Judgement::*;
        match (self, other) {
            (Happens(Some(a)), Happens(Some(b))) => Happens(Some(a.min(b))),
            (Happens(a), Happens(b)) => Happens(a.or(b)),
            (Happens(a), _) | (_, Happens(a)) => Happens(a),
            (TooLarge, _) | (_, TooLarge) => TooLarge,
            (Error, _) | (_, Error) => Error,
            (Never, Never) => Never,
        }
    }
}
