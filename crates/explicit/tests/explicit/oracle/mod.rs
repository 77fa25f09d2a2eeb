//! The oracle: what is true of a Machine, decided slowly and plainly, for differential tests of the engine.
//!
//! It shares with the engine the reference interpreter's own parts (initial states, shapes of formulas) and the
//! translation of formulas to automata; nothing of the search, the states, or the cycles.

pub mod broken;
pub mod constructs;
pub mod fixpoint;
pub mod graph;
pub mod judge;
pub mod referee;
pub mod shortest;

/// What is true of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The claim holds; the condition is impossible.
    Never,
    /// A run violates the claim or reaches the condition; with the number of events if a finite run shows it.
    Happens(Option<usize>),
    /// Neither, but an error is reachable.
    Error,
    /// Its automaton is too large.
    TooLarge,
}

impl Judgement {
    /// The judgement over two sets of runs together.
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
