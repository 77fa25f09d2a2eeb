//! What a search for runs looks at: a graph, and goals that a run must reach again and again.
//!
//! **Goals.** A run is accepted if it reaches every goal infinitely often, and so is a cycle that reaches every
//! goal once. Arcs reach goals, and so does merely being in a node. Two kinds of conditions are goals:
//! - an acceptance mark is a goal that the arcs with that mark reach;
//! - *weak fairness* of a unit is a goal that the arcs reach that take the unit, and the nodes in which it is not
//!   possible: only a cycle in all of whose nodes it is possible has to take it.
//!
//! **Strong fairness** ("what is sent again and again arrives") is not of that kind: a cycle may do too much. A
//! space may count goals that are owed only in view of others ([`Space::owed`]).

use std::hash::Hash;

/// A set of goals, numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Goals {
    words: Vec<u64>,
}

impl Goals {
    /// The empty set, with room for so many goals.
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

    /// Adds 64 goals at once: bit `i` of `bits` is the goal `64 * word + i`. Bits beyond the number of goals must
    /// not be set.
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

/// An arc of a graph, without where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc<N, L> {
    /// Where it leads.
    pub to: N,
    /// What the space wants to know about it.
    pub label: L,
}

/// An arc, with where it begins.
pub type Move<N, L> = (N, Arc<N, L>);

pub(crate) type ArcOf<S> = Arc<<S as Space>::Node, <S as Space>::Label>;
pub(crate) type MoveOf<S> = Move<<S as Space>::Node, <S as Space>::Label>;
pub(crate) type Moves<S> = Vec<MoveOf<S>>;

/// A graph with goals.
pub trait Space {
    /// A node: small, as every visited one is stored.
    type Node: Copy + Eq + Hash;
    /// What is known about an arc.
    type Label: Copy;

    /// How many goals there are.
    fn goals(&self) -> usize;

    /// Where runs begin.
    fn initial(&mut self) -> Vec<Self::Node>;

    /// Appends the arcs of a node, always the same.
    fn arcs(&mut self, node: Self::Node, into: &mut Vec<Arc<Self::Node, Self::Label>>);

    /// Adds the goals that are reached by being in a node, such as the units that are not possible there.
    fn in_node(&mut self, node: Self::Node, done: &mut Goals);

    /// Adds the goals that an arc reaches, such as its marks and the units it takes.
    fn on_arc(&mut self, from: Self::Node, arc: &Arc<Self::Node, Self::Label>, done: &mut Goals);

    /// A goal that a cycle still owes which reaches those in `done`; none if it accepts.
    fn owed(&self, done: &Goals) -> Option<usize> {
        done.first_missing(self.goals())
    }

    /// Whether a part of a component may accept that owes something as a whole: not unless `owed` is written anew.
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
