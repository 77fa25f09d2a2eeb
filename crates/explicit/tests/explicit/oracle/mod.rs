//! What is true of a Machine, decided slowly and plainly: the opponent of the engine in differential tests.
//!
//! It shares with the engine the reference interpreter's own parts (initial states, shapes of formulas) and
//! the translation of formulas to automata; nothing of the search, the states, or the cycles.

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
    /// A run breaks the claim or reaches the condition; with so many events if a finite one shows it.
    Happens(Option<usize>),
    /// Not that, but an error is reachable.
    Error,
    /// There is no automaton for it: it is too large.
    TooLarge,
}

impl Judgement {
    /// Of two sets of runs together.
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
