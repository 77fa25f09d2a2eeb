//! Generalised Büchi automata with guards and acceptance marks on their edges (transition-based acceptance).
//!
//! **Words.** A run over the word `l0 l1 l2 ...` is a sequence of states `q0 q1 q2 ...` such that `q0` is initial and,
//! for every `i`, there is an edge from `qi` to `q(i+1)` whose guard holds for `li`. So the edge that *leaves* the
//! initial state reads the letter of the *first* state of a system. In the product with a system, the successors of
//! node `(s, q)` are all `(s', q')` such that `s'` is a successor of `s` and an edge from `q` to `q'` has a guard that
//! holds in `s` (not in `s'`). The initial nodes are all pairs of an initial state of the system and an initial state
//! of the automaton.
//!
//! **Acceptance.** An edge has a set of marks out of `0..acceptance`. A run is accepting if for each mark it takes
//! edges with this mark infinitely often. If there are no marks, every infinite run is accepting. A cycle of the
//! product is accepting if the union of the marks of its edges is [`Buchi::all_marks`]. A strongly connected component
//! contains such a cycle if and only if it has an inner edge and the union of the marks of its inner edges is
//! [`Buchi::all_marks`].
//!
//! Words are infinite. If a system has final states, the caller must add stuttering steps to them before it builds the
//! product.

use std::fmt;

use crate::component;

/// The atomic propositions that hold at one position: bit `a` stands for `Formula::Atom(a)`.
pub type Letter = u64;

/// A conjunction of literals: all atoms in `positive` hold, and none in `negative` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guard {
    /// The atoms that must hold, one bit each.
    pub positive: u64,
    /// The atoms that must not hold, one bit each.
    pub negative: u64,
}

impl Guard {
    /// The guard that holds for every letter.
    pub const TRUE: Guard = Guard {
        positive: 0,
        negative: 0,
    };

    /// Whether the guard holds for `letter`.
    #[inline]
    pub fn holds(self, letter: Letter) -> bool {
        self.positive & !letter == 0 && self.negative & letter == 0
    }

    /// The conjunction of two guards; `None` if it is unsatisfiable.
    pub fn and(self, other: Guard) -> Option<Guard> {
        let positive = self.positive | other.positive;
        let negative = self.negative | other.negative;
        (positive & negative == 0).then_some(Guard { positive, negative })
    }

    /// Whether `other` implies this guard.
    pub fn follows_from(self, other: Guard) -> bool {
        self.positive & !other.positive == 0 && self.negative & !other.negative == 0
    }
}

/// An edge of the automaton; taking it reads one letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The condition on the letter that is read.
    pub guard: Guard,
    /// The target state, an index into [`Buchi::states`].
    pub target: usize,
    /// The acceptance marks of the edge, one bit each.
    pub marks: u64,
}

/// A state with its outgoing edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuchiState {
    /// The outgoing edges. The guards of several edges, or of none, may hold for a letter.
    pub edges: Vec<Edge>,
}

/// A generalised Büchi automaton with acceptance marks on edges. The head of this file defines the accepted words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buchi {
    /// The states. In the result of `translate` every state is reachable and accepts some word; so an automaton with
    /// the empty language has no states.
    pub states: Vec<BuchiState>,
    /// The initial states.
    pub initial: Vec<usize>,
    /// The number of acceptance marks, at most 64.
    pub acceptance: u32,
}

impl Buchi {
    /// The set of all marks, one bit each.
    pub fn all_marks(&self) -> u64 {
        if self.acceptance == 0 {
            0
        } else {
            u64::MAX >> (64 - self.acceptance)
        }
    }

    /// Whether the automaton accepts the infinite word that reads `letters` and then repeats
    /// `letters[loop_start..]` for ever.
    ///
    /// # Panics
    /// If `loop_start >= letters.len()`.
    pub fn accepts_lasso(&self, letters: &[Letter], loop_start: usize) -> bool {
        assert!(
            loop_start < letters.len(),
            "the loop of a lasso must not be empty"
        );
        // Node `(i, q)` of the product has the index `i * width + q`.
        let width = self.states.len();
        let mut edges: Vec<Vec<(usize, u64)>> = Vec::with_capacity(letters.len() * width);
        for (i, &letter) in letters.iter().enumerate() {
            let next = if i + 1 < letters.len() {
                i + 1
            } else {
                loop_start
            };
            for state in &self.states {
                let taken = state.edges.iter().filter(|e| e.guard.holds(letter));
                edges.push(taken.map(|e| (next * width + e.target, e.marks)).collect());
            }
        }
        reaches_accepting(&edges, self.initial.clone(), self.all_marks())
    }

    /// Whether the automaton, started in state `place`, accepts the infinite word in which every letter is `letter`.
    pub fn accepts_for_ever(&self, place: usize, letter: Letter) -> bool {
        let edges: Vec<Vec<(usize, u64)>> = (self.states.iter())
            .map(|state| {
                let taken = state.edges.iter().filter(|e| e.guard.holds(letter));
                taken.map(|e| (e.target, e.marks)).collect()
            })
            .collect();
        reaches_accepting(&edges, vec![place], self.all_marks())
    }
}

/// Whether an infinite path from one of the nodes takes edges with each of the marks infinitely often.
fn reaches_accepting(edges: &[Vec<(usize, u64)>], from: Vec<usize>, marks: u64) -> bool {
    let good = component::accepting(edges, marks);
    let mut seen = vec![false; edges.len()];
    let mut todo = from;
    while let Some(node) = todo.pop() {
        if good[node] {
            return true;
        }
        if !std::mem::replace(&mut seen[node], true) {
            todo.extend(edges[node].iter().map(|&(target, _)| target));
        }
    }
    false
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sign = "";
        for atom in 0..64 {
            let bit = 1u64 << atom;
            if (self.positive | self.negative) & bit != 0 {
                let not = if self.negative & bit != 0 { "!" } else { "" };
                write!(f, "{sign}{not}a{atom}")?;
                sign = " & ";
            }
        }
        if sign.is_empty() {
            write!(f, "true")
        } else {
            Ok(())
        }
    }
}

/// Prints one line per state and one per edge. Initial states are preceded by an arrow; marks are in braces.
impl fmt::Display for Buchi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "marks {}", self.acceptance)?;
        for (number, state) in self.states.iter().enumerate() {
            let arrow = if self.initial.contains(&number) {
                "-> "
            } else {
                ""
            };
            writeln!(f, "{arrow}q{number}")?;
            for edge in &state.edges {
                write!(f, "  {} -> q{}", edge.guard, edge.target)?;
                for mark in (0..self.acceptance).filter(|m| edge.marks >> m & 1 != 0) {
                    write!(f, " {{{mark}}}")?;
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: Guard = Guard {
        positive: 1,
        negative: 0,
    };
    const NOT_P: Guard = Guard {
        positive: 0,
        negative: 1,
    };

    /// Accepts the words in which atom 0 is true infinitely often and false infinitely often: one state, two marks.
    fn changes_for_ever() -> Buchi {
        let edge = |guard, marks| Edge {
            guard,
            target: 0,
            marks,
        };
        Buchi {
            states: vec![BuchiState {
                edges: vec![edge(P, 1), edge(NOT_P, 2)],
            }],
            initial: vec![0],
            acceptance: 2,
        }
    }

    #[test]
    fn every_mark_must_recur() {
        let automaton = changes_for_ever();
        assert!(automaton.accepts_lasso(&[0, 1], 0));
        assert!(automaton.accepts_lasso(&[1, 1, 1, 0, 1], 3));
        assert!(!automaton.accepts_lasso(&[0, 1], 1));
        assert!(!automaton.accepts_for_ever(0, 0) && !automaton.accepts_for_ever(0, 1));
        assert!(!automaton.accepts_lasso(&[1, 0, 1, 0, 0], 3));
    }

    #[test]
    fn the_first_letter_is_read_by_the_edge_that_leaves_the_initial_state() {
        let to_sink = |guard| Edge {
            guard,
            target: 1,
            marks: 0,
        };
        let first_is_p = Buchi {
            states: [P, Guard::TRUE]
                .map(|guard| BuchiState {
                    edges: vec![to_sink(guard)],
                })
                .to_vec(),
            initial: vec![0],
            acceptance: 0,
        };
        assert!(first_is_p.accepts_lasso(&[1, 0], 1));
        assert!(!first_is_p.accepts_lasso(&[0, 1], 1));
    }

    #[test]
    fn guards() {
        assert!(P.holds(0b11) && !P.holds(0b10) && NOT_P.holds(0b10));
        assert_eq!(P.and(NOT_P), None);
        assert_eq!(P.and(Guard::TRUE), Some(P));
        assert!(Guard::TRUE.follows_from(P) && !P.follows_from(Guard::TRUE));
    }

    #[test]
    fn prints() {
        let text = "marks 2\n-> q0\n  a0 -> q0 {0}\n  !a0 -> q0 {1}\n";
        assert_eq!(changes_for_ever().to_string(), text);
        assert_eq!(Guard::TRUE.to_string(), "true");
    }
}
