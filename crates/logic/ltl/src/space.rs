//! The search space of the lasso search: a graph, and goals that an accepting run reaches infinitely often.
//!
//! **Goals.** Arcs and nodes reach goals. A run is accepting if it reaches every goal infinitely often; a cycle is
//! accepting if it reaches every goal. Two kinds of conditions are goals:
//! - an acceptance mark is a goal, reached by the arcs that have the mark;
//! - *weak fairness* of a unit (such as an event) is a goal, reached by the arcs in which the unit occurs and by the
//!   nodes in which it is disabled. So only a cycle in all of whose nodes the unit is enabled must contain an
//!   occurrence.
//!
//! **Strong fairness** ("a message that is sent infinitely often arrives infinitely often") is not of this kind,
//! because a longer cycle may have more requirements. A space can make the required goals depend on the goals reached
//! ([`Space::owed`]).

use std::hash::Hash;

/// A set of goals, numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Goals {
    words: Vec<u64>,
}

impl Goals {
    /// The empty set of goals out of `0..count`.
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

    /// Adds up to 64 goals: bit `i` of `bits` is the goal `64 * word + i`. Bits beyond the number of goals must not be
    /// set.
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

    /// The first goal out of `0..count` that is not in the set; `None` if all are.
    pub fn first_missing(&self, count: usize) -> Option<usize> {
        let (word, bits) = (self.words.iter().enumerate()).find(|(_, bits)| **bits != u64::MAX)?;
        let goal = word * 64 + bits.trailing_ones() as usize;
        (goal < count).then_some(goal)
    }

    /// The set as bits.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Adds the goals of `self` to the set `words`. Returns whether one of them is new there.
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
    /// The label, whose type the space defines.
    pub label: L,
}

/// An arc with its source.
pub type Move<N, L> = (N, Arc<N, L>);

pub(crate) type ArcOf<S> = Arc<<S as Space>::Node, <S as Space>::Label>;
pub(crate) type MoveOf<S> = Move<<S as Space>::Node, <S as Space>::Label>;
pub(crate) type Moves<S> = Vec<MoveOf<S>>;

/// A graph with goals.
pub trait Space {
    /// A node. It should be small, because every visited node is stored.
    type Node: Copy + Eq + Hash;
    /// The label of an arc.
    type Label: Copy;

    /// The number of goals.
    fn goals(&self) -> usize;

    /// The initial nodes.
    fn initial(&mut self) -> Vec<Self::Node>;

    /// Appends the arcs of a node. Every call for the same node must append the same arcs.
    fn arcs(&mut self, node: Self::Node, into: &mut Vec<Arc<Self::Node, Self::Label>>);

    /// Adds the goals that a node reaches, such as weak fairness of the units that are disabled in it.
    fn in_node(&mut self, node: Self::Node, done: &mut Goals);

    /// Adds the goals that an arc reaches, such as its marks and weak fairness of the units that occur in it.
    fn on_arc(&mut self, from: Self::Node, arc: &Arc<Self::Node, Self::Label>, done: &mut Goals);

    /// A goal that a cycle with the goals `done` still has to reach; `None` if the cycle is accepting.
    fn owed(&self, done: &Goals) -> Option<usize> {
        done.first_missing(self.goals())
    }

    /// Whether a part of a component may contain an accepting cycle although the component as a whole does not meet its
    /// requirements. This is possible only if `owed` is overridden.
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
