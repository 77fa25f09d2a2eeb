//! The search space of the lasso search: a graph, and goals that a run must reach infinitely often.
//!
//! **Goals.** A run is accepting if it reaches every goal infinitely often; a cycle is accepting if it
//! reaches every goal. Arcs and nodes reach goals. Two kinds of conditions are goals:
//! - an acceptance mark is a goal that the arcs with that mark reach;
//! - *weak fairness* of a unit is a goal reached by the arcs that take the unit and by the nodes in which it
//!   is disabled: only a cycle in all of whose nodes the unit is enabled has to take it.
//!
//! **Strong fairness** ("a message that is sent infinitely often arrives infinitely often") is not of that
//! kind: more arcs in a cycle may add requirements. A space may require goals depending on other goals
//! ([`Space::owed`]).

use std::hash::Hash;

/// A set of goals, numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Goals {
    words: Vec<u64>,
}

impl Goals {
    /// The empty set, with room for this number of goals.
    pub fn none(count: usize) -> Goals {
        Goals {
            words: vec![0; count.div_ceil(64)],
        }
    }

    /// Adds a goal.
    #[inline]
    pub fn add(&mut self, goal: usize) {
        self.words[goal / 64] |= 1 << (goal % 64);
    }

    /// Adds 64 goals at once: bit `i` of `bits` is the goal `64 * word + i`. Bits beyond the number of goals
    /// must not be set.
    #[inline]
    pub fn add_word(&mut self, word: usize, bits: u64) {
        if bits != 0 {
            self.words[word] |= bits;
        }
    }

    /// Whether a goal is in the set.
    #[inline]
    pub fn has(&self, goal: usize) -> bool {
        self.words[goal / 64] >> (goal % 64) & 1 != 0
    }

    /// The first of `0..count` that is not in the set.
    pub fn first_missing(&self, count: usize) -> Option<usize> {
        let (word, bits) = (self.words.iter().enumerate()).find(|(_, bits)| **bits != u64::MAX)?;
        let goal = word * 64 + bits.trailing_ones() as usize;
        (goal < count).then_some(goal)
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Adds the goals of `self` to `words`; whether one of them is new.
    pub(crate) fn join(&self, words: &mut [u64]) -> bool {
        let mut grown = 0;
        for (word, more) in words.iter_mut().zip(&self.words) {
            grown |= more & !*word;
            *word |= more;
        }
        grown != 0
    }
}

/// An arc of a graph, without its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc<N, L> {
    /// The target.
    pub to: N,
    /// The label; the space chooses its type.
    pub label: L,
}

/// An arc with its source.
pub type Move<N, L> = (N, Arc<N, L>);

pub(crate) type ArcOf<S> = Arc<<S as Space>::Node, <S as Space>::Label>;
pub(crate) type MoveOf<S> = Move<<S as Space>::Node, <S as Space>::Label>;
pub(crate) type Moves<S> = Vec<MoveOf<S>>;

/// A graph with goals.
pub trait Space {
    /// A node: small, because every visited node is stored.
    type Node: Copy + Eq + Hash;
    /// The label of an arc.
    type Label: Copy;

    /// The number of goals.
    fn goals(&self) -> usize;

    /// The initial nodes.
    fn initial(&mut self) -> Vec<Self::Node>;

    /// Appends the arcs of a node; the result must be the same for every call.
    fn arcs(&mut self, node: Self::Node, into: &mut Vec<Arc<Self::Node, Self::Label>>);

    /// Adds the goals that a node reaches, such as the units that are disabled in it.
    fn in_node(&mut self, node: Self::Node, done: &mut Goals);

    /// Adds the goals that an arc reaches, such as its marks and the units it takes.
    fn on_arc(&mut self, from: Self::Node, arc: &Arc<Self::Node, Self::Label>, done: &mut Goals);

    /// A goal that is still required of a cycle that reaches the goals in `done`; none if the cycle is
    /// accepting.
    fn owed(&self, done: &Goals) -> Option<usize> {
        done.first_missing(self.goals())
    }

    /// Whether a part of a component may be accepting although the whole component is not; this requires an
    /// overridden `owed`.
    fn parts_may_accept(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_beyond_one_word() {
        let mut goals = Goals::none(130);
        assert_eq!(goals.first_missing(130), Some(0));
        assert_eq!(goals.first_missing(0), None);
        goals.add_word(0, u64::MAX);
        goals.add_word(1, u64::MAX);
        goals.add(129);
        assert_eq!(goals.first_missing(130), Some(128));
        assert_eq!(goals.first_missing(128), None);
        assert!(goals.has(129) && !goals.has(128));
        let mut words = [0, u64::MAX, 0];
        assert!(goals.join(&mut words));
        assert!(!goals.join(&mut words));
        assert_eq!(words, [u64::MAX, u64::MAX, 2]);
        assert_eq!(Goals::none(0).first_missing(0), None);
    }
}
